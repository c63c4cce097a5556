// Derivatives of functions that write to buffers of their own agree with central differences and with each other
// [Z21, Z23].
// RUN: ad-opt check %s --entry=overwritten --input=0.7
// RUN: ad-opt check %s --entry=power --input=1.3 --input=4
// RUN: ad-opt check %s --entry=power --input=1.3 --input=0
// RUN: ad-opt check %s --entry=power --input=1.3 --input=4 --engine=interpreter
// RUN: ad-opt check %s --entry=recurrence --input=1.1 --input=6
// RUN: ad-opt check %s --entry=recurrence --input=1.1 --input=6 --engine=interpreter
// RUN: ad-opt check %s --entry=either --input=0.4 --input=0.3
// RUN: ad-opt check %s --entry=either --input=0.3 --input=0.4
// RUN: ad-opt check %s --entry=handed_on --input=0.4 --input=0.3 --engine=interpreter
// RUN: ad-opt check %s --entry=handed_on --input=0.3 --input=0.4
// RUN: ad-opt check %s --entry=copies --input=0.9 --input=0.2 --engine=interpreter
// RUN: ad-opt check %s --entry=copies --input=0.9 --input=0.2
// RUN: ad-opt check %s --entry=allocated_in_loop --input=0.8 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=allocated_in_loop --input=0.8 --input=3
// RUN: ad-opt check %s --entry=growing --input=0.8 --input=4
// RUN: ad-opt check %s --entry=growing --input=0.8 --input=4 --engine=interpreter
// RUN: ad-opt check %s --entry=before_and_now --input=0.8 --input=4
// RUN: ad-opt check %s --entry=before_and_now --input=0.8 --input=0
// RUN: ad-opt check %s --entry=before_and_now --input=0.8 --input=4 --engine=interpreter

// What was read before the element was written to again is another value.
func.func @overwritten(%x: f64) -> f64 {
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  %a = memref.load %m[] : memref<f64>
  %s = math.sin %a : f64
  memref.store %s, %m[] : memref<f64>
  %b = memref.load %m[] : memref<f64>
  %c = arith.mulf %b, %a : f64
  memref.store %c, %m[] : memref<f64>
  memref.store %c, %m[] : memref<f64>
  %d = memref.load %m[] : memref<f64>
  return %d : f64
}

func.func @power(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %acc = memref.alloc() : memref<f64>
  memref.store %one, %acc[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %acc[] : memref<f64>
    %b = arith.mulf %a, %x : f64
    memref.store %b, %acc[] : memref<f64>
  }
  %r = memref.load %acc[] : memref<f64>
  memref.dealloc %acc : memref<f64>
  return %r : f64
}

// Branches, views, and a buffer of each iteration's own.
func.func @recurrence(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%x : f64) outs(%m : memref<?xf64>)
  scf.for %i = %c1 to %n step %c1 {
    %t = memref.alloca() : memref<2xf64>
    %j = arith.subi %i, %c1 : index
    %a = memref.load %m[%j] : memref<?xf64>
    memref.store %a, %t[%c0] : memref<2xf64>
    %odd = arith.andi %i, %c1 : index
    %is_odd = arith.cmpi ne, %odd, %c0 : index
    scf.if %is_odd {
      %b = memref.load %m[%i] : memref<?xf64>
      %ab = arith.mulf %a, %b : f64
      memref.store %ab, %t[%c0] : memref<2xf64>
    }
    %v = memref.subview %m[%i] [1] [1] : memref<?xf64> to memref<1xf64, strided<[1], offset: ?>>
    %w = memref.load %t[%c0] : memref<2xf64>
    %u = arith.mulf %w, %x : f64
    memref.store %u, %v[%c0] : memref<1xf64, strided<[1], offset: ?>>
  }
  %last = arith.subi %n, %c1 : index
  %r = memref.load %m[%last] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  return %r : f64
}

// Which of two buffers is written to is known when the program runs.
func.func @either(%x: f64, %y: f64) -> f64 {
  %m = memref.alloca() : memref<f64>
  %p = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  memref.store %y, %p[] : memref<f64>
  %less = arith.cmpf olt, %x, %y : f64
  %e = arith.select %less, %m, %p : memref<f64>
  %v = memref.load %e[] : memref<f64>
  %s = math.sin %v : f64
  memref.store %s, %e[] : memref<f64>
  %a = memref.load %m[] : memref<f64>
  %b = memref.load %p[] : memref<f64>
  %c = arith.mulf %a, %b : f64
  return %c : f64
}

// A copy, one to the same buffer, and one between halves of a buffer.
func.func @copies(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf64>
  %p = memref.alloc() : memref<4xf64>
  linalg.fill ins(%x : f64) outs(%m : memref<4xf64>)
  memref.store %y, %m[%c1] : memref<4xf64>
  memref.copy %m, %p : memref<4xf64> to memref<4xf64>
  memref.copy %p, %p : memref<4xf64> to memref<4xf64>
  %low = memref.subview %p[0] [2] [1] : memref<4xf64> to memref<2xf64, strided<[1]>>
  %high = memref.subview %p[2] [2] [1] : memref<4xf64> to memref<2xf64, strided<[1], offset: 2>>
  %s = math.sin %y : f64
  memref.store %s, %low[%c0] : memref<2xf64, strided<[1]>>
  memref.copy %low, %high : memref<2xf64, strided<[1]>> to memref<2xf64, strided<[1], offset: 2>>
  %a = memref.load %high[%c0] : memref<2xf64, strided<[1], offset: 2>>
  %b = memref.load %high[%c1] : memref<2xf64, strided<[1], offset: 2>>
  %c = memref.load %m[%c0] : memref<4xf64>
  %ab = arith.mulf %a, %b : f64
  %abc = arith.mulf %ab, %c : f64
  memref.dealloc %m : memref<4xf64>
  memref.dealloc %p : memref<4xf64>
  return %abc : f64
}

func.func @allocated_in_loop(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f64) {
    %m = memref.alloc(%n) : memref<?xf64>
    memref.store %v, %m[%i] : memref<?xf64>
    memref.store %x, %m[%c0] : memref<?xf64>
    %a = memref.load %m[%i] : memref<?xf64>
    %s = math.sin %a : f64
    memref.dealloc %m : memref<?xf64>
    %w = arith.mulf %s, %v : f64
    scf.yield %w : f64
  }
  return %r : f64
}

// A block that runs on some ways only chooses the buffer.
func.func @handed_on(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%c2) : memref<?xf64>
  %p = memref.alloc(%c2) : memref<?xf64>
  memref.store %x, %m[%c0] : memref<?xf64>
  memref.store %y, %p[%c0] : memref<?xf64>
  %less = arith.cmpf olt, %x, %y : f64
  cf.cond_br %less, ^first, ^next(%p : memref<?xf64>)
^first:
  %s = math.sin %x : f64
  memref.store %s, %m[%c0] : memref<?xf64>
  cf.br ^next(%m : memref<?xf64>)
^next(%q: memref<?xf64>):
  %v = memref.load %q[%c0] : memref<?xf64>
  %vv = arith.mulf %v, %v : f64
  memref.store %vv, %q[%c0] : memref<?xf64>
  %a = memref.load %m[%c0] : memref<?xf64>
  %b = memref.load %p[%c0] : memref<?xf64>
  %ab = arith.mulf %a, %b : f64
  memref.dealloc %m : memref<?xf64>
  memref.dealloc %p : memref<?xf64>
  return %ab : f64
}

// Buffers of other sizes in each iteration.
func.func @growing(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c1 to %n step %c1 iter_args(%v = %x) -> f64 {
    %m = memref.alloc(%i) : memref<?xf64>
    linalg.fill ins(%v : f64) outs(%m : memref<?xf64>)
    %last = arith.subi %i, %c1 : index
    %a = memref.load %m[%last] : memref<?xf64>
    %s = math.sin %a : f64
    memref.store %s, %m[%c0] : memref<?xf64>
    %b = memref.load %m[%last] : memref<?xf64>
    %w = arith.mulf %b, %a : f64
    memref.dealloc %m : memref<?xf64>
    scf.yield %w : f64
  }
  return %y : f64
}

// An iteration reads the buffer of the one before it and writes to both.
func.func @before_and_now(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<2xf64>
  linalg.fill ins(%x : f64) outs(%first : memref<2xf64>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> memref<2xf64> {
    %now = memref.alloc() : memref<2xf64>
    %a = memref.load %before[%c0] : memref<2xf64>
    %s = math.sin %a : f64
    memref.store %s, %before[%c1] : memref<2xf64>
    memref.store %a, %now[%c1] : memref<2xf64>
    %b = memref.load %before[%c1] : memref<2xf64>
    %p = arith.mulf %b, %x : f64
    memref.store %p, %now[%c0] : memref<2xf64>
    memref.dealloc %before : memref<2xf64>
    scf.yield %now : memref<2xf64>
  }
  %a = memref.load %last[%c0] : memref<2xf64>
  %b = memref.load %last[%c1] : memref<2xf64>
  %y = arith.addf %a, %b : f64
  memref.dealloc %last : memref<2xf64>
  return %y : f64
}
