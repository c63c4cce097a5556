// ad-generate adds a derivative function to a module without requests [M15].
// RUN: ad-opt %s --ad-generate="function=f mode=vjp" --inline --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,VJP
// RUN: ad-opt %s --ad-generate="function=f mode=jvp" --inline --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,JVP
// RUN: ad-opt %s --ad-generate="function=f mode=gradient" --inline --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,GRADIENT
// RUN: ad-opt %s --ad-generate="function=@f mode=gradient wrt=2 name=slope" --inline --canonicalize --cse | FileCheck %s --check-prefix=WRT
// RUN: ad-opt %s --ad-generate="function=f mode=vjp wrt=2,0" --inline --canonicalize --cse | FileCheck %s --check-prefix=ORDER
// RUN: ad-opt %s --ad-generate="function=pair mode=jvp wrt=0" --inline --canonicalize --cse | FileCheck %s --check-prefix=PAIR
// RUN: ad-opt %s --ad-generate="function=f mode=gradient name=g" --ad-generate="function=g mode=jvp" --inline --canonicalize --cse | FileCheck %s --check-prefix=TWICE

// The function itself stays as it is.
// CHECK-LABEL: func.func @f(
// CHECK: arith.mulf
// CHECK: return
func.func @f(%x: f64, %n: index, %y: f64) -> f64 {
  %p = arith.mulf %x, %y : f64
  return %p : f64
}

func.func @pair(%x: f64, %y: f32) -> (f64, index, f32) {
  %n = arith.constant 1 : index
  %p = arith.mulf %x, %x : f64
  return %p, %n, %y : f64, index, f32
}

// Primal results, then one cotangent per argument.
// VJP-LABEL: func.func @f_vjp(
// VJP-SAME: %[[X:[a-z0-9]+]]: f64, %{{.*}}: index, %[[Y:[a-z0-9]+]]: f64, %[[S:[a-z0-9]+]]: f64) -> (f64, f64, f64)
// VJP-DAG: %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
// VJP-DAG: %[[XB:.*]] = arith.mulf %[[S]], %[[Y]]
// VJP-DAG: %[[YB:.*]] = arith.mulf %[[S]], %[[X]]
// VJP: return %[[P]], %[[XB]], %[[YB]]

// Primal results, then one tangent per differentiable result.
// JVP-LABEL: func.func @f_jvp(
// JVP-SAME: f64, %{{.*}}: index, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: f64) -> (f64, f64)
// JVP: %[[SUM:.*]] = arith.addf
// JVP: return %{{.*}}, %[[SUM]]

// The cotangents for the seed one, and nothing else.
// GRADIENT-LABEL: func.func @f_gradient(
// GRADIENT-SAME: %[[X:[a-z0-9]+]]: f64, %{{.*}}: index, %[[Y:[a-z0-9]+]]: f64) -> (f64, f64)
// GRADIENT-NEXT: return %[[Y]], %[[X]]

// WRT-LABEL: func.func @slope(
// WRT-SAME: %[[X:[a-z0-9]+]]: f64, %{{.*}}: index, %{{.*}}: f64) -> f64
// WRT-NEXT: return %[[X]]

// ORDER-LABEL: func.func @f_vjp(
// ORDER-SAME: %[[X:[a-z0-9]+]]: f64, %{{.*}}: index, %[[Y:[a-z0-9]+]]: f64, %[[S:[a-z0-9]+]]: f64)
// ORDER-DAG: %[[XB:.*]] = arith.mulf %[[S]], %[[Y]]
// ORDER-DAG: %[[YB:.*]] = arith.mulf %[[S]], %[[X]]
// ORDER: return %{{.*}}, %[[YB]], %[[XB]]

// An integer result has no tangent; a result that does not depend on wrt has zero.
// PAIR-LABEL: func.func @pair_jvp(
// PAIR-SAME: f64, %[[Y:[a-z0-9]+]]: f32, %{{.*}}: f64) -> (f64, index, f32, f64, f32)
// PAIR: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// PAIR: return %{{.*}}, %{{.*}}, %[[Y]], %{{.*}}, %[[ZERO]]

// A generated function can be differentiated.
// TWICE-LABEL: func.func @g_jvp(
// TWICE-SAME: %[[X:[a-z0-9]+]]: f64, %{{.*}}: index, %[[Y:[a-z0-9]+]]: f64, %[[XD:[a-z0-9]+]]: f64, %[[YD:[a-z0-9]+]]: f64)
// TWICE-NEXT: return %[[Y]], %[[X]], %[[YD]], %[[XD]]
