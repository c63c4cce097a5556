// The derivative of a function of a record mirrors it: fields without a derivative are no part of it, statically [Z33].
// RUN: ad-opt %s --ad-differentiate --canonicalize | FileCheck %s
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=OPTIMIZED

!layer = !ad.record<weight: f64, bias: f64, units: i64, frozen: i1>
!model = !ad.record<hidden: !layer, rate: f32, name: index>
!layer_bar = !ad.record<weight: f64, bias: f64>
!model_bar = !ad.record<hidden: !layer_bar, rate: f32>

func.func private @loss(%model: !model, %x: f64) -> f64 {
  %name = ad.get %model[name] : !model
  %hidden = ad.get %model[hidden] : !model
  %w = ad.get %hidden[weight] : !layer
  %b = ad.get %hidden[bias] : !layer
  %n = ad.get %hidden[units] : !layer
  %rate = ad.get %model[rate] : !model
  %wide = arith.extf %rate : f32 to f64
  %k = arith.index_cast %name : index to i64
  %nk = arith.addi %n, %k : i64
  %m = arith.sitofp %nk : i64 to f64
  %wx = arith.mulf %w, %x : f64
  %wxb = arith.addf %wx, %b : f64
  %y = arith.mulf %wxb, %m : f64
  %z = arith.mulf %y, %wide : f64
  return %z : f64
}

// CHECK-LABEL: func.func @gradient(
// CHECK-SAME: %{{[^ ]*}}: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: i64, %{{[^ ]*}}: i1, %{{[^ ]*}}: f32, %{{[^ ]*}}: index, %{{[^ ]*}}: f64) -> (f64, f64, f32)
// CHECK: call @loss.vjp_0_1_4(
// CHECK-LABEL: func.func private @loss.vjp_0_1_4(
// CHECK-SAME: -> (f64, f64, f64, f32)
// CHECK-NOT: constant
// CHECK: return

// Neither a zero for a field without a gradient nor packing is left [M23].
// OPTIMIZED-LABEL: func.func @gradient(
// OPTIMIZED-NOT: constant
// OPTIMIZED-NOT: ad.
// OPTIMIZED: return %{{.*}}, %{{.*}}, %{{.*}} : f64, f64, f32
func.func @gradient(%model: !model, %x: f64) -> !model_bar {
  %one = arith.constant 1.0 : f64
  %y, %model_bar = ad.vjp @loss(%model, %x) seed(%one) {wrt = array<i64: 0>}
      : (!model, f64), (f64) -> (f64, !model_bar)
  return %model_bar : !model_bar
}

// Reading a field twice adds its adjoint up, setting it takes the adjoint away, and the other field never occurs [Z19].
// CHECK-LABEL: func.func private @pair.vjp_0(
// CHECK-SAME: %[[A:[^:]*]]: f64, %[[B:[^:]*]]: f64) -> (f64, f64)
// CHECK: %[[BB:.*]] = arith.addf %[[B]], %[[B]]
// CHECK-NEXT: return %{{.*}}, %[[BB]]
func.func private @pair(%a: f64) -> f64 {
  %p = ad.record(%a, %a) : tuple<f64, f64>
  %x = ad.get %p[0] : tuple<f64, f64>
  %q = ad.set %p[1] = %x : tuple<f64, f64>
  %y = ad.get %q[0] : tuple<f64, f64>
  %z = ad.get %q[1] : tuple<f64, f64>
  %s = arith.addf %y, %z : f64
  return %s : f64
}
func.func @twice(%a: f64, %s: f64) -> f64 {
  %y, %a_bar = ad.vjp @pair(%a) seed(%s) : (f64), (f64) -> (f64, f64)
  return %a_bar : f64
}

// A function of its own is added for a record, too: forward mode has a tangent for each field that has one.
// RUN: ad-opt %s --ad-generate="function=scaled mode=vjp" | FileCheck %s --check-prefix=VJP
// RUN: ad-opt %s --ad-generate="function=scaled mode=jvp" | FileCheck %s --check-prefix=JVP
// RUN: ad-opt %s --ad-generate="function=scaled mode=gradient" | FileCheck %s --check-prefix=GRADIENT
// VJP-LABEL: func.func @scaled_vjp(
// VJP-SAME: %{{[^ ]*}}: f64, %{{[^ ]*}}: i64, %{{[^ ]*}}: f64) -> (f64, f64)
// JVP-LABEL: func.func @scaled_jvp(
// JVP-SAME: %{{[^ ]*}}: f64, %{{[^ ]*}}: i64, %{{[^ ]*}}: f64) -> (f64, f64)
// GRADIENT-LABEL: func.func @scaled_gradient(
// GRADIENT-SAME: %{{[^ ]*}}: f64, %{{[^ ]*}}: i64) -> f64
func.func @scaled(%r: tuple<f64, i64>) -> f64 {
  %x = ad.get %r[0] : tuple<f64, i64>
  %n = ad.get %r[1] : tuple<f64, i64>
  %m = arith.sitofp %n : i64 to f64
  %y = arith.mulf %m, %x : f64
  return %y : f64
}
