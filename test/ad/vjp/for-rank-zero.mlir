// What a loop carries or saves may be a tensor of one element, as reductions of `linalg` give: the tape has its element [FUT 4.2].
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s
// RUN: ad-opt check %s --entry=steps --input=0.7 --input=0
// RUN: ad-opt check %s --entry=steps --input=0.7 --input=1
// RUN: ad-opt check %s --entry=steps --input=0.7 --input=4
// RUN: ad-opt check %s --entry=until --input=0.7
// RUN: ad-opt check %s --entry=pieces --input=0.7 --input=7
// RUN: ad-opt run %s --entry=gradient --input=0.5 --input=2 | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func @gradient(
// CHECK: scf.for %{{.*}} -> (tensor<f64>, tensor<?xf64>)
// CHECK:   %[[ELEMENT:.*]] = tensor.extract %{{.*}}[] : tensor<f64>
// CHECK:   tensor.insert %[[ELEMENT]] into %{{.*}}[%{{.*}}] : tensor<?xf64>
// CHECK: scf.for
// CHECK:   %[[SAVED:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<?xf64>
// CHECK:   tensor.from_elements %[[SAVED]] : tensor<f64>

// y = x^4 after two squares: dy/dx = 4 x^3 = 0.5 at 0.5.
// VALUE: {{^}}0.5{{$}}
func.func @squares(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.from_elements %x : tensor<f64>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> tensor<f64> {
    %b = arith.mulf %a, %a : tensor<f64>
    scf.yield %b : tensor<f64>
  }
  %result = tensor.extract %y[] : tensor<f64>
  return %result : f64
}
func.func @gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @squares(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %x_bar : f64
}

// One is carried and one saved inside.
func.func @steps(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.from_elements %x : tensor<f64>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> tensor<f64> {
    %s = math.sin %a : tensor<f64>
    %e = math.exp %s : tensor<f64>
    %p = arith.mulf %e, %a : tensor<f64>
    %q = math.tanh %p : tensor<f64>
    scf.yield %q : tensor<f64>
  }
  %result = tensor.extract %y[] : tensor<f64>
  return %result : f64
}

func.func @until(%x: f64) -> f64 {
  %limit = arith.constant 20.0 : f64
  %one = arith.constant dense<1.5> : tensor<f64>
  %start = tensor.from_elements %x : tensor<f64>
  %y = scf.while (%a = %start) : (tensor<f64>) -> tensor<f64> {
    %size = tensor.extract %a[] : tensor<f64>
    %goes_on = arith.cmpf olt, %size, %limit : f64
    scf.condition(%goes_on) %a : tensor<f64>
  } do {
  ^bb0(%a: tensor<f64>):
    %b = arith.mulf %a, %a : tensor<f64>
    %c = arith.addf %b, %one : tensor<f64>
    scf.yield %c : tensor<f64>
  }
  %result = tensor.extract %y[] : tensor<f64>
  return %result : f64
}

// Strip-mined: the outer loop saves where each piece begins.
func.func @pieces(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = tensor.from_elements %x : tensor<f64>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %start) -> tensor<f64> {
    %s = math.sin %a : tensor<f64>
    %p = arith.mulf %s, %a : tensor<f64>
    scf.yield %p : tensor<f64>
  } {ad.strip_mine = 2 : i64}
  %result = tensor.extract %y[] : tensor<f64>
  return %result : f64
}
