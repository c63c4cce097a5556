// A stack of boxes and conses, which nothing but memory and records is needed for: last in, first out [Z22].
//
// A cell is a number and the cell behind it, as the fields of a record of buffers; a reference to a cell is its number,
// and 0 is the empty list. The stack is a box with a reference.
// RUN: ad-opt check %s --entry=reversed --input=0.7 --input=0.9 --input=5
// RUN: ad-opt check %s --entry=reversed --input=0.7 --input=0.9 --input=0
// RUN: ad-opt check %s --entry=reversed --input=0.7 --input=0.9 --input=5 --engine=interpreter
// RUN: ad-opt check %s --entry=mixed --input=0.7 --input=0.9 --input=6
// RUN: ad-opt check %s --entry=mixed --input=0.7 --input=0.9 --input=6 --engine=interpreter
// RUN: ad-opt check %s --entry=shared --input=0.7 --input=0.9
// RUN: ad-opt check %s --entry=grown --input=0.7 --input=0.9 --input=21 --engine=interpreter
// RUN: ad-opt run %s --entry=closed_form --input=2.0 --input=3.0 | FileCheck %s

!cells = !ad.record<head: memref<?xf64>, scale: memref<?xf64>, tail: memref<?xindex>, used: memref<index>>
!stack = !ad.record<cells: !cells, top: memref<index>>
!entry = !ad.record<value: f64, scale: f64>

func.func private @cons(%cells: !cells, %entry: !entry, %tail: index) -> index {
  %c1 = arith.constant 1 : index
  %used = ad.get %cells[used] : !cells
  %heads = ad.get %cells[head] : !cells
  %scales = ad.get %cells[scale] : !cells
  %tails = ad.get %cells[tail] : !cells
  %value = ad.get %entry[value] : !entry
  %scale = ad.get %entry[scale] : !entry
  %last = memref.load %used[] : memref<index>
  %cell = arith.addi %last, %c1 : index
  memref.store %cell, %used[] : memref<index>
  memref.store %value, %heads[%cell] : memref<?xf64>
  memref.store %scale, %scales[%cell] : memref<?xf64>
  memref.store %tail, %tails[%cell] : memref<?xindex>
  return %cell : index
}
func.func private @first(%cells: !cells, %cell: index) -> !entry {
  %heads = ad.get %cells[head] : !cells
  %scales = ad.get %cells[scale] : !cells
  %value = memref.load %heads[%cell] : memref<?xf64>
  %scale = memref.load %scales[%cell] : memref<?xf64>
  %entry = ad.record(%value, %scale) : !entry
  return %entry : !entry
}
func.func private @rest(%cells: !cells, %cell: index) -> index {
  %tails = ad.get %cells[tail] : !cells
  %tail = memref.load %tails[%cell] : memref<?xindex>
  return %tail : index
}

func.func private @push(%stack: !stack, %entry: !entry) {
  %cells = ad.get %stack[cells] : !stack
  %top = ad.get %stack[top] : !stack
  %list = memref.load %top[] : memref<index>
  %longer = func.call @cons(%cells, %entry, %list) : (!cells, !entry, index) -> index
  memref.store %longer, %top[] : memref<index>
  return
}
func.func private @pop(%stack: !stack) -> !entry {
  %cells = ad.get %stack[cells] : !stack
  %top = ad.get %stack[top] : !stack
  %list = memref.load %top[] : memref<index>
  %entry = func.call @first(%cells, %list) : (!cells, index) -> !entry
  %shorter = func.call @rest(%cells, %list) : (!cells, index) -> index
  memref.store %shorter, %top[] : memref<index>
  return %entry : !entry
}
func.func private @is_empty(%stack: !stack) -> i1 {
  %c0 = arith.constant 0 : index
  %top = ad.get %stack[top] : !stack
  %list = memref.load %top[] : memref<index>
  %empty = arith.cmpi eq, %list, %c0 : index
  return %empty : i1
}

func.func private @new(%most: index) -> !stack {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = arith.addi %most, %c1 : index
  %heads = memref.alloc(%size) : memref<?xf64>
  %scales = memref.alloc(%size) : memref<?xf64>
  %tails = memref.alloc(%size) : memref<?xindex>
  %used = memref.alloc() : memref<index>
  %top = memref.alloc() : memref<index>
  memref.store %c0, %used[] : memref<index>
  memref.store %c0, %top[] : memref<index>
  %cells = ad.record(%heads, %scales, %tails, %used) : !cells
  %stack = ad.record(%cells, %top) : !stack
  return %stack : !stack
}
func.func private @free(%stack: !stack) {
  %cells = ad.get %stack[cells] : !stack
  %heads = ad.get %cells[head] : !cells
  %scales = ad.get %cells[scale] : !cells
  %tails = ad.get %cells[tail] : !cells
  %used = ad.get %cells[used] : !cells
  %top = ad.get %stack[top] : !stack
  memref.dealloc %heads : memref<?xf64>
  memref.dealloc %scales : memref<?xf64>
  memref.dealloc %tails : memref<?xindex>
  memref.dealloc %used : memref<index>
  memref.dealloc %top : memref<index>
  return
}

// Pushes sin(x) w, sin(sin(x)) w, ... and pops them all: the order decides.
func.func @reversed(%x: f64, %w: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %stack = call @new(%n) : (index) -> !stack
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> f64 {
    %s = math.sin %v : f64
    %entry = ad.record(%s, %w) : !entry
    func.call @push(%stack, %entry) : (!stack, !entry) -> ()
    scf.yield %s : f64
  }
  %y = scf.while (%sum = %zero) : (f64) -> f64 {
    %empty = func.call @is_empty(%stack) : (!stack) -> i1
    %true = arith.constant true
    %more = arith.xori %empty, %true : i1
    scf.condition(%more) %sum : f64
  } do {
  ^bb0(%sum: f64):
    %entry = func.call @pop(%stack) : (!stack) -> !entry
    %value = ad.get %entry[value] : !entry
    %scale = ad.get %entry[scale] : !entry
    %scaled = arith.mulf %sum, %scale : f64
    %next = arith.addf %scaled, %value : f64
    scf.yield %next : f64
  }
  call @free(%stack) : (!stack) -> ()
  return %y : f64
}

// Two are pushed and one is popped, again and again.
func.func @mixed(%x: f64, %w: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  %stack = call @new(%c12) : (index) -> !stack
  %a = ad.record(%x, %w) : !entry
  call @push(%stack, %a) : (!stack, !entry) -> ()
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> f64 {
    %s = math.sin %v : f64
    %third = arith.remui %i, %c3 : index
    %takes = arith.cmpi eq, %third, %c0 : index
    %r = scf.if %takes -> f64 {
      %e = func.call @pop(%stack) : (!stack) -> !entry
      %value = ad.get %e[value] : !entry
      %scale = ad.get %e[scale] : !entry
      %t = arith.mulf %value, %scale : f64
      scf.yield %t : f64
    } else {
      %e = ad.record(%s, %v) : !entry
      func.call @push(%stack, %e) : (!stack, !entry) -> ()
      scf.yield %s : f64
    }
    scf.yield %r : f64
  }
  %e = call @pop(%stack) : (!stack) -> !entry
  %value = ad.get %e[value] : !entry
  %scale = ad.get %e[scale] : !entry
  %t = arith.mulf %value, %scale : f64
  %y = arith.addf %t, %last : f64
  call @free(%stack) : (!stack) -> ()
  return %y : f64
}

// Two lists have a tail in common, whose adjoint both add to.
func.func @shared(%x: f64, %w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %stack = call @new(%c3) : (index) -> !stack
  %cells = ad.get %stack[cells] : !stack
  %xw = arith.mulf %x, %w : f64
  %e = ad.record(%x, %w) : !entry
  %f = ad.record(%xw, %x) : !entry
  %tail = call @cons(%cells, %e, %c0) : (!cells, !entry, index) -> index
  %one = call @cons(%cells, %f, %tail) : (!cells, !entry, index) -> index
  %other = call @cons(%cells, %e, %tail) : (!cells, !entry, index) -> index
  %of_one = call @second(%cells, %one) : (!cells, index) -> f64
  %of_other = call @second(%cells, %other) : (!cells, index) -> f64
  %s = math.sin %of_one : f64
  %y = arith.mulf %s, %of_other : f64
  call @free(%stack) : (!stack) -> ()
  return %y : f64
}
func.func private @second(%cells: !cells, %list: index) -> f64 {
  %a = call @first(%cells, %list) : (!cells, index) -> !entry
  %rest = call @rest(%cells, %list) : (!cells, index) -> index
  %b = call @first(%cells, %rest) : (!cells, index) -> !entry
  %value = ad.get %a[value] : !entry
  %scale = ad.get %b[scale] : !entry
  %of = ad.get %b[value] : !entry
  %t = arith.mulf %value, %scale : f64
  %y = arith.addf %t, %of : f64
  return %y : f64
}

// The cells move to a place twice as large whenever there is none left. The interpreter alone runs this: compiled forward
// mode leaks the shadows of the last place, which `check` refuses.
func.func private @reserve(%stack: !stack) -> !stack {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cells = ad.get %stack[cells] : !stack
  %heads = ad.get %cells[head] : !cells
  %scales = ad.get %cells[scale] : !cells
  %tails = ad.get %cells[tail] : !cells
  %used = ad.get %cells[used] : !cells
  %last = memref.load %used[] : memref<index>
  %next = arith.addi %last, %c1 : index
  %size = memref.dim %heads, %c0 : memref<?xf64>
  %full = arith.cmpi eq, %next, %size : index
  %r = scf.if %full -> !cells {
    %twice = arith.addi %size, %size : index
    %h = memref.alloc(%twice) : memref<?xf64>
    %s = memref.alloc(%twice) : memref<?xf64>
    %t = memref.alloc(%twice) : memref<?xindex>
    scf.for %i = %c1 to %size step %c1 {
      %a = memref.load %heads[%i] : memref<?xf64>
      %b = memref.load %scales[%i] : memref<?xf64>
      %c = memref.load %tails[%i] : memref<?xindex>
      memref.store %a, %h[%i] : memref<?xf64>
      memref.store %b, %s[%i] : memref<?xf64>
      memref.store %c, %t[%i] : memref<?xindex>
    }
    memref.dealloc %heads : memref<?xf64>
    memref.dealloc %scales : memref<?xf64>
    memref.dealloc %tails : memref<?xindex>
    %larger = ad.record(%h, %s, %t, %used) : !cells
    scf.yield %larger : !cells
  } else {
    scf.yield %cells : !cells
  }
  %moved = ad.set %stack[cells] = %r : !stack
  return %moved : !stack
}
func.func @grown(%x: f64, %w: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %small = call @new(%c1) : (index) -> !stack
  %last, %stack = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %s = %small) -> (f64, !stack) {
    %sine = math.sin %v : f64
    %entry = ad.record(%sine, %w) : !entry
    %t = func.call @reserve(%s) : (!stack) -> !stack
    func.call @push(%t, %entry) : (!stack, !entry) -> ()
    scf.yield %sine, %t : f64, !stack
  }
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f64 {
    %entry = func.call @pop(%stack) : (!stack) -> !entry
    %value = ad.get %entry[value] : !entry
    %scale = ad.get %entry[scale] : !entry
    %scaled = arith.mulf %sum, %scale : f64
    %next = arith.addf %scaled, %value : f64
    scf.yield %next : f64
  }
  call @free(%stack) : (!stack) -> ()
  return %y : f64
}

// Pushes x and w; pops w, then x: x - 2 w.
// CHECK: 1.0
// CHECK-NEXT: -2.0
func.func private @two(%x: f64, %w: f64) -> f64 {
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f64
  %stack = call @new(%c2) : (index) -> !stack
  %a = ad.record(%x, %x) : !entry
  %b = ad.record(%w, %w) : !entry
  call @push(%stack, %a) : (!stack, !entry) -> ()
  call @push(%stack, %b) : (!stack, !entry) -> ()
  %p = call @pop(%stack) : (!stack) -> !entry
  %q = call @pop(%stack) : (!stack) -> !entry
  %pv = ad.get %p[value] : !entry
  %qv = ad.get %q[value] : !entry
  %pp = arith.mulf %two, %pv : f64
  %y = arith.subf %qv, %pp : f64
  call @free(%stack) : (!stack) -> ()
  return %y : f64
}
func.func @closed_form(%x: f64, %w: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @two(%x, %w) seed(%one) : (f64, f64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
