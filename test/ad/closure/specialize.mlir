// Functions are copied for the functions that they are called with [M10, M18, Z26].
// RUN: ad-opt %s --ad-closure-specialize --symbol-dce | FileCheck %s

func.func private @scale(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func private @sine(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
func.func private @twice(%f: !ad.closure<(f64) -> f64>, %x: f64) -> f64 {
  %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
  %z = ad.call %f(%y) : !ad.closure<(f64) -> f64>
  return %z : f64
}
func.func private @apply(%f: (f64) -> f64, %x: f64) -> f64 {
  %y = func.call_indirect %f(%x) : (f64) -> f64
  return %y : f64
}
func.func private @compose(%f: !ad.closure<(f64) -> f64>, %g: !ad.closure<(f64) -> f64>, %x: f64) -> f64 {
  %y = ad.call %g(%x) : !ad.closure<(f64) -> f64>
  %z = ad.call %f(%y) : !ad.closure<(f64) -> f64>
  return %z : f64
}
func.func private @times(%f: !ad.closure<(f64) -> f64>, %n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    scf.yield %x : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
    %z = func.call @times(%f, %m, %y) : (!ad.closure<(f64) -> f64>, index, f64) -> f64
    scf.yield %z : f64
  }
  return %r : f64
}

// The copy takes what is captured.
// CHECK-LABEL: func.func @captured(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[X:[^:]*]]: f64
// CHECK-NEXT: call @twice.with_scale(%[[A]], %[[X]]) : (f64, f64) -> f64
func.func @captured(%a: f64, %x: f64) -> f64 {
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %y = call @twice(%f, %x) : (!ad.closure<(f64) -> f64>, f64) -> f64
  return %y : f64
}

// So does that of a function that is differentiated: positions move.
// CHECK-LABEL: func.func @request(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[X:[^:]*]]: f64
// CHECK: ad.vjp @twice.with_scale(%[[A]], %[[X]]) seed(%{{.*}}) {wrt = array<i64: 1>} : (f64, f64), (f64) -> (f64, f64)
func.func @request(%a: f64, %x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %r:2 = ad.vjp @twice(%f, %x) seed(%one) : (!ad.closure<(f64) -> f64>, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// CHECK-LABEL: func.func @reference(
// CHECK-NEXT: call @apply.with_sine(%{{.*}}) : (f64) -> f64
func.func @reference(%x: f64) -> f64 {
  %f = func.constant @sine : (f64) -> f64
  %y = call @apply(%f, %x) : ((f64) -> f64, f64) -> f64
  return %y : f64
}

// A closure is captured as any value is [M13].
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[X:[^:]*]]: f64
// CHECK-NEXT: call @twice.with_compose_sine_scale(%[[A]], %[[X]])
func.func @nested(%a: f64, %x: f64) -> f64 {
  %f = ad.closure @sine() : () -> !ad.closure<(f64) -> f64>
  %g = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %h = ad.closure @compose(%f, %g) : (!ad.closure<(f64) -> f64>, !ad.closure<(f64) -> f64>) -> !ad.closure<(f64) -> f64>
  %y = call @twice(%h, %x) : (!ad.closure<(f64) -> f64>, f64) -> f64
  return %y : f64
}

// A recursive call that hands the function on calls the copy.
// CHECK-LABEL: func.func @recursive(
// CHECK: call @times.with_scale(
func.func @recursive(%a: f64, %n: index, %x: f64) -> f64 {
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %y = call @times(%f, %n, %x) : (!ad.closure<(f64) -> f64>, index, f64) -> f64
  return %y : f64
}

// CHECK-LABEL: func.func private @times.with_scale(
// CHECK-SAME: %[[A:[^:]*]]: f64, %{{[^:]*}}: index, %{{[^:]*}}: f64
// CHECK: call @scale(%[[A]], %{{.*}})
// CHECK: call @times.with_scale(%[[A]], %{{.*}}, %{{.*}})

// CHECK-LABEL: func.func private @twice.with_compose_sine_scale(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[X:[^:]*]]: f64
// CHECK: call @compose.with_sine_scale(%[[A]], %[[X]])

// CHECK-LABEL: func.func private @twice.with_scale(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[X:[^:]*]]: f64
// CHECK: %[[Y:.*]] = call @scale(%[[A]], %[[X]])
// CHECK: call @scale(%[[A]], %[[Y]])
// CHECK-NOT: ad.c
