// A fill of a whole buffer is a kernel whose threads write eight elements each, of any dimensions in a row. Views with gaps, and
// fills inside of parallel loops, are for others.
// RUN: ad-opt %s --lower-fills-to-gpu | FileCheck %s
// RUN: ad-opt %s --lower-fills-to-gpu --remarks-filter-analyse='lower-fills-to-gpu' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: kernels | Category:lower-fills-to-gpu | count=2

// CHECK-LABEL: func.func @whole(
// CHECK-SAME:    %[[M:[a-z0-9]+]]: memref<?x3xf32>, %[[X:[a-z0-9]+]]: f32
// CHECK:         %[[N:.*]] = memref.dim %[[M]], %c0
// CHECK:         %[[ALL:.*]] = arith.muli %[[N]], %c3
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape %[[M]] {{\[}}[0, 1]] : memref<?x3xf32> into memref<?xf32>
// CHECK:         %[[BLOCKS:.*]] = arith.ceildivsi %[[ALL]], %c2048
// CHECK:         gpu.launch blocks(%[[BLOCK:[a-z0-9]+]],
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %[[BLOCKS]],
// CHECK:           %[[BEFORE:.*]] = arith.muli %[[BLOCK]], %c2048
// CHECK:           %[[FIRST:.*]] = arith.addi %[[BEFORE]],
// CHECK:           %[[SECOND:.*]] = arith.addi %[[FIRST]], %c256
// CHECK:           %[[IS_INSIDE:.*]] = arith.cmpi slt, %[[SECOND]], %[[ALL]]
// CHECK:           scf.if %[[IS_INSIDE]] {
// CHECK-NEXT:        memref.store %[[X]], %[[FLAT]][%[[SECOND]]]
// CHECK-COUNT-6:   memref.store %[[X]], %[[FLAT]]
// CHECK-NOT:       memref.store
// CHECK:         gpu.terminator
func.func @whole(%m: memref<?x3xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<?x3xf32>)
  return
}

// CHECK-LABEL: func.func @known(
// CHECK-SAME:    %[[M:[a-z0-9]+]]: memref<5000xi64>
// CHECK:         gpu.launch
// CHECK-COUNT-8: memref.store %{{.*}}, %[[M]][
// CHECK-NOT:     linalg.fill
func.func @known(%m: memref<5000xi64>, %x: i64) {
  linalg.fill ins(%x : i64) outs(%m : memref<5000xi64>)
  return
}

// CHECK-LABEL: func.func @others(
// CHECK-NOT: gpu.launch
// CHECK-COUNT-3: linalg.fill
func.func @others(%gaps: memref<4x4xf32, strided<[8, 1]>>, %one: memref<f32>, %rows: memref<8x8xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%gaps : memref<4x4xf32, strided<[8, 1]>>)
  linalg.fill ins(%x : f32) outs(%one : memref<f32>)
  scf.forall (%i) in (8) {
    linalg.fill ins(%x : f32) outs(%rows : memref<8x8xf32>)
  }
  return
}
