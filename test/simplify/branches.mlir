// Branches on one condition become one branch, with what the second needs in front of the first; what
// both compute is computed once.
// RUN: ad-opt %s --ad-simplify --canonicalize --cse | FileCheck %s
// RUN: ad-opt run %s --entry=values | FileCheck %s --check-prefix=VALUES

// x = 2: s = exp(2 * 2) - 1 = 53.5981500331442, y = exp(4) * 6 = 327.588900198865, and their sum.
// x = -2: s = -2 - 1 = -3, y = -6.
// VALUES:      381.187050232009{{6[0-9]*}}
// VALUES-NEXT: -9.0

// CHECK-LABEL: func.func @apart(
// CHECK-SAME:    %[[X:.*]]: f64)
// CHECK:         %[[C:.*]] = arith.cmpf ogt, %[[X]]
// CHECK:         %[[Z:.*]] = arith.mulf %[[X]], %{{.*}} : f64
// CHECK:         %[[R:.*]]:2 = scf.if %[[C]] -> (f64, f64) {
// CHECK:           %[[E:.*]] = math.exp
// CHECK-NOT:       math.exp
// CHECK:           %[[P:.*]] = arith.mulf %[[E]], %[[Z]]
// CHECK:           scf.yield %[[E]], %[[P]]
// CHECK:         } else {
// CHECK:           scf.yield %[[X]], %[[Z]]
// CHECK:         arith.subf %[[R]]#0
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @apart(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %three = arith.constant 3.0 : f64
  %c = arith.cmpf ogt, %x, %zero : f64
  %first = scf.if %c -> (f64) {
    %d = arith.addf %x, %x : f64
    %e = math.exp %d : f64
    scf.yield %e : f64
  } else {
    scf.yield %x : f64
  }
  %s = arith.subf %first, %one : f64
  %z = arith.mulf %x, %three : f64
  %second = scf.if %c -> (f64) {
    %d = arith.addf %x, %x : f64
    %e = math.exp %d : f64
    %p = arith.mulf %e, %z : f64
    scf.yield %p : f64
  } else {
    scf.yield %z : f64
  }
  %y = arith.addf %s, %second : f64
  return %y : f64
}

// The second branch needs what is made of the first one.
// CHECK-LABEL: func.func @in_turn(
// CHECK-COUNT-2: scf.if
func.func @in_turn(%x: f64, %c: i1) -> f64 {
  %first = scf.if %c -> (f64) {
    %e = math.exp %x : f64
    scf.yield %e : f64
  } else {
    scf.yield %x : f64
  }
  %s = arith.addf %first, %x : f64
  %second = scf.if %c -> (f64) {
    %l = math.log %s : f64
    scf.yield %l : f64
  } else {
    scf.yield %s : f64
  }
  return %second : f64
}

// What reads or writes memory, or may fail, stays where it is.
// CHECK-LABEL: func.func @in_order(
// CHECK:         scf.if
// CHECK:         memref.store
// CHECK:         scf.if
// CHECK:           memref.load
// CHECK:         cf.assert
// CHECK:         scf.if
func.func @in_order(%m: memref<f64>, %x: f64, %c: i1) -> (f64, f64, f64) {
  %first = scf.if %c -> (f64) {
    %e = math.exp %x : f64
    scf.yield %e : f64
  } else {
    scf.yield %x : f64
  }
  memref.store %x, %m[] : memref<f64>
  %second = scf.if %c -> (f64) {
    %v = memref.load %m[] : memref<f64>
    scf.yield %v : f64
  } else {
    scf.yield %x : f64
  }
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %first, %zero : f64
  cf.assert %positive, "not positive"
  %third = scf.if %c -> (f64) {
    %e = func.call @apart(%x) : (f64) -> f64
    scf.yield %e : f64
  } else {
    scf.yield %x : f64
  }
  return %first, %second, %third : f64, f64, f64
}

func.func @values() -> (f64, f64) {
  %two = arith.constant 2.0 : f64
  %minus_two = arith.constant -2.0 : f64
  %y = call @apart(%two) : (f64) -> f64
  %z = call @apart(%minus_two) : (f64) -> f64
  return %y, %z : f64, f64
}

// What is behind an assertion stays there: without it, the element might not be there.
// CHECK-LABEL: func.func @asserted(
// CHECK: scf.if
// CHECK: cf.assert
// CHECK: scf.if
// CHECK: tensor.extract
func.func @asserted(%xs: tensor<?xf64>, %i: index, %c: i1, %d: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %first = scf.if %c -> (f64) {
    %e = math.exp %d : f64
    scf.yield %e : f64
  } else {
    scf.yield %zero : f64
  }
  %less = arith.cmpi ult, %i, %n : index
  cf.assert %less, "no such element"
  %second = scf.if %c -> (f64) {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    scf.yield %x : f64
  } else {
    scf.yield %zero : f64
  }
  %y = arith.addf %first, %second : f64
  return %y : f64
}

// Nor does what the second branch needs come in front of an assertion in the first one, or of a call, which may assert.
// CHECK-LABEL: func.func @asserted_inside(
// CHECK: scf.if
// CHECK: cf.assert
// CHECK: arith.divsi
// CHECK: scf.if
func.func @asserted_inside(%a: i64, %n: i64, %c: i1, %d: f64) -> (f64, i64) {
  %zero = arith.constant 0 : i64
  %first = scf.if %c -> (f64) {
    %is = arith.cmpi ne, %n, %zero : i64
    cf.assert %is, "n is zero"
    %e = math.exp %d : f64
    scf.yield %e : f64
  } else {
    scf.yield %d : f64
  }
  %q = arith.divsi %a, %n : i64
  %second = scf.if %c -> (i64) {
    %s = arith.addi %q, %a : i64
    scf.yield %s : i64
  } else {
    scf.yield %q : i64
  }
  return %first, %second : f64, i64
}

// CHECK-LABEL: func.func @asserted_by_call(
// CHECK: call @check
// CHECK: arith.divsi
func.func @asserted_by_call(%a: i64, %n: i64, %c: i1, %d: f64) -> (f64, i64) {
  %first = scf.if %c -> (f64) {
    %e = math.exp %d : f64
    scf.yield %e : f64
  } else {
    scf.yield %d : f64
  }
  func.call @check(%n) : (i64) -> ()
  %second = scf.if %c -> (i64) {
    %q = arith.divsi %a, %n : i64
    scf.yield %q : i64
  } else {
    scf.yield %a : i64
  }
  return %first, %second : f64, i64
}
func.func private @check(i64)
