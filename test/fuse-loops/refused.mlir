// Loops that stay apart.
// RUN: ad-opt %s --ad-fuse-loops --split-input-file | FileCheck %s

// The second one reads what a later iteration of the first one writes.
// CHECK-LABEL: func.func @shifted(
// CHECK-COUNT-2: scf.for
func.func @shifted(%n: index, %y: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  %x = memref.alloc(%m) : memref<?xf64>
  %z = memref.alloc(%n) : memref<?xf64>
  scf.for %j = %c0 to %n step %c1 {
    %k = arith.addi %j, %c1 : index
    %v = memref.load %y[%j] : memref<?xf64>
    memref.store %v, %x[%k] : memref<?xf64>
  }
  scf.for %j = %c0 to %n step %c1 {
    %u = memref.load %y[%j] : memref<?xf64>
    %v = memref.load %x[%j] : memref<?xf64>
    %w = arith.addf %u, %v : f64
    memref.store %w, %z[%j] : memref<?xf64>
  }
  return %z : memref<?xf64>
}

// -----

// One argument may be the other.
// CHECK-LABEL: func.func @arguments(
// CHECK-COUNT-2: scf.for
func.func @arguments(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = memref.alloc(%n) : memref<?xf64>
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %x[%j] : memref<?xf64>
    memref.store %v, %z[%j] : memref<?xf64>
  }
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %z[%j] : memref<?xf64>
    memref.store %v, %y[%j] : memref<?xf64>
  }
  return %z : memref<?xf64>
}

// -----

// Rows that overlap: the second begins within the first.
// CHECK-LABEL: func.func @overlapping(
// CHECK-COUNT-2: memref.copy
func.func @overlapping(%a: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %a, %c0 : memref<?xf64>
  %x = memref.alloc(%n) : memref<?xf64>
  %front = memref.subview %x[0] [%d] [1] : memref<?xf64> to memref<?xf64, strided<[1]>>
  %back = memref.subview %x[1] [%d] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: 1>>
  memref.copy %a, %front : memref<?xf64> to memref<?xf64, strided<[1]>>
  memref.copy %a, %back : memref<?xf64> to memref<?xf64, strided<[1], offset: 1>>
  return %x : memref<?xf64>
}

// -----

// Something between them reads what the second one writes.
// CHECK-LABEL: func.func @between(
// CHECK: memref.copy
// CHECK: memref.load
// CHECK: linalg.fill
func.func @between(%a: memref<?xf64>, %i: index) -> (f64, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  %x = memref.alloc(%n) : memref<?xf64>
  memref.copy %a, %x : memref<?xf64> to memref<?xf64>
  %v = memref.load %x[%i] : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%x : memref<?xf64>)
  return %v, %x : f64, memref<?xf64>
}

// -----

// Loops of which nobody knows that they are as long.
// CHECK-LABEL: func.func @lengths(
// CHECK-COUNT-2: scf.for
func.func @lengths(%x: memref<?xf64>, %n: index, %m: index) -> (memref<?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = memref.alloc(%n) : memref<?xf64>
  %z = memref.alloc(%m) : memref<?xf64>
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %x[%j] : memref<?xf64>
    memref.store %v, %y[%j] : memref<?xf64>
  }
  scf.for %j = %c0 to %m step %c1 {
    %v = memref.load %x[%j] : memref<?xf64>
    memref.store %v, %z[%j] : memref<?xf64>
  }
  return %y, %z : memref<?xf64>, memref<?xf64>
}

// -----

// What a loop starts from is needed later, or an element is read after its neighbour has been replaced.
// CHECK-LABEL: func.func @needed(
// CHECK-COUNT-2: memref.alloc
func.func @needed(%n: index, %i: index) -> (f64, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%x : memref<?xf64>)
  %last = scf.for %t = %c0 to %n step %c1 iter_args(%old = %x) -> (memref<?xf64>) {
    %new = memref.alloc(%n) : memref<?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %old[%j] : memref<?xf64>
      %w = math.cos %v : f64
      memref.store %w, %new[%j] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  %first = memref.load %x[%i] : memref<?xf64>
  return %first, %last : f64, memref<?xf64>
}

// CHECK-LABEL: func.func @reversed(
// CHECK-COUNT-2: memref.alloc
func.func @reversed(%n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%x : memref<?xf64>)
  %last = scf.for %t = %c0 to %n step %c1 iter_args(%old = %x) -> (memref<?xf64>) {
    %new = memref.alloc(%n) : memref<?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %before = arith.subi %n, %j : index
      %k = arith.subi %before, %c1 : index
      %v = memref.load %old[%k] : memref<?xf64>
      %w = math.cos %v : f64
      memref.store %w, %new[%j] : memref<?xf64>
    }
    scf.yield %new : memref<?xf64>
  }
  return %last : memref<?xf64>
}

// -----

// The body of the second one looks up what the first one has made by then.
// CHECK-LABEL: func.func @looked_up(
// CHECK-COUNT-2: linalg.generic
func.func @looked_up(%x: memref<8xf64>, %at: memref<8xindex>, %z: memref<8xf64>) {
  %y = memref.alloc() : memref<8xf64>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<8xf64>) outs(%y : memref<8xf64>) {
  ^bb0(%a: f64, %o: f64):
    %e = math.exp %a : f64
    linalg.yield %e : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x, %at : memref<8xf64>, memref<8xindex>) outs(%z : memref<8xf64>) {
  ^bb0(%a: f64, %i: index, %o: f64):
    %l = memref.load %y[%i] : memref<8xf64>
    %p = arith.mulf %a, %l : f64
    linalg.yield %p : f64
  }
  return
}

// -----

// The body of the second one asks for the number of the point.
// CHECK-LABEL: func.func @numbered(
// CHECK-COUNT-2: linalg.generic
func.func @numbered(%x: memref<8xf64>, %y: memref<8xf64>, %z: memref<8xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<8xf64>) outs(%y : memref<8xf64>) {
  ^bb0(%a: f64, %o: f64):
    %e = math.exp %a : f64
    linalg.yield %e : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y : memref<8xf64>) outs(%z : memref<8xindex>) {
  ^bb0(%a: f64, %o: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  }
  return
}

// -----

// The bodies make arrays of their own, whose loops have an order.
// CHECK-LABEL: func.func @own_arrays(
// CHECK-COUNT-2: linalg.generic
func.func @own_arrays(%x: memref<8xf64>, %y: memref<8xf64>, %z: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() : memref<2xf64>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<8xf64>) outs(%y : memref<8xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.fill ins(%a : f64) outs(%t : memref<2xf64>)
    %l = memref.load %t[%c0] : memref<2xf64>
    linalg.yield %l : f64
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<8xf64>) outs(%z : memref<8xf64>) {
  ^bb0(%a: f64, %o: f64):
    %e = math.exp %a : f64
    linalg.yield %e : f64
  }
  return
}
