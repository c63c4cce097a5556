// A structured operation on buffers in forward mode: one on what the shadows hold, which is written to the shadow.
// RUN: ad-opt %s --ad-optimize | FileCheck %s

// CHECK-LABEL: func.func @sines_tangent(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64>, %[[Y:[a-z0-9]+]]: memref<?xf64>, %[[DX:[a-z0-9]+]]: memref<?xf64>, %[[DY:[a-z0-9]+]]: memref<?xf64>
// CHECK:         %[[READ_X:.*]] = bufferization.to_tensor %[[X]] restrict
// CHECK:         %[[READ_DX:.*]] = bufferization.to_tensor %[[DX]] restrict
// CHECK:         %[[BOTH:.*]]:2 = linalg.generic
// CHECK:           math.cos
// CHECK:         bufferization.materialize_in_destination %[[BOTH]]#0 in restrict writable %[[Y]]
// CHECK:         bufferization.materialize_in_destination %[[BOTH]]#1 in restrict writable %[[DY]]
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @sines(%x: memref<?xf64>, %y: memref<?xf64>) {
  linalg.map { math.sin } ins(%x : memref<?xf64>) outs(%y : memref<?xf64>)
  return
}
func.func @sines_tangent(%x: memref<?xf64>, %y: memref<?xf64>, %dx: memref<?xf64>, %dy: memref<?xf64>) {
  ad.jvp @sines(%x, %y) seed(%dx, %dy) : (memref<?xf64>, memref<?xf64>), (memref<?xf64>, memref<?xf64>) -> ()
  return
}
