// What a loop reads from memory that it is given is read again, at the place that is kept, if the
// function writes to its own memory only; else it is kept, because what is written to may be the same memory [Z23].
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @immutable.vjp_0
//   CHECK-NOT:   ad.tape<f64>
//       CHECK:   return
// CHECK-LABEL: func.func private @mutable.vjp_0
//       CHECK:   ad.tape_push %{{.*}}, %{{.*}} : !ad.tape<f64>
//       CHECK:   return
func.func @immutable(%x: f64, %w: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %acc = memref.alloca() : memref<f64>
  memref.store %x, %acc[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %acc[] : memref<f64>
    %f = memref.load %w[%i] : memref<?xf64>
    %b = arith.mulf %a, %f : f64
    memref.store %b, %acc[] : memref<f64>
  }
  %y = memref.load %acc[] : memref<f64>
  return %y : f64
}

func.func @mutable(%x: f64, %w: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %acc = memref.alloca() : memref<f64>
  memref.store %x, %acc[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %acc[] : memref<f64>
    %f = memref.load %w[%i] : memref<?xf64>
    %b = arith.mulf %a, %f : f64
    memref.store %b, %acc[] : memref<f64>
    %half = arith.constant 0.5 : f64
    memref.store %half, %w[%i] : memref<?xf64>
  }
  %y = memref.load %acc[] : memref<f64>
  return %y : f64
}

func.func @gradients(%x: f64, %w: memref<?xf64>, %n: index) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %y:2 = ad.vjp @immutable(%x, %w, %n) seed(%one) {wrt = array<i64: 0>}
      : (f64, memref<?xf64>, index), (f64) -> (f64, f64)
  %z:2 = ad.vjp @mutable(%x, %w, %n) seed(%one) {wrt = array<i64: 0>}
      : (f64, memref<?xf64>, index), (f64) -> (f64, f64)
  return %y#1, %z#1 : f64, f64
}
