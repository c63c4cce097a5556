// What integers there are says which parts of predicates are needed [ATL 2.1, 4.3] (T05, T45).
// RUN: ad-opt %s --atl-simplify | FileCheck %s
// RUN: ad-opt run %s --entry=main | FileCheck %s --check-prefix=VALUES

// Intervals that touch are one interval.
// CHECK-LABEL: func.func private @touching(
// CHECK-DAG: atl.compare %{{.*}} <= 3
// CHECK-DAG: atl.compare 2 <= %
// CHECK-NOT: arith.ori
// CHECK: return
func.func private @touching(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %p = atl.compare %i = 2
    %q = atl.compare %i = 3
    %r = arith.ori %p, %q : i1
    %e = atl.bracket %r -> f64 {
      %t = atl.access %x[%i] : tensor<?xf64>
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %y : tensor<?xf64>
}

// Indices whose sum is odd differ: this part of a disjunction is in the two others together.
// CHECK-LABEL: func.func private @covered(
// CHECK: atl.gen
// CHECK-NOT: * 2
// CHECK: arith.ori
// CHECK-NOT: arith.ori
// CHECK: atl.bracket
func.func private @covered(%x: tensor<?xf64>, %n: index) -> tensor<?x?x?xf64> {
  %y = atl.gen (%i in %n, %j in %n, %k in %n) -> tensor<?x?x?xf64> {
    %p = atl.compare %i < %j
    %q = atl.compare %j < %i
    %r = atl.compare %i + %j = 2 * %k + 1
    %s = arith.ori %p, %q : i1
    %t = arith.ori %s, %r : i1
    %e = atl.bracket %t -> f64 {
      %v = atl.access %x[%k] : tensor<?xf64>
      atl.yield %v : f64
    }
    atl.yield %e : f64
  }
  return %y : tensor<?x?x?xf64>
}

// One of two parts always holds.
// CHECK-LABEL: func.func private @always(
// CHECK-NOT: atl.compare
// CHECK-NOT: atl.bracket
// CHECK: return
func.func private @always(%x: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %y = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %p = atl.compare %i <= 2 * %j
    %q = atl.compare %j < %i
    %r = arith.ori %p, %q : i1
    %e = atl.bracket %r -> f64 {
      %t = atl.access %x[%i] : tensor<?xf64>
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %y : tensor<?x?xf64>
}

// No part of one disjunction goes with one of the other: the sum has no terms.
// CHECK-LABEL: func.func private @never(
// CHECK-NOT: atl.sum
// CHECK: return
func.func private @never(%x: tensor<?xf64>, %n: index) -> f64 {
  %y = atl.sum (%i in %n) -> f64 {
    %p0 = atl.compare %i = 2
    %p1 = atl.compare %i = 4
    %p = arith.ori %p0, %p1 : i1
    %q0 = atl.compare %i = 3
    %q1 = atl.compare 5 <= %i
    %q = arith.ori %q0, %q1 : i1
    %r = arith.andi %p, %q : i1
    %e = atl.bracket %r -> f64 {
      %t = atl.access %x[%i] : tensor<?xf64>
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %y : f64
}

// Between a third and a half of a number is an integer, if the number is 2 or more.
// CHECK-LABEL: func.func private @between(
// CHECK-NOT: atl.exists
// CHECK: atl.compare 2 <= %
// CHECK-NOT: atl.exists
// CHECK: return
func.func private @between(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %p = atl.exists (%k in %n) {
      %l = atl.compare %i <= 3 * %k
      %h = atl.compare 2 * %k <= %i
      %b = arith.andi %l, %h : i1
      atl.yield %b : i1
    }
    %q = atl.compare 2 <= %i
    %r = arith.andi %p, %q : i1
    %e = atl.bracket %r -> f64 {
      %t = atl.access %x[%i] : tensor<?xf64>
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %y : tensor<?xf64>
}

// A sum over the multiples of a number goes over the factors.
// CHECK-LABEL: func.func private @multiples(
// CHECK-SAME: index, %[[M:[a-z0-9]+]]: index)
// CHECK: atl.sum (%[[K:.*]] in %[[M]]) -> f64 {
// CHECK-NOT: atl.exists
// CHECK: atl.access %{{.*}}[%[[K]] * 3 + 1]
func.func private @multiples(%x: tensor<?xf64>, %n: index, %m: index) -> f64 {
  %y = atl.sum (%i in %n) -> f64 {
    %p = atl.exists (%k in %m) {
      %b = atl.compare %i = 3 * %k + 1
      atl.yield %b : i1
    }
    %e = atl.bracket %p -> f64 {
      %t = atl.access %x[%i] : tensor<?xf64>
      atl.yield %t : f64
    }
    atl.yield %e : f64
  }
  return %y : f64
}

// VALUES: [0.0, 0.0, 3.0, 4.0, 0.0]
// VALUES: 0.0
// VALUES: [0.0, 0.0, 3.0, 4.0, 5.0]
// VALUES: 7.0
func.func @main() -> (tensor<?xf64>, f64, tensor<?xf64>, f64) {
  %n = arith.constant 5 : index
  %m = arith.constant 4 : index
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf64>
  %x = tensor.cast %c : tensor<5xf64> to tensor<?xf64>
  %a = call @touching(%x, %n) : (tensor<?xf64>, index) -> tensor<?xf64>
  %b = call @never(%x, %n) : (tensor<?xf64>, index) -> f64
  %d = call @between(%x, %n) : (tensor<?xf64>, index) -> tensor<?xf64>
  %e = call @multiples(%x, %n, %m) : (tensor<?xf64>, index, index) -> f64
  return %a, %b, %d, %e : tensor<?xf64>, f64, tensor<?xf64>, f64
}
