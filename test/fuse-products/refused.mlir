// Products that stay where they are.
// RUN: ad-opt %s --ad-fuse-products | FileCheck %s --implicit-check-not=minsi

#points = affine_map<(i, j, l) -> (i, l)>
#centres = affine_map<(i, j, l) -> (j, l)>
#own = affine_map<(i, j, l) -> (i, j, l)>
#table = affine_map<(i, j, l) -> (i, j)>
#own_point = affine_map<(i, l) -> (i, l)>
#own_centre = affine_map<(i, l) -> (l)>
#diagonal = affine_map<(i, l) -> (i, i)>

func.func private @f()

// The table is read again.
// CHECK-LABEL: func.func @read_again(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @read_again(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  %last = memref.load %t[%c0, %c0] : memref<?x?xf64>
  memref.store %last, %out[%c0] : memref<?xf64>
  return %out : memref<?xf64>
}

// Two loops read it.
// CHECK-LABEL: func.func @two_readers(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @two_readers(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// An iteration reads the next row.
// CHECK-LABEL: func.func @next_row(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @next_row(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %m step %c1 {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %t[%next, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// An iteration reads a column.
// CHECK-LABEL: func.func @columns(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @columns(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%c0, %i] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// Every other row is read.
// CHECK-LABEL: func.func @every_other(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @every_other(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %c2 = arith.constant 2 : index
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c2 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// The loop writes to a factor, or to what may be one.
// CHECK-LABEL: func.func @writes_factor(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @writes_factor(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %p[%i, %c0] : memref<?x?xf64>
  }
  %out = memref.alloc(%n) : memref<?xf64>
  return %out : memref<?xf64>
}

// So does this one.
// CHECK-LABEL: func.func @writes_argument(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @writes_argument(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %given: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %given[%i] : memref<?xf64>
  }
  %out = memref.alloc(%n) : memref<?xf64>
  return %out : memref<?xf64>
}

// A factor is written to in front of the loop.
// CHECK-LABEL: func.func @written_before(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @written_before(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  memref.store %zero, %p[%c0, %c0] : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// What the loop calls may write to a factor.
// CHECK-LABEL: func.func @calls(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @calls(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    func.call @f() : () -> ()
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// The sum starts from what is there.
// CHECK-LABEL: func.func @starts_from(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @starts_from(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %start: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  memref.copy %start, %t : memref<?x?xf64> to memref<?x?xf64>
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// Both factors have rows of their own: nothing is shared.
// CHECK-LABEL: func.func @own_rows(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @own_rows(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %w: memref<?x?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #own, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : memref<?x?xf64>, memref<?x?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// The terms depend on the number of the row.
// CHECK-LABEL: func.func @numbers(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @numbers(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %number = linalg.index 0 : index
    %integer = arith.index_cast %number : index to i64
    %float = arith.sitofp %integer : i64 to f64
    %af = arith.mulf %a, %float : f64
    %ab = arith.mulf %af, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// A small table.
// CHECK-LABEL: func.func @small(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @small(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc() : memref<1000x100xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<1000x100xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<1000x100xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<1000x100xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// A row is handed on to the next iteration.
// CHECK-LABEL: func.func @handed_on(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @handed_on(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  %first = memref.alloc(%k) : memref<?xf64>
  %start = memref.cast %first : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %start) -> (memref<?xf64, strided<[1], offset: ?>>) {
    %row = memref.subview %t[%i, 0] [1, %k] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    %x = memref.load %before[%c0] : memref<?xf64, strided<[1], offset: ?>>
    memref.store %x, %out[%i] : memref<?xf64>
    scf.yield %row : memref<?xf64, strided<[1], offset: ?>>
  }
  return %out : memref<?xf64>
}

// The table is stored by columns.
// CHECK-LABEL: func.func @by_columns(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @by_columns(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<2000xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 2000 : index
  %zero = arith.constant 0.0 : f64
  %out = memref.alloc() : memref<2000xf64>
  %t = memref.alloc() : memref<2000x1000xf64, strided<[1, 2000]>>
  linalg.fill ins(%zero : f64) outs(%t : memref<2000x1000xf64, strided<[1, 2000]>>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<2000x1000xf64, strided<[1, 2000]>>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<2000x1000xf64, strided<[1, 2000]>>
    memref.store %x, %out[%i] : memref<2000xf64>
  }
  return %out : memref<2000xf64>
}

// The loop goes on behind the last row, where it reads none.
// CHECK-LABEL: func.func @beyond(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @beyond(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %end: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %end step %c1 {
    %is_row = arith.cmpi ult, %i, %n : index
    scf.if %is_row {
      %x = memref.load %t[%i, %c0] : memref<?x?xf64>
      memref.store %x, %out[%i] : memref<?xf64>
    }
  }
  return %out : memref<?xf64>
}

// The loop begins in front of the first row.
// CHECK-LABEL: func.func @in_front(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @in_front(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %start: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %start to %n step %c1 {
    %is_row = arith.cmpi ult, %i, %n : index
    scf.if %is_row {
      %x = memref.load %t[%i, %c0] : memref<?x?xf64>
      memref.store %x, %out[%i] : memref<?xf64>
    }
  }
  return %out : memref<?xf64>
}

// Terms go to a diagonal.
// CHECK-LABEL: func.func @diagonal(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @diagonal(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %v: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#own_point, #own_centre, #diagonal], iterator_types = ["parallel", "reduction"]}
      ins(%p, %v : memref<?x?xf64>, memref<?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// Terms are computed of what the loop writes to.
// CHECK-LABEL: func.func @captured(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @captured(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %first = memref.load %out[%c0] : memref<?xf64>
    %af = arith.mulf %a, %first : f64
    %ab = arith.mulf %af, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// The table is one of its own factors.
// CHECK-LABEL: func.func @own_factor(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @own_factor(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c, %t : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %old: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}

// Rows are kept for others.
// CHECK-LABEL: func.func @kept(
// CHECK: linalg.generic
// CHECK: scf.for
func.func @kept(%p: memref<?x?xf64>, %c: memref<?x?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?x?xf64>
  %k = memref.dim %c, %c0 : memref<?x?xf64>
  %out = memref.alloc(%n) : memref<?xf64>
  %rows = memref.alloc(%n) : memref<?xmemref<?xf64, strided<[1], offset: ?>>>
  %t = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%t : memref<?x?xf64>)
  linalg.generic {indexing_maps = [#points, #centres, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %c : memref<?x?xf64>, memref<?x?xf64>) outs(%t : memref<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %s: f64):
    %ab = arith.mulf %a, %b : f64
    %new = arith.addf %s, %ab : f64
    linalg.yield %new : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %t[%i, %c0] : memref<?x?xf64>
    %row = memref.subview %t[%i, 0] [1, %k] [1, 1] : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    memref.store %row, %rows[%i] : memref<?xmemref<?xf64, strided<[1], offset: ?>>>
    memref.store %x, %out[%i] : memref<?xf64>
  }
  return %out : memref<?xf64>
}
