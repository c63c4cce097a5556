// Fills are kernels with a thread for eight elements.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,ad-lower-to-kernels)' | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.at.npy '<i8' '(4,)' 0 2 0 1
// RUN: ad-opt run %s --entry=count --input=%t.at.npy --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=COUNT

// The zeros that bins start with are written to the bins themselves.
// COUNT: [2, 1, 1]
// CHECK-LABEL: func.func private @count.on_device(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[BINS:.*]] = gpu.alloc (%[[N]])
// CHECK-NOT: gpu.alloc
// CHECK: %[[BLOCKS:.*]] = arith.ceildivsi %{{.*}}, %c2048
// CHECK: gpu.launch_func @{{.*}} blocks in (%[[BLOCKS]], %c1, %c1) threads in (%c256, %c1, %c1) args({{.*}}%[[BINS]]
// Then the values, with bins in shared memory or without.
// CHECK: scf.if
// CHECK: gpu.launch_func @{{.*}} threads in (%c256, %c1, %c1)
// CHECK: } else {
// CHECK: gpu.launch_func @{{.*}} threads in (%c256, %c1, %c1)
// CHECK-NOT: gpu.launch_func
// CHECK: return %[[BINS]]
// CHECK: gpu.func @count_kernel(
// CHECK-NOT: scf.for
// CHECK: gpu.return
func.func @count(%at: tensor<?xi64>, %n: index) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m = tensor.dim %at, %c0 : tensor<?xi64>
  %zeros = tensor.splat %zero[%n] : tensor<?xi64>
  %ones = soac.replicate %one, %m : i64 -> tensor<?xi64>
  %h = soac.hist at(%at : tensor<?xi64>) ins(%ones : tensor<?xi64>) into(%zeros : tensor<?xi64>) neutral(%zero : i64) (%l: i64, %r: i64) {
    %s = arith.addi %l, %r : i64
    soac.yield %s : i64
  }
  return %h : tensor<?xi64>
}
