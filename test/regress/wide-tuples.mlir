// Sums of a tuple whose components fit in shared memory one by one, but not together: 2 arrays of 256 numbers of 128 bytes.
// One thread of a block adds them; the launch failed.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<i8' '(5,)' 1 2 3 4 -20
// RUN: ad-opt run %s --entry=sums --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=sums --input=%t.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt %s --ad-optimize --ad-make-kernels --ad-lower-to-kernels | FileCheck %s --check-prefix=KERNELS --implicit-check-not=workgroup
// CHECK: -10
// CHECK-NEXT: 430
// KERNELS: gpu.func
func.func @sums(%x: tensor<?xi64>) -> (i64, i64) {
  %zero = arith.constant 0 : i1024
  %wide:2 = soac.map ins(%x : tensor<?xi64>) (%e: i64) -> (tensor<?xi1024>, tensor<?xi1024>) {
    %w = arith.extsi %e : i64 to i1024
    %ww = arith.muli %w, %w : i1024
    soac.yield %w, %ww : i1024, i1024
  }
  %s:2 = soac.reduce ins(%wide#0, %wide#1 : tensor<?xi1024>, tensor<?xi1024>) neutral(%zero, %zero : i1024, i1024) (%a: i1024, %b: i1024, %c: i1024, %d: i1024) {
    %ac = arith.addi %a, %c : i1024
    %bd = arith.addi %b, %d : i1024
    soac.yield %ac, %bd : i1024, i1024
  }
  %sum = arith.trunci %s#0 : i1024 to i64
  %squares = arith.trunci %s#1 : i1024 to i64
  return %sum, %squares : i64, i64
}
