// Functions that call themselves and write to memory: nothing runs twice, and shadows go with the buffers (Z21, Z23, Z27).
// RUN: ad-opt check %s --entry=own_buffer --input=0.7 --input=4
// RUN: ad-opt check %s --entry=own_buffer --input=0.7 --input=4 --engine=interpreter
// RUN: ad-opt check %s --entry=own_buffer --input=0.7 --input=0
// RUN: ad-opt check %s --entry=butterfly --input=0.7 --input=-0.4
// RUN: ad-opt check %s --entry=butterfly --input=0.7 --input=-0.4 --engine=interpreter
// RUN: ad-opt check %s --entry=returned --input=0.7 --input=3
// RUN: ad-opt check %s --entry=returned --input=0.7 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=returned --input=0.7 --input=0
// RUN: ad-opt check %s --entry=written_later --input=0.7 --input=3
// RUN: ad-opt check %s --entry=written_later --input=0.7 --input=3 --engine=interpreter
// RUN: ad-opt check %s --entry=by_turns --input=0.7 --input=5
// RUN: ad-opt check %s --entry=by_turns --input=0.7 --input=5 --engine=interpreter
// RUN: ad-opt check %s --entry=in_loop --input=0.7 --input=3
// RUN: ad-opt check %s --entry=in_loop --input=0.7 --input=3 --engine=interpreter
// RUN: ad-opt run %s --entry=slope --input=2.0 | FileCheck %s

// A buffer of each call's own, which is read after the inner call. y(n) = sin(y(n-1) + x) x
func.func @own_buffer(%x: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %at = arith.constant 1 : index
  %m = memref.alloca() : memref<2xf64>
  memref.store %x, %m[%at] : memref<2xf64>
  %done = arith.cmpi sle, %n, %c0 : i64
  cf.cond_br %done, ^end(%x : f64), ^more
^more:
  %less = arith.subi %n, %c1 : i64
  %y = func.call @own_buffer(%x, %less) : (f64, i64) -> f64
  %kept = memref.load %m[%at] : memref<2xf64>
  %sum = arith.addf %y, %kept : f64
  %s = math.sin %sum : f64
  memref.store %s, %m[%at] : memref<2xf64>
  %z = arith.mulf %s, %kept : f64
  cf.br ^end(%z : f64)
^end(%r: f64):
  return %r : f64
}

// The same buffer in all calls, in place: halves first, then pairs of both.
func.func private @transform(%m: memref<?xf64>, %from: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %large = arith.cmpi sgt, %size, %c1 : index
  scf.if %large {
    %half = arith.divsi %size, %c2 : index
    %middle = arith.addi %from, %half : index
    func.call @transform(%m, %from, %half) : (memref<?xf64>, index, index) -> ()
    func.call @transform(%m, %middle, %half) : (memref<?xf64>, index, index) -> ()
    scf.for %i = %c0 to %half step %c1 {
      %l = arith.addi %from, %i : index
      %r = arith.addi %middle, %i : index
      %a = memref.load %m[%l] : memref<?xf64>
      %b = memref.load %m[%r] : memref<?xf64>
      %p = arith.mulf %a, %b : f64
      %s = math.sin %p : f64
      %d = arith.subf %a, %b : f64
      memref.store %s, %m[%l] : memref<?xf64>
      memref.store %d, %m[%r] : memref<?xf64>
    }
  }
  return
}

func.func @butterfly(%x: f64, %y: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc(%c8) : memref<?xf64>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %f, %y : f64
    %e = arith.addf %p, %x : f64
    memref.store %e, %m[%i] : memref<?xf64>
  }
  func.call @transform(%m, %c0, %c8) : (memref<?xf64>, index, index) -> ()
  %r = memref.load %m[%c3] : memref<?xf64>
  %s = memref.load %m[%c1] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  return %r, %s : f64, f64
}

// A function that returns a buffer, one of its own in the end, else the one that the inner call returns.
func.func private @build(%x: f64, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %done = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %done, ^make, ^inner
^make:
  %made = memref.alloc(%c4) : memref<?xf64>
  linalg.fill ins(%x : f64) outs(%made : memref<?xf64>)
  return %made : memref<?xf64>
^inner:
  %less = arith.subi %n, %c1 : index
  %given = func.call @build(%x, %less) : (f64, index) -> memref<?xf64>
  %before = memref.load %given[%less] : memref<?xf64>
  %p = arith.mulf %before, %x : f64
  %s = math.sin %p : f64
  memref.store %s, %given[%n] : memref<?xf64>
  return %given : memref<?xf64>
}

func.func @returned(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %m = func.call @build(%x, %n) : (f64, index) -> memref<?xf64>
  %a = memref.load %m[%n] : memref<?xf64>
  %b = memref.load %m[%c0] : memref<?xf64>
  %y = arith.mulf %a, %b : f64
  memref.dealloc %m : memref<?xf64>
  return %y : f64
}

// The function returns a buffer of constants, to which the caller writes.
func.func private @zeros(%n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %half = arith.constant 0.5 : f64
  %done = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %done, ^make, ^inner
^make:
  %made = memref.alloc(%c4) : memref<?xf64>
  linalg.fill ins(%half : f64) outs(%made : memref<?xf64>)
  return %made : memref<?xf64>
^inner:
  %less = arith.subi %n, %c1 : index
  %given = func.call @zeros(%less) : (index) -> memref<?xf64>
  memref.store %half, %given[%n] : memref<?xf64>
  return %given : memref<?xf64>
}

func.func @written_later(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = func.call @zeros(%n) : (index) -> memref<?xf64>
  %h = memref.load %m[%c0] : memref<?xf64>
  %p = arith.mulf %h, %x : f64
  memref.store %p, %m[%c1] : memref<?xf64>
  %a = memref.load %m[%c1] : memref<?xf64>
  %y = math.sin %a : f64
  memref.dealloc %m : memref<?xf64>
  return %y : f64
}

// Two functions by turns on one buffer, one of them through a function between them.
func.func private @even(%m: memref<f64>, %x: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %c0 : i64
  %y = scf.if %done -> f64 {
    %v = memref.load %m[] : memref<f64>
    scf.yield %v : f64
  } else {
    %less = arith.subi %n, %c1 : i64
    %v = memref.load %m[] : memref<f64>
    %p = arith.mulf %v, %x : f64
    memref.store %p, %m[] : memref<f64>
    %r = func.call @odd(%m, %x, %less) : (memref<f64>, f64, i64) -> f64
    %w = memref.load %m[] : memref<f64>
    %q = arith.mulf %r, %w : f64
    scf.yield %q : f64
  }
  return %y : f64
}
func.func private @odd(%m: memref<f64>, %x: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %c0 : i64
  %y = scf.if %done -> f64 {
    scf.yield %x : f64
  } else {
    %less = arith.subi %n, %c1 : i64
    %v = memref.load %m[] : memref<f64>
    %s = math.sin %v : f64
    memref.store %s, %m[] : memref<f64>
    %r = func.call @even(%m, %s, %less) : (memref<f64>, f64, i64) -> f64
    scf.yield %r : f64
  }
  return %y : f64
}
func.func private @hidden(%x: f64, %n: i64) -> f64 {
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  %y = func.call @even(%m, %x, %n) : (memref<f64>, f64, i64) -> f64
  %v = memref.load %m[] : memref<f64>
  %z = arith.addf %y, %v : f64
  return %z : f64
}
func.func @by_turns(%x: f64, %n: i64) -> f64 {
  %y = func.call @hidden(%x, %n) : (f64, i64) -> f64
  %z = math.cos %y : f64
  return %z : f64
}

// Calls in a loop: the tapes hold several calls' entries.
func.func @in_loop(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> f64 {
    %z = func.call @even(%m, %y, %two) : (memref<f64>, f64, i64) -> f64
    %s = math.sin %z : f64
    scf.yield %s : f64
  }
  %v = memref.load %m[] : memref<f64>
  %p = arith.mulf %r, %v : f64
  return %p : f64
}

// m = x; four times m = m x: x^5, and the slope at 2 is 80.
func.func private @times(%m: memref<f64>, %x: f64, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %c0 : i64
  cf.cond_br %done, ^end, ^more
^more:
  %v = memref.load %m[] : memref<f64>
  %p = arith.mulf %v, %x : f64
  memref.store %p, %m[] : memref<f64>
  %less = arith.subi %n, %c1 : i64
  func.call @times(%m, %x, %less) : (memref<f64>, f64, i64) -> ()
  cf.br ^end
^end:
  return
}
func.func @power(%x: f64) -> f64 {
  %n = arith.constant 4 : i64
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  func.call @times(%m, %x, %n) : (memref<f64>, f64, i64) -> ()
  %y = memref.load %m[] : memref<f64>
  return %y : f64
}
// CHECK: 80.0
func.func @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %dx = ad.vjp @power(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %dx : f64
}
