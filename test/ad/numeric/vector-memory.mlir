// Vectors that are read from buffers and written to them, also where they overlap [Z21].
// RUN: ad-opt check %s --entry=overlap --input=0.7 --input=1
// RUN: ad-opt check %s --entry=overlap --input=0.7 --input=1 --engine=interpreter
// RUN: ad-opt check %s --entry=loop --input=0.7 --input=3
// RUN: ad-opt check %s --entry=loop --input=0.7 --input=3 --engine=interpreter
// RUN: ad-opt run %s --entry=slopes --input=0.5 | FileCheck %s

func.func @overlap(%x: f64, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<8xf64>
  %one = arith.constant 1.0 : f64
  linalg.fill ins(%one : f64) outs(%m : memref<8xf64>)
  %v = vector.broadcast %x : f64 to vector<4xf64>
  vector.store %v, %m[%c0] : memref<8xf64>, vector<4xf64>
  %w = vector.load %m[%c2] : memref<8xf64>, vector<4xf64>
  %u = arith.mulf %w, %w : vector<4xf64>
  vector.store %u, %m[%i] : memref<8xf64>, vector<4xf64>
  %r = vector.load %m[%c0] : memref<8xf64>, vector<4xf64>
  %s = math.sin %r : vector<4xf64>
  %y = vector.reduction <add>, %s : vector<4xf64> into f64
  memref.dealloc %m : memref<8xf64>
  return %y : f64
}

// Rows of a matrix; the vector goes through the loop in memory only.
func.func @loop(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4x2xf64>
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%m : memref<4x2xf64>)
  %v = vector.broadcast %x : f64 to vector<2xf64>
  vector.store %v, %m[%c0, %c0] : memref<4x2xf64>, vector<2xf64>
  scf.for %i = %c0 to %n step %c1 {
    %old = vector.load %m[%i, %c0] : memref<4x2xf64>, vector<2xf64>
    %sine = math.sin %old : vector<2xf64>
    %new = arith.mulf %sine, %old : vector<2xf64>
    %next = arith.addi %i, %c1 : index
    vector.store %new, %m[%next, %c0] : memref<4x2xf64>, vector<2xf64>
  }
  %y = memref.load %m[%n, %c1] : memref<4x2xf64>
  memref.dealloc %m : memref<4x2xf64>
  return %y : f64
}

// Of 2 x^2, by hand.
func.func private @squares(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<2xf64>
  %v = vector.broadcast %x : f64 to vector<2xf64>
  vector.store %v, %m[%c0] : memref<2xf64>, vector<2xf64>
  %w = vector.load %m[%c0] : memref<2xf64>, vector<2xf64>
  %u = arith.mulf %w, %v : vector<2xf64>
  %y = vector.reduction <add>, %u : vector<2xf64> into f64
  return %y : f64
}
// CHECK: 2.0
// CHECK-NEXT: 2.0
func.func @slopes(%x: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @squares(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  %d:2 = ad.jvp @squares(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %r#1, %d#1 : f64, f64
}
