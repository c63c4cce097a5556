// Loops over the rows of arrays of several dimensions become one, and what one of its iterations alone accesses is a row.
// RUN: ad-opt %s --ad-fuse-loops --canonicalize --cse --split-input-file | FileCheck %s

#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// The softmax of each row, as a front end writes it: three loops over a row, in one over all of them, and an array of one row
// in the place of one of all.
// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf64>
// CHECK-DAG: %[[N:.*]] = memref.dim %[[X]], %c0
// CHECK-DAG: %[[M:.*]] = memref.dim %[[X]], %c1
// CHECK: %[[Y:.*]] = memref.alloc(%[[N]], %[[M]]) : memref<?x?xf64>
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK:   %[[E:.*]] = memref.alloc(%[[M]]) : memref<?xf64>
// CHECK:   %[[MAX:.*]] = scf.for %[[J:[a-z0-9]+]] = {{.*}} iter_args(%{{.*}} = %cst
// CHECK:     memref.load %[[X]][%[[I]], %[[J]]]
// CHECK:     arith.maximumf
// CHECK:   }
// CHECK:   %[[SUM:.*]] = scf.for %[[K:[a-z0-9]+]] =
// CHECK:     %[[V:.*]] = memref.load %[[X]][%[[I]], %[[K]]]
// CHECK:     %[[D:.*]] = arith.subf %[[V]], %[[MAX]]
// CHECK:     %[[F:.*]] = math.exp %[[D]]
// CHECK-DAG: arith.addf %{{.*}}, %[[F]]
// CHECK-DAG: memref.store %[[F]], %[[E]][%[[K]]]
// CHECK:   }
// CHECK:   scf.for %[[L:[a-z0-9]+]] =
// CHECK:     %[[G:.*]] = memref.load %[[E]][%[[L]]]
// CHECK:     %[[Q:.*]] = arith.divf %[[G]], %[[SUM]]
// CHECK:     memref.store %[[Q]], %[[Y]][%[[I]], %[[L]]]
// CHECK:   }
// CHECK-NOT: scf.for
// CHECK: return %[[Y]]
func.func @softmax(%x: memref<?x?xf64>) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %max = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%least : f64) outs(%max : memref<?xf64>)
  linalg.reduce ins(%x : memref<?x?xf64>) outs(%max : memref<?xf64>) dimensions = [1] (%v: f64, %a: f64) {
    %b = arith.maximumf %v, %a : f64
    linalg.yield %b : f64
  }
  %d = memref.alloc(%n, %m) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : memref<?x?xf64>, memref<?xf64>) outs(%d : memref<?x?xf64>) {
  ^bb0(%v: f64, %a: f64, %out: f64):
    %w = arith.subf %v, %a : f64
    linalg.yield %w : f64
  }
  %e = memref.alloc(%n, %m) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%d : memref<?x?xf64>) outs(%e : memref<?x?xf64>) {
  ^bb0(%v: f64, %out: f64):
    %w = math.exp %v : f64
    linalg.yield %w : f64
  }
  %sum = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%sum : memref<?xf64>)
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : memref<?x?xf64>) outs(%sum : memref<?xf64>) {
  ^bb0(%v: f64, %s: f64):
    %w = arith.addf %s, %v : f64
    linalg.yield %w : f64
  }
  %y = memref.alloc(%n, %m) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : memref<?x?xf64>, memref<?xf64>) outs(%y : memref<?x?xf64>) {
  ^bb0(%v: f64, %s: f64, %out: f64):
    %w = arith.divf %v, %s : f64
    linalg.yield %w : f64
  }
  return %y : memref<?x?xf64>
}

// -----

// Sums of columns are added to row by row, in the order of the rows; what is made of them has to wait.
#whole = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
// CHECK-LABEL: func.func @columns(
// CHECK: %[[S:.*]] = memref.alloc(%{{.*}}) : memref<?xf64>
// CHECK: linalg.fill
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK:   scf.for %[[J:[a-z0-9]+]] =
// CHECK:     %[[F:.*]] = math.exp
// CHECK:     %[[OLD:.*]] = memref.load %[[S]][%[[J]]]
// CHECK:     %[[NEW:.*]] = arith.addf %[[OLD]], %[[F]]
// CHECK:     memref.store %[[NEW]], %[[S]][%[[J]]]
// CHECK: linalg.generic
func.func @columns(%x: memref<?x?xf64>) -> memref<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  %zero = arith.constant 0.0 : f64
  %e = memref.alloc(%n, %m) : memref<?x?xf64>
  linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf64>) outs(%e : memref<?x?xf64>) {
  ^bb0(%v: f64, %out: f64):
    %w = math.exp %v : f64
    linalg.yield %w : f64
  }
  %sum = memref.alloc(%m) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%sum : memref<?xf64>)
  linalg.generic {indexing_maps = [#whole, #column], iterator_types = ["reduction", "parallel"]}
      ins(%e : memref<?x?xf64>) outs(%sum : memref<?xf64>) {
  ^bb0(%v: f64, %s: f64):
    %w = arith.addf %s, %v : f64
    linalg.yield %w : f64
  }
  linalg.generic {indexing_maps = [#whole, #column, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : memref<?x?xf64>, memref<?xf64>) outs(%e : memref<?x?xf64>) {
  ^bb0(%v: f64, %s: f64, %out: f64):
    %w = arith.divf %v, %s : f64
    linalg.yield %w : f64
  }
  return %e : memref<?x?xf64>
}

// -----

// The number of the row and that of the column, and a number that each row has, go through no memory. A dimension of size one
// has no loop.
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>
// CHECK-LABEL: func.func @numbers(
// CHECK: %[[Y:.*]] = memref.alloc() : memref<40x30xindex>
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK:   %[[T:.*]] = arith.muli %[[I]], %[[I]]
// CHECK:   scf.for %[[J:[a-z0-9]+]] =
// CHECK:     %[[S:.*]] = arith.addi %[[T]], %[[J]]
// CHECK:     memref.store %[[S]], %[[Y]][%[[I]], %[[J]]]
func.func @numbers() -> memref<40x30xindex> {
  %t = memref.alloc() : memref<40x1xindex>
  linalg.generic {indexing_maps = [#whole], iterator_types = ["parallel", "parallel"]} outs(%t : memref<40x1xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    %s = arith.muli %i, %i : index
    linalg.yield %s : index
  }
  %y = memref.alloc() : memref<40x30xindex>
  linalg.generic {indexing_maps = [#row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<40x1xindex>) outs(%y : memref<40x30xindex>) {
  ^bb0(%a: index, %out: index):
    %j = linalg.index 1 : index
    %s = arith.addi %a, %j : index
    linalg.yield %s : index
  }
  return %y : memref<40x30xindex>
}

// -----

// Two reductions that carry sums.
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @two_sums(
// CHECK: scf.for
// CHECK:   %[[S:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %cst{{[_0-9]*}}, %{{.*}} = %cst{{[_0-9]*}}) -> (f64, f64)
// CHECK-DAG: memref.store %[[S]]#0
// CHECK-DAG: memref.store %[[S]]#1
// CHECK-NOT: scf.for
func.func @two_sums(%x: memref<?x?xf64>) -> (memref<?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %sum = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%zero : f64) outs(%sum : memref<?xf64>)
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf64>) outs(%sum : memref<?xf64>) {
  ^bb0(%v: f64, %s: f64):
    %w = arith.addf %s, %v : f64
    linalg.yield %w : f64
  }
  %product = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%one : f64) outs(%product : memref<?xf64>)
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf64>) outs(%product : memref<?xf64>) {
  ^bb0(%v: f64, %s: f64):
    %w = arith.mulf %s, %v : f64
    linalg.yield %w : f64
  }
  return %sum, %product : memref<?xf64>, memref<?xf64>
}
