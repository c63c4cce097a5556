// In forward mode the shadow of a buffer holds tangents, and structured control flow stays [Z21].
// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @power.jvp_0
//  CHECK-SAME:     (%[[X:.*]]: f64, %{{.*}}: index, %[[X_DOT:.*]]: f64)
//       CHECK:   %[[ACC:.*]] = memref.alloc() : memref<f64>
//       CHECK:   %[[DOT:.*]] = memref.alloc() : memref<f64>
//       CHECK:   scf.for
//       CHECK:     %[[A:.*]] = memref.load %[[ACC]][]
//       CHECK:     %[[A_DOT:.*]] = memref.load %[[DOT]][]
//       CHECK:     %[[B:.*]] = arith.mulf %[[A]], %[[X]]
//   CHECK-DAG:     memref.store %[[B]], %[[ACC]][]
//       CHECK:     memref.store %{{.*}}, %[[DOT]][]
//       CHECK:   }
//       CHECK:   %[[Y:.*]] = memref.load %[[ACC]][]
//       CHECK:   %[[Y_DOT:.*]] = memref.load %[[DOT]][]
//       CHECK:   memref.dealloc %[[ACC]]
//       CHECK:   memref.dealloc %[[DOT]]
//       CHECK:   return %[[Y]], %[[Y_DOT]]
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

func.func @tangent(%x: f64, %n: index, %x_dot: f64) -> f64 {
  %y, %y_dot = ad.jvp @power(%x, %n) seed(%x_dot) : (f64, index), (f64) -> (f64, f64)
  return %y_dot : f64
}
