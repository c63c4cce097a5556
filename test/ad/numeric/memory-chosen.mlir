// Second derivatives of buffers that are chosen at run time: whichever order is asked for, they are reverse mode over forward
// mode, which knows which buffers there are. Values are those of second differences, and of forward mode twice.
// RUN: ad-opt run %s --entry=second_swapped --input=0.5 --input=3 | FileCheck %s --check-prefix=SWAPPED
// RUN: ad-opt run %s --entry=twice_swapped --input=0.5 --input=3 | FileCheck %s --check-prefix=SWAPPED
// RUN: ad-opt run %s --entry=second_new --input=0.9 --input=3 | FileCheck %s --check-prefix=NEW
// RUN: ad-opt run %s --entry=second_new --input=0.9 --input=0 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=second_stencil --input=0.5 --input=2 | FileCheck %s --check-prefix=STENCIL
// RUN: ad-opt run %s --entry=twice_stencil --input=0.5 --input=2 | FileCheck %s --check-prefix=STENCIL
// RUN: ad-opt check %s --entry=swapped --input=0.5 --input=3
// RUN: ad-opt check %s --entry=new --input=0.5 --input=3
// RUN: ad-opt check %s --entry=stencil --input=0.5 --input=3
// RUN: ad-opt check %s --entry=gradient_swapped --input=0.5 --input=0
// RUN: ad-opt check %s --entry=gradient_swapped --input=0.5 --input=3
// RUN: ad-opt check %s --entry=gradient_new --input=0.9 --input=3
// RUN: ad-opt check %s --entry=gradient_stencil --input=0.5 --input=2

// SWAPPED: -0.96888730824
// NEW: 2.42271685276
// NONE: 0.0
// STENCIL: 8.06298210076
func.func @swapped(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<f64>
  %b = memref.alloc() : memref<f64>
  memref.store %x, %a[] : memref<f64>
  memref.store %x, %b[] : memref<f64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<f64>, memref<f64>) {
    %v = memref.load %p[] : memref<f64>
    %s = math.sin %v : f64
    memref.store %s, %q[] : memref<f64>
    scf.yield %q, %p : memref<f64>, memref<f64>
  }
  %y = memref.load %r#0[] : memref<f64>
  memref.dealloc %a : memref<f64>
  memref.dealloc %b : memref<f64>
  return %y : f64
}

// A buffer for each iteration, which frees the one before it.
func.func @new(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<f64>
  memref.store %x, %a[] : memref<f64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<f64>) {
    %b = memref.alloc() : memref<f64>
    %v = memref.load %p[] : memref<f64>
    %s = math.sin %v : f64
    %t = arith.mulf %s, %x : f64
    memref.store %t, %b[] : memref<f64>
    memref.dealloc %p : memref<f64>
    scf.yield %b : memref<f64>
  }
  %y = memref.load %r[] : memref<f64>
  memref.dealloc %r : memref<f64>
  return %y : f64
}

// Two grids that take turns, each step of which is a loop.
func.func @stencil(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc(%c4) : memref<?xf64>
  %b = memref.alloc(%c4) : memref<?xf64>
  %start = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %x) -> f64 {
    memref.store %v, %a[%i] : memref<?xf64>
    memref.store %v, %b[%i] : memref<?xf64>
    %w = arith.mulf %v, %x : f64
    scf.yield %w : f64
  }
  %r:2 = scf.for %t = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<?xf64>, memref<?xf64>) {
    scf.for %i = %c1 to %c3 step %c1 {
      %before = arith.subi %i, %c1 : index
      %after = arith.addi %i, %c1 : index
      %l = memref.load %p[%before] : memref<?xf64>
      %c = memref.load %p[%i] : memref<?xf64>
      %u = memref.load %p[%after] : memref<?xf64>
      %lu = arith.mulf %l, %u : f64
      %s = math.sin %c : f64
      %v = arith.addf %s, %lu : f64
      memref.store %v, %q[%i] : memref<?xf64>
    }
    scf.yield %q, %p : memref<?xf64>, memref<?xf64>
  }
  %y = memref.load %r#0[%c1] : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  memref.dealloc %b : memref<?xf64>
  return %y : f64
}

func.func @gradient_swapped(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.vjp @swapped(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func @second_swapped(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @gradient_swapped(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func private @tangent_swapped(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @swapped(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func @twice_swapped(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @tangent_swapped(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}

func.func @gradient_new(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.vjp @new(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func @second_new(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @gradient_new(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func private @tangent_new(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @new(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func @twice_new(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @tangent_new(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}

func.func @gradient_stencil(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.vjp @stencil(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func @second_stencil(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @gradient_stencil(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func private @tangent_stencil(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @stencil(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
func.func @twice_stencil(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %d = ad.jvp @tangent_stencil(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %d : f64
}
