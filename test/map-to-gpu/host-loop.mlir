// A loop that carries arrays whose sizes nobody knows before it stays on the host; what it does to them is in kernels.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,ad-lower-to-kernels)' | FileCheck %s --enable-var-scope
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<i8' '(1,)' 1
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<i8' '(1,)' 10
// RUN: ad-opt run %s --entry=grow --input=0 --input=%t.a.npy --input=%t.b.npy --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=grow --input=3 --input=%t.a.npy --input=%t.b.npy --target=gpu-emulate | FileCheck %s --check-prefix=THREE

// Two arrays change places in every iteration; the one gets an element more, the first of the other and one.
//   ([1], [10]) -> ([10, 2], [1]) -> ([1, 11], [10, 2]) -> ([10, 2, 2], [1, 11])
// NONE: [1]
// THREE: [10, 2, 2]

// CHECK-LABEL: func.func private @grow.on_device(
// CHECK: scf.for
// CHECK: gpu.alloc
// CHECK: gpu.launch_func @[[COPY:[a-z_0-9]+]]::
// CHECK: call @mgpuMemcpy(
// CHECK: gpu.launch_func @[[STORE:[a-z_0-9]+]]::
// CHECK: scf.yield
// CHECK: return
// CHECK: gpu.module
func.func @grow(%n: index, %a0: tensor<?xi64>, %b0: tensor<?xi64>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %ends:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0)
      -> (tensor<?xi64>, tensor<?xi64>) {
    %size = tensor.dim %b, %c0 : tensor<?xi64>
    %more = arith.addi %size, %c1 : index
    %empty = tensor.empty(%more) : tensor<?xi64>
    %start = tensor.insert_slice %b into %empty[0] [%size] [1] : tensor<?xi64> into tensor<?xi64>
    %x = tensor.extract %a[%c0] : tensor<?xi64>
    %y = arith.addi %x, %one : i64
    %longer = tensor.insert %y into %start[%size] : tensor<?xi64>
    scf.yield %longer, %a : tensor<?xi64>, tensor<?xi64>
  }
  return %ends#0 : tensor<?xi64>
}
