// Discardable attributes of combinators, loops and branches are on what forward mode makes of them
// (FP8).
// RUN: ad-opt %s --ad-differentiate | FileCheck %s

// CHECK-LABEL: func.func private @f.jvp_0(
// CHECK:         soac.map
// CHECK-SAME:      attributes {target = "gpu"}
// CHECK:         soac.reduce
// CHECK-SAME:      attributes {note = "mine"}
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:           } {note = "branch"}
// CHECK:         } {note = "loop"}
// CHECK:         return
func.func private @f(%xs: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64>
      attributes {target = "gpu", ad.secret} {
    %y = arith.mulf %x, %x : f64
    soac.yield %y : f64
  }
  %s = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64)
      attributes {note = "mine"} {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> (f64) {
    %positive = arith.cmpf ogt, %a, %zero : f64
    %b = scf.if %positive -> f64 {
      %t = math.sin %a : f64
      scf.yield %t : f64
    } else {
      scf.yield %a : f64
    } {note = "branch"}
    scf.yield %b : f64
  } {note = "loop"}
  return %y : f64
}
func.func @request(%xs: tensor<?xf64>, %n: index) -> f64 {
  %y, %y_dot = ad.jvp @f(%xs, %n) seed(%xs) : (tensor<?xf64>, index), (tensor<?xf64>) -> (f64, f64)
  return %y_dot : f64
}
