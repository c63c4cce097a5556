// Derivatives of programs with records: nested, through calls, blocks, loops and choices, of buffers and of functions.
// What a program takes as a record, `check` and `run` take as its fields.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x3.npy '<f8' '(3,)' 0.5 -1.2 2.0
// RUN: ad-opt check %s --entry=nested --input=0.7 --input=1.3 --input=2 --input=%t.x3.npy
// RUN: ad-opt check %s --entry=nested --input=0.7 --input=1.3 --input=2 --input=%t.x3.npy --engine=interpreter
// RUN: ad-opt check %s --entry=calls --input=0.7 --input=-0.4 --input=3
// RUN: ad-opt check %s --entry=recursive --input=0.7 --input=1.1 --input=4
// RUN: ad-opt check %s --entry=blocks --input=0.7 --input=-0.4 --input=5
// RUN: ad-opt check %s --entry=blocks --input=-0.7 --input=-0.4 --input=0
// RUN: ad-opt check %s --entry=blocks --input=0.7 --input=-0.4 --input=5 --engine=interpreter
// RUN: ad-opt check %s --entry=cases --input=0 --input=0.7 --input=-0.4
// RUN: ad-opt check %s --entry=cases --input=1 --input=0.7 --input=-0.4
// RUN: ad-opt check %s --entry=cases --input=2 --input=0.7 --input=-0.4
// RUN: ad-opt check %s --entry=loops --input=0.7 --input=-0.4 --input=5
// RUN: ad-opt check %s --entry=loops --input=0.7 --input=-0.4 --input=5 --engine=interpreter
// RUN: ad-opt check %s --entry=chosen --input=0 --input=0.7 --input=-0.4 --input=0.3
// RUN: ad-opt check %s --entry=chosen --input=1 --input=0.7 --input=-0.4 --input=0.3
// RUN: ad-opt check %s --entry=functions --input=0.7 --input=-0.4
// RUN: ad-opt check %s --entry=boxes --input=0.7 --input=-0.4 --input=4
// RUN: ad-opt check %s --entry=custom --input=0.7 --input=-0.4 --input=3
// RUN: ad-opt check %s --entry=layers --input=%t.x3.npy --input=0.3 --input=2 --input=1.5 --input=%t.x3.npy
// RUN: ad-opt check %s --entry=layers_gradient --input=%t.x3.npy --input=0.3 --input=2 --input=1.5 --input=%t.x3.npy
// RUN: ad-opt run %s --entry=closed_form --input=3.0 --input=5.0 --input=7 | FileCheck %s

// Tuples of tuples; the number that says how often has no derivative [Z19].
!inner = tuple<f64, i64, tensor<3xf64>>
!outer = tuple<f64, !inner>
func.func @nested(%p: !outer) -> tuple<tuple<f64, f64>, i64> {
  %a = ad.get %p[0] : !outer
  %q = ad.get %p[1] : !outer
  %b = ad.get %q[0] : !inner
  %n = ad.get %q[1] : !inner
  %v = ad.get %q[2] : !inner
  %c1 = arith.constant 1 : index
  %m = arith.sitofp %n : i64 to f64
  %ab = arith.mulf %a, %b : f64
  %s = math.sin %ab : f64
  %x = tensor.extract %v[%c1] : tensor<3xf64>
  %mx = arith.mulf %m, %x : f64
  %t = arith.mulf %mx, %a : f64
  %y = ad.record(%s, %t) : tuple<f64, f64>
  %z = ad.record(%y, %n) : tuple<tuple<f64, f64>, i64>
  return %z : tuple<tuple<f64, f64>, i64>
}

// A state that functions take and give [Z20].
!state = !ad.record<place: f64, speed: f64, left: index>

func.func private @move(%s: !state) -> !state {
  %h = arith.constant 0.1 : f64
  %c1 = arith.constant 1 : index
  %x = ad.get %s[place] : !state
  %v = ad.get %s[speed] : !state
  %n = ad.get %s[left] : !state
  %sin = math.sin %x : f64
  %f = arith.mulf %h, %sin : f64
  %w = arith.subf %v, %f : f64
  %dx = arith.mulf %h, %w : f64
  %y = arith.addf %x, %dx : f64
  %m = arith.subi %n, %c1 : index
  %s1 = ad.set %s[place] = %y : !state
  %s2 = ad.set %s1[speed] = %w : !state
  %s3 = ad.set %s2[left] = %m : !state
  return %s3 : !state
}
func.func @calls(%s: !state) -> !state {
  %a = call @move(%s) : (!state) -> !state
  %b = call @move(%a) : (!state) -> !state
  return %b : !state
}
func.func @recursive(%s: !state) -> !state {
  %c0 = arith.constant 0 : index
  %n = ad.get %s[left] : !state
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> !state {
    scf.yield %s : !state
  } else {
    %a = func.call @move(%s) : (!state) -> !state
    %b = func.call @recursive(%a) : (!state) -> !state
    scf.yield %b : !state
  }
  return %r : !state
}

// Blocks hand records on, one of which is never reached.
func.func @blocks(%s: !state) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  cf.br ^head(%s : !state)
^head(%t: !state):
  %n = ad.get %t[left] : !state
  %more = arith.cmpi sgt, %n, %c0 : index
  cf.cond_br %more, ^body(%t : !state), ^exit(%t, %zero : !state, f64)
^body(%u: !state):
  %moved = func.call @move(%u) : (!state) -> !state
  %x = ad.get %moved[place] : !state
  %turned = arith.cmpf olt, %x, %zero : f64
  cf.cond_br %turned, ^exit(%moved, %x : !state, f64), ^head(%moved : !state)
^exit(%e: !state, %bonus: f64):
  %place = ad.get %e[place] : !state
  %speed = ad.get %e[speed] : !state
  %p = arith.mulf %place, %speed : f64
  %y = arith.addf %p, %bonus : f64
  return %y : f64
^nowhere(%never: !state):
  %nothing = ad.get %never[place] : !state
  return %nothing : f64
}
func.func @cases(%flag: i32, %x: f64, %y: f64) -> f64 {
  %p = ad.record(%x, %y) : tuple<f64, f64>
  %q = ad.record(%y, %x) : tuple<f64, f64>
  cf.switch %flag : i32, [
    default: ^end(%p : tuple<f64, f64>),
    1: ^end(%q : tuple<f64, f64>),
    2: ^square(%p : tuple<f64, f64>)
  ]
^square(%r: tuple<f64, f64>):
  %a = ad.get %r[0] : tuple<f64, f64>
  %aa = arith.mulf %a, %a : f64
  %s = ad.set %r[0] = %aa : tuple<f64, f64>
  cf.br ^end(%s : tuple<f64, f64>)
^end(%e: tuple<f64, f64>):
  %u = ad.get %e[0] : tuple<f64, f64>
  %v = ad.get %e[1] : tuple<f64, f64>
  %eu = math.exp %u : f64
  %z = arith.mulf %eu, %v : f64
  return %z : f64
}

// Loops carry records.
func.func @loops(%s: !state) -> (!state, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %s) -> !state {
    %b = func.call @move(%a) : (!state) -> !state
    scf.yield %b : !state
  }
  %u = scf.while (%a = %t) : (!state) -> !state {
    %n = ad.get %a[left] : !state
    %more = arith.cmpi sgt, %n, %c0 : index
    scf.condition(%more) %a : !state
  } do {
  ^bb0(%a: !state):
    %b = func.call @move(%a) : (!state) -> !state
    scf.yield %b : !state
  }
  %x = ad.get %t[place] : !state
  %v = ad.get %u[speed] : !state
  %y = arith.mulf %x, %v : f64
  return %u, %y : !state, f64
}

// Choices between records, and a part of one that counts as a constant.
func.func @chosen(%flag: i1, %x: f64, %y: f64, %z: f64) -> f64 {
  %p = ad.record(%x, %y) : tuple<f64, f64>
  %q = ad.record(%z, %x) : tuple<f64, f64>
  %r = arith.select %flag, %p, %q : tuple<f64, f64>
  %c = arith.index_castui %flag : i1 to index
  %s = scf.index_switch %c -> tuple<f64, f64>
  case 0 {
    scf.yield %r : tuple<f64, f64>
  }
  default {
    %t = ad.record(%y, %z) : tuple<f64, f64>
    scf.yield %t : tuple<f64, f64>
  }
  %a = ad.get %r[0] : tuple<f64, f64>
  %b = ad.get %s[1] : tuple<f64, f64>
  %e = math.exp %b : f64
  %w = arith.mulf %a, %e : f64
  return %w : f64
}

// A record of functions, one of which captures a number and takes a record.
!f = !ad.closure<(tuple<f64, i32>) -> tuple<i32, f64>>
func.func @functions(%a: f64, %x: f64) -> f64 {
  %n = arith.constant 3 : i32
  %f = ad.lambda (%p: tuple<f64, i32>) -> tuple<i32, f64> {
    %u = ad.get %p[0] : tuple<f64, i32>
    %m = ad.get %p[1] : tuple<f64, i32>
    %s = math.sin %u : f64
    %v = arith.mulf %a, %s : f64
    %q = ad.record(%m, %v) : tuple<i32, f64>
    ad.yield %q : tuple<i32, f64>
  }
  %r = ad.record(%f, %x) : !ad.record<apply: !f, to: f64>
  %y = func.call @apply(%r, %n) : (!ad.record<apply: !f, to: f64>, i32) -> f64
  return %y : f64
}
func.func private @apply(%r: !ad.record<apply: !f, to: f64>, %n: i32) -> f64 {
  %f = ad.get %r[apply] : !ad.record<apply: !f, to: f64>
  %x = ad.get %r[to] : !ad.record<apply: !f, to: f64>
  %p = ad.record(%x, %n) : tuple<f64, i32>
  %q = ad.call %f(%p) : !f
  %m = ad.get %q[0] : tuple<i32, f64>
  %y = ad.get %q[1] : tuple<i32, f64>
  %c = arith.sitofp %m : i32 to f64
  %z = arith.mulf %c, %y : f64
  return %z : f64
}

// A record that changes is a record of boxes [Z22].
!boxes = !ad.record<place: memref<f64>, speed: memref<f64>>
func.func private @push(%boxes: !boxes, %h: f64) {
  %place = ad.get %boxes[place] : !boxes
  %speed = ad.get %boxes[speed] : !boxes
  %x = memref.load %place[] : memref<f64>
  %v = memref.load %speed[] : memref<f64>
  %s = math.sin %x : f64
  %f = arith.mulf %h, %s : f64
  %w = arith.subf %v, %f : f64
  memref.store %w, %speed[] : memref<f64>
  %dx = arith.mulf %h, %w : f64
  %y = arith.addf %x, %dx : f64
  memref.store %y, %place[] : memref<f64>
  return
}
func.func @boxes(%x: f64, %v: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = arith.constant 0.3 : f64
  %place = memref.alloc() : memref<f64>
  %speed = memref.alloc() : memref<f64>
  memref.store %x, %place[] : memref<f64>
  memref.store %v, %speed[] : memref<f64>
  %boxes = ad.record(%place, %speed) : !boxes
  scf.for %i = %c0 to %n step %c1 {
    func.call @push(%boxes, %h) : (!boxes, f64) -> ()
  }
  %y = memref.load %place[] : memref<f64>
  %w = memref.load %speed[] : memref<f64>
  %z = arith.mulf %y, %w : f64
  memref.dealloc %place : memref<f64>
  memref.dealloc %speed : memref<f64>
  return %z : f64
}

// A rule of its own takes and gives records, the cotangent without the integer.
!rule = !ad.record<x: f64, y: f64, n: i32>
!rule_bar = !ad.record<x: f64, y: f64>
func.func private @product(%r: !rule) -> f64 attributes {custom_vjp = @product_vjp} {
  %x = ad.get %r[x] : !rule
  %y = ad.get %r[y] : !rule
  %z = arith.mulf %x, %y : f64
  return %z : f64
}
func.func private @product_vjp(%r: !rule, %z_bar: f64) -> (f64, !rule_bar) {
  %x = ad.get %r[x] : !rule
  %y = ad.get %r[y] : !rule
  %z = arith.mulf %x, %y : f64
  %x_bar = arith.mulf %z_bar, %y : f64
  %y_bar = arith.mulf %z_bar, %x : f64
  %r_bar = ad.record(%x_bar, %y_bar) : !rule_bar
  return %z, %r_bar : f64, !rule_bar
}
func.func @custom(%r: !rule) -> f64 {
  %z = call @product(%r) : (!rule) -> f64
  %s = math.sin %z : f64
  return %s : f64
}

// The gradient of a record of layers is a record of their gradients [Z33]; its own derivative is checked, too [Z24].
!layer = !ad.record<weights: tensor<3xf64>, bias: f64, power: i32>
!model = !ad.record<hidden: !layer, scale: f64>
!layer_bar = !ad.record<weights: tensor<3xf64>, bias: f64>
!model_bar = !ad.record<hidden: !layer_bar, scale: f64>
func.func @layers(%model: !model, %x: tensor<3xf64>) -> f64 {
  %hidden = ad.get %model[hidden] : !model
  %w = ad.get %hidden[weights] : !layer
  %b = ad.get %hidden[bias] : !layer
  %n = ad.get %hidden[power] : !layer
  %scale = ad.get %model[scale] : !model
  %c = tensor.empty() : tensor<f64>
  %init = linalg.fill ins(%b : f64) outs(%c : tensor<f64>) -> tensor<f64>
  %dot = linalg.dot ins(%w, %x : tensor<3xf64>, tensor<3xf64>) outs(%init : tensor<f64>) -> tensor<f64>
  %s = tensor.extract %dot[] : tensor<f64>
  %t = math.tanh %s : f64
  %p = math.fpowi %t, %n : f64, i32
  %y = arith.mulf %scale, %p : f64
  return %y : f64
}
func.func @layers_gradient(%model: !model, %x: tensor<3xf64>) -> !model_bar {
  %one = arith.constant 1.0 : f64
  %y, %model_bar = ad.vjp @layers(%model, %x) seed(%one) {wrt = array<i64: 0>}
      : (!model, tensor<3xf64>), (f64) -> (f64, !model_bar)
  return %model_bar : !model_bar
}

// Of n x y + x: n y + 1 and n x; the tangent in the direction of the gradient is the sum of their squares.
!point = !ad.record<x: f64, y: f64, n: i64>
!point_bar = !ad.record<x: f64, y: f64>
func.func @times(%p: !point) -> f64 {
  %x = ad.get %p[x] : !point
  %y = ad.get %p[y] : !point
  %n = ad.get %p[n] : !point
  %m = arith.sitofp %n : i64 to f64
  %xy = arith.mulf %x, %y : f64
  %nxy = arith.mulf %m, %xy : f64
  %z = arith.addf %nxy, %x : f64
  return %z : f64
}
// CHECK: 36.0
// CHECK-NEXT: 21.0
// CHECK-NEXT: 1737.0
func.func @closed_form(%p: !point) -> (!point_bar, f64) {
  %one = arith.constant 1.0 : f64
  %z, %p_bar = ad.vjp @times(%p) seed(%one) : (!point), (f64) -> (f64, !point_bar)
  %z2, %z_dot = ad.jvp @times(%p) seed(%p_bar) : (!point), (!point_bar) -> (f64, f64)
  return %p_bar, %z_dot : !point_bar, f64
}
