// What a loop makes of several bands of the columns of a product is made by the kernel that makes the product [F49]: columns are
// counted so that a thread has the same column of each band. The sums are written only if somebody else reads them.
// RUN: ad-opt %s --split-input-file --lower-contractions-to-gpu | FileCheck %s
// RUN: ad-opt %s --split-input-file --lower-contractions-to-gpu='tensor-cores=tf32' | FileCheck %s --check-prefix=CORES

// Two bands of 32 columns. The factor is read as an array with a dimension for the bands. What the loop reads and writes
// is memory that was allocated apart: nothing is asked.
// CHECK-LABEL: func.func @gated(
// CHECK-SAME: %[[X:.*]]: memref<64x48xf32>, %[[W:.*]]: memref<48x64xf32>
// CHECK: %[[H:.*]] = memref.alloc() : memref<64x32xf32>
// CHECK-NOT: extract_aligned_pointer
// CHECK: memref.reinterpret_cast {{.*}} : memref<f32> to memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>
// CHECK: gpu.launch
// CHECK-COUNT-8: math.tanh
// CHECK-NOT: math.tanh
// CHECK-NOT: scf.forall
// CHECK: return %[[H]]
// Of fragments a lane has columns of runs of 8.
// CORES-LABEL: func.func @gated(
// CORES: memref.reinterpret_cast {{.*}} : memref<f32> to memref<?x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>>
// CORES: gpu.subgroup_mma_compute
// CORES-COUNT-8: math.tanh
// CORES-NOT: math.tanh
// CORES-NOT: scf.forall
// CORES: return
func.func @gated(%x: memref<64x48xf32>, %w: memref<48x64xf32>) -> memref<64x32xf32> {
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x48xf32>, memref<48x64xf32>) outs(%z : memref<64x64xf32>)
  %h = memref.alloc() : memref<64x32xf32>
  scf.forall (%i, %j) in (64, 32) {
    %j1 = arith.addi %j, %c32 : index
    %a = memref.load %z[%i, %j] : memref<64x64xf32>
    %b = memref.load %z[%i, %j1] : memref<64x64xf32>
    %t = math.tanh %b : f32
    %p = arith.mulf %a, %t : f32
    memref.store %p, %h[%i, %j] : memref<64x32xf32>
  }
  memref.dealloc %z : memref<64x64xf32>
  return %h : memref<64x32xf32>
}

// -----

// Sizes that are known when the program runs: if they fit, and if what is written is not read for other sums.
// CHECK-LABEL: func.func @dynamic(
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: scf.if %{{.*}} {
// CHECK: gpu.launch
// CHECK: } else {
// CHECK: scf.forall
// CHECK: return
func.func @dynamic(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %z: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %y, %c0 : memref<?x?xf32>
  %h = memref.dim %y, %c1 : memref<?x?xf32>
  linalg.matmul ins(%x, %w : memref<?x?xf32>, memref<?x?xf32>) outs(%z : memref<?x?xf32>)
  scf.forall (%i, %j) in (%m, %h) {
    %j1 = arith.addi %h, %j : index
    %a = memref.load %z[%i, %j] : memref<?x?xf32>
    %b = memref.load %z[%i, %j1] : memref<?x?xf32>
    %p = arith.mulf %a, %b : f32
    memref.store %p, %y[%i, %j] : memref<?x?xf32>
  }
  return
}

// -----

// Each iteration of a loop has sums of its own, which nobody else reads: they are not written.
// CHECK-LABEL: func.func @own_sums(
// CHECK: %[[Z:.*]] = memref.alloc() : memref<5x64x64xf32>
// CHECK: scf.for
// CHECK: gpu.launch
// CHECK-NOT: memref.store %{{.*}}, %reinterpret_cast{{.*}} : memref<?x?x?xf32
// CHECK: return
// A caller that gets them has them written, a column of a band at a time.
// CHECK-LABEL: func.func @kept_sums(
// CHECK: gpu.launch
// CHECK-COUNT-16: memref.store %{{.*}}, %reinterpret_cast{{.*}} : memref<?x?x?xf32
// CHECK: return
func.func @own_sums(%x: memref<64x48xf32>, %w: memref<48x64xf32>, %h: memref<5x64x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %zs = memref.alloc() : memref<5x64x64xf32>
  linalg.fill ins(%zero : f32) outs(%zs : memref<5x64x64xf32>)
  scf.for %t = %c0 to %c5 step %c1 {
    %z = memref.subview %zs[%t, 0, 0] [1, 64, 64] [1, 1, 1] : memref<5x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%x, %w : memref<64x48xf32>, memref<48x64xf32>) outs(%z : memref<64x64xf32, strided<[64, 1], offset: ?>>)
    scf.forall (%i, %j) in (64, 32) {
      %j1 = arith.addi %j, %c32 : index
      %row = memref.subview %z[%i, 0] [1, 64] [1, 1] : memref<64x64xf32, strided<[64, 1], offset: ?>> to memref<64xf32, strided<[1], offset: ?>>
      %a = memref.load %row[%j] : memref<64xf32, strided<[1], offset: ?>>
      %b = memref.load %row[%j1] : memref<64xf32, strided<[1], offset: ?>>
      %p = arith.mulf %a, %b : f32
      memref.store %p, %h[%t, %i, %j] : memref<5x64x32xf32>
    }
  }
  memref.dealloc %zs : memref<5x64x64xf32>
  return
}

func.func @kept_sums(%x: memref<64x48xf32>, %w: memref<48x64xf32>) -> (memref<64x32xf32>, memref<64x64xf32>) {
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x48xf32>, memref<48x64xf32>) outs(%z : memref<64x64xf32>)
  %h = memref.alloc() : memref<64x32xf32>
  scf.forall (%i, %j) in (64, 32) {
    %j1 = arith.addi %j, %c32 : index
    %a = memref.load %z[%i, %j] : memref<64x64xf32>
    %b = memref.load %z[%i, %j1] : memref<64x64xf32>
    %p = arith.mulf %a, %b : f32
    memref.store %p, %h[%i, %j] : memref<64x32xf32>
  }
  return %h, %z : memref<64x32xf32>, memref<64x64xf32>
}

// -----

// Not these: sums of another row, columns that are no bands, sums that the loop writes, and factors that it writes.
// CHECK-LABEL: func.func @others(
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: return
func.func @others(%x: memref<64x48xf32>, %w: memref<48x64xf32>, %z: memref<64x64xf32>, %h: memref<64x32xf32>) {
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  linalg.matmul ins(%x, %w : memref<64x48xf32>, memref<48x64xf32>) outs(%z : memref<64x64xf32>)
  scf.forall (%i, %j) in (64, 32) {
    %i1 = arith.subi %i, %c31 : index
    %j1 = arith.addi %j, %c32 : index
    %a = memref.load %z[%i1, %j] : memref<64x64xf32>
    %b = memref.load %z[%i, %j1] : memref<64x64xf32>
    %p = arith.mulf %a, %b : f32
    memref.store %p, %h[%i, %j] : memref<64x32xf32>
  }
  linalg.matmul ins(%x, %w : memref<64x48xf32>, memref<48x64xf32>) outs(%z : memref<64x64xf32>)
  scf.forall (%i, %j) in (64, 32) {
    %j1 = arith.addi %j, %c31 : index
    %a = memref.load %z[%i, %j] : memref<64x64xf32>
    %b = memref.load %z[%i, %j1] : memref<64x64xf32>
    %p = arith.mulf %a, %b : f32
    memref.store %p, %h[%i, %j] : memref<64x32xf32>
  }
  linalg.matmul ins(%x, %w : memref<64x48xf32>, memref<48x64xf32>) outs(%z : memref<64x64xf32>)
  scf.forall (%i, %j) in (64, 32) {
    %j1 = arith.addi %j, %c32 : index
    %a = memref.load %z[%i, %j] : memref<64x64xf32>
    %b = memref.load %z[%i, %j1] : memref<64x64xf32>
    %p = arith.mulf %a, %b : f32
    memref.store %p, %z[%i, %j] : memref<64x64xf32>
  }
  linalg.matmul ins(%x, %w : memref<64x48xf32>, memref<48x64xf32>) outs(%z : memref<64x64xf32>)
  scf.forall (%i, %j) in (64, 32) {
    %j1 = arith.addi %j, %c32 : index
    %a = memref.load %z[%i, %j] : memref<64x64xf32>
    %b = memref.load %z[%i, %j1] : memref<64x64xf32>
    %p = arith.mulf %a, %b : f32
    memref.store %p, %x[%i, %j] : memref<64x48xf32>
  }
  return
}
