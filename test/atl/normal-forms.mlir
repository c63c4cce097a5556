// The four normal forms [ATL 5], each on what shows its rules.
// RUN: ad-opt %s --atl-lift-lets --split-input-file | FileCheck %s --check-prefix=LIFTED
// RUN: ad-opt %s --atl-eliminate-pairs --split-input-file | FileCheck %s --check-prefix=SPLIT
// RUN: ad-opt %s --atl-push-out-gens --split-input-file | FileCheck %s --check-prefix=PUSHED
// RUN: ad-opt %s --atl-to-ssa --split-input-file | FileCheck %s --check-prefix=SSA

// A tensor that is bound inside of a sum becomes one with a dimension for the sum's index, outside of
// it [ATL 5.7] (T15, T24).
// LIFTED-LABEL: func.func @batched(
// LIFTED-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf64>, %[[B:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// LIFTED-NEXT: %[[D:.*]] = atl.gen (%[[K:.*]] in %[[B]], %[[I:.*]] in %[[N]]) -> tensor<?x?xf64> {
// LIFTED-NEXT: %[[E:.*]] = atl.access %[[X]][%[[K]], %[[I]]] :
// LIFTED-NEXT: math.exp %[[E]]
// LIFTED: atl.sum (%[[K2:.*]] in %[[B]], %[[J:.*]] in %[[N]]) -> f64 {
// LIFTED-NEXT: atl.access %[[D]][%[[K2]], %[[J]]] :
// LIFTED-NEXT: atl.access %[[D]][%[[K2]], 0] :

// In Tensor SSA the input, which is larger than what is read of it, is a contraction [ATL 5.30], and a
// product is one with an index for each dimension of its factors [ATL 5.32] (T29, T30, T31).
// SSA-LABEL: func.func @batched(
// SSA: atl.gen (%[[K:.*]] in %{{.*}}, %[[I:.*]] in %{{.*}}) -> tensor<?x?xf64> {
// SSA-NEXT: atl.sum (%[[K1:.*]] in %{{.*}}, %[[I1:.*]] in %{{.*}}) -> f64 {
// SSA-NEXT: atl.compare %[[K]] = %[[K1]]
// SSA-NEXT: atl.compare %[[I]] = %[[I1]]
// SSA: math.exp
// SSA: atl.sum (%[[K0:.*]] in %{{.*}}, %{{.*}} in %{{.*}}, %[[K2:.*]] in %{{.*}}, %[[J2:.*]] in %{{.*}}) -> f64 {
// SSA-NEXT: atl.compare %[[K0]] = %[[K2]]
// SSA-NEXT: atl.compare %[[J2]] = 0
func.func @batched(%x: tensor<?x?xf64>, %b: index, %n: index) -> f64 {
  %s = atl.sum (%k in %b) -> f64 {
    %d = atl.gen (%i in %n) -> tensor<?xf64> {
      %e = atl.access %x[%k, %i] : tensor<?x?xf64>
      %q = math.exp %e : f64
      atl.yield %q : f64
    }
    %t = atl.sum (%j in %n) -> f64 {
      %l = atl.access %d[%j] : tensor<?xf64>
      %r = atl.access %d[0] : tensor<?xf64>
      %p = arith.mulf %l, %r : f64
      atl.yield %p : f64
    }
    atl.yield %t : f64
  }
  return %s : f64
}

// -----

// A tensor of pairs becomes two tensors [ATL 5.13, 5.18], and a half of an element an element of one
// of them [ATL 5.14]; no sine is computed twice (T26, T27).
// SPLIT-LABEL: func.func @records(
// SPLIT-NOT: pair
// SPLIT: %[[S:.*]] = atl.gen
// SPLIT: math.sin
// SPLIT: %[[C:.*]] = atl.gen
// SPLIT-NOT: math.sin
// SPLIT: math.cos
// SPLIT: atl.sum (%[[J:.*]] in
// SPLIT-NEXT: atl.access %[[S]][%[[J]]]
// SPLIT-NEXT: atl.access %[[C]][%[[J]]]
func.func @records(%x: tensor<?xf64>, %n: index) -> f64 {
  %records = atl.gen (%i in %n) -> tensor<?x!atl.pair<f64, f64>> {
    %e = atl.access %x[%i] : tensor<?xf64>
    %s = math.sin %e : f64
    %c = math.cos %e : f64
    %p = atl.pair %s, %c : f64, f64
    atl.yield %p : !atl.pair<f64, f64>
  }
  %t = atl.sum (%j in %n) -> f64 {
    %r = atl.access %records[%j] : tensor<?x!atl.pair<f64, f64>>
    %s = atl.project %r[0] : !atl.pair<f64, f64>
    %c = atl.project %r[1] : !atl.pair<f64, f64>
    %p = arith.mulf %s, %c : f64
    atl.yield %p : f64
  }
  return %t : f64
}

// -----

// A bracket goes into a generation [ATL 5.23], whose element takes the place of an access [ATL 5.21]
// (T28).
// PUSHED-LABEL: func.func @inner(
// PUSHED-SAME: %[[X:[a-z0-9]+]]: tensor<?xf64>
// PUSHED-NEXT: atl.sum (%[[J:.*]] in
// PUSHED-NEXT: %[[P:.*]] = atl.compare %[[J]] <= 2
// PUSHED-NEXT: atl.bracket %[[P]] -> f64 {
// PUSHED-NEXT: atl.access %[[X]][%[[J]]] :
func.func @inner(%x: tensor<?xf64>, %n: index) -> f64 {
  %t = atl.sum (%j in %n) -> f64 {
    %p = atl.compare %j < 3
    %masked = atl.bracket %p -> tensor<?xf64> {
      %g = atl.gen (%i in %n) -> tensor<?xf64> {
        %e = atl.access %x[%i] : tensor<?xf64>
        atl.yield %e : f64
      }
      atl.yield %g : tensor<?xf64>
    }
    %e = atl.access %masked[%j] : tensor<?xf64>
    atl.yield %e : f64
  }
  return %t : f64
}
