// Records become their fields wherever values go, and nothing is left of packing and unpacking [Z19, Z20, M23].
// RUN: ad-opt %s --ad-split-records | FileCheck %s
// RUN: ad-opt %s --ad-split-records | FileCheck %s --check-prefix=NONE

// NONE-NOT: ad.record
// NONE-NOT: ad.get
// NONE-NOT: ad.set
// NONE-NOT: tuple
// NONE-NOT: unrealized

!inner = !ad.record<w: f64, n: index>
!outer = !ad.record<inner: !inner, none: tuple<>, x: f32>

// CHECK-LABEL: func.func @fields(
// CHECK-SAME: %[[W:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[X:[^:]*]]: f32, %[[M:[^:]*]]: index) -> (f64, index, f32, f64)
// CHECK-NEXT: return %[[W]], %[[M]], %[[X]], %[[W]]
func.func @fields(%r: !outer, %m: index) -> (!outer, f64) {
  %inner = ad.get %r[inner] : !outer
  %w = ad.get %inner[w] : !inner
  %next = ad.set %inner[n] = %m : !inner
  %s = ad.set %r[inner] = %next : !outer
  return %s, %w : !outer, f64
}

// Attributes stay with arguments and results that are not split.
// CHECK-LABEL: func.func @attributes(
// CHECK-SAME: %{{[^ ]*}}: f64 {test.a}, %{{[^ ]*}}: f64, %{{[^ ]*}}: index, %{{[^ ]*}}: i32 {test.c})
// CHECK-SAME: -> (f64, index, f32 {test.d})
func.func @attributes(%x: f64 {test.a}, %r: !inner {test.b}, %n: i32 {test.c}) -> (!inner, f32 {test.d}) {
  %y = arith.constant 0.0 : f32
  return %r, %y : !inner, f32
}

// CHECK-LABEL: func.func private @outside(f64, index) -> f64
func.func private @outside(!inner) -> f64

// CHECK-LABEL: func.func @calls(
// CHECK-SAME: %[[W:[^:]*]]: f64, %[[N:[^:]*]]: index
// CHECK: %[[Y:.*]] = call @outside(%[[W]], %[[N]]) : (f64, index) -> f64
// CHECK: %{{.*}}:3 = call @attributes(%[[Y]], %[[W]], %[[N]], %{{.*}}) : (f64, f64, index, i32) -> (f64, index, f32)
func.func @calls(%r: !inner, %c: i32) -> !inner {
  %y = call @outside(%r) : (!inner) -> f64
  %s:2 = call @attributes(%y, %r, %c) : (f64, !inner, i32) -> (!inner, f32)
  return %s#0 : !inner
}

// CHECK-LABEL: func.func @control(
// CHECK: scf.for {{.*}} -> (f64, index)
// CHECK: scf.if {{.*}} -> (f64, index)
// CHECK: scf.while ({{.*}}) : (f64, index) -> (f64, index)
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : f64, index
// CHECK: ^bb0(%{{.*}}: f64, %{{.*}}: index):
// CHECK: arith.select %{{.*}} : f64
// CHECK: arith.select %{{.*}} : index
// CHECK: ad.stop_gradient %{{.*}} : f64
func.func @control(%r: !inner, %c: i1) -> !inner {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = ad.get %r[n] : !inner
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %r) -> !inner {
    %t = scf.if %c -> !inner {
      scf.yield %s : !inner
    } else {
      %m = ad.set %s[n] = %i : !inner
      scf.yield %m : !inner
    }
    scf.yield %t : !inner
  }
  %b = scf.while (%s = %a) : (!inner) -> !inner {
    scf.condition(%c) %s : !inner
  } do {
  ^bb0(%s: !inner):
    scf.yield %s : !inner
  }
  %d = arith.select %c, %a, %b : !inner
  %e = ad.stop_gradient %d : !inner
  return %e : !inner
}

// CHECK-LABEL: func.func @blocks(
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}}, %{{.*}} : f64, index), ^bb2(%{{.*}}, %{{.*}} : f64, index)
// CHECK: ^bb1(%{{.*}}: f64, %{{.*}}: index):
// CHECK: cf.br ^bb2(%{{.*}}, %{{.*}} : f64, index)
// CHECK: ^bb2(%{{.*}}: f64, %{{.*}}: index):
func.func @blocks(%r: !inner, %c: i1) -> !inner {
  cf.cond_br %c, ^one(%r : !inner), ^two(%r : !inner)
^one(%s: !inner):
  cf.br ^two(%s : !inner)
^two(%t: !inner):
  return %t : !inner
}

// Functions that are values take and give fields, too.
// CHECK-LABEL: func.func @functions(
// CHECK-SAME: %[[W:[^:]*]]: f64, %[[N:[^:]*]]: index
// CHECK: %[[F:.*]] = ad.closure @apply(%[[W]], %[[N]]) : (f64, index) -> !ad.closure<(f64) -> (f64, index)>
// CHECK: %{{.*}}:2 = ad.call %[[F]](%[[W]]) : !ad.closure<(f64) -> (f64, index)>
// CHECK: %[[G:.*]] = ad.lambda (%{{.*}}: f64, %{{.*}}: index) -> (f64, index)
// CHECK: ad.yield %{{.*}}, %{{.*}} : f64, index
// CHECK: %[[H:.*]] = constant @apply : (f64, index, f64) -> (f64, index)
// CHECK: call_indirect %[[H]](%{{.*}}, %{{.*}}, %{{.*}}) : (f64, index, f64) -> (f64, index)
func.func private @apply(%r: !inner, %x: f64) -> !inner {
  %s = ad.set %r[w] = %x : !inner
  return %s : !inner
}
func.func @functions(%r: !inner) -> !inner {
  %w = ad.get %r[w] : !inner
  %f = ad.closure @apply(%r) : (!inner) -> !ad.closure<(f64) -> !inner>
  %a = ad.call %f(%w) : !ad.closure<(f64) -> !inner>
  %g = ad.lambda (%s: !inner) -> !inner {
    %t = ad.set %s[w] = %w : !inner
    ad.yield %t : !inner
  }
  %b = ad.call %g(%a) : !ad.closure<(!inner) -> !inner>
  %h = constant @apply : (!inner, f64) -> !inner
  %c = call_indirect %h(%b, %w) : (!inner, f64) -> !inner
  return %c : !inner
}

// A request lists the fields that have derivatives.
// CHECK-LABEL: func.func @requests(
// CHECK-SAME: %[[W:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f64, %[[S:[^:]*]]: f32)
// CHECK: %[[V:.*]]:6 = ad.vjp @fields(%[[W]], %[[N]], %[[X]], %[[N]]) seed(%[[Y]], %[[S]], %[[Y]]) {wrt = array<i64: 0, 2>} : (f64, index, f32, index), (f64, f32, f64) -> (f64, index, f32, f64, f64, f32)
// CHECK: ad.jvp @fields(%[[W]], %[[N]], %[[X]], %[[N]]) seed(%[[V]]#4, %[[V]]#5) {wrt = array<i64: 0, 2>} : (f64, index, f32, index), (f64, f32) -> (f64, index, f32, f64, f64, f32, f64)
!inner_bar = !ad.record<w: f64>
!outer_bar = !ad.record<inner: !inner_bar, x: f32>
func.func @requests(%r: !outer, %y_bar: !outer_bar) -> !outer_bar {
  %inner = ad.get %r[inner] : !outer
  %n = ad.get %inner[n] : !inner
  %inner_bar = ad.get %y_bar[inner] : !outer_bar
  %w_bar = ad.get %inner_bar[w] : !inner_bar
  %v:3 = ad.vjp @fields(%r, %n) seed(%y_bar, %w_bar) {wrt = array<i64: 0>}
      : (!outer, index), (!outer_bar, f64) -> (!outer, f64, !outer_bar)
  %j:4 = ad.jvp @fields(%r, %n) seed(%v#2) {wrt = array<i64: 0>}
      : (!outer, index), (!outer_bar) -> (!outer, f64, !outer_bar, f64)
  return %j#2 : !outer_bar
}
