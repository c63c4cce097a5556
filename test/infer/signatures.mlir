// One function, a copy for each signature with which it is called; equal signatures share one, through nested calls, too
// [M21, M22].
// RUN: ad-opt %s --ad-specialize --canonicalize | FileCheck %s
// RUN: ad-opt %s --ad-specialize --ad-specialize --canonicalize | FileCheck %s
// RUN: ad-opt %s --ad-specialize=unranked-only --canonicalize | FileCheck %s --check-prefix=ONLY

// CHECK-LABEL: func.func private @twice.of_n(
// CHECK-SAME: %{{.*}}: tensor<?xf64>) -> tensor<?xf64>
// CHECK-LABEL: func.func private @twice.of_3(
// CHECK-SAME: %[[X:.*]]: tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : tensor<3xf64>
// CHECK-NEXT: return %[[Y]] : tensor<3xf64>
// CHECK-LABEL: func.func private @twice.of_2x4(
// CHECK-SAME: %{{.*}}: tensor<2x4xf64>) -> tensor<2x4xf64>
// CHECK-NOT: func.func private @twice
func.func private @twice(%x: tensor<*xf64>) -> tensor<*xf64> {
  %y = arith.addf %x, %x : tensor<*xf64>
  return %y : tensor<*xf64>
}
// CHECK-LABEL: func.func private @four_times.of_3(
// CHECK: call @twice.of_3(
// CHECK: call @twice.of_3(
// CHECK-LABEL: func.func private @four_times.of_2x4(
// CHECK: call @twice.of_2x4(
// CHECK: call @twice.of_2x4(
func.func private @four_times(%x: tensor<*xf64>) -> tensor<*xf64> {
  %y = func.call @twice(%x) : (tensor<*xf64>) -> tensor<*xf64>
  %z = func.call @twice(%y) : (tensor<*xf64>) -> tensor<*xf64>
  return %z : tensor<*xf64>
}
// CHECK-LABEL: func.func @callers(
// CHECK-SAME: %[[A:.*]]: tensor<3xf64>, %[[B:.*]]: tensor<2x4xf64>, %[[C:.*]]: tensor<?xf64>)
// CHECK-NEXT: %[[A4:.*]] = call @four_times.of_3(%[[A]]) : (tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT: %[[B4:.*]] = call @four_times.of_2x4(%[[B]]) : (tensor<2x4xf64>) -> tensor<2x4xf64>
// CHECK-NEXT: %[[C2:.*]] = call @twice.of_n(%[[C]]) : (tensor<?xf64>) -> tensor<?xf64>
// CHECK-NEXT: return %[[A4]], %[[B4]], %[[C2]]
func.func @callers(%a: tensor<3xf64>, %b: tensor<2x4xf64>, %c: tensor<?xf64>)
    -> (tensor<3xf64>, tensor<2x4xf64>, tensor<?xf64>) {
  %a0 = tensor.cast %a : tensor<3xf64> to tensor<*xf64>
  %a4 = func.call @four_times(%a0) : (tensor<*xf64>) -> tensor<*xf64>
  %a5 = tensor.cast %a4 : tensor<*xf64> to tensor<3xf64>
  %b0 = tensor.cast %b : tensor<2x4xf64> to tensor<*xf64>
  %b4 = func.call @four_times(%b0) : (tensor<*xf64>) -> tensor<*xf64>
  %b5 = tensor.cast %b4 : tensor<*xf64> to tensor<2x4xf64>
  %c0 = tensor.cast %c : tensor<?xf64> to tensor<*xf64>
  %c2 = func.call @twice(%c0) : (tensor<*xf64>) -> tensor<*xf64>
  %c3 = tensor.cast %c2 : tensor<*xf64> to tensor<?xf64>
  return %a5, %b5, %c3 : tensor<3xf64>, tensor<2x4xf64>, tensor<?xf64>
}

// Sizes that are open are inferred through a product of matrices, and sizes that come from numbers.
// CHECK-LABEL: func.func private @product.of_3x4_4x2(
// CHECK-SAME: %[[A:.*]]: tensor<3x4xf64>, %[[B:.*]]: tensor<4x2xf64>) -> tensor<3x2xf64>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<3x2xf64>
// CHECK: linalg.matmul ins(%[[A]], %[[B]] : tensor<3x4xf64>, tensor<4x2xf64>) outs(%{{.*}} : tensor<3x2xf64>) -> tensor<3x2xf64>
// ONLY-LABEL: func.func private @product(
// ONLY-SAME: tensor<?x?xf64>
func.func private @product(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %m = tensor.dim %b, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%n, %m) : tensor<?x?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%f : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %c : tensor<?x?xf64>
}
// CHECK-LABEL: func.func private @numbers.of_5(
// CHECK-SAME: -> tensor<5xindex>
// CHECK-NEXT: soac.iota : tensor<5xindex>
func.func private @numbers(%n: index) -> tensor<?xindex> {
  %r = soac.iota %n : tensor<?xindex>
  return %r : tensor<?xindex>
}
// CHECK-LABEL: func.func @sizes(
// CHECK: call @product.of_3x4_4x2(%{{.*}}, %{{.*}}) : (tensor<3x4xf64>, tensor<4x2xf64>) -> tensor<3x2xf64>
// CHECK: call @numbers.of_5(
// CHECK: return %{{.*}}, %{{.*}} : tensor<3x2xf64>, index
func.func @sizes(%a: tensor<3x4xf64>, %b: tensor<4x2xf64>) -> (tensor<3x2xf64>, index) {
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %a0 = tensor.cast %a : tensor<3x4xf64> to tensor<?x?xf64>
  %b0 = tensor.cast %b : tensor<4x2xf64> to tensor<?x?xf64>
  %c = func.call @product(%a0, %b0) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %d = tensor.cast %c : tensor<?x?xf64> to tensor<3x2xf64>
  %five = arith.addi %two, %three : index
  %is = func.call @numbers(%five) : (index) -> tensor<?xindex>
  %i = tensor.extract %is[%two] : tensor<?xindex>
  return %d, %i : tensor<3x2xf64>, index
}

// A branch on the rank: of each copy only one side is there. Two ranks may be returned, too.
// CHECK-LABEL: func.func private @total.of_3(
// CHECK-NOT: scf.if
// CHECK: linalg.reduce
// CHECK: return
// CHECK-LABEL: func.func private @total.of_0d(
// CHECK-NOT: scf.if
// CHECK: tensor.extract
// CHECK: return
func.func private @total(%x: tensor<*xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %rank = tensor.rank %x : tensor<*xf64>
  %is_number = arith.cmpi eq, %rank, %zero : index
  %r = scf.if %is_number -> f64 {
    %v = tensor.cast %x : tensor<*xf64> to tensor<f64>
    %e = tensor.extract %v[] : tensor<f64>
    scf.yield %e : f64
  } else {
    %v = tensor.cast %x : tensor<*xf64> to tensor<?xf64>
    %f = arith.constant dense<0.0> : tensor<f64>
    %s = linalg.reduce ins(%v : tensor<?xf64>) outs(%f : tensor<f64>) dimensions = [0]
      (%a: f64, %b: f64) {
        %t = arith.addf %a, %b : f64
        linalg.yield %t : f64
      }
    %e = tensor.extract %s[] : tensor<f64>
    scf.yield %e : f64
  }
  return %r : f64
}
func.func @totals(%x: tensor<3xf64>, %y: tensor<f64>) -> (f64, f64) {
  %x0 = tensor.cast %x : tensor<3xf64> to tensor<*xf64>
  %y0 = tensor.cast %y : tensor<f64> to tensor<*xf64>
  %a = func.call @total(%x0) : (tensor<*xf64>) -> f64
  %b = func.call @total(%y0) : (tensor<*xf64>) -> f64
  return %a, %b : f64, f64
}

// Operations of the tensor language stay as they are: what they read is cast in front of them.
// CHECK-LABEL: func.func private @squares.of_3(
// CHECK-SAME: -> tensor<3xf64>
// CHECK: atl.gen
func.func private @squares(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = arith.addf %x, %x : tensor<?xf64>
  %z = atl.gen (%i in %n) -> tensor<?xf64> {
    %a = atl.access %y[%i] : tensor<?xf64>
    %b = arith.mulf %a, %a : f64
    atl.yield %b : f64
  }
  %w = arith.addf %y, %z : tensor<?xf64>
  return %w : tensor<?xf64>
}
func.func @squared(%x: tensor<3xf64>) -> tensor<?xf64> {
  %x0 = tensor.cast %x : tensor<3xf64> to tensor<?xf64>
  %y = func.call @squares(%x0) : (tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}
