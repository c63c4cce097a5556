// What reads several slices of an array beside the one that its result goes to has a new array, which is copied there once; in
// its place, each of the slices would be copied. One slice, smaller ones, and that of the result itself are read as they are.
// RUN: ad-opt %s --lower-own-destinations | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-place-buffers)' | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @neighbours(
// CHECK: %[[NEW:.*]] = bufferization.alloc_tensor(%{{.*}}) : tensor<?xf64>
// CHECK: linalg.map {{.*}} outs(%[[NEW]]
// CHECK: tensor.insert_slice
func.func @neighbours(%u: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %e = tensor.empty(%n) : tensor<?xf64>
  %l = tensor.extract_slice %u[0] [%n] [1] : tensor<?xf64> to tensor<?xf64>
  %r = tensor.extract_slice %u[2] [%n] [1] : tensor<?xf64> to tensor<?xf64>
  %m = linalg.map { arith.addf } ins(%l, %r : tensor<?xf64>, tensor<?xf64>) outs(%e : tensor<?xf64>)
  %v = tensor.insert_slice %m into %u[1] [%n] [1] : tensor<?xf64> into tensor<?xf64>
  return %v : tensor<?xf64>
}

// Of three slices, none is copied.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK: %[[NEW:.*]] = bufferization.alloc_tensor() : tensor<8xf64>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[NEW]])
// BUFFERS-LABEL: func.func @in_a_loop(
// BUFFERS: scf.for
// BUFFERS: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<8xf64>
// BUFFERS-NOT: memref.copy
// BUFFERS: memref.store %{{.*}}, %[[NEW]]
// BUFFERS: memref.copy %[[NEW]]
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @in_a_loop(%u: tensor<10xf64>, %steps: index) -> tensor<10xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %w = scf.for %step = %c0 to %steps step %c1 iter_args(%old = %u) -> tensor<10xf64> {
    %e = tensor.empty() : tensor<8xf64>
    %l = tensor.extract_slice %old[0] [8] [1] : tensor<10xf64> to tensor<8xf64>
    %c = tensor.extract_slice %old[1] [8] [1] : tensor<10xf64> to tensor<8xf64>
    %r = tensor.extract_slice %old[2] [8] [1] : tensor<10xf64> to tensor<8xf64>
    %m = scf.for %i = %c0 to %c8 step %c1 iter_args(%made = %e) -> tensor<8xf64> {
      %x = tensor.extract %l[%i] : tensor<8xf64>
      %y = tensor.extract %r[%i] : tensor<8xf64>
      %z = tensor.extract %c[%i] : tensor<8xf64>
      %s = arith.addf %x, %y : f64
      %t = arith.mulf %s, %z : f64
      %next = tensor.insert %t into %made[%i] : tensor<8xf64>
      scf.yield %next : tensor<8xf64>
    }
    %v = tensor.insert_slice %m into %old[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
    scf.yield %v : tensor<10xf64>
  }
  return %w : tensor<10xf64>
}

// CHECK-LABEL: func.func @own(
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: return
func.func @own(%u: tensor<10xf64>) -> tensor<10xf64> {
  %e = tensor.empty() : tensor<8xf64>
  %l = tensor.extract_slice %u[1] [8] [1] : tensor<10xf64> to tensor<8xf64>
  %m = linalg.map { arith.mulf } ins(%l, %l : tensor<8xf64>, tensor<8xf64>) outs(%e : tensor<8xf64>)
  %v = tensor.insert_slice %m into %u[1] [8] [1] : tensor<8xf64> into tensor<10xf64>
  return %v : tensor<10xf64>
}

// A row and a column are taken away from what is behind them: copies of these are small.
// CHECK-LABEL: func.func @outer(
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: return
func.func @outer(%u: tensor<10x10xf64>) -> tensor<10x10xf64> {
  %e = tensor.empty() : tensor<9x9xf64>
  %row = tensor.extract_slice %u[0, 1] [1, 9] [1, 1] : tensor<10x10xf64> to tensor<9xf64>
  %column = tensor.extract_slice %u[1, 0] [9, 1] [1, 1] : tensor<10x10xf64> to tensor<9xf64>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%row, %column : tensor<9xf64>, tensor<9xf64>) outs(%e : tensor<9x9xf64>) {
    ^bb0(%a: f64, %b: f64, %o: f64):
      %p = arith.mulf %a, %b : f64
      linalg.yield %p : f64
  } -> tensor<9x9xf64>
  %v = tensor.insert_slice %m into %u[1, 1] [9, 9] [1, 1] : tensor<9x9xf64> into tensor<10x10xf64>
  return %v : tensor<10x10xf64>
}
