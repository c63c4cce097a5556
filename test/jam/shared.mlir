// Loops around sums that read the same elements in several iterations.
// RUN: ad-opt %s --ad-unroll-and-jam --split-input-file | FileCheck %s
// Nothing is left to do.
// RUN: ad-opt %s --ad-unroll-and-jam --split-input-file -o %t.once.mlir
// RUN: ad-opt %t.once.mlir --ad-unroll-and-jam --split-input-file | diff - %t.once.mlir

// Eight rows share the elements of the vector; each is stored in turn.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?xf32>, %[[X:[a-z0-9]+]]: memref<?xf32>, %[[N:[a-z0-9]+]]: index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: %[[LEFT:.*]] = arith.remsi %{{.*}}, %[[C8]] : index
// CHECK: %[[END:.*]] = arith.subi %[[N]], %[[LEFT]] : index
// CHECK: scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %[[END]] step %[[C8]] {
// CHECK:   %[[SUMS:.*]]:8 = scf.for %[[J:[a-z0-9]+]] = {{.*}} -> (f32, f32, f32, f32, f32, f32, f32, f32) {
// CHECK:     memref.load %[[A]][%[[I]], %[[J]]]
// CHECK:     memref.load %[[X]][%[[J]]]
// CHECK-COUNT-7: memref.load %[[A]]
// CHECK-NOT: memref.load
// CHECK:     scf.yield
// CHECK:   memref.store %[[SUMS]]#0, %{{.*}}[%[[I]]]
// CHECK-COUNT-7: memref.store
// CHECK-NOT: memref.store
// CHECK: scf.for %{{.*}} = %[[END]] to %[[N]] step %{{.*}} {
// CHECK:   %[[ONE:.*]] = scf.for {{.*}} -> (f32)
// CHECK:   memref.store %[[ONE]]
func.func @rows(%a: memref<?x?xf32>, %x: memref<?xf32>, %n: index, %m: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> f32 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf32>
      %xj = memref.load %x[%j] : memref<?xf32>
      %difference = arith.subf %aij, %xj : f32
      %distance = math.absf %difference : f32
      %new = arith.addf %s, %distance : f32
      scf.yield %new : f32
    }
    memref.store %sum, %r[%i] : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// -----

// Of two loops that share, the inner one has two iterations at once, the outer one six. What is carried goes through
// them in the order of the iterations.
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[ALL:.*]]:2 = scf.for %[[I:[a-z0-9]+]] = %{{.*}} step %c6 iter_args(%[[T:[a-z0-9]+]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (f64, f64) {
// CHECK:   %[[NEAR:.*]]:12 = scf.for %[[C:[a-z0-9]+]] = %{{.*}} step %c2
// CHECK-SAME: iter_args(%[[M:[a-z0-9]+]] = %{{.*}},
// CHECK:     %[[D:.*]]:12 = scf.for
// CHECK-COUNT-8: memref.load
// CHECK-NOT:   memref.load
// CHECK:       scf.yield
// CHECK:     %[[LESS:.*]] = arith.cmpf olt, %[[D]]#0, %[[M]] : f64
// CHECK:     %[[FIRST:.*]] = arith.minimumf %[[M]], %[[D]]#0 : f64
// CHECK:     arith.minimumf %[[FIRST]], %[[D]]#6 : f64
// CHECK:   scf.for
// CHECK:     scf.for {{.*}} -> (f64, f64, f64, f64, f64, f64) {
// CHECK:   %[[T0:.*]] = arith.addf %[[T]], %{{.*}} : f64
// CHECK:   arith.addf %[[T0]], %{{.*}} : f64
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ALL]]#0, %{{.*}} = %[[ALL]]#1) -> (f64, f64) {
// CHECK:   scf.for %{{.*}} step %c2
// CHECK:     scf.for {{.*}} -> (f64, f64) {
func.func @blocks(%p: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index, %k: index, %d: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero, %numbers = %zero) -> (f64, f64) {
    %near:2 = scf.for %q = %c0 to %k step %c1 iter_args(%m = %far, %number = %c0) -> (f64, index) {
      %distance = scf.for %j = %c0 to %d step %c1 iter_args(%s = %zero) -> f64 {
        %pij = memref.load %p[%i, %j] : memref<?x?xf64>
        %cqj = memref.load %c[%q, %j] : memref<?x?xf64>
        %difference = arith.subf %pij, %cqj : f64
        %square = arith.mulf %difference, %difference : f64
        %new = arith.addf %s, %square : f64
        scf.yield %new : f64
      }
      %less = arith.cmpf olt, %distance, %m : f64
      %which = arith.select %less, %q, %number : index
      %least = arith.minimumf %m, %distance : f64
      scf.yield %least, %which : f64, index
    }
    %sum = arith.addf %total, %near#0 : f64
    %integer = arith.index_cast %near#1 : index to i64
    %float = arith.sitofp %integer : i64 to f64
    %product = arith.mulf %numbers, %float : f64
    scf.yield %sum, %product : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

// -----

// Three sums for each iteration leave room for two. What is the same in all iterations is computed once.
// CHECK-LABEL: func.func @several(
// CHECK: scf.for {{.*}} step %c2 {
// CHECK:   math.exp
// CHECK-NOT: math.exp
// CHECK:   scf.for {{.*}} -> (f64, f64, f64, f64, f64, f64, f64) {
// CHECK-COUNT-3: memref.load
// CHECK-NOT: memref.load
// CHECK:     scf.yield
// CHECK: scf.for
// CHECK:   math.exp
func.func @several(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index, %m: index, %y: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %e = math.exp %y : f64
    %sum:4 = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero, %t = %zero, %u = %zero, %v = %zero)
        -> (f64, f64, f64, f64) {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %product = arith.mulf %aij, %xj : f64
      %s1 = arith.addf %s, %product : f64
      %t1 = arith.addf %t, %aij : f64
      %u1 = arith.maximumf %u, %aij : f64
      %v1 = arith.addf %v, %e : f64
      scf.yield %s1, %t1, %u1, %v1 : f64, f64, f64, f64
    }
    %st = arith.mulf %sum#0, %sum#1 : f64
    %uv = arith.mulf %sum#2, %sum#3 : f64
    %all = arith.addf %st, %uv : f64
    memref.store %all, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// Rows of a triangle: two run together as far as the first one goes, then the second one ends.
// CHECK-LABEL: func.func @triangle(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?xf64>, %[[X:[a-z0-9]+]]: memref<?xvector<16xf64>>
// CHECK: scf.for %[[I:[a-z0-9]+]] = %{{.*}} step %c2
// CHECK:   %[[NEXT:.*]] = arith.addi %[[I]], %c1{{.*}} : index
// CHECK:   %[[WIDTH:.*]] = arith.addi %[[I]], %c1{{.*}} : index
// CHECK:   %[[WIDER:.*]] = arith.addi %[[NEXT]], %c1{{.*}} : index
// CHECK:   %[[SUMS:.*]]:2 = scf.for %[[J:[a-z0-9]+]] = %c0 to %[[WIDTH]] step %c1 {{.*}} -> (vector<16xf64>, vector<16xf64>)
// CHECK:     memref.load %[[X]][%[[J]]]
// CHECK-NOT: memref.load %[[X]]
// CHECK:     scf.yield
// CHECK:   %[[LAST:.*]] = scf.for %[[K:[a-z0-9]+]] = %[[WIDTH]] to %[[WIDER]] step %c1 iter_args(%{{.*}} = %[[SUMS]]#1) -> (vector<16xf64>)
// CHECK:     memref.load %[[A]][%[[NEXT]], %[[K]]]
// CHECK:     memref.load %[[X]][%[[K]]]
// CHECK:   memref.store %[[SUMS]]#0, %{{.*}}[%[[I]]]
// CHECK:   memref.store %[[LAST]], %{{.*}}[%[[NEXT]]]
func.func @triangle(%a: memref<?x?xf64>, %x: memref<?xvector<16xf64>>, %n: index) -> memref<?xvector<16xf64>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16xf64>
  %r = memref.alloc(%n) : memref<?xvector<16xf64>>
  scf.for %i = %c0 to %n step %c1 {
    %width = arith.addi %i, %c1 : index
    %sum = scf.for %j = %c0 to %width step %c1 iter_args(%s = %zero) -> vector<16xf64> {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xvector<16xf64>>
      %b = vector.broadcast %aij : f64 to vector<16xf64>
      %p = arith.mulf %b, %xj : vector<16xf64>
      %new = arith.addf %s, %p : vector<16xf64>
      scf.yield %new : vector<16xf64>
    }
    memref.store %sum, %r[%i] : memref<?xvector<16xf64>>
  }
  return %r : memref<?xvector<16xf64>>
}
