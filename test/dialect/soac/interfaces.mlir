// Stock passes of MLIR work across soac operations, before and after AD [F07].
// RUN: ad-opt %s --cse | FileCheck --check-prefix=CSE %s
// RUN: ad-opt %s --canonicalize | FileCheck --check-prefix=DCE %s
// RUN: ad-opt %s --loop-invariant-code-motion | FileCheck --check-prefix=LICM %s
// RUN: ad-opt %s --inline | FileCheck --check-prefix=INLINE %s
// RUN: ad-opt %s --sccp --canonicalize | FileCheck --check-prefix=SCCP %s
// RUN: ad-opt %s --control-flow-sink --symbol-dce --remove-dead-values | FileCheck --check-prefix=LATE %s

// Equal maps are one; equal accumulations too, since accumulation is pure.
// CSE-LABEL: func.func @equal(
// CSE: soac.map
// CSE-NOT: soac.map
// CSE: soac.with_acc
// CSE-NOT: soac.with_acc
// CSE: return %[[A:.*]], %[[A]], %[[B:.*]], %[[B]]
func.func @equal(%xs: tensor<?xf64>, %i: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %a = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  %b = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  %c = soac.with_acc ins(%xs : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %u = soac.update_acc %acc[%i], %one : !soac.acc<tensor<?xf64>>, f64
    soac.yield %u : !soac.acc<tensor<?xf64>>
  }
  %d = soac.with_acc ins(%xs : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %u = soac.update_acc %acc[%i], %one : !soac.acc<tensor<?xf64>>, f64
    soac.yield %u : !soac.acc<tensor<?xf64>>
  }
  return %a, %b, %c, %d : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// CSE inside a body sees what dominates the map.
// CSE-LABEL: func.func @common_with_outside(
// CSE: %[[E:.*]] = math.exp %{{.*}} : f64
// CSE: soac.map
// CSE-NOT: math.exp
// CSE: arith.mulf %{{.*}}, %[[E]]
func.func @common_with_outside(%xs: tensor<?xf64>, %v: f64) -> (f64, tensor<?xf64>) {
  %e = math.exp %v : f64
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %f = math.exp %v : f64
    %p = arith.mulf %x, %f : f64
    soac.yield %p : f64
  }
  return %e, %r : f64, tensor<?xf64>
}

// A body that calls an unknown function keeps its map alive.
// DCE-LABEL: func.func @effect(
// DCE: soac.map
// DCE: call @print
func.func private @print(f64)
func.func @effect(%xs: tensor<?xf64>) {
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    func.call @print(%x) : (f64) -> ()
    soac.yield %x : f64
  }
  return
}

// DCE-LABEL: func.func @no_effect(
// DCE-NEXT: return
func.func @no_effect(%xs: tensor<?xf64>) {
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  return
}

// What no element needs anew is computed once.
// LICM-LABEL: func.func @invariant(
// LICM: math.exp
// LICM: soac.map
// LICM-NOT: math.exp
// LICM: soac.yield
func.func @invariant(%xs: tensor<?xf64>, %v: f64) -> tensor<?xf64> {
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %f = math.exp %v : f64
    %p = arith.mulf %x, %f : f64
    soac.yield %p : f64
  }
  return %r : tensor<?xf64>
}

// A whole map moves out of a loop.
// LICM-LABEL: func.func @invariant_map(
// LICM: soac.map
// LICM: scf.for
// LICM-NOT: soac.map
// LICM: return
func.func @invariant_map(%xs: tensor<?xf64>, %n: index, %zero: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
      %p = arith.mulf %x, %x : f64
      soac.yield %p : f64
    }
    %v = tensor.extract %r[%i] : tensor<?xf64>
    %t = arith.addf %s, %v : f64
    scf.yield %t : f64
  }
  return %s : f64
}

// Calls are inlined into bodies, and bodies with combinators into callers.
// INLINE-LABEL: func.func @caller(
// INLINE-NOT: call
// INLINE: soac.map
// INLINE: arith.mulf
// INLINE: soac.reduce
// INLINE-NOT: call
// INLINE: return
func.func private @square(%x: f64) -> f64 {
  %p = arith.mulf %x, %x : f64
  return %p : f64
}
func.func private @sum(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %t = arith.addf %a, %b : f64
    soac.yield %t : f64
  }
  return %s : f64
}
func.func @caller(%xs: tensor<?xf64>) -> f64 {
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %p = func.call @square(%x) : (f64) -> f64
    soac.yield %p : f64
  }
  %s = call @sum(%r) : (tensor<?xf64>) -> f64
  return %s : f64
}

// Constants propagate into bodies.
// SCCP-LABEL: func.func @constants(
// SCCP: %[[C:.*]] = arith.constant 6.0{{.*}} : f64
// SCCP: soac.map
// SCCP-NEXT: arith.mulf %{{.*}}, %[[C]]
func.func @constants(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %six = arith.mulf %two, %three : f64
    %p = arith.mulf %x, %six : f64
    soac.yield %p : f64
  }
  return %r : tensor<?xf64>
}

// A map sinks into the only branch that wants it.
// LATE-LABEL: func.func @sink(
// LATE-NOT: soac.map
// LATE: scf.if
// LATE-NEXT: soac.map
func.func @sink(%xs: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %r = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %p = arith.mulf %x, %x : f64
    soac.yield %p : f64
  }
  %y = scf.if %c -> tensor<?xf64> {
    scf.yield %r : tensor<?xf64>
  } else {
    scf.yield %xs : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}
