// Functions as values, in text and back [M03, M04, M08].
// RUN: ad-opt %s | ad-opt | FileCheck %s
// RUN: ad-opt %s --mlir-print-op-generic | ad-opt | FileCheck %s

// CHECK-LABEL: func.func @pass(
// CHECK-SAME: %[[F:[^:]*]]: !ad.closure<(f64) -> f64>, %[[X:[^:]*]]: f64
// CHECK: %[[Y:.*]] = ad.call %[[F]](%[[X]]) : !ad.closure<(f64) -> f64>
// CHECK: return %[[Y]], %[[F]] : f64, !ad.closure<(f64) -> f64>
func.func @pass(%f: !ad.closure<(f64) -> f64>, %x: f64) -> (f64, !ad.closure<(f64) -> f64>) {
  %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
  return %y, %f : f64, !ad.closure<(f64) -> f64>
}

func.func @pair(%a: f64, %n: index, %x: f64) -> (f64, index) {
  return %x, %n : f64, index
}

// CHECK-LABEL: func.func @make(
// CHECK-SAME: %[[A:[^:]*]]: f64
func.func @make(%a: f64, %n: index) {
  // CHECK: %[[C:.*]] = ad.closure @pair(%[[A]], %{{.*}}) : (f64, index) -> !ad.closure<(f64) -> (f64, index)>
  %c = ad.closure @pair(%a, %n) : (f64, index) -> !ad.closure<(f64) -> (f64, index)>
  // CHECK: ad.closure @make() : () -> !ad.closure<(f64, index) -> ()>
  %d = ad.closure @make() : () -> !ad.closure<(f64, index) -> ()>
  // CHECK: %{{.*}}:2 = ad.call %[[C]](%[[A]]) : !ad.closure<(f64) -> (f64, index)>
  %r:2 = ad.call %c(%a) : !ad.closure<(f64) -> (f64, index)>
  // CHECK: ad.call %{{.*}}(%[[A]], %{{.*}}) : !ad.closure<(f64, index) -> ()>
  ad.call %d(%a, %n) : !ad.closure<(f64, index) -> ()>
  return
}

// CHECK-LABEL: func.func @lambda(
// CHECK-SAME: %[[A:.*]]: f64
func.func @lambda(%a: f64) -> !ad.closure<(f64) -> f64> {
  // CHECK: %[[F:.*]] = ad.lambda (%[[X:.*]]: f64) -> f64 {
  // CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[A]], %[[X]] : f64
  // CHECK-NEXT: ad.yield %[[Y]] : f64
  // CHECK-NEXT: }
  %f = ad.lambda (%x: f64) -> f64 {
    %y = arith.mulf %a, %x : f64
    ad.yield %y : f64
  }
  // CHECK: ad.lambda () {
  // CHECK-NEXT: ad.yield
  // CHECK-NEXT: }
  %g = ad.lambda () {
  }
  // CHECK: return %[[F]]
  return %f : !ad.closure<(f64) -> f64>
}
