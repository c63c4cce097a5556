// Slices of lower rank keep the dimensions that they drop when a number of theirs becomes constant.
// RUN: ad-opt %s --ad-canonicalize | FileCheck %s

// The patterns are those of the soac dialect, of which nothing is here.
// CHECK-LABEL: func.func @extracted(
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [1, %{{.*}}, 1] [1, 1, 1] : tensor<1x?x1xf32> to tensor<1x?xf32>
func.func @extracted(%v: tensor<1x?x1xf32>, %n: index) -> tensor<1x?xf32> {
  %zero = arith.constant 0 : index
  %s = tensor.extract_slice %v[0, 0, %zero] [1, %n, 1] [1, 1, 1] : tensor<1x?x1xf32> to tensor<1x?xf32>
  return %s : tensor<1x?xf32>
}

// CHECK-LABEL: func.func @inserted(
// CHECK-NOT: tensor.cast
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0] [1, %{{.*}}, 1] [1, 1, 1] : tensor<1x?xf32> into tensor<1x?x1xf32>
func.func @inserted(%v: tensor<1x?x1xf32>, %w: tensor<1x?xf32>, %n: index) -> tensor<1x?x1xf32> {
  %zero = arith.constant 0 : index
  %s = tensor.insert_slice %w into %v[0, 0, %zero] [1, %n, 1] [1, 1, 1] : tensor<1x?xf32> into tensor<1x?x1xf32>
  return %s : tensor<1x?x1xf32>
}

// CHECK-LABEL: func.func @in_parallel(
// CHECK-NOT: tensor.cast
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[0, 0, %{{.*}}] [1, %{{.*}}, 1] [1, 1, 1] : tensor<1x?xf32> into tensor<1x?x?xf32>
func.func @in_parallel(%v: tensor<1x?x?xf32>, %w: tensor<1x?xf32>, %n: index, %m: index) -> tensor<1x?x?xf32> {
  %zero = arith.constant 0 : index
  %s = scf.forall (%k) in (%m) shared_outs(%o = %v) -> tensor<1x?x?xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[0, %zero, %k] [1, %n, 1] [1, 1, 1]
        : tensor<1x?xf32> into tensor<1x?x?xf32>
    }
  }
  return %s : tensor<1x?x?xf32>
}

// A size that becomes constant is in the type, at the dimension that stays.
// CHECK-LABEL: func.func @sizes(
// CHECK: %[[TAKEN:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0] [1, 5, 1] [1, 1, 1] : tensor<1x?x1xf32> to tensor<1x5xf32>
// CHECK: %[[ANY:.*]] = tensor.cast %[[TAKEN]] : tensor<1x5xf32> to tensor<1x?xf32>
// CHECK: return %[[ANY]]
func.func @sizes(%v: tensor<1x?x1xf32>) -> tensor<1x?xf32> {
  %zero = arith.constant 0 : index
  %five = arith.constant 5 : index
  %s = tensor.extract_slice %v[0, 0, %zero] [1, %five, 1] [1, 1, 1] : tensor<1x?x1xf32> to tensor<1x?xf32>
  return %s : tensor<1x?xf32>
}
