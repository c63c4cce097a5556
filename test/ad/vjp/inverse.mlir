// Calls of functions with an inverse: a loop through one keeps nothing, neither of blocks nor of scf, because the return
// sweep finds what it carried from what it left [Z17].
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s

// y = x exp(w)
func.func private @scale(%x: f64, %w: f64) -> f64 attributes {ad.inverse = @unscale} {
  %s = math.exp %w : f64
  %y = arith.mulf %x, %s : f64
  return %y : f64
}
func.func private @unscale(%y: f64, %w: f64) -> f64 {
  %s = math.exp %w : f64
  %x = arith.divf %y, %s : f64
  return %x : f64
}

// Between blocks.
func.func private @blocks(%x: f64, %w: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^header(%x, %n : f64, index)
^header(%a: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^body, ^exit
^body:
  %b = func.call @scale(%a, %w) : (f64, f64) -> f64
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%b, %k1 : f64, index)
^exit:
  return %a : f64
}
// CHECK-LABEL: func.func private @blocks.vjp_0_1(
// CHECK-SAME: %{{.*}}: f64, %[[W:.*]]: f64, %{{.*}}: index, %{{.*}}: f64)
// CHECK-NOT: ad.tape
// CHECK: ^[[HEADER:.*]](%[[A:.*]]: f64, %{{.*}}: index, %{{.*}}: index):
// CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[BACK:.*]](%{{.*}}, %{{.*}}, %{{.*}}, %[[A]] : f64, f64, index, f64)
// CHECK: %[[BEFORE:.*]] = call @unscale(%[[NOW:.*]], %[[W]])
// CHECK-NEXT: %{{.*}}:3 = call @scale.vjp_0_1(%[[BEFORE]], %[[W]], %{{.*}})
// CHECK: cf.br ^[[BACK]](%{{.*}}, %{{.*}}, %{{.*}}, %[[BEFORE]] : f64, f64, index, f64)
// CHECK-NEXT: ^[[BACK]](%{{.*}}: f64, %{{.*}}: f64, %{{.*}}: index, %[[NOW]]: f64):
// CHECK-NOT: ad.tape
// CHECK: return %[[A]],
func.func @blocks_vjp(%x: f64, %w: f64, %n: index, %y_bar: f64) -> (f64, f64) {
  %r:3 = ad.vjp @blocks(%x, %w, %n) seed(%y_bar) : (f64, f64, index), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// What the body reads otherwise of what is carried is found early, too.
func.func private @read(%x: f64, %w: f64, %n: index) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s0 = arith.constant 0.0 : f64
  cf.br ^header(%x, %s0, %n : f64, f64, index)
^header(%a: f64, %s: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^body, ^exit
^body:
  %c = math.sin %a : f64
  %s1 = arith.addf %s, %c : f64
  %b = func.call @scale(%a, %w) : (f64, f64) -> f64
  %k1 = arith.subi %k, %one : index
  cf.br ^header(%b, %s1, %k1 : f64, f64, index)
^exit:
  return %a, %s : f64, f64
}
// CHECK-LABEL: func.func private @read.vjp_0_1(
// CHECK-NOT: ad.tape
// CHECK: %[[BEFORE:.*]] = call @unscale(
// CHECK: math.cos %[[BEFORE]]
// CHECK-NOT: ad.tape
// CHECK: return
func.func @read_vjp(%x: f64, %w: f64, %n: index, %y_bar: f64) -> (f64, f64) {
  %r:4 = ad.vjp @read(%x, %w, %n) seed(%y_bar, %y_bar) : (f64, f64, index), (f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3 : f64, f64
}

// Two values that go through one call, and swap places: none of them is saved.
func.func private @couple(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    attributes {ad.inverse = @uncouple} {
  %s = math.sin %x : tensor<?xf64>
  %z = arith.addf %y, %s : tensor<?xf64>
  return %z, %x : tensor<?xf64>, tensor<?xf64>
}
func.func private @uncouple(%z: tensor<?xf64>, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %s = math.sin %x : tensor<?xf64>
  %y = arith.subf %z, %s : tensor<?xf64>
  return %x, %y : tensor<?xf64>, tensor<?xf64>
}
func.func private @layers(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf64>, tensor<?xf64>) {
    %c:2 = func.call @couple(%a, %b) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    scf.yield %c#0, %c#1 : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}
// CHECK-LABEL: func.func private @layers.vjp_0_1(
// CHECK-NOT: tensor.empty
// CHECK: %[[LAST:.*]]:2 = scf.for
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[Z:.*]] = %[[LAST]]#0, %[[X:.*]] = %[[LAST]]#1)
// CHECK-NEXT: %[[BEFORE:.*]]:2 = func.call @uncouple(%[[Z]], %[[X]])
// CHECK: call @couple.vjp_0_1(%[[BEFORE]]#0, %[[BEFORE]]#1,
// CHECK: scf.yield %{{.*}}, %{{.*}}, %[[BEFORE]]#0, %[[BEFORE]]#1
func.func @layers_vjp(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index, %s: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:4 = ad.vjp @layers(%x, %y, %n) seed(%s, %s)
      : (tensor<?xf64>, tensor<?xf64>, index), (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>
}

// In a straight line: from the last result back. Arguments of the function are there anyway.
func.func private @line(%x: f64, %w: f64) -> f64 {
  %a = func.call @scale(%x, %w) : (f64, f64) -> f64
  %b = func.call @scale(%a, %w) : (f64, f64) -> f64
  %c = func.call @scale(%b, %w) : (f64, f64) -> f64
  return %c : f64
}
// CHECK-LABEL: func.func private @line.vjp_0(
// CHECK: %[[A:.*]] = call @scale(%[[X:.*]], %[[W:.*]])
// CHECK: %[[B:.*]] = call @scale(%[[A]],
// CHECK: %[[C:.*]] = call @scale(%[[B]],
// CHECK: %[[B1:.*]] = call @unscale(%[[C]], %[[W]])
// CHECK: call @scale.vjp_0(%[[B1]],
// CHECK: %[[A1:.*]] = call @unscale(%[[B1]], %[[W]])
// CHECK: call @scale.vjp_0(%[[A1]],
// CHECK-NOT: call @unscale
// CHECK: call @scale.vjp_0(%[[X]],
func.func @line_vjp(%x: f64, %w: f64, %s: f64) -> f64 {
  %r:2 = ad.vjp @line(%x, %w) seed(%s) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// A loop in a loop keeps what the inner one leaves: once per iteration of the outer one.
func.func private @nest(%x: f64, %w: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^outer(%x, %n : f64, index)
^outer(%a: f64, %k: index):
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^inner(%a, %n : f64, index), ^exit
^inner(%b: f64, %j: index):
  %goes_on = arith.cmpi sgt, %j, %zero : index
  cf.cond_br %goes_on, ^body, ^after
^body:
  %c = func.call @scale(%b, %w) : (f64, f64) -> f64
  %j1 = arith.subi %j, %one : index
  cf.br ^inner(%c, %j1 : f64, index)
^after:
  %k1 = arith.subi %k, %one : index
  cf.br ^outer(%b, %k1 : f64, index)
^exit:
  return %a : f64
}
// CHECK-LABEL: func.func private @nest.vjp_0(
// CHECK: call @unscale(
func.func @nest_vjp(%x: f64, %w: f64, %n: index, %s: f64) -> f64 {
  %r:2 = ad.vjp @nest(%x, %w, %n) seed(%s) {wrt = array<i64: 0>} : (f64, f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
