// The gradient of the Gaussian mixture: no request, no call, no closure left (Z06), no tape and no
// array over points x components x dimensions (F62); the factors' cotangents go straight into the
// accumulator of their component, also from inside a helper function (F07, F43).
// RUN: ad-opt %examples/gmm.mlir --ad-optimize | FileCheck %s

// CHECK-LABEL: func.func @gradient(
// CHECK-NOT:     {{ad\.|call|scf\.for}}
// CHECK-NOT:     tensor<?x?x?
// Points of a component, then rows of its factor: one accumulator for both; the cotangent of the mean is
// the sum over the points of what comes into the rows, times the factor.
// CHECK:         soac.map ins({{.*}} : tensor<?x?xf64>, tensor<?xf64>) accs({{.*}}%[[Q_BAR:[a-z0-9]+]]: !soac.acc<tensor<?x?xf64>>, %[[SUM:[a-z0-9]+]]: !soac.acc<tensor<?xf64>>) ->
// CHECK:           soac.map ins(%{{[a-z0-9]+}} : tensor<?xindex>) accs(%[[Q_BAR]], %[[SUM]] :
// CHECK-NOT:     {{ad\.|call|scf\.for}}
// CHECK-NOT:     tensor<?x?x?
// CHECK:         return
// CHECK-LABEL: func.func @fit(
