// What a loop, a branch or a function that is called reads of memory is what it was then, also where the memory is
// overwritten or freed later, before the return sweep [ZYG 3.2] (Z23).
// RUN: ad-opt check %s --entry=overwritten --input=0.3 --input=2
// RUN: ad-opt check %s --entry=overwritten --input=0.3 --input=2 --engine=interpreter
// RUN: ad-opt check %s --entry=freed --input=0.3 --input=2
// RUN: ad-opt check %s --entry=freed --input=0.3 --input=2 --engine=interpreter
// RUN: ad-opt check %s --entry=branch --input=0.3 --input=true
// RUN: ad-opt check %s --entry=branch --input=0.3 --input=false --engine=interpreter
// RUN: ad-opt check %s --entry=inner --input=0.3 --input=2 --engine=interpreter
// RUN: ad-opt check %s --entry=in_callee --input=0.3 --engine=interpreter
// RUN: ad-opt check %s --entry=global --input=0.3 --input=2 --engine=interpreter
// RUN: ad-opt check %s --entry=logged --input=0.3 --input=2
// RUN: ad-opt run %s --entry=slope --input=0.5 | FileCheck %s
// RUN: ad-opt run %s --entry=counted --input=0.0 --input=3 | FileCheck %s --check-prefix=COUNTED

// 3 sin x, once: 3 cos 0.5. With what is there afterwards it would be 5 cos 0.5.
// CHECK: 2.632747685671118
func.func @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %c1 = arith.constant 1 : index
  %y, %bar = ad.vjp @overwritten(%x, %c1) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  return %bar : f64
}

func.func @overwritten(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %five = arith.constant 5 : i64
  %m = memref.alloc() : memref<i64>
  memref.store %three, %m[] : memref<i64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> f64 {
    %k = memref.load %m[] : memref<i64>
    %factor = arith.sitofp %k : i64 to f64
    %s = math.sin %u : f64
    %t = arith.mulf %s, %factor : f64
    scf.yield %t : f64
  }
  memref.store %five, %m[] : memref<i64>
  return %r : f64
}

func.func @freed(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %m = memref.alloc() : memref<4xi64>
  memref.store %three, %m[%c1] : memref<4xi64>
  %part = memref.subview %m[1] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 1>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> f64 {
    %k = memref.load %part[%c0] : memref<2xi64, strided<[1], offset: 1>>
    %factor = arith.sitofp %k : i64 to f64
    %s = math.sin %u : f64
    %t = arith.mulf %s, %factor : f64
    scf.yield %t : f64
  }
  memref.dealloc %m : memref<4xi64>
  return %r : f64
}

func.func @branch(%x: f64, %is_scaled: i1) -> f64 {
  %three = arith.constant 3 : i64
  %five = arith.constant 5 : i64
  %m = memref.alloca() : memref<i64>
  memref.store %three, %m[] : memref<i64>
  %r = scf.if %is_scaled -> f64 {
    %k = memref.load %m[] : memref<i64>
    %factor = arith.sitofp %k : i64 to f64
    %t = arith.mulf %x, %factor : f64
    %s = math.sin %t : f64
    scf.yield %s : f64
  } else {
    scf.yield %x : f64
  }
  memref.store %five, %m[] : memref<i64>
  return %r : f64
}

// The buffer lives in an iteration of the outer loop.
func.func @inner(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> f64 {
    %m = memref.alloc() : memref<index>
    memref.store %i, %m[] : memref<index>
    %w = scf.for %j = %c0 to %n step %c1 iter_args(%v = %u) -> f64 {
      %k = memref.load %m[] : memref<index>
      %whole = arith.index_cast %k : index to i64
      %factor = arith.sitofp %whole : i64 to f64
      %s = math.sin %v : f64
      %t = arith.mulf %s, %factor : f64
      %sum = arith.addf %t, %v : f64
      scf.yield %sum : f64
    }
    memref.dealloc %m : memref<index>
    scf.yield %w : f64
  }
  return %r : f64
}

func.func private @scaled(%x: f64, %m: memref<i64>) -> f64 attributes {no_inline} {
  %k = memref.load %m[] : memref<i64>
  %factor = arith.sitofp %k : i64 to f64
  %s = math.sin %x : f64
  %r = arith.mulf %s, %factor : f64
  return %r : f64
}

func.func @in_callee(%x: f64) -> f64 {
  %three = arith.constant 3 : i64
  %five = arith.constant 5 : i64
  %m = memref.alloc() : memref<i64>
  memref.store %three, %m[] : memref<i64>
  %r = func.call @scaled(%x, %m) : (f64, memref<i64>) -> f64
  memref.store %five, %m[] : memref<i64>
  return %r : f64
}

memref.global "private" @state : memref<index> = dense<3>

func.func private @get() -> f64 {
  %m = memref.get_global @state : memref<index>
  %k = memref.load %m[] : memref<index>
  %whole = arith.index_cast %k : index to i64
  %r = arith.sitofp %whole : i64 to f64
  return %r : f64
}

func.func private @set(%k: index) {
  %m = memref.get_global @state : memref<index>
  memref.store %k, %m[] : memref<index>
  return
}

// The function itself has no buffer: those that it calls have.
func.func @global(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  func.call @set(%c3) : (index) -> ()
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> f64 {
    %factor = func.call @get() : () -> f64
    %s = math.sin %u : f64
    %t = arith.mulf %s, %factor : f64
    scf.yield %t : f64
  }
  func.call @set(%c5) : (index) -> ()
  return %r : f64
}

memref.global "private" @calls : memref<index> = dense<0>

func.func private @log(%v: f64) -> f64 {
  %m = memref.get_global @calls : memref<index>
  %n = memref.load %m[] : memref<index>
  %c1 = arith.constant 1 : index
  %more = arith.addi %n, %c1 : index
  memref.store %more, %m[] : memref<index>
  %w = math.sin %v : f64
  return %w : f64
}

func.func @logged(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> f64 {
    %w = func.call @log(%u) : (f64) -> f64
    scf.yield %w : f64
  }
  return %y : f64
}

// The derivative calls as often as the function: three times.
// COUNTED: 1.0
// COUNTED-NEXT: 3
func.func @counted(%x: f64, %n: index) -> (f64, index) {
  %one = arith.constant 1.0 : f64
  %y, %bar = ad.vjp @logged(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, index), (f64) -> (f64, f64)
  %m = memref.get_global @calls : memref<index>
  %calls = memref.load %m[] : memref<index>
  return %bar, %calls : f64, index
}
