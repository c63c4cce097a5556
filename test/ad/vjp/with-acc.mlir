// soac.with_acc and soac.update_acc: the cotangent of an accumulator is an array that is
// only read [F44].
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce \
// RUN:   | FileCheck %s --implicit-check-not='= ad.' --implicit-check-not='soac.with_acc' --implicit-check-not='soac.update_acc'

// A histogram: the cotangent of a value is gathered.
func.func private @histogram(%as: tensor<?xf64>, %is: tensor<?xindex>, %vs: tensor<?xf64>) -> tensor<?xf64> {
  %r = soac.with_acc ins(%as : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %m = soac.map ins(%is, %vs : tensor<?xindex>, tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>) (%i: index, %v: f64, %a: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %w = arith.mulf %v, %v : f64
      %u = soac.update_acc %a[%i], %w : !soac.acc<tensor<?xf64>>, f64
      soac.yield %u : !soac.acc<tensor<?xf64>>
    }
    soac.yield %m : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}
// CHECK-LABEL: func.func @histogram_vjp(
// CHECK-SAME: %[[AS:[a-z0-9]+]]: tensor<?xf64>, %[[IS:[a-z0-9]+]]: tensor<?xindex>, %[[VS:[a-z0-9]+]]: tensor<?xf64>, %[[Y_BAR:[a-z0-9]+]]: tensor<?xf64>)
// CHECK: %[[MAP:.*]] = soac.map ins(%[[IS]], %[[VS]] : tensor<?xindex>, tensor<?xf64>) (%[[E:[a-z0-9]+]]: index, %[[E2:[a-z0-9]+]]: f64) -> tensor<?xf64> {
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[Y_BAR]][%[[E]]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[EXTRACT]], %[[E2]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[MULF]], %[[MULF]]
// CHECK: soac.yield %[[ADDF]]
// CHECK: return %[[Y_BAR]], %[[MAP]]
func.func @histogram_vjp(%as: tensor<?xf64>, %is: tensor<?xindex>, %vs: tensor<?xf64>, %y_bar: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:3 = ad.vjp @histogram(%as, %is, %vs) seed(%y_bar)
      : (tensor<?xf64>, tensor<?xindex>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>
}

// A row of two dimensions, and an extra result [F44].
func.func private @extra(%m: tensor<?x3xf64>, %i: index, %row: tensor<3xf64>, %x: f64) -> (tensor<?x3xf64>, f64) {
  %r:2 = soac.with_acc ins(%m : tensor<?x3xf64>) (%acc: !soac.acc<tensor<?x3xf64>>) -> (tensor<?x3xf64>, f64) {
    %a = soac.update_acc %acc[%i], %row : !soac.acc<tensor<?x3xf64>>, tensor<3xf64>
    %y = math.exp %x : f64
    %b = soac.update_acc %a[%i, %i], %y : !soac.acc<tensor<?x3xf64>>, f64
    soac.yield %b, %y : !soac.acc<tensor<?x3xf64>>, f64
  }
  return %r#0, %r#1 : tensor<?x3xf64>, f64
}
// CHECK-LABEL: func.func @extra_vjp(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<?x3xf64>, %[[I:[a-z0-9]+]]: index, %[[ROW:[a-z0-9]+]]: tensor<3xf64>, %[[X:[a-z0-9]+]]: f64, %[[Y0_BAR:[a-z0-9]+]]: tensor<?x3xf64>, %[[Y1_BAR:[a-z0-9]+]]: f64)
// CHECK: %[[EXP:.*]] = math.exp %[[X]]
// CHECK: %[[EXTRACT:.*]] = tensor.extract %[[Y0_BAR]][%[[I]], %[[I]]]
// CHECK: %[[ADDF:.*]] = arith.addf %[[Y1_BAR]], %[[EXTRACT]]
// CHECK: %[[MULF:.*]] = arith.mulf %[[ADDF]], %[[EXP]]
// CHECK: %[[EXTRACT_SLICE:.*]] = tensor.extract_slice %[[Y0_BAR]][%[[I]], 0] [1, 3] [1, 1] : tensor<?x3xf64> to tensor<3xf64>
// CHECK: return %[[Y0_BAR]], %[[EXTRACT_SLICE]], %[[MULF]]
func.func @extra_vjp(%m: tensor<?x3xf64>, %i: index, %row: tensor<3xf64>, %x: f64, %y0_bar: tensor<?x3xf64>, %y1_bar: f64) -> (tensor<?x3xf64>, tensor<3xf64>, f64) {
  %r:5 = ad.vjp @extra(%m, %i, %row, %x) seed(%y0_bar, %y1_bar)
      : (tensor<?x3xf64>, index, tensor<3xf64>, f64), (tensor<?x3xf64>, f64) -> (tensor<?x3xf64>, f64, tensor<?x3xf64>, tensor<3xf64>, f64)
  return %r#2, %r#3, %r#4 : tensor<?x3xf64>, tensor<3xf64>, f64
}
