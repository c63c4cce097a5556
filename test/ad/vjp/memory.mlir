// In reverse mode the shadow of a buffer holds adjoints: a load adds to them, a store takes them and leaves zero [Z21].
// RUN: ad-opt %s --split-input-file --ad-differentiate --canonicalize --cse | FileCheck %s

// Nothing is saved where the element is overwritten; sin reads what was loaded.

// CHECK-LABEL: func.func private @overwritten.vjp_0
//  CHECK-SAME:     (%[[X:.*]]: f64, %[[SEED:.*]]: f64)
//   CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0.0
//       CHECK:   %[[M:.*]] = memref.alloca() : memref<f64>
//       CHECK:   %[[BAR:.*]] = memref.alloc() : memref<f64>
//       CHECK:   memref.store %[[ZERO]], %[[BAR]][]
//       CHECK:   memref.store %[[X]], %[[M]][]
//       CHECK:   %[[A:.*]] = memref.load %[[M]][]
//       CHECK:   %[[S:.*]] = math.sin %[[A]]
//       CHECK:   memref.store %[[S]], %[[M]][]
//       CHECK:   %[[Y:.*]] = memref.load %[[M]][]
//       CHECK:   %[[OLD:.*]] = memref.load %[[BAR]][]
//       CHECK:   %[[MORE:.*]] = arith.addf %[[OLD]], %[[SEED]]
//       CHECK:   memref.store %[[MORE]], %[[BAR]][]
//       CHECK:   %[[S_BAR:.*]] = memref.load %[[BAR]][]
//       CHECK:   memref.store %[[ZERO]], %[[BAR]][]
//       CHECK:   %[[COS:.*]] = math.cos %[[A]]
//       CHECK:   %[[A_BAR:.*]] = arith.mulf %[[S_BAR]], %[[COS]]
//       CHECK:   %[[LEFT:.*]] = memref.load %[[BAR]][]
//       CHECK:   %[[SUM:.*]] = arith.addf %[[LEFT]], %[[A_BAR]]
//       CHECK:   memref.store %[[SUM]], %[[BAR]][]
//       CHECK:   %[[X_BAR:.*]] = memref.load %[[BAR]][]
//       CHECK:   memref.store %[[ZERO]], %[[BAR]][]
//       CHECK:   memref.dealloc %[[BAR]]
//       CHECK:   return %[[Y]], %[[X_BAR]]
func.func @overwritten(%x: f64) -> f64 {
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  %a = memref.load %m[] : memref<f64>
  %s = math.sin %a : f64
  memref.store %s, %m[] : memref<f64>
  %b = memref.load %m[] : memref<f64>
  return %b : f64
}

func.func @gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @overwritten(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

// A loop that writes to memory becomes blocks: it runs once, and what was loaded is on a tape. A sum needs none.

// CHECK-LABEL: func.func private @power.vjp_0
//       CHECK:   %[[T:.*]] = ad.tape_create : !ad.tape<f64>
//       CHECK:   %[[ACC:.*]] = memref.alloc() : memref<f64>
//       CHECK:   %[[A:.*]] = memref.load %[[ACC]][]
//       CHECK:   ad.tape_push %[[T]], %[[A]] : !ad.tape<f64>
//       CHECK:   ad.tape_pop %[[T]] : !ad.tape<f64>
// CHECK-LABEL: func.func private @sum.vjp_0
//   CHECK-NOT:   ad.tape
func.func @power(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %acc = memref.alloc() : memref<f64>
  memref.store %one, %acc[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %acc[] : memref<f64>
    %b = arith.mulf %a, %x : f64
    memref.store %b, %acc[] : memref<f64>
  }
  %r = memref.load %acc[] : memref<f64>
  memref.dealloc %acc : memref<f64>
  return %r : f64
}

func.func @sum(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %acc = memref.alloc() : memref<f64>
  memref.store %x, %acc[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %acc[] : memref<f64>
    %b = arith.addf %a, %x : f64
    memref.store %b, %acc[] : memref<f64>
  }
  %r = memref.load %acc[] : memref<f64>
  memref.dealloc %acc : memref<f64>
  return %r : f64
}

func.func @gradients(%x: f64, %n: index) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %y, %a = ad.vjp @power(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  %z, %b = ad.vjp @sum(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %a, %b : f64, f64
}
