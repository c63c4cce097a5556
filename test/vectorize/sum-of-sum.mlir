// What one vectorised loop sums up is what another one adds: the second must not keep the value of the loop
// that the first one replaced.
// RUN: ad-opt %s --ad-vectorize=instruction-set=avx2 | FileCheck %s

// CHECK-LABEL: func.func @add(
// CHECK: vector.create_mask
// CHECK: %[[SUM:.*]] = vector.reduction <add>
// CHECK: arith.addf %{{.*}}, %[[SUM]]
// CHECK: arith.addf %{{.*}}, %[[SUM]]
func.func @add(%few: memref<3xf64>, %x: memref<?xf64>, %m: index, %n: index) -> memref<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %m step %c1 iter_args(%s = %zero) -> (f64) {
    %a = memref.load %x[%i] : memref<?xf64>
    %inner = scf.for %j = %c0 to %c3 step %c1 iter_args(%r = %zero) -> (f64) {
      %b = memref.load %few[%j] : memref<3xf64>
      %p = arith.mulf %a, %b fastmath<contract> : f64
      %q = arith.addf %r, %p fastmath<reassoc,contract> : f64
      scf.yield %q : f64
    }
    %next = arith.addf %s, %inner fastmath<reassoc,contract> : f64
    scf.yield %next : f64
  }
  %y = memref.alloc(%n, %n) : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %at = arith.remui %i, %n : index
    %old = memref.load %y[%at, %at] : memref<?x?xf64>
    %new = arith.addf %old, %sum fastmath<reassoc,contract> : f64
    memref.store %new, %y[%at, %at] : memref<?x?xf64>
  }
  return %y : memref<?x?xf64>
}
