// What a bracket says is zero costs nothing (T14, T21, T33).
// RUN: ad-opt %s --atl-cost --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 | FileCheck %s
// RUN: ad-opt %s --atl-cost=sizes=4 --remarks-filter-analyse=atl-cost -o /dev/null 2>&1 \
// RUN:     | FileCheck %s --check-prefix=SIZES

// A matrix that is zero but on its diagonal costs its diagonal [ATL 4.33], and the sum of a row, which
// has one term, none [ATL 4.30].
// CHECK: func.func | Category:atl-cost | cost=n0, n0="dimension 0 of argument 0"
// CHECK: atl.gen | Category:atl-cost | cost=n0
// CHECK: math.exp | Category:atl-cost | cost=n0
// CHECK-NOT: atl.sum
func.func @diagonal(%x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %s = atl.sum (%j in %n) -> f64 {
      %p = atl.compare %i = %j
      %d = atl.bracket %p -> f64 {
        %e = atl.access %x[%j] : tensor<?xf64>
        %f = math.exp %e : f64
        atl.yield %f : f64
      }
      atl.yield %d : f64
    }
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// Sums around one predicate are one sum [ATL Figure 6]: n terms of n^2, in whatever order.
// CHECK: func.func | Category:atl-cost | cost="2*n0 - 1"
// CHECK: atl.sum | Category:atl-cost | cost="2*n0 - 1"
// CHECK: math.exp | Category:atl-cost | cost=n0
func.func @joint(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %t = atl.sum (%j in %n) -> f64 {
      %p = atl.compare %i = %j
      %d = atl.bracket %p -> f64 {
        %e = atl.access %x[%j] : tensor<?xf64>
        %f = math.exp %e : f64
        atl.yield %f : f64
      }
      atl.yield %d : f64
    }
    atl.yield %t : f64
  }
  return %s : f64
}

// An addition counts where both operands are [ATL 4.24]: here nowhere, and in @shifted, whose
// predicate is no equation, at most everywhere and with sizes as often as it holds.
// CHECK: func.func | Category:atl-cost | cost=0
// CHECK-NOT: arith.addf
func.func @apart(%a: f64, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %p = atl.compare %i = 0
    %q = atl.compare 0 < %i
    %l = atl.bracket %p -> f64 {
      atl.yield %a : f64
    }
    %r = atl.bracket %q -> f64 {
      atl.yield %a : f64
    }
    %s = arith.addf %l, %r : f64
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// CHECK: func.func | Category:atl-cost | cost="at most n0"
// CHECK: arith.addf | Category:atl-cost | cost="at most n0"
// SIZES: cost=0
// SIZES: func.func | Category:atl-cost | cost=3
// SIZES: arith.addf | Category:atl-cost | cost=3
func.func @shifted(%a: f64, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %q = atl.compare 0 < %i
    %r = atl.bracket %q -> f64 {
      atl.yield %a : f64
    }
    %s = arith.addf %a, %r : f64
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}
