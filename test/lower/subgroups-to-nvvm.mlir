// What subgroups do together: barriers that only their threads need, and products of matrices, are instructions of NVIDIA's
// processors; other barriers stay those of blocks.
// RUN: ad-opt %s --lower-subgroups-to-nvvm | FileCheck %s
// RUN: ad-opt %s --lower-subgroups-to-nvvm --remarks-filter-analyse='lower-subgroups-to-nvvm' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: barriers | Category:lower-subgroups-to-nvvm | count=1
// COUNT: products | Category:lower-subgroups-to-nvvm | count=3

// CHECK-LABEL: gpu.func @turn(
// CHECK:         memref.store
// CHECK-NEXT:    %[[ALL:.*]] = arith.constant -1 : i32
// CHECK-NEXT:    nvvm.bar.warp.sync %[[ALL]] : i32
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.store
gpu.module @kernels {
  gpu.func @turn(%x: memref<?xf64>) workgroup(%s: memref<256xf64, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %j = arith.xori %i, %c1 : index
    %v = memref.load %x[%i] : memref<?xf64>
    memref.store %v, %s[%i] : memref<256xf64, #gpu.address_space<workgroup>>
    gpu.barrier {ad.of_subgroup}
    %w = memref.load %s[%j] : memref<256xf64, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %w, %x[%i] : memref<?xf64>
    gpu.return
  }

  // A lane has one element of each factor and two neighbours of the sums. Its number divided by 4 is the row, or the column
  // of the second factor, and the remainder is the summand.
  // CHECK-LABEL: gpu.func @double(
  // CHECK:         %[[LANE:.*]] = gpu.lane_id
  // CHECK:         %[[ROW:.*]] = arith.divui %[[LANE]], %{{.*}} : index
  // CHECK:         %[[SUMMAND:.*]] = arith.remui %[[LANE]], %{{.*}} : index
  // CHECK:         %[[A:.*]] = memref.load %{{.*}} : memref<8x4xf64
  // CHECK:         vector.from_elements %[[A]] : vector<1xf64>
  // CHECK:         memref.load %{{.*}} : memref<4x8xf64
  // CHECK:         vector.from_elements %{{.*}}, %{{.*}} : vector<2xf64>
  // CHECK:         %[[C:.*]]:2 = vector.to_elements %{{.*}} : vector<2xf64>
  // CHECK:         %[[D:.*]] = nvvm.mma.sync A[%{{.*}}] B[%{{.*}}] C[%[[C]]#0, %[[C]]#1] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
  // CHECK-SAME:      shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  // CHECK:         llvm.extractvalue %[[D]][0]
  // CHECK:         llvm.extractvalue %[[D]][1]
  // CHECK-COUNT-2: memref.store %{{.*}} : memref<8x8xf64
  // CHECK-NOT:     subgroup_mma
  gpu.func @double(%x: memref<8x4xf64>, %y: memref<4x8xf64>, %z: memref<8x8xf64>) kernel {
    %c0 = arith.constant 0 : index
    %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 4 : index} : memref<8x4xf64> -> !gpu.mma_matrix<8x4xf64, "AOp">
    %b = gpu.subgroup_mma_load_matrix %y[%c0, %c0] {leadDimension = 8 : index} : memref<4x8xf64> -> !gpu.mma_matrix<4x8xf64, "BOp">
    %c = gpu.subgroup_mma_load_matrix %z[%c0, %c0] {leadDimension = 8 : index} : memref<8x8xf64> -> !gpu.mma_matrix<8x8xf64, "COp">
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<8x4xf64, "AOp">, !gpu.mma_matrix<4x8xf64, "BOp"> -> !gpu.mma_matrix<8x8xf64, "COp">
    gpu.subgroup_mma_store_matrix %d, %z[%c0, %c0] {leadDimension = 8 : index} : !gpu.mma_matrix<8x8xf64, "COp">, memref<8x8xf64>
    gpu.return
  }

  // Of f32, a lane has four elements of each factor: of the second one, two for each 8 columns, by turns. Loops carry vectors.
  // CHECK-LABEL: gpu.func @single(
  // CHECK:         vector.broadcast %{{.*}} : f32 to vector<8xf32>
  // CHECK:         scf.for {{.*}} -> (vector<8xf32>)
  // CHECK-COUNT-4: memref.load %{{.*}} : memref<8x16xf32>
  // CHECK:         %[[Y:.*]] = vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK:         %[[E:.*]]:4 = vector.to_elements %[[Y]] : vector<4xf32>
  // CHECK:         %[[E0:.*]] = arith.bitcast %[[E]]#0 : f32 to i32
  // CHECK:         %[[E1:.*]] = arith.bitcast %[[E]]#1 : f32 to i32
  // CHECK:         %[[E2:.*]] = arith.bitcast %[[E]]#2 : f32 to i32
  // CHECK:         %[[E3:.*]] = arith.bitcast %[[E]]#3 : f32 to i32
  // CHECK:         %[[C:.*]]:8 = vector.to_elements
  // CHECK:         nvvm.mma.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%[[E0]], %[[E2]]] C[%[[C]]#0, %[[C]]#1, %[[C]]#2, %[[C]]#3]
  // CHECK-SAME:      multiplicandAPtxType = #nvvm.mma_type<tf32>
  // CHECK-SAME:      shape = #nvvm.shape<m = 16, n = 8, k = 8>
  // CHECK:         nvvm.mma.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%[[E1]], %[[E3]]] C[%[[C]]#4, %[[C]]#5, %[[C]]#6, %[[C]]#7]
  // CHECK-COUNT-8: memref.store %{{.*}} : memref<16x16xf32
  gpu.func @single(%x: memref<16x8xf32>, %y: memref<8x16xf32>, %z: memref<16x16xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %start = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%c = %start) -> (!gpu.mma_matrix<16x16xf32, "COp">) {
      %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 8 : index} : memref<16x8xf32> -> !gpu.mma_matrix<16x8xf32, "AOp">
      %b = gpu.subgroup_mma_load_matrix %y[%c0, %c0] {leadDimension = 16 : index} : memref<8x16xf32> -> !gpu.mma_matrix<8x16xf32, "BOp">
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x8xf32, "AOp">, !gpu.mma_matrix<8x16xf32, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      scf.yield %d : !gpu.mma_matrix<16x16xf32, "COp">
    }
    gpu.subgroup_mma_store_matrix %sum, %z[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }

  // A register has two neighbours of f16.
  // CHECK-LABEL: gpu.func @half(
  // CHECK:         nvvm.mma.sync
  // CHECK-SAME:      shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  gpu.func @half(%x: memref<16x16xf16>, %z: memref<16x16xf32>) kernel {
    %c0 = arith.constant 0 : index
    %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_load_matrix %z[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %d, %z[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }

  // What these instructions do not have is left to upstream.
  // CHECK-LABEL: gpu.func @other(
  // CHECK-COUNT-3: gpu.subgroup_mma_load_matrix
  // CHECK:         gpu.subgroup_mma_compute
  // CHECK:         gpu.subgroup_mma_store_matrix
  gpu.func @other(%x: memref<16x16xf16>) kernel {
    %c0 = arith.constant 0 : index
    %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.subgroup_mma_store_matrix %d, %x[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
    gpu.return
  }
}
