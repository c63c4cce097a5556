// Products of matrices that subgroups make are instructions of NVIDIA's processors.
// RUN: ad-opt %s --lower-subgroups-to-nvvm | FileCheck %s
// RUN: ad-opt %s --lower-subgroups-to-nvvm --remarks-filter-analyse='lower-subgroups-to-nvvm' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: products | Category:lower-subgroups-to-nvvm | count=8

gpu.module @kernels {
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

  // A factor in memory that a block shares is read at once where its summands lie side by side, lines beginning at multiples of 16
  // bytes: a lane says where one of 32 lines begins, and gets a register of each 8 of them. Of the first factor the second 8 lines are
  // further rows, of the second one further summands, so that registers follow each other as the instruction takes them.
  // CHECK-LABEL: gpu.func @lines(
  // CHECK-SAME:    workgroup(%[[X:[a-z0-9]+]] : memref<16x20xf32, {{.*}}, %[[Y:[a-z0-9]+]] : memref<16x20xf32,
  // CHECK:         %[[LANE:.*]] = gpu.lane_id
  // CHECK:         %[[EIGHTH:.*]] = arith.divui %[[LANE]], %c8{{.*}} : index
  // CHECK-NEXT:    %[[LINE:.*]] = arith.remui %[[LANE]], %c8
  // CHECK:         %[[SECOND:.*]] = arith.divui %[[EIGHTH]], %c2
  // CHECK-NEXT:    %[[FIRST:.*]] = arith.remui %[[EIGHTH]], %c2
  // CHECK:         %[[ROWS:.*]] = arith.muli %[[FIRST]], %c8
  // CHECK:         %[[SUMMANDS:.*]] = arith.muli %[[SECOND]], %c4
  // CHECK:         %[[ROW:.*]] = arith.addi %[[ROWS]], %[[LINE]]
  // CHECK:         %[[AT:.*]] = arith.addi %{{.*}}, %[[ROW]]
  // CHECK:         %[[A:.*]] = nvgpu.ldmatrix %[[X]][%[[AT]], %{{.*}}] {numTiles = 4 : i32, transpose = false} : memref<16x20xf32, {{.*}} -> vector<4x1xf32>
  // CHECK-NEXT:    vector.extract %[[A]][0, 0]
  // CHECK-NEXT:    vector.extract %[[A]][1, 0]
  // CHECK-NEXT:    vector.extract %[[A]][2, 0]
  // CHECK-NEXT:    vector.extract %[[A]][3, 0]
  // CHECK:         %[[B:.*]] = nvgpu.ldmatrix %[[Y]][
  // CHECK-NEXT:    vector.extract %[[B]][0, 0]
  // CHECK-NEXT:    vector.extract %[[B]][2, 0]
  // CHECK-NEXT:    vector.extract %[[B]][1, 0]
  // CHECK-NEXT:    vector.extract %[[B]][3, 0]
  gpu.func @lines(%z: memref<16x16xf32>)
      workgroup(%x: memref<16x20xf32, #gpu.address_space<workgroup>>, %y: memref<16x20xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 20 : index, alignment = 16} : memref<16x20xf32, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x8xf32, "AOp">
    %b = gpu.subgroup_mma_load_matrix %y[%c0, %c0] {leadDimension = 20 : index, alignment = 16, transpose} : memref<16x20xf32, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<8x16xf32, "BOp">
    %c = gpu.subgroup_mma_load_matrix %z[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    %d = gpu.subgroup_mma_compute %a, %b, %c {b_transpose} : !gpu.mma_matrix<16x8xf32, "AOp">, !gpu.mma_matrix<8x16xf32, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %d, %z[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }

  // Of f16, lines may have the rows, or columns, of a summand.
  // CHECK-LABEL: gpu.func @half_lines(
  // CHECK:         nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = true} : memref<16x24xf16, {{.*}} -> vector<4x2xf16>
  // CHECK:         nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = true} : memref<16x24xf16, {{.*}} -> vector<4x2xf16>
  // CHECK:         nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = false} : memref<16x24xf16, {{.*}} -> vector<4x2xf16>
  gpu.func @half_lines(%z: memref<16x16xf32>) workgroup(%x: memref<16x24xf16, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 24 : index, alignment = 16, transpose} : memref<16x24xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 24 : index, alignment = 16} : memref<16x24xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %e = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 24 : index, alignment = 16, transpose} : memref<16x24xf16, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %c = gpu.subgroup_mma_load_matrix %z[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    %d = gpu.subgroup_mma_compute %a, %b, %c {a_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    %f = gpu.subgroup_mma_compute %a, %e, %d {a_transpose, b_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %f, %z[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }

  // Elsewhere elements are read: where nothing is said of lines, where columns of f32 lie side by side, and in memory of the device.
  // CHECK-LABEL: gpu.func @elements(
  // CHECK-NOT:     nvgpu.ldmatrix
  gpu.func @elements(%z: memref<16x16xf32>) workgroup(%x: memref<16x20xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 20 : index} : memref<16x20xf32, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<16x8xf32, "AOp">
    %b = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 20 : index, alignment = 16} : memref<16x20xf32, #gpu.address_space<workgroup>> -> !gpu.mma_matrix<8x16xf32, "BOp">
    %e = gpu.subgroup_mma_load_matrix %z[%c0, %c0] {leadDimension = 16 : index, alignment = 16} : memref<16x16xf32> -> !gpu.mma_matrix<16x8xf32, "AOp">
    %c = gpu.subgroup_mma_load_matrix %z[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x8xf32, "AOp">, !gpu.mma_matrix<8x16xf32, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    %f = gpu.subgroup_mma_compute %e, %b, %d : !gpu.mma_matrix<16x8xf32, "AOp">, !gpu.mma_matrix<8x16xf32, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %f, %z[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }

  // A lane's own elements are those of its vector, also where their number is not known before.
  // CHECK-LABEL: gpu.func @own(
  // CHECK-SAME:    %[[X:[a-z0-9]+]]: f32, %[[I:[a-z0-9]+]]: index,
  // CHECK:         %[[EMPTY:.*]] = ub.poison : vector<8xf32>
  // CHECK-NEXT:    %[[NEW:.*]] = vector.insert %[[X]], %[[EMPTY]] [%[[I]]] : f32 into vector<8xf32>
  // CHECK-NEXT:    vector.extract %[[NEW]][%[[I]]] : f32 from vector<8xf32>
  gpu.func @own(%x: f32, %i: index, %y: memref<f32>) kernel {
    %none = ub.poison : !gpu.mma_matrix<16x16xf32, "COp">
    %new = gpu.subgroup_mma_insert_thread_local %x, %none[%i] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    %e = gpu.subgroup_mma_extract_thread_local %new[%i] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
    memref.store %e, %y[] : memref<f32>
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
