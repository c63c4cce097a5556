// Perfect nests, forward mode: one nest over pairs.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.map' --implicit-check-not='math.sin' --implicit-check-not='scf.for' --implicit-check-not='arith.mulf'

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
// CHECK-LABEL: func.func @figure2_jvp(
// CHECK-SAME: %[[CS:[a-z0-9]+]]: tensor<?xi1>, %[[AS:[a-z0-9]+]]: tensor<?x?xf64>, %[[AS_DOT:[a-z0-9]+]]: tensor<?x?xf64>)
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[CS]], %[[AS]], %[[AS_DOT]] : tensor<?xi1>, tensor<?x?xf64>, tensor<?x?xf64>) (%[[E:[a-z0-9]+]]: i1, %[[E2:[a-z0-9]+]]: tensor<?xf64>, %[[E3:[a-z0-9]+]]: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
// CHECK: %[[IF:.*]]:2 = scf.if %[[E]] -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: scf.yield %[[E2]], %[[E3]]
// CHECK: } else {
// CHECK: %[[MAP2:.*]]:2 = soac.map ins(%[[E2]], %[[E3]] : tensor<?xf64>, tensor<?xf64>) (%[[E4:[a-z0-9]+]]: f64, %[[E5:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[MULF:.*]] = arith.mulf %[[E4]], %[[E4]]
// CHECK: %[[MULF2:.*]] = arith.mulf %[[E5]], %[[E4]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF2]], %[[MULF2]]
// CHECK: soac.yield %[[MULF]], %[[ADDF]]
// CHECK: scf.yield %[[MAP2]]#0, %[[MAP2]]#1
// CHECK: soac.yield %[[IF]]#0, %[[IF]]#1
// CHECK: return %[[MAP]]#0, %[[MAP]]#1
func.func @figure2_jvp(%cs: tensor<?xi1>, %as: tensor<?x?xf64>, %as_dot: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:2 = ad.jvp @figure2(%cs, %as) seed(%as_dot)
      : (tensor<?xi1>, tensor<?x?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#0, %r#1 : tensor<?x?xf64>, tensor<?x?xf64>
}

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
// CHECK-LABEL: func.func @deep_jvp(
// CHECK-SAME: %[[AS:[a-z0-9]+]]: tensor<?x?x?xf64>, %[[AS_DOT:[a-z0-9]+]]: tensor<?x?x?xf64>)
// CHECK: %[[MAP:.*]]:2 = soac.map ins(%[[AS]], %[[AS_DOT]] : tensor<?x?x?xf64>, tensor<?x?x?xf64>) (%[[E:[a-z0-9]+]]: tensor<?x?xf64>, %[[E2:[a-z0-9]+]]: tensor<?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>) {
// CHECK: %[[MAP2:.*]]:2 = soac.map ins(%[[E]], %[[E2]] : tensor<?x?xf64>, tensor<?x?xf64>) (%[[E3:[a-z0-9]+]]: tensor<?xf64>, %[[E4:[a-z0-9]+]]: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
// CHECK: %[[MAP3:.*]]:2 = soac.map ins(%[[E3]], %[[E4]] : tensor<?xf64>, tensor<?xf64>) (%[[E5:[a-z0-9]+]]: f64, %[[E6:[a-z0-9]+]]: f64) -> (tensor<?xf64>, tensor<?xf64>) {
// CHECK: %[[SIN:.*]] = math.sin %[[E5]]
// CHECK: %[[COS:.*]] = math.cos %[[E5]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[E6]], %[[COS]]
// CHECK: soac.yield %[[SIN]], %[[MULF]]
// CHECK: soac.yield %[[MAP3]]#0, %[[MAP3]]#1
// CHECK: soac.yield %[[MAP2]]#0, %[[MAP2]]#1
// CHECK: return %[[MAP]]#0, %[[MAP]]#1
func.func @deep_jvp(%as: tensor<?x?x?xf64>, %as_dot: tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>) {
  %r:2 = ad.jvp @deep(%as) seed(%as_dot)
      : (tensor<?x?x?xf64>), (tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>)
  return %r#0, %r#1 : tensor<?x?x?xf64>, tensor<?x?x?xf64>
}
