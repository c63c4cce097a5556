// Buffers as arguments and results of what is differentiated: their shadows hold the cotangent, or the tangent, of what
// is in them after the call, or before it. Values by hand [Z21].
// RUN: ad-opt run %s --entry=reverse | FileCheck %s --check-prefix=REVERSE
// RUN: ad-opt run %s --entry=forward | FileCheck %s --check-prefix=FORWARD
// RUN: ad-opt run %s --entry=one_buffer_twice | FileCheck %s --check-prefix=TWICE
// RUN: ad-opt run %s --entry=result | FileCheck %s --check-prefix=RESULT
// RUN: ad-opt check %s --entry=called --input=0.3 --input=0.4 --input=3
// RUN: ad-opt check %s --entry=called --input=0.3 --input=0.4 --input=3 --engine=interpreter

// m[i] *= x
func.func @scale(%m: memref<?xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %m[%i] : memref<?xf64>
    %b = arith.mulf %a, %x : f64
    memref.store %b, %m[%i] : memref<?xf64>
  }
  return
}

// A buffer of two numbers.
func.func private @two(%a: f64, %b: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%c2) : memref<?xf64>
  memref.store %a, %m[%c0] : memref<?xf64>
  memref.store %b, %m[%c1] : memref<?xf64>
  return %m : memref<?xf64>
}

// m = [2, 3], x = 5, cotangent of m afterwards [1, 10].
// REVERSE: 10.0
// REVERSE-NEXT: 15.0
// REVERSE-NEXT: 5.0
// REVERSE-NEXT: 50.0
// REVERSE-NEXT: 32.0
func.func @reverse() -> (f64, f64, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %five = arith.constant 5.0 : f64
  %ten = arith.constant 10.0 : f64
  %m = call @two(%two, %three) : (f64, f64) -> memref<?xf64>
  %m_bar = call @two(%one, %ten) : (f64, f64) -> memref<?xf64>
  %x_bar = ad.vjp @scale(%m, %five) seed(%m_bar) : (memref<?xf64>, f64), (memref<?xf64>) -> (f64)
  %a = memref.load %m[%c0] : memref<?xf64>
  %b = memref.load %m[%c1] : memref<?xf64>
  %a_bar = memref.load %m_bar[%c0] : memref<?xf64>
  %b_bar = memref.load %m_bar[%c1] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  memref.dealloc %m_bar : memref<?xf64>
  return %a, %b, %a_bar, %b_bar, %x_bar : f64, f64, f64, f64, f64
}

// Tangents [1, 0] of m and 1 of x.
// FORWARD: 10.0
// FORWARD-NEXT: 15.0
// FORWARD-NEXT: 7.0
// FORWARD-NEXT: 3.0
func.func @forward() -> (f64, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %five = arith.constant 5.0 : f64
  %m = call @two(%two, %three) : (f64, f64) -> memref<?xf64>
  %m_dot = call @two(%one, %zero) : (f64, f64) -> memref<?xf64>
  ad.jvp @scale(%m, %five) seed(%m_dot, %one) : (memref<?xf64>, f64), (memref<?xf64>, f64) -> ()
  %a = memref.load %m[%c0] : memref<?xf64>
  %b = memref.load %m[%c1] : memref<?xf64>
  %a_dot = memref.load %m_dot[%c0] : memref<?xf64>
  %b_dot = memref.load %m_dot[%c1] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  memref.dealloc %m_dot : memref<?xf64>
  return %a, %b, %a_dot, %b_dot : f64, f64, f64, f64
}

// a <- (a after b <- a a) times what a was: the third power of it, if both are one buffer.
func.func @pair(%a: memref<f64>, %b: memref<f64>) {
  %v = memref.load %a[] : memref<f64>
  %vv = arith.mulf %v, %v : f64
  memref.store %vv, %b[] : memref<f64>
  %w = memref.load %a[] : memref<f64>
  %wv = arith.mulf %w, %v : f64
  memref.store %wv, %a[] : memref<f64>
  return
}

// TWICE: 27.0
// TWICE-NEXT: 27.0
func.func @one_buffer_twice() -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %three = arith.constant 3.0 : f64
  %m = memref.alloca() : memref<f64>
  %m_bar = memref.alloca() : memref<f64>
  memref.store %three, %m[] : memref<f64>
  memref.store %one, %m_bar[] : memref<f64>
  ad.vjp @pair(%m, %m) seed(%m_bar, %m_bar)
      : (memref<f64>, memref<f64>), (memref<f64>, memref<f64>) -> ()
  %y = memref.load %m[] : memref<f64>
  %x_bar = memref.load %m_bar[] : memref<f64>
  return %y, %x_bar : f64, f64
}

// [x x, x] at x = 3 with the seed [1, 10].
func.func @powers(%x: f64) -> memref<?xf64> {
  %xx = arith.mulf %x, %x : f64
  %m = call @two(%xx, %x) : (f64, f64) -> memref<?xf64>
  return %m : memref<?xf64>
}

// RESULT: 9.0
// RESULT-NEXT: 16.0
func.func @result() -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %three = arith.constant 3.0 : f64
  %ten = arith.constant 10.0 : f64
  %seed = call @two(%one, %ten) : (f64, f64) -> memref<?xf64>
  %m, %x_bar = ad.vjp @powers(%three) seed(%seed) : (f64), (memref<?xf64>) -> (memref<?xf64>, f64)
  %y = memref.load %m[%c0] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  memref.dealloc %seed : memref<?xf64>
  return %y, %x_bar : f64, f64
}

// Calls that take and give buffers, in a loop.
func.func @called(%x: f64, %y: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = call @two(%x, %y) : (f64, f64) -> memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    func.call @scale(%m, %x) : (memref<?xf64>, f64) -> ()
    %low = memref.subview %m[0] [1] [1] : memref<?xf64> to memref<1xf64, strided<[1]>>
    %some = memref.cast %low : memref<1xf64, strided<[1]>> to memref<?xf64>
    func.call @scale(%some, %y) : (memref<?xf64>, f64) -> ()
  }
  %a = memref.load %m[%c0] : memref<?xf64>
  %b = memref.load %m[%c1] : memref<?xf64>
  %ab = arith.mulf %a, %b : f64
  memref.dealloc %m : memref<?xf64>
  return %ab : f64
}
