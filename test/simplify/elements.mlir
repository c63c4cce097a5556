// What was written one by one is read without the array, and is a list where all of it was written.
// RUN: ad-opt %s --ad-simplify --canonicalize | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(2, 2)' 1 2 3 4
// RUN: ad-opt run %s --entry=gradient --input=%t.npy | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt check %s --entry=form --input=%t.npy

// The place that was written last, another one, and one that was not written.
// CHECK-LABEL: func.func @reads(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x2xf64>, %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64
// CHECK: %[[OTHER:.*]] = tensor.extract %[[A]][%c1, %c0]
// CHECK: return %[[Y]], %[[X]], %[[OTHER]]
func.func @reads(%a: tensor<2x2xf64>, %x: f64, %y: f64) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.insert %x into %a[%c0, %c0] : tensor<2x2xf64>
  %c = tensor.insert %y into %b[%c0, %c1] : tensor<2x2xf64>
  %last = tensor.extract %c[%c0, %c1] : tensor<2x2xf64>
  %first = tensor.extract %c[%c0, %c0] : tensor<2x2xf64>
  %other = tensor.extract %c[%c1, %c0] : tensor<2x2xf64>
  return %last, %first, %other : f64, f64, f64
}

// A place that may be any stays; the same value is the same place.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?xf64>, %[[X:[a-z0-9]+]]: f64, %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index
// CHECK: %[[B:.*]] = tensor.insert %[[X]] into %[[A]][%[[I]]]
// CHECK: %[[AT_J:.*]] = tensor.extract %[[B]][%[[J]]]
// CHECK: return %[[X]], %[[AT_J]]
func.func @unknown(%a: tensor<?xf64>, %x: f64, %i: index, %j: index) -> (f64, f64) {
  %b = tensor.insert %x into %a[%i] : tensor<?xf64>
  %at_i = tensor.extract %b[%i] : tensor<?xf64>
  %at_j = tensor.extract %b[%j] : tensor<?xf64>
  return %at_i, %at_j : f64, f64
}

// CHECK-LABEL: func.func @filled(
// CHECK-SAME: %[[X:[a-z0-9]+]]: f64, %[[Y:[a-z0-9]+]]: f64
// CHECK-NOT: linalg.fill
// CHECK: %[[ALL:.*]] = tensor.from_elements %[[X]], %[[X]], %[[Y]] : tensor<3xf64>
// CHECK: return %[[ALL]], %[[X]]
func.func @filled(%x: f64, %y: f64, %i: index) -> (tensor<3xf64>, f64) {
  %c2 = arith.constant 2 : index
  %empty = tensor.empty() : tensor<3xf64>
  %a = linalg.fill ins(%x : f64) outs(%empty : tensor<3xf64>) -> tensor<3xf64>
  %b = tensor.insert %y into %a[%c2] : tensor<3xf64>
  %at_i = tensor.extract %a[%i] : tensor<3xf64>
  return %b, %at_i : tensor<3xf64>, f64
}

// Not all of it is known, the place is not, or there are too many elements.
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-3: tensor.insert
// CHECK-NOT: tensor.from_elements
func.func @left(%a: tensor<3xf64>, %x: f64, %i: index) -> (tensor<3xf64>, tensor<3xf64>, tensor<17xf64>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %known = tensor.insert %x into %a[%c2] : tensor<3xf64>
  %three = tensor.empty() : tensor<3xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%three : tensor<3xf64>) -> tensor<3xf64>
  %anywhere = tensor.insert %x into %zeros[%i] : tensor<3xf64>
  %many = tensor.empty() : tensor<17xf64>
  %more = linalg.fill ins(%zero : f64) outs(%many : tensor<17xf64>) -> tensor<17xf64>
  %long = tensor.insert %x into %more[%c2] : tensor<17xf64>
  return %known, %anywhere, %long : tensor<3xf64>, tensor<3xf64>, tensor<17xf64>
}

// x00 x11 - x01 x01: the cotangent has a zero where nothing is read.
func.func @form(%a: tensor<2x2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x00 = tensor.extract %a[%c0, %c0] : tensor<2x2xf64>
  %x01 = tensor.extract %a[%c0, %c1] : tensor<2x2xf64>
  %x11 = tensor.extract %a[%c1, %c1] : tensor<2x2xf64>
  %u = arith.mulf %x00, %x11 : f64
  %v = arith.mulf %x01, %x01 : f64
  %y = arith.subf %u, %v : f64
  return %y : f64
}

// VALUES: {{\[}}[4.0, -4.0],
// VALUES-NEXT: [0.0, 1.0]]
func.func @gradient(%a: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %one = arith.constant 1.0 : f64
  %y, %a_bar = ad.vjp @form(%a) seed(%one) : (tensor<2x2xf64>), (f64) -> (f64, tensor<2x2xf64>)
  return %a_bar : tensor<2x2xf64>
}
