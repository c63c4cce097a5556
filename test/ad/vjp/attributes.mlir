// Discardable attributes of combinators, loops and branches are on both sweeps of the derivative; those
// of an inner operation stay with it, and instructions to our own passes stay where they are (FP8).
// RUN: ad-opt %s --ad-differentiate | FileCheck %s

// CHECK-LABEL: func.func private @map.vjp_0(
// CHECK:         soac.map
// CHECK-SAME:      attributes {ad.secret, outer.note = 1 : i64, target = "gpu"}
// CHECK-NOT:     {{outer.note|ad.secret}}
// CHECK:         soac.map
// CHECK-SAME:      attributes {outer.note = 1 : i64, target = "gpu"}
// CHECK-NOT:     {{outer.note|ad.secret}}
// CHECK:         return
func.func private @map(%xs: tensor<?x?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xs : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64>
      attributes {target = "gpu", outer.note = 1 : i64, ad.secret} {
    %s = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %y = arith.mulf %s, %s : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// The scans and maps that a reduction becomes.
// CHECK-LABEL: func.func private @reduce.vjp_0(
// CHECK:         soac.scan {{.*}} attributes {exclusive, note = "mine"}
// CHECK:         soac.scan {{.*}} attributes {exclusive, note = "mine", reverse}
// CHECK:         soac.map {{.*}} attributes {note = "mine"}
// CHECK:         return
func.func private @reduce(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64)
      attributes {note = "mine"} {
    %p = arith.mulf %a, %b : f64
    %q = arith.addf %p, %b : f64
    %r = arith.addf %q, %a : f64
    soac.yield %r : f64
  }
  return %y : f64
}

// The loop is made anew, to keep what it carries, and there is a loop back.
// CHECK-LABEL: func.func private @loop.vjp_0(
// CHECK:         scf.for
// CHECK:         } {note = "loop"}
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:           } {note = "branch"}
// CHECK:         } {note = "loop"}
// CHECK-NOT:     scf.for
// CHECK:         return
func.func private @loop(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f64) {
    %positive = arith.cmpf ogt, %a, %zero : f64
    %b = scf.if %positive -> f64 {
      %s = math.sin %a : f64
      scf.yield %s : f64
    } else {
      scf.yield %a : f64
    } {note = "branch"}
    scf.yield %b : f64
  } {note = "loop"}
  return %y : f64
}

func.func @requests(%xs: tensor<?x?xf64>, %v: tensor<?xf64>, %x: f64, %n: index)
    -> (tensor<?x?xf64>, tensor<?xf64>, f64) {
  %a, %xs_bar = ad.vjp @map(%xs) seed(%v)
      : (tensor<?x?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
  %b, %v_bar = ad.vjp @reduce(%v) seed(%x) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  %c, %x_bar = ad.vjp @loop(%x, %n) seed(%x) : (f64, index), (f64) -> (f64, f64)
  return %xs_bar, %v_bar, %x_bar : tensor<?x?xf64>, tensor<?xf64>, f64
}
