// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse | FileCheck %s

// Powers: an exponent of 0 is replaced so that 0 * 0^-1 does not arise. Below the lowest integer
// exponent there is none: x^n is divided by x.

func.func private @fpowi(%x: f64, %y: i32) -> f64 {
  %r = math.fpowi %x, %y : f64, i32
  return %r : f64
}
// CHECK-LABEL: func.func @fpowi_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: i32, %[[X_DOT:.+]]: f64)
// CHECK-DAG: %[[ZERO:.+]] = arith.constant 0 : i32
// CHECK-DAG: %[[ONE:.+]] = arith.constant 1 : i32
// CHECK-DAG: %[[ONE_F:.+]] = arith.constant 1.000000e+00 : f64
// CHECK: %[[FACTOR:.+]] = arith.sitofp %[[Y]] : i32 to f64
// CHECK: %[[V0:.+]] = arith.cmpi eq, %[[Y]], %[[ZERO]] : i32
// CHECK: %[[V1:.+]] = arith.select %[[V0]], %[[ONE]], %[[Y]] : i32
// CHECK: %[[V2:.+]] = arith.subi %[[V1]], %[[ONE]] : i32
// CHECK: %[[WRAPS:.+]] = arith.cmpi sgt, %[[V2]], %[[Y]] : i32
// CHECK: %[[V3:.+]] = arith.select %[[WRAPS]], %[[Y]], %[[V2]] : i32
// CHECK: %[[V4:.+]] = math.fpowi %[[X]], %[[V3]] : f64, i32
// CHECK: %[[V5:.+]] = arith.select %[[WRAPS]], %[[X]], %[[ONE_F]] : f64
// CHECK: %[[V6:.+]] = arith.divf %[[V4]], %[[V5]] : f64
// CHECK: %[[V7:.+]] = arith.mulf %[[FACTOR]], %[[V6]] : f64
// CHECK: %[[V8:.+]] = arith.mulf %[[X_DOT]], %[[V7]] : f64
// CHECK: return %[[V8]] : f64
func.func @fpowi_jvp(%x: f64, %y: i32, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @fpowi(%x, %y) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64, i32), (f64) -> (f64, f64)
  return %d : f64
}

func.func private @powf(%x: f64, %y: f64) -> f64 {
  %r = math.powf %x, %y : f64
  return %r : f64
}
// CHECK-LABEL: func.func @powf_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[Y:.+]]: f64, %[[X_DOT:.+]]: f64, %[[Y_DOT:.+]]: f64)
// CHECK: %[[C:.+]] = arith.constant 0.000000e+00 : f64
// CHECK: %[[C0:.+]] = arith.constant 1.000000e+00 : f64
// CHECK: %[[V0:.+]] = math.powf %[[X]], %[[Y]] : f64
// CHECK: %[[V1:.+]] = arith.cmpf oeq, %[[Y]], %[[C]] : f64
// CHECK: %[[V2:.+]] = arith.select %[[V1]], %[[C0]], %[[Y]] : f64
// CHECK: %[[V3:.+]] = arith.subf %[[V2]], %[[C0]] : f64
// CHECK: %[[V4:.+]] = math.powf %[[X]], %[[V3]] : f64
// CHECK: %[[V5:.+]] = arith.mulf %[[Y]], %[[V4]] : f64
// CHECK: %[[V6:.+]] = arith.mulf %[[X_DOT]], %[[V5]] : f64
// CHECK: %[[V7:.+]] = arith.cmpf oeq, %[[X]], %[[C]] : f64
// CHECK: %[[V8:.+]] = arith.select %[[V7]], %[[C0]], %[[X]] : f64
// CHECK: %[[V9:.+]] = math.log %[[V8]] : f64
// CHECK: %[[V10:.+]] = arith.mulf %[[V9]], %[[V0]] : f64
// CHECK: %[[V11:.+]] = arith.mulf %[[Y_DOT]], %[[V10]] : f64
// CHECK: %[[V12:.+]] = arith.addf %[[V6]], %[[V11]] : f64
// CHECK: return %[[V12]] : f64
func.func @powf_jvp(%x: f64, %y: f64, %x_dot: f64, %y_dot: f64) -> f64 {
  %p, %d = ad.jvp @powf(%x, %y) seed(%x_dot, %y_dot) {wrt = array<i64: 0, 1>}
      : (f64, f64), (f64, f64) -> (f64, f64)
  return %d : f64
}

func.func private @square(%x: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %r = math.powf %x, %two : f64
  return %r : f64
}
// CHECK-LABEL: func.func @square_jvp
// CHECK-SAME: (%[[X:.+]]: f64, %[[X_DOT:.+]]: f64)
// CHECK-NEXT: %[[C:.+]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT: %[[C0:.+]] = arith.constant 2.000000e+00 : f64
// CHECK-NEXT: %[[V0:.+]] = math.powf %[[X]], %[[C]] : f64
// CHECK-NEXT: %[[V1:.+]] = arith.mulf %[[V0]], %[[C0]] : f64
// CHECK-NEXT: %[[V2:.+]] = arith.mulf %[[X_DOT]], %[[V1]] : f64
// CHECK-NEXT: return %[[V2]] : f64
func.func @square_jvp(%x: f64, %x_dot: f64) -> f64 {
  %p, %d = ad.jvp @square(%x) seed(%x_dot) {wrt = array<i64: 0>}
      : (f64), (f64) -> (f64, f64)
  return %d : f64
}
