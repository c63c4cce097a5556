// Perfect nests: no forward code is executed again [F11, F12].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.map' --implicit-check-not='math.sin' --implicit-check-not='scf.for' --implicit-check-not='arith.mulf'

// FUT Figure 2: the adjoint is one nested map that computes 2 a x_bar, and nothing of the forward maps is left [F11].
func.func private @figure2(%cs: tensor<?xi1>, %as: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = soac.map ins(%cs, %as : tensor<?xi1>, tensor<?x?xf64>) (%c: i1, %row: tensor<?xf64>) -> tensor<?x?xf64> {
    %y = scf.if %c -> tensor<?xf64> {
      scf.yield %row : tensor<?xf64>
    } else {
      %z = soac.map ins(%row : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %e = arith.mulf %a, %a : f64
        soac.yield %e : f64
      }
      scf.yield %z : tensor<?xf64>
    }
    soac.yield %y : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}
// CHECK-LABEL: func.func @figure2_vjp(
// CHECK-SAME: %[[CS:[a-z0-9]+]]: tensor<?xi1>, %[[AS:[a-z0-9]+]]: tensor<?x?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?x?xf64>)
// CHECK: %[[MAP:.*]] = soac.map ins(%[[CS]], %[[AS]], %[[Y_BAR]] : tensor<?xi1>, tensor<?x?xf64>, tensor<?x?xf64>) (%[[E:[a-z0-9]+]]: i1, %[[E2:[a-z0-9]+]]: tensor<?xf64>, %[[E3:[a-z0-9]+]]: tensor<?xf64>) -> tensor<?x?xf64> {
// CHECK: %[[IF:.*]] = scf.if %[[E]] -> (tensor<?xf64>) {
// CHECK: scf.yield %[[E3]]
// CHECK: } else {
// CHECK: %[[MAP2:.*]] = soac.map ins(%[[E2]], %[[E3]] : tensor<?xf64>, tensor<?xf64>) (%[[E4:[a-z0-9]+]]: f64, %[[E5:[a-z0-9]+]]: f64) -> tensor<?xf64> {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E5]], %[[E4]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF]], %[[MULF]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: scf.yield %[[MAP2]]
// CHECK: soac.yield %[[IF]]
// CHECK: return %[[MAP]]
func.func @figure2_vjp(%cs: tensor<?xi1>, %as: tensor<?x?xf64>, %y_bar: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r:2 = ad.vjp @figure2(%cs, %as) seed(%y_bar)
      : (tensor<?xi1>, tensor<?x?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1 : tensor<?x?xf64>
}

// A nest of depth three [F12].
func.func private @deep(%as: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r = soac.map ins(%as : tensor<?x?x?xf64>) (%bs: tensor<?x?xf64>) -> tensor<?x?x?xf64> {
    %s = soac.map ins(%bs : tensor<?x?xf64>) (%cs: tensor<?xf64>) -> tensor<?x?xf64> {
      %t = soac.map ins(%cs : tensor<?xf64>) (%c: f64) -> tensor<?xf64> {
        %e = math.sin %c : f64
        soac.yield %e : f64
      }
      soac.yield %t : tensor<?xf64>
    }
    soac.yield %s : tensor<?x?xf64>
  }
  return %r : tensor<?x?x?xf64>
}
// CHECK-LABEL: func.func @deep_vjp(
// CHECK-SAME: %[[AS:[a-z0-9]+]]: tensor<?x?x?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?x?x?xf64>)
// CHECK: %[[MAP:.*]] = soac.map ins(%[[AS]], %[[Y_BAR]] : tensor<?x?x?xf64>, tensor<?x?x?xf64>) (%[[E:[a-z0-9]+]]: tensor<?x?xf64>, %[[E2:[a-z0-9]+]]: tensor<?x?xf64>) -> tensor<?x?x?xf64> {
// CHECK: %[[MAP2:.*]] = soac.map ins(%[[E]], %[[E2]] : tensor<?x?xf64>, tensor<?x?xf64>) (%[[E3:[a-z0-9]+]]: tensor<?xf64>, %[[E4:[a-z0-9]+]]: tensor<?xf64>) -> tensor<?x?xf64> {
// CHECK: %[[MAP3:.*]] = soac.map ins(%[[E3]], %[[E4]] : tensor<?xf64>, tensor<?xf64>) (%[[E5:[a-z0-9]+]]: f64, %[[E6:[a-z0-9]+]]: f64) -> tensor<?xf64> {
// CHECK: %[[COS:.*]] = math.cos %[[E5]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[E6]], %[[COS]]
// CHECK: soac.yield %[[MULF]]
// CHECK: soac.yield %[[MAP3]]
// CHECK: soac.yield %[[MAP2]]
// CHECK: return %[[MAP]]
func.func @deep_vjp(%as: tensor<?x?x?xf64>, %y_bar: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r:2 = ad.vjp @deep(%as) seed(%y_bar)
      : (tensor<?x?x?xf64>), (tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>)
  return %r#1 : tensor<?x?x?xf64>
}
