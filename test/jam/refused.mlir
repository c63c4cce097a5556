// Loops that stay as they are.
// RUN: ad-opt %s --ad-unroll-and-jam --split-input-file | FileCheck %s --implicit-check-not=remsi

// An iteration reads what the one before has written.
// CHECK-LABEL: func.func @written(
func.func @written(%a: memref<?x?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %x = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %aij, %xj : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    memref.store %sum, %x[%i] : memref<?xf64>
  }
  return %x : memref<?xf64>
}

// -----

// The array that is written may be the one that is read.
// CHECK-LABEL: func.func @argument(
func.func @argument(%a: memref<?x?xf64>, %x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %aij, %xj : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    memref.store %sum, %y[%i] : memref<?xf64>
  }
  return
}

// -----

// The inner loop begins with what the iteration before has found.
// CHECK-LABEL: func.func @carried(
func.func @carried(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index, %start: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> f64 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %t) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %aij, %xj : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    scf.yield %sum : f64
  }
  return %r : f64
}

// -----

// The inner loops do not run alike, and one does not run further than the one before.
// CHECK-LABEL: func.func @triangle(
func.func @triangle(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %left = arith.subi %n, %i : index
    %sum = scf.for %j = %c0 to %left step %c1 iter_args(%s = %zero) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %aij, %xj : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// Nothing is shared.
// CHECK-LABEL: func.func @own(
func.func @own(%a: memref<?x?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %new = arith.addf %s, %aij : f64
      scf.yield %new : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// What is shared is little beside a call.
// CHECK-LABEL: func.func @heavy(
func.func @heavy(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %aij, %xj : f64
      %e = math.exp %p : f64
      %new = arith.addf %s, %e : f64
      scf.yield %new : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// -----

// Too short: the inner loop, then the one around it.
// CHECK-LABEL: func.func @short(
func.func @short(%a: memref<?x3xf64>, %b: memref<5x?xf64>, %x: memref<?xf64>, %n: index) -> (memref<?xf64>, memref<5xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc() : memref<5xf64>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%s = %zero) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x3xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %aij, %xj : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %c5 step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %bij = memref.load %b[%i, %j] : memref<5x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %bij, %xj : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    memref.store %sum, %t[%i] : memref<5xf64>
  }
  return %r, %t : memref<?xf64>, memref<5xf64>
}

// -----

// An iteration may stop the program, or do anything.
// CHECK-LABEL: func.func @stops(
func.func private @anything()
func.func @stops(%a: memref<?x?xf64>, %x: memref<?xf64>, %n: index) -> (memref<?xf64>, memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = memref.alloc(%n) : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %aij, %xj : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    %positive = arith.cmpf ogt, %sum, %zero : f64
    cf.assert %positive, "a sum is positive"
    memref.store %sum, %r[%i] : memref<?xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
      %aij = memref.load %a[%i, %j] : memref<?x?xf64>
      %xj = memref.load %x[%j] : memref<?xf64>
      %p = arith.mulf %aij, %xj : f64
      %new = arith.addf %s, %p : f64
      scf.yield %new : f64
    }
    func.call @anything() : () -> ()
    memref.store %sum, %t[%i] : memref<?xf64>
  }
  return %r, %t : memref<?xf64>, memref<?xf64>
}
