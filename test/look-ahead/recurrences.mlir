// Loops that carry a float by sums and products, and read it on the way, take four steps at once.
// RUN: ad-opt %s --ad-look-ahead --canonicalize --cse | FileCheck %s
// RUN: ad-opt %s --ad-look-ahead --remarks-filter-analyse=ad-look-ahead 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Analysis] loops | Category:ad-look-ahead | count=4

// What is carried is multiplied once, by the product of the four elements.
// CHECK-LABEL: func.func @products(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xf64>, %[[Y:[a-z0-9]+]]: memref<?xf64>, %[[N:[a-z0-9]+]]: index
// CHECK: %[[LEFT:.*]] = arith.remsi %[[N]], %c4
// CHECK: %[[END:.*]] = arith.subi %[[N]], %[[LEFT]]
// CHECK: %[[MOST:.*]] = scf.for %[[I:.*]] = %c0 to %[[END]] step %c4 iter_args(%[[H:.*]] = %{{.*}}) -> (f64) {
// CHECK:   %[[X0:.*]] = memref.load %[[X]][%[[I]]]
// CHECK:   %[[H1:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK:   memref.store %[[H1]], %[[Y]][%[[I]]]
// CHECK:   %[[X1:.*]] = memref.load
// CHECK:   %[[P2:.*]] = arith.mulf %[[X0]], %[[X1]] fastmath<contract> : f64
// CHECK:   %[[H2:.*]] = arith.mulf %[[P2]], %[[H]] fastmath<contract> : f64
// CHECK:   memref.store %[[H2]]
// CHECK:   %[[P3:.*]] = arith.mulf %[[P2]], %{{.*}} fastmath<contract> : f64
// CHECK:   %[[H3:.*]] = arith.mulf %[[P3]], %[[H]] fastmath<contract> : f64
// CHECK:   memref.store %[[H3]]
// CHECK:   %[[P4:.*]] = arith.mulf %[[P3]], %{{.*}} fastmath<contract> : f64
// CHECK:   %[[H4:.*]] = arith.mulf %[[P4]], %[[H]] fastmath<contract> : f64
// CHECK:   memref.store %[[H4]]
// CHECK-NEXT: scf.yield %[[H4]]
// CHECK: %[[ALL:.*]] = scf.for %{{.*}} = %[[END]] to %[[N]] step %c1 iter_args(%{{.*}} = %[[MOST]]) -> (f64) {
// CHECK:   arith.mulf %{{.*}}, %{{.*}} fastmath<reassoc,contract> : f64
// CHECK: return %[[ALL]]
func.func @products(%x: memref<?xf64>, %y: memref<?xf64>, %n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %start) -> (f64) {
    %a = memref.load %x[%i] : memref<?xf64>
    %next = arith.mulf %h, %a fastmath<reassoc, contract> : f64
    memref.store %next, %y[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  return %last : f64
}

// The value before each step is read; a sum of these is carried beside it, and waits once, too.
// CHECK-LABEL: func.func @before(
// CHECK: scf.for {{.*}} step %c4 iter_args(%[[H:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) -> (f32, f32) {
// CHECK: memref.store %[[H]],
// CHECK: memref.store
// CHECK: memref.store
// CHECK: memref.store
// CHECK: %[[LAST:.*]] = arith.addf %[[S]], %{{.*}} : f32
// CHECK-NEXT: scf.yield %{{.*}}, %[[LAST]]
// CHECK: scf.for
func.func @before(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %start: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %start, %s = %start) -> (f32, f32) {
    %a = memref.load %x[%i] : memref<?xf32>
    memref.store %h, %y[%i] : memref<?xf32>
    %more = arith.addf %h, %a fastmath<reassoc> : f32
    %sum = arith.addf %s, %h fastmath<reassoc> : f32
    scf.yield %more, %sum : f32, f32
  }
  return %last#1 : f32
}

// h becomes a h + b: products of factors, and sums scaled by the factors that follow.
// CHECK-LABEL: func.func @linear(
// CHECK: scf.for {{.*}} step %c4 iter_args(%[[H:.*]] = %{{.*}}) -> (f64) {
// CHECK:   %[[A1:.*]] = memref.load %[[A:.*]][
// CHECK:   %[[B1:.*]] = memref.load %[[B:.*]][
// CHECK:   %[[AH:.*]] = arith.mulf %[[A1]], %[[H]] : f64
// CHECK:   %[[H1:.*]] = arith.addf %[[AH]], %[[B1]] : f64
// CHECK:   memref.store %[[H1]]
// CHECK:   %[[A2:.*]] = memref.load %[[A]][
// CHECK:   %[[B2:.*]] = memref.load %[[B]][
// CHECK:   %[[FACTOR:.*]] = arith.mulf %[[A1]], %[[A2]] : f64
// CHECK:   %[[SCALED:.*]] = arith.mulf %[[B1]], %[[A2]] : f64
// CHECK:   %[[SUMMAND:.*]] = arith.addf %[[SCALED]], %[[B2]] : f64
// CHECK:   %[[FH:.*]] = arith.mulf %[[FACTOR]], %[[H]] : f64
// CHECK:   %[[H2:.*]] = arith.addf %[[FH]], %[[SUMMAND]] : f64
// CHECK:   memref.store %[[H2]]
func.func @linear(%as: memref<?xf64>, %bs: memref<?xf64>, %y: memref<?xf64>, %n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %start) -> (f64) {
    %a = memref.load %as[%i] : memref<?xf64>
    %b = memref.load %bs[%i] : memref<?xf64>
    %ah = arith.mulf %a, %h fastmath<reassoc> : f64
    %next = arith.addf %ah, %b fastmath<reassoc> : f64
    memref.store %next, %y[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  return %last : f64
}

// b - (h - a), from both sides.
// CHECK-LABEL: func.func @differences(
// CHECK: scf.for {{.*}} step %c4 iter_args(%[[H:.*]] = %{{.*}}) -> (f64) {
// CHECK:   %[[A1:.*]] = memref.load
// CHECK:   %[[MINUS:.*]] = arith.negf %[[A1]] : f64
// CHECK:   %[[TURNED:.*]] = arith.mulf %[[MINUS]], %cst : f64
// CHECK:   %[[SUMMAND:.*]] = arith.addf %[[TURNED]], %{{.*}} : f64
// CHECK:   %[[MH:.*]] = arith.mulf %[[H]], %cst : f64
// CHECK:   arith.addf %[[MH]], %[[SUMMAND]] : f64
func.func @differences(%as: memref<?xf64>, %y: memref<?xf64>, %n: index, %b: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %b) -> (f64) {
    %a = memref.load %as[%i] : memref<?xf64>
    %less = arith.subf %h, %a fastmath<reassoc> : f64
    %next = arith.subf %b, %less fastmath<reassoc> : f64
    memref.store %next, %y[%i] : memref<?xf64>
    scf.yield %next : f64
  }
  return %last : f64
}
