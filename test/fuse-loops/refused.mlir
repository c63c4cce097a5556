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

// -----

// Columns of what the first one makes row by row.
// CHECK-LABEL: func.func @transposed(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: scf.for
#whole = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
func.func @transposed(%x: memref<?x?xf64>, %n: index) -> memref<?x?xf64> {
  %e = memref.alloc(%n, %n) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf64>) outs(%e : memref<?x?xf64>) {
  ^bb0(%v: f64, %out: f64):
    %w = math.exp %v : f64
    linalg.yield %w : f64
  }
  %y = memref.alloc(%n, %n) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#turned, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%e : memref<?x?xf64>) outs(%y : memref<?x?xf64>) {
  ^bb0(%v: f64, %out: f64):
    %w = math.sin %v : f64
    linalg.yield %w : f64
  }
  return %y : memref<?x?xf64>
}

// -----

// A product of a matrix and a vector runs by itself, and arrays of a few elements are no rows.
// CHECK-LABEL: func.func @product(
// CHECK-COUNT-2: linalg.generic
// CHECK-LABEL: func.func @small(
// CHECK-COUNT-2: memref.copy
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @product(%x: memref<?x?xf64>, %v: memref<?xf64>, %y: memref<?xf64>, %n: index, %m: index) -> memref<?x?xf64> {
  %e = memref.alloc(%n, %m) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf64>) outs(%e : memref<?x?xf64>) {
  ^bb0(%a: f64, %out: f64):
    %w = math.exp %a : f64
    linalg.yield %w : f64
  }
  linalg.generic {indexing_maps = [#whole, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e, %v : memref<?x?xf64>, memref<?xf64>) outs(%y : memref<?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %p = arith.mulf %a, %b : f64
    %w = arith.addf %s, %p : f64
    linalg.yield %w : f64
  }
  return %e : memref<?x?xf64>
}
func.func @small(%x: memref<3x4xf64>) -> (memref<3x4xf64>, memref<3x4xf64>) {
  %a = memref.alloc() : memref<3x4xf64>
  %b = memref.alloc() : memref<3x4xf64>
  memref.copy %x, %a : memref<3x4xf64> to memref<3x4xf64>
  memref.copy %a, %b : memref<3x4xf64> to memref<3x4xf64>
  return %a, %b : memref<3x4xf64>, memref<3x4xf64>
}

// -----

// What is added up keeps its order: rows come behind columns.
// CHECK-LABEL: func.func @order(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: scf.for
#turned = affine_map<(j, i) -> (i, j)>
#all = affine_map<(j, i) -> ()>
func.func @order(%x: memref<?x?xf64>, %s: memref<f64>, %n: index, %m: index) -> memref<?x?xf64> {
  %e = memref.alloc(%n, %m) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#turned, #turned], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf64>) outs(%e : memref<?x?xf64>) {
  ^bb0(%a: f64, %out: f64):
    %w = math.exp %a : f64
    linalg.yield %w : f64
  }
  linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["reduction", "reduction"]}
      ins(%e : memref<?x?xf64>) outs(%s : memref<f64>) {
  ^bb0(%a: f64, %t: f64):
    %w = arith.addf %t, %a : f64
    linalg.yield %w : f64
  }
  return %e : memref<?x?xf64>
}

// -----

// Another row may have been written before.
// CHECK-LABEL: func.func @rows_of_others(
// CHECK-COUNT-2: scf.for %{{.*}} = %c0 to %arg2
func.func @rows_of_others(%x: memref<?x?xf64>, %at: memref<?xindex>, %n: index, %m: index) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = memref.alloc(%n, %m) : memref<?x?xf64>
  %y = memref.alloc(%n, %m) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xf64>
      memref.store %v, %e[%i, %j] : memref<?x?xf64>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %at[%i] : memref<?xindex>
    scf.for %j = %c0 to %m step %c1 {
      %u = memref.load %x[%i, %j] : memref<?x?xf64>
      %v = memref.load %e[%k, %j] : memref<?x?xf64>
      %w = arith.addf %u, %v : f64
      memref.store %w, %y[%i, %j] : memref<?x?xf64>
    }
  }
  return %y : memref<?x?xf64>
}
