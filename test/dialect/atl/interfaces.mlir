// Stock passes of MLIR work across the tensor language and move no access out of its bracket [T16] [T17].
// RUN: ad-opt %s --cse | FileCheck --check-prefix=CSE %s
// RUN: ad-opt %s --canonicalize | FileCheck --check-prefix=DCE %s
// RUN: ad-opt %s --loop-invariant-code-motion | FileCheck --check-prefix=LICM %s
// RUN: ad-opt %s --inline | FileCheck --check-prefix=INLINE %s
// RUN: ad-opt %s --sccp --canonicalize | FileCheck --check-prefix=SCCP %s
// RUN: ad-opt %s --control-flow-sink --symbol-dce --remove-dead-values | FileCheck --check-prefix=LATE %s

// Equal brackets, accesses and predicates are one.
// CSE-LABEL: func.func @equal(
// CSE: atl.compare
// CSE-NOT: atl.compare
// CSE: atl.bracket
// CSE-NEXT: atl.access
// CSE-NOT: atl.access
// CSE-NOT: atl.bracket
// CSE: return
func.func @equal(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %a = atl.gen (%i in %n) -> tensor<?xf64> {
    %p = atl.compare %i < %n
    %q = atl.compare %i < %n
    %b = atl.bracket %p -> f64 {
      %e = atl.access %x[%i] : tensor<?xf64>
      atl.yield %e : f64
    }
    %c = atl.bracket %q -> f64 {
      %e = atl.access %x[%i] : tensor<?xf64>
      atl.yield %e : f64
    }
    %s = arith.addf %b, %c : f64
    atl.yield %s : f64
  }
  return %a : tensor<?xf64>
}

// Equal tensors are one, with all that is in them.
// CSE-LABEL: func.func @equal_tensors(
// CSE: %[[A:.*]] = atl.gen
// CSE-NOT: atl.gen
// CSE: return %[[A]], %[[A]]
func.func @equal_tensors(%x: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %a = atl.gen (%i in %n) -> tensor<?xf64> {
    %s = atl.sum (%j in %n) -> f64 {
      %e = atl.access %x[%i - %j] : tensor<?xf64>
      atl.yield %e : f64
    }
    atl.yield %s : f64
  }
  %b = atl.gen (%i in %n) -> tensor<?xf64> {
    %s = atl.sum (%j in %n) -> f64 {
      %e = atl.access %x[%i - %j] : tensor<?xf64>
      atl.yield %e : f64
    }
    atl.yield %s : f64
  }
  return %a, %b : tensor<?xf64>, tensor<?xf64>
}

// Reads behind different predicates stay apart, and so do different expressions.
// CSE-LABEL: func.func @different(
// CSE-COUNT-2: atl.bracket
// CSE: atl.access %{{.*}}[%[[N:.*]] - 1]
// CSE: atl.access %{{.*}}[%[[N]] - 2]
func.func @different(%x: tensor<?xf64>, %n: index, %p: i1, %q: i1) -> (f64, f64, f64, f64) {
  %a = atl.bracket %p -> f64 {
    %e = atl.access %x[%n] : tensor<?xf64>
    atl.yield %e : f64
  }
  %b = atl.bracket %q -> f64 {
    %e = atl.access %x[%n] : tensor<?xf64>
    atl.yield %e : f64
  }
  %c = atl.access %x[%n - 1] : tensor<?xf64>
  %d = atl.access %x[%n - 2] : tensor<?xf64>
  return %a, %b, %c, %d : f64, f64, f64, f64
}

// What nobody uses goes, an access included; a function whose body is not known stays.
// DCE-LABEL: func.func @dead(
// DCE-NEXT: %{{.*}} = atl.sum
// DCE-NEXT: func.call @unknown
// DCE-NEXT: atl.yield
// DCE-NEXT: }
// DCE-NEXT: return
func.func private @unknown(f64) -> f64
func.func @dead(%x: tensor<?xf64>, %l: tensor<?xindex>, %n: index, %v: f64) {
  %a = atl.gen (%i in %n) -> tensor<?xf64> {
    %e = atl.access %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  %p = atl.exists (%i in %n) {
    %m = atl.member (%l)[%i] : tensor<?xindex>
    atl.yield %m : i1
  }
  %b = atl.bracket %p -> f64 {
    %e = atl.access %a[0] : tensor<?xf64>
    atl.yield %e : f64
  }
  %q = atl.pair %b, %b : f64, f64
  %s = atl.sum (%i in %n) -> f64 {
    %f = func.call @unknown(%v) : (f64) -> f64
    atl.yield %f : f64
  }
  return
}

// Scalars and predicates that no element needs anew are computed once. An access may be out of range where there are no
// iterations or where the bracket is zero, and stays, as does what contains it; one that is in range by its type goes.
// LICM-LABEL: func.func @invariant(
// LICM: math.exp
// LICM-NEXT: atl.compare
// LICM-NEXT: atl.access %{{.*}}[1] : tensor<2xf64>
// LICM-NEXT: atl.gen
// LICM-NEXT: atl.access %{{.*}}[2] : tensor<2xf64>
// LICM-NEXT: atl.access %{{.*}}[0] : tensor<?xf64>
// LICM-NEXT: atl.bracket
// LICM-NEXT: atl.access %{{.*}}[{{.*}}] : tensor<?xf64>
func.func @invariant(%x: tensor<?xf64>, %y: tensor<2xf64>, %n: index, %m: index, %v: f64) -> tensor<?xf64> {
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    %f = math.exp %v : f64
    %p = atl.compare %m < %n
    %y1 = atl.access %y[1] : tensor<2xf64>
    %y2 = atl.access %y[2] : tensor<2xf64>
    %x0 = atl.access %x[0] : tensor<?xf64>
    %b = atl.bracket %p -> f64 {
      %e = atl.access %x[%m] : tensor<?xf64>
      atl.yield %e : f64
    }
    %0 = arith.mulf %b, %f : f64
    %1 = arith.mulf %0, %y1 : f64
    %2 = arith.mulf %1, %x0 : f64
    %3 = arith.mulf %2, %y2 : f64
    atl.yield %3 : f64
  }
  return %r : tensor<?xf64>
}

// A whole sum that reads nothing moves out of a loop.
// LICM-LABEL: func.func @invariant_sum(
// LICM: atl.sum
// LICM: atl.gen
// LICM-NOT: atl.sum
// LICM: return
func.func @invariant_sum(%n: index, %v: f64) -> tensor<?xf64> {
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    %s = atl.sum (%j in %n) -> f64 {
      %p = atl.compare 2 * %j < %n
      %b = atl.bracket %p -> f64 {
        atl.yield %v : f64
      }
      atl.yield %b : f64
    }
    atl.yield %s : f64
  }
  return %r : tensor<?xf64>
}

// Functions on scalars are inlined into bodies, functions in the language into callers of another dialect; one that
// takes a size is not inlined into a body, where it could be an index.
// INLINE-LABEL: func.func @caller(
// INLINE: atl.gen
// INLINE-NEXT: arith.mulf
// INLINE-NEXT: func.call @repeat
// INLINE: atl.sum
// INLINE-NOT: call
// INLINE: return
func.func private @square(%x: f64) -> f64 {
  %p = arith.mulf %x, %x : f64
  return %p : f64
}
func.func private @repeat(%n: index, %v: f64) -> f64 {
  %s = atl.sum (%i in %n) -> f64 {
    atl.yield %v : f64
  }
  return %s : f64
}
func.func @caller(%n: index, %v: f64) -> (tensor<?xf64>, f64) {
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    %p = func.call @square(%v) : (f64) -> f64
    %q = func.call @repeat(%i, %p) : (index, f64) -> f64
    atl.yield %q : f64
  }
  %s = call @repeat(%n, %v) : (index, f64) -> f64
  return %r, %s : tensor<?xf64>, f64
}

// Constants propagate into bodies.
// SCCP-LABEL: func.func @constants(
// SCCP: %[[C:.*]] = arith.constant 6.0{{.*}} : f64
// SCCP: atl.gen
// SCCP-NEXT: atl.access
// SCCP-NEXT: arith.mulf %{{.*}}, %[[C]]
func.func @constants(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    %six = arith.mulf %two, %three : f64
    %e = atl.access %x[%i] : tensor<?xf64>
    %p = arith.mulf %e, %six : f64
    atl.yield %p : f64
  }
  return %r : tensor<?xf64>
}

// A generation sinks into the only branch that wants it.
// LATE-LABEL: func.func @sink(
// LATE-NOT: atl.gen
// LATE: scf.if
// LATE-NEXT: atl.gen
func.func @sink(%x: tensor<?xf64>, %n: index, %c: i1) -> tensor<?xf64> {
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    %e = atl.access %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  %y = scf.if %c -> tensor<?xf64> {
    scf.yield %r : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}
