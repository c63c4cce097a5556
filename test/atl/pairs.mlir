// Pairs of inputs, nested and in tensors: an adjoint comes back as one value of the input's type (T26,
// T39), purely in the language. What runs has no pairs: the boundaries of functions pass their halves.
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt %s --atl-split-pairs --canonicalize | FileCheck %s --check-prefix=SPLIT
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=chosen --input=true | FileCheck %s --check-prefix=CHOSEN
// RUN: ad-opt run %s --entry=chosen --input=false | FileCheck %s --check-prefix=OTHER

!inner = !atl.pair<f64, tensor<3xf64>>
!input = !atl.pair<tensor<?xf64>, !inner>
!point = !atl.pair<f64, f64>

// s = sum of x a b for the points (a, b), and s t.
func.func @f(%input: !input, %points: tensor<?x!point>) -> !atl.pair<f64, f64> {
  %zero = arith.constant 0 : index
  %x = atl.project %input[0] : !input
  %rest = atl.project %input[1] : !input
  %t = atl.project %rest[0] : !inner
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %xi = atl.access %x[%i] : tensor<?xf64>
    %point = atl.access %points[%i] : tensor<?x!point>
    %a = atl.project %point[0] : !point
    %b = atl.project %point[1] : !point
    %ab = arith.mulf %a, %b : f64
    %term = arith.mulf %xi, %ab : f64
    atl.yield %term : f64
  }
  %st = arith.mulf %s, %t : f64
  %both = atl.pair %s, %st : f64, f64
  return %both : !atl.pair<f64, f64>
}

// CHECK-LABEL: func.func private @f.vjp_1_0(
// CHECK-SAME: -> (!atl.pair<f64, f64>, tensor<?x!atl.pair<f64, f64>>, !atl.pair<tensor<?xf64>, !atl.pair<f64, tensor<3xf64>>>)
// CHECK-NOT: soac.
// CHECK: %[[POINTS:.*]] = atl.gen (%{{.*}} in %{{.*}}) -> tensor<?x!atl.pair<f64, f64>> {
// CHECK: %[[INNER:.*]] = atl.pair %{{.*}}, %{{.*}} : f64, tensor<3xf64>
// CHECK: %[[INPUT:.*]] = atl.pair %{{.*}}, %[[INNER]] : tensor<?xf64>, !atl.pair<f64, tensor<3xf64>>
// CHECK: return %{{[^ ]*}}, %[[POINTS]], %[[INPUT]] :

// SPLIT-LABEL: func.func @f(
// SPLIT-SAME: %{{[^ ]*}}: tensor<?xf64>, %{{[^ ]*}}: f64, %{{[^ ]*}}: tensor<3xf64>, %{{[^ ]*}}: tensor<?xf64>, %{{[^ ]*}}: tensor<?xf64>) -> (f64, f64)
// SPLIT-LABEL: func.func @gradients(
// SPLIT: ad.vjp @f({{.*}}) seed({{.*}}) {wrt = array<i64: 3, 4, 0, 1, 2>}
// SPLIT: ad.jvp @f({{.*}}) seed({{.*}}) {wrt = array<i64: 3, 4>}

func.func @gradients(%input: !input, %points: tensor<?x!point>, %seed: !point, %points_dot: tensor<?x!point>)
    -> (tensor<?x!point>, !input, !point) {
  %y, %points_bar, %input_bar = ad.vjp @f(%input, %points) seed(%seed) {wrt = array<i64: 1, 0>}
      : (!input, tensor<?x!point>), (!point) -> (!point, tensor<?x!point>, !input)
  %z, %y_dot = ad.jvp @f(%input, %points) seed(%points_dot) {wrt = array<i64: 1>}
      : (!input, tensor<?x!point>), (tensor<?x!point>) -> (!point, !point)
  return %points_bar, %input_bar, %y_dot : tensor<?x!point>, !input, !point
}

// x = 1 2, t = 10, points (3, 5) and (7, 11), seed (1, 1): s is 15 + 2 77 = 169, s_bar = 1 + t = 11,
// so a_bar = 11 x b, b_bar = 11 x a, x_bar = 11 a b, t_bar = s. With tangents (1, 0) and (0, 1) of
// the points s_dot = 1 5 + 2 7.
// VALUES: [55.0, 242.0]
// VALUES: [33.0, 154.0]
// VALUES: [165.0, 847.0]
// VALUES: 169.0
// VALUES: [0.0, 0.0, 0.0]
// VALUES: 19.0
// VALUES: 190.0
func.func @main() -> (tensor<?x!point>, !input, !point) {
  %two = arith.constant 2 : index
  %ten = arith.constant 10.0 : f64
  %one = arith.constant 1.0 : f64
  %xs = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %as = arith.constant dense<[3.0, 7.0]> : tensor<2xf64>
  %bs = arith.constant dense<[5.0, 11.0]> : tensor<2xf64>
  %ads = arith.constant dense<[1.0, 0.0]> : tensor<2xf64>
  %bds = arith.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %us = arith.constant dense<0.0> : tensor<3xf64>
  %x = tensor.cast %xs : tensor<2xf64> to tensor<?xf64>
  %rest = atl.pair %ten, %us : f64, tensor<3xf64>
  %input = atl.pair %x, %rest : tensor<?xf64>, !inner
  %points = func.call @points(%as, %bs, %two) : (tensor<2xf64>, tensor<2xf64>, index) -> tensor<?x!point>
  %dots = func.call @points(%ads, %bds, %two) : (tensor<2xf64>, tensor<2xf64>, index) -> tensor<?x!point>
  %seed = atl.pair %one, %one : f64, f64
  %points_bar, %input_bar, %dot = func.call @gradients(%input, %points, %seed, %dots)
      : (!input, tensor<?x!point>, !point, tensor<?x!point>) -> (tensor<?x!point>, !input, !point)
  return %points_bar, %input_bar, %dot : tensor<?x!point>, !input, !point
}
func.func private @points(%a: tensor<2xf64>, %b: tensor<2xf64>, %n: index) -> tensor<?x!point> {
  %points = atl.gen (%i in %n) -> tensor<?x!point> {
    %ai = atl.access %a[%i] : tensor<2xf64>
    %bi = atl.access %b[%i] : tensor<2xf64>
    %point = atl.pair %ai, %bi : f64, f64
    atl.yield %point : !point
  }
  return %points : tensor<?x!point>
}

// Pairs through control flow.
// CHOSEN: 7.0
// OTHER: 2.0
func.func @chosen(%p: i1) -> f64 {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %seven = arith.constant 7.0 : f64
  %pair = scf.if %p -> !point {
    %a = atl.pair %one, %seven : f64, f64
    scf.yield %a : !point
  } else {
    %b = atl.pair %seven, %two : f64, f64
    scf.yield %b : !point
  }
  %y = atl.project %pair[1] : !point
  return %y : f64
}

// Pairs of what functions compute, which nobody needs once their halves are there.
// RUN: ad-opt %s --ad-differentiate --atl-split-pairs --lower-atl-to-soac -o /dev/null
// RUN: ad-opt run %s --entry=called --input=3.0 | FileCheck %s --check-prefix=CALLED
// CALLED: 3.0
// CALLED: 9.0
func.func @called(%a: f64) -> (f64, f64) {
  // What is no part of the language.
  %other = arith.constant dense<[2, 0]> : tensor<2xindex>
  %p = arith.constant true
  %pair = atl.bracket %p -> !point {
    %square = func.call @square(%a) : (f64) -> f64
    %both = atl.pair %a, %square : f64, f64
    atl.yield %both : !point
  }
  %first = atl.project %pair[0] : !point
  %second = atl.project %pair[1] : !point
  return %first, %second : f64, f64
}
func.func private @square(%a: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %is_positive = arith.cmpf ogt, %a, %zero : f64
  %square = scf.if %is_positive -> f64 {
    %s = arith.mulf %a, %a : f64
    scf.yield %s : f64
  } else {
    scf.yield %zero : f64
  }
  return %square : f64
}
