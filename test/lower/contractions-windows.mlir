// Convolutions, and their derivatives, become calls of a matrix product, too: what is read, or written, at sums of loops has a
// stride for each loop. In one product no element of the result may be another one.
// RUN: ad-opt %s --lower-contractions | FileCheck %s
// RUN: ad-opt run %s --entry=polynomials | FileCheck %s --check-prefix=VALUES

// Positions, filters and channels are the product, images and offsets run around it.
// CHECK-LABEL: func.func @convolution(
// CHECK-SAME: %[[X:.*]]: memref<?x?x?xf32>, %[[W:.*]]: memref<?x?x?xf32>, %[[Y:.*]]: memref<?x?x?xf32>)
// CHECK-DAG: %[[CHANNELS:.*]] = memref.dim %[[X]], %c2
// CHECK-DAG: %[[FILTERS:.*]] = memref.dim %[[W]], %c2
// CHECK-DAG: %[[POSITIONS:.*]] = memref.dim %[[Y]], %c1
// CHECK: %[[TWICE:.*]] = arith.muli %{{.*}}#1, %c2
// CHECK: %[[THRICE:.*]] = arith.muli %{{.*}}#1, %c3
// CHECK: memref.reinterpret_cast {{.*}} strides: [%{{.*}}, %[[TWICE]], %[[THRICE]], 1]
// CHECK: scf.for
// CHECK: scf.for
// CHECK: call @ad_gemm_f32(%[[POSITIONS]], %[[FILTERS]], %[[CHANNELS]],
func.func @convolution(%x: memref<?x?x?xf32>, %w: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
    ins(%x, %w : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%y : memref<?x?x?xf32>)
  return
}

// The longest loop of each kind is in the product, wherever its dimension is: channels, and not columns of the window; rows of
// the image run around it, where these are no longer than columns.
// CHECK-LABEL: func.func @channels_first(
// CHECK: scf.for %{{.*}} to %c2 step
// CHECK: scf.for %{{.*}} to %c28 step
// CHECK: scf.for %{{.*}} to %c3 step
// CHECK: scf.for %{{.*}} to %c3{{_.*}} step
// CHECK: call @ad_gemm_f32(%c28{{_.*}}, %c16, %c32,
func.func @channels_first(%x: memref<2x32x30x30xf32>, %w: memref<16x32x3x3xf32>, %y: memref<2x16x28x28xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : memref<2x32x30x30xf32>, memref<16x32x3x3xf32>) outs(%y : memref<2x16x28x28xf32>)
  return
}

// Where sizes are not known, a window is taken to be short.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME: %[[X:.*]]: memref<?x?x?xf32>, %[[W:.*]]: memref<?x?x?xf32>, %[[Y:.*]]: memref<?x?x?xf32>)
// CHECK-DAG: %[[POSITIONS:.*]] = memref.dim %[[Y]], %c2 :
// CHECK-DAG: %[[CHANNELS:.*]] = memref.dim %[[X]], %c1 :
// CHECK-DAG: %[[FILTERS:.*]] = memref.dim %[[W]], %c0{{.*}} : 
// CHECK: call @ad_gemm_f32(%[[POSITIONS]], %[[FILTERS]], %[[CHANNELS]],
func.func @unknown(%x: memref<?x?x?xf32>, %w: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) {
  linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%x, %w : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%y : memref<?x?x?xf32>)
  return
}

// The derivative for the input adds to windows, one offset after the other.
// CHECK-LABEL: func.func @scattered(
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: call @ad_gemm_f64(
func.func @scattered(%w: memref<?x?x?xf64>, %y: memref<?x?xf64>, %x: memref<?x?xf64>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, a, c, f) -> (a, c, f)>, affine_map<(i, a, c, f) -> (i, f)>, affine_map<(i, a, c, f) -> (i + a, c)>],
      iterator_types = ["reduction", "reduction", "parallel", "reduction"]}
      ins(%w, %y : memref<?x?x?xf64>, memref<?x?xf64>) outs(%x : memref<?x?xf64>) {
    ^bb0(%w_a: f64, %y_i: f64, %sum: f64):
      %p = arith.mulf %w_a, %y_i : f64
      %n = arith.addf %sum, %p : f64
      linalg.yield %n : f64
  }
  return
}

// Of a sum of products of polynomials, both indices are in one sum: it stays. (1 + 2 t) (5 + 6 t) + (3 + 4 t) (7 + 8 t).
// CHECK-LABEL: func.func @polynomials(
// CHECK-NOT: call @ad_gemm
// CHECK: linalg.generic
// CHECK-NOT: call @ad_gemm
// VALUES: [26.0, 68.0, 44.0]
func.func @polynomials() -> memref<3xf64> {
  %a = memref.alloc() : memref<2x2xf64>
  %b = memref.alloc() : memref<2x2xf64>
  %c = memref.alloc() : memref<3xf64>
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%c : memref<3xf64>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%a, %b : memref<2x2xf64>, memref<2x2xf64>) {
    ^bb0(%a_0: f64, %b_0: f64):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c2 = arith.constant 2 : index
      %twice = arith.muli %j, %c2 : index
      %n = arith.addi %i, %twice : index
      %n_i = arith.index_cast %n : index to i64
      %n_f = arith.sitofp %n_i : i64 to f64
      %one = arith.constant 1.0 : f64
      %five = arith.constant 5.0 : f64
      %a_1 = arith.addf %n_f, %one : f64
      %b_1 = arith.addf %n_f, %five : f64
      linalg.yield %a_1, %b_1 : f64, f64
  }
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i + j)>],
      iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%a, %b : memref<2x2xf64>, memref<2x2xf64>) outs(%c : memref<3xf64>) {
    ^bb0(%x: f64, %y: f64, %sum: f64):
      %p = arith.mulf %x, %y : f64
      %n = arith.addf %sum, %p : f64
      linalg.yield %n : f64
  }
  memref.dealloc %a : memref<2x2xf64>
  memref.dealloc %b : memref<2x2xf64>
  return %c : memref<3xf64>
}
