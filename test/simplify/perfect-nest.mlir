// Perfect nests re-execute nothing: the dead forward sweep of each scope is gone [FUT 4.1].
// RUN: ad-opt %s --ad-optimize | FileCheck %s

// map (\c as -> if c then as else map (\a -> a * a) as), Figure 2 of the paper (F11).
// The adjoint is one nest that computes x_bar * 2 a.
// CHECK-LABEL: func.func @choice_vjp
// CHECK: soac.map ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<?xi1>, tensor<?x?xf64>, tensor<?x?xf64>)
// CHECK-SAME: (%[[C:[a-z0-9_]+]]: i1, %[[AS:[a-z0-9_]+]]: tensor<?xf64>, %[[BAR:[a-z0-9_]+]]: tensor<?xf64>)
// CHECK-NEXT: scf.if %[[C]]
// CHECK-NEXT: scf.yield %[[BAR]]
// CHECK-NEXT: } else {
// CHECK-NEXT: soac.map ins(%[[AS]], %[[BAR]]
// CHECK-SAME: (%[[A:[a-z0-9_]+]]: f64, %[[A_BAR:[a-z0-9_]+]]: f64)
// CHECK-NEXT: %[[P:[a-z0-9_]+]] = arith.mulf %[[A_BAR]], %[[A]]
// CHECK-NEXT: %[[S:[a-z0-9_]+]] = arith.addf %[[P]], %[[P]]
// CHECK-NEXT: soac.yield %[[S]]
// CHECK-NOT: soac.map
// CHECK-NOT: arith.mulf
// CHECK: return
func.func private @choice(%cs: tensor<?xi1>, %ass: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = soac.map ins(%cs, %ass : tensor<?xi1>, tensor<?x?xf64>) (%c: i1, %as: tensor<?xf64>) -> tensor<?x?xf64> {
    %y = scf.if %c -> tensor<?xf64> {
      scf.yield %as : tensor<?xf64>
    } else {
      %z = soac.map ins(%as : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %m = arith.mulf %a, %a : f64
        soac.yield %m : f64
      }
      scf.yield %z : tensor<?xf64>
    }
    soac.yield %y : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}
func.func @choice_vjp(%cs: tensor<?xi1>, %ass: tensor<?x?xf64>, %bar: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %y, %ass_bar = ad.vjp @choice(%cs, %ass) seed(%bar)
      : (tensor<?xi1>, tensor<?x?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %ass_bar : tensor<?x?xf64>
}

// Three levels: one exponential per element, as in the primal, and no more (F12).
// CHECK-LABEL: func.func @deep_vjp
// CHECK-COUNT-3: soac.map
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: soac.yield
// CHECK-NOT: soac.map
// CHECK-NOT: math.exp
// CHECK: return
func.func private @deep(%x: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r = soac.map ins(%x : tensor<?x?x?xf64>) (%x1: tensor<?x?xf64>) -> tensor<?x?x?xf64> {
    %r1 = soac.map ins(%x1 : tensor<?x?xf64>) (%x2: tensor<?xf64>) -> tensor<?x?xf64> {
      %r2 = soac.map ins(%x2 : tensor<?xf64>) (%x3: f64) -> tensor<?xf64> {
        %e = math.exp %x3 : f64
        soac.yield %e : f64
      }
      soac.yield %r2 : tensor<?xf64>
    }
    soac.yield %r1 : tensor<?x?xf64>
  }
  return %r : tensor<?x?x?xf64>
}
func.func @deep_vjp(%x: tensor<?x?x?xf64>, %bar: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %y, %x_bar = ad.vjp @deep(%x) seed(%bar)
      : (tensor<?x?x?xf64>), (tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>)
  return %x_bar : tensor<?x?x?xf64>
}
