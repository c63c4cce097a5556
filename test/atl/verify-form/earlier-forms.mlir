// The forms before Tensor SSA, each on what the next pass rewrites (T24, T26, T28).
// RUN: ad-opt %s --split-input-file --atl-verify-form=form=lets-lifted -o /dev/null
// RUN: not ad-opt %s --split-input-file --atl-verify-form=form=pairs-eliminated -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefix=PAIRS
// RUN: not ad-opt %s --split-input-file --atl-verify-form=form=gens-pushed-out -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefixes=PAIRS,GENS
// RUN: not ad-opt %s --split-input-file --atl-verify-form=form=tensor_ssa -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefix=NAME

// NAME: error: 'builtin.module' op no normal form is called 'tensor_ssa'; there are lets-lifted, pairs-eliminated, gens-pushed-out and tensor-ssa

func.func @pairs(%x: tensor<?xf64>, %n: index) -> f64 {
  // PAIRS: [[# @LINE + 1]]:{{.*}} error: 'atl.gen' op makes pairs that are no output
  %records = atl.gen (%i in %n) -> tensor<?x!atl.pair<f64, f64>> {
    %e = atl.access %x[%i] : tensor<?xf64>
    // PAIRS: [[# @LINE + 1]]:{{.*}} error: 'atl.pair' op makes pairs that are no output
    %p = atl.pair %e, %e : f64, f64
    atl.yield %p : !atl.pair<f64, f64>
  }
  %t = atl.sum (%j in %n) -> f64 {
    // PAIRS: [[# @LINE + 1]]:{{.*}} error: 'atl.access' op makes pairs that are no output
    %r = atl.access %records[%j] : tensor<?x!atl.pair<f64, f64>>
    // PAIRS: [[# @LINE + 1]]:{{.*}} error: 'atl.project' op projects what is no input
    %s = atl.project %r[0] : !atl.pair<f64, f64>
    atl.yield %s : f64
  }
  return %t : f64
}

// -----

// Pairs may be outputs, and what is in them inputs.
// PAIRS-NOT: outputs
func.func @outputs(%p: !atl.pair<f64, tensor<?xf64>>, %n: index) -> !atl.pair<f64, tensor<?xf64>> {
  %a = atl.project %p[0] : !atl.pair<f64, tensor<?xf64>>
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %x = atl.project %p[1] : !atl.pair<f64, tensor<?xf64>>
    %e = atl.access %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  %q = atl.pair %a, %y : f64, tensor<?xf64>
  return %q : !atl.pair<f64, tensor<?xf64>>
}

// -----

func.func @around_generation(%x: tensor<?xf64>, %n: index) -> f64 {
  %t = atl.sum (%j in %n) -> f64 {
    %p = atl.compare %j < 3
    // GENS: [[# @LINE + 1]]:{{.*}} error: 'atl.bracket' op is around a generation [ATL 5.23]
    %masked = atl.bracket %p -> tensor<?xf64> {
      // GENS: [[# @LINE + 1]]:{{.*}} error: 'atl.gen' op is not outermost in what is bound [ATL 5.21, 5.23]
      %g = atl.gen (%i in %n) -> tensor<?xf64> {
        %e = atl.access %x[%i] : tensor<?xf64>
        atl.yield %e : f64
      }
      atl.yield %g : tensor<?xf64>
    }
    // GENS: [[# @LINE + 1]]:{{.*}} error: 'atl.access' op accesses what has no name [ATL 5.21, 5.22]
    %e = atl.access %masked[%j] : tensor<?xf64>
    atl.yield %e : f64
  }
  return %t : f64
}

// -----

func.func @around_bracket(%x: tensor<?xf64>, %n: index) -> f64 {
  %t = atl.sum (%j in %n) -> f64 {
    %p = atl.compare %j < 3
    %q = atl.compare 1 < %j
    // GENS: [[# @LINE + 1]]:{{.*}} error: 'atl.bracket' op is around a bracket [ATL 5.24]
    %b = atl.bracket %q -> f64 {
      %c = atl.bracket %p -> f64 {
        %e = atl.access %x[%j] : tensor<?xf64>
        atl.yield %e : f64
      }
      atl.yield %c : f64
    }
    atl.yield %b : f64
  }
  return %t : f64
}

// -----

// What is in pairs is bound before.
// PAIRS: [[# @LINE + 4]]:{{.*}} error: 'math.exp' op computes a part of a pair
func.func @computed(%x: tensor<?xf64>, %n: index) -> tensor<?x!atl.pair<f64, f64>> {
  %y = atl.gen (%i in %n) -> tensor<?x!atl.pair<f64, f64>> {
    %e = atl.access %x[%i] : tensor<?xf64>
    %f = math.exp %e : f64
    %p = atl.pair %e, %f : f64, f64
    atl.yield %p : !atl.pair<f64, f64>
  }
  return %y : tensor<?x!atl.pair<f64, f64>>
}
