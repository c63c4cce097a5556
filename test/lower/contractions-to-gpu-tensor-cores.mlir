// Tiles of 64 x 64 elements that tensor cores make: only where users ask for it, and of sums of products only.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-contractions-to-gpu{tensor-cores=f64,tf32,f16,bf16},ad-canonicalize,cse)' -split-input-file | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-contractions-to-gpu,ad-canonicalize,cse)' -split-input-file | FileCheck %s --check-prefix=NONE
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-contractions-to-gpu{tensor-cores=none},ad-canonicalize,cse)' -split-input-file | FileCheck %s --check-prefix=NONE
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-contractions-to-gpu{tensor-cores=f64},ad-canonicalize,cse)' -split-input-file | FileCheck %s --check-prefix=F64
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-contractions-to-gpu{tensor-cores=f64,tf32,f16,bf16})' -split-input-file --remarks-filter-analyse='lower-contractions-to-gpu' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not ad-opt %s --pass-pipeline='builtin.module(lower-contractions-to-gpu{tensor-cores=f64,f8})' -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// NONE-NOT: gpu.subgroup_mma
// F64-COUNT-64: gpu.subgroup_mma_compute {{.*}}xf64, "COp">
// F64-NOT: gpu.subgroup_mma_compute
// COUNT-COUNT-8: onTensorCores | Category:lower-contractions-to-gpu | count=1
// COUNT-NOT: onTensorCores | {{.*}} | count=1
// UNKNOWN: error: 'builtin.module' op no tensor cores for 'f8'; there are f64, tf32, f16, bf16

// A block has 2 x 4 subgroups, each of which makes 32 x 16 elements: 4 x 2 fragments of 8 x 8. In shared memory the summands of a
// row of A lie side by side, as in memory, and the columns of a summand of B; such lines are 32 bytes longer than what is in them.
// There are two tiles of each, the summands of one behind those of the other, of which one is written while the other one is read.
// Each step has four summands.
// A thread has two elements of each fragment side by side, in the row of its number divided by four.
// What is in the result is on its way while the first tiles are, and nobody asks whether it is there if the result has all of
// the tile. Two elements are read and written at once where all of them begin at multiples of 16 bytes.
// CHECK-LABEL: func.func @double(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: memref<256x32xf64>, %[[B:[a-z0-9]+]]: memref<32x512xf64>, %[[C:[a-z0-9]+]]: memref<256x512xf64>
// CHECK:         gpu.launch
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c32,
// CHECK-SAME:      threads(%[[T:[a-z0-9]+]],
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c256,
// CHECK-SAME:      workgroup(%[[AS:[a-z0-9]+]] : memref<64x36xf64, #gpu.address_space<workgroup>>, %[[BS:[a-z0-9]+]] : memref<32x68xf64, #gpu.address_space<workgroup>>)
// CHECK:         %[[SUBGROUP:.*]] = arith.divui %[[T]], %c32
// CHECK:         %[[LANE:.*]] = arith.remui %[[T]], %c32
// CHECK:         %[[ABOVE:.*]] = arith.divui %[[SUBGROUP]], %c4
// CHECK:         %[[BESIDE:.*]] = arith.remui %[[SUBGROUP]], %c4
// CHECK:         %[[ROW:.*]] = arith.muli %[[ABOVE]], %c32
// CHECK:         %[[COLUMN:.*]] = arith.muli %[[BESIDE]], %c16
// CHECK:         %[[LANE_ROW:.*]] = arith.divui %[[LANE]], %c4
// CHECK-NEXT:    %[[FOURTH:.*]] = arith.remui %[[LANE]], %c4
// CHECK-NEXT:    %[[LANE_COLUMN:.*]] = arith.muli %[[FOURTH]], %c2
// CHECK-NOT:     gpu.barrier
// CHECK:         %[[START:[0-9]+]]:16 = scf.if %[[HAS_ALL:[0-9]+]] ->
// CHECK:           scf.if
// CHECK-NEXT:        vector.load %[[C]][%[[R:[0-9]+]], %[[S:[0-9]+]]] {alignment = 16 : i64} : memref<256x512xf64>, vector<2xf64>
// CHECK-COUNT-7:     vector.load %[[C]]
// CHECK:           } else {
// CHECK-COUNT-16:    memref.load %[[C]]
// CHECK:         } else {
// CHECK-COUNT-16:  memref.load %[[C]]
// CHECK:         %[[ONE:.*]] = gpu.subgroup_mma_insert_thread_local %[[START]]#0, %[[EMPTY:[0-9]+]][%c0] : f64, !gpu.mma_matrix<8x8xf64, "COp"> -> !gpu.mma_matrix<8x8xf64, "COp">
// CHECK-NEXT:    %[[FIRST:.*]] = gpu.subgroup_mma_insert_thread_local %[[START]]#1, %[[ONE]][%c1]
// CHECK-NEXT:    gpu.subgroup_mma_insert_thread_local %[[START]]#2, %[[EMPTY]][%c0]
// CHECK:         %[[FULL:[0-9]+]]:9 = scf.if
// CHECK:           scf.for
// CHECK-SAME:      iter_args(%{{[a-z0-9]+}} = %[[FIRST]],
// CHECK-COUNT-2:   vector.store %{{.*}}, %[[AS]][%{{.*}}] {alignment = 16 : i64} : {{.*}}, vector<2xf64>
// CHECK-COUNT-2:   vector.store %{{.*}}, %[[BS]][%{{.*}}] {alignment = 16 : i64} : {{.*}}, vector<2xf64>
// CHECK-NEXT:      gpu.barrier
// CHECK-COUNT-32:  gpu.subgroup_mma_compute
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK:         %[[SUMS:[0-9]+]]:8 = scf.if
// CHECK:           scf.for
// CHECK-SAME:      iter_args(%{{[a-z0-9]+}} = %[[FULL]]#0,
// CHECK-SAME:      %[[PLACE:[a-z0-9]+]] = %[[FULL]]#8, %
// CHECK-NOT:       gpu.barrier
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[AS]][
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[BS]][
// CHECK-NEXT:      gpu.barrier
// CHECK-COUNT-4:   memref.load %{{.*}} : memref<32x32xf64, strided<[1, 1], offset: ?>>
// CHECK-COUNT-4:   memref.load %{{.*}} : memref<32x512xf64, strided<[512, 1], offset: ?>>
// CHECK:           gpu.subgroup_mma_load_matrix %[[AS]][%[[ROW]], %[[PLACE]]] {alignment = 16 : i64, leadDimension = 36 : index} : {{.*}} -> !gpu.mma_matrix<8x4xf64, "AOp">
// CHECK-COUNT-3:   gpu.subgroup_mma_load_matrix %[[AS]][%{{[0-9]+}}, %[[PLACE]]] {alignment = 16 : i64, leadDimension = 36 : index}
// CHECK:           gpu.subgroup_mma_load_matrix %[[BS]][%[[PLACE]], %[[COLUMN]]] {alignment = 16 : i64, leadDimension = 68 : index} : {{.*}} -> !gpu.mma_matrix<4x8xf64, "BOp">
// CHECK-NEXT:      arith.addi %[[COLUMN]], %c8
// CHECK-NEXT:      gpu.subgroup_mma_load_matrix %[[BS]][%[[PLACE]], %{{[0-9]+}}]
// CHECK-COUNT-8:   gpu.subgroup_mma_compute {{.*}} : !gpu.mma_matrix<8x4xf64, "AOp">, !gpu.mma_matrix<4x8xf64, "BOp"> -> !gpu.mma_matrix<8x8xf64, "COp">
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK:           %[[NEXT:.*]] = arith.addi %[[PLACE]], %c4
// CHECK-NEXT:      gpu.subgroup_mma_load_matrix %[[AS]][%[[ROW]], %[[NEXT]]]
// CHECK:           gpu.subgroup_mma_load_matrix %[[BS]][%[[NEXT]], %[[COLUMN]]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[PLACE]], %c8
// CHECK-NEXT:      gpu.subgroup_mma_load_matrix %[[AS]][%[[ROW]], %[[NEXT]]]
// CHECK:           gpu.subgroup_mma_load_matrix %[[BS]][%[[NEXT]], %[[COLUMN]]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[PLACE]], %c12
// CHECK-NEXT:      gpu.subgroup_mma_load_matrix %[[AS]][%[[ROW]], %[[NEXT]]]
// CHECK:           gpu.subgroup_mma_load_matrix %[[BS]][%[[NEXT]], %[[COLUMN]]]
// CHECK-COUNT-8:   gpu.subgroup_mma_compute
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK:           scf.yield
// CHECK:         %[[E0:.*]] = gpu.subgroup_mma_extract_thread_local %[[SUMS]]#0[%c0] : !gpu.mma_matrix<8x8xf64, "COp"> -> f64
// CHECK-NEXT:    %[[E1:.*]] = gpu.subgroup_mma_extract_thread_local %[[SUMS]]#0[%c1]
// CHECK-NEXT:    scf.if %[[HAS_ALL]] {
// CHECK:           scf.if
// CHECK-NEXT:        %[[PAIR:.*]] = vector.from_elements %[[E0]], %[[E1]] : vector<2xf64>
// CHECK-NEXT:        vector.store %[[PAIR]], %[[C]][%[[R]], %[[S]]] {alignment = 16 : i64} : memref<256x512xf64>, vector<2xf64>
// CHECK:           } else {
// CHECK-COUNT-2:     memref.store %{{.*}}, %[[C]]
// CHECK:         } else {
// CHECK-COUNT-2:   memref.store %{{.*}}, %[[C]]
// CHECK:         gpu.subgroup_mma_extract_thread_local %[[SUMS]]#1[%c0]
// CHECK:         gpu.subgroup_mma_extract_thread_local %[[SUMS]]#7[%c1]
// CHECK-NOT:     gpu.subgroup_mma
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.terminator
// NONE-LABEL: func.func @double(
// NONE: memref<32x68xf64, #gpu.address_space<workgroup>>, %{{[a-z0-9]+}} : memref<32x68xf64, #gpu.address_space<workgroup>>)
func.func @double(%A: memref<256x32xf64>, %B: memref<32x512xf64>, %C: memref<256x512xf64>) {
  linalg.matmul ins(%A, %B : memref<256x32xf64>, memref<32x512xf64>) outs(%C : memref<256x512xf64>)
  return
}

// -----

// Factors of f32 are rounded when they are put into shared memory, for the hardware to cut off all but 10 bits of mantissa: to the
// nearest such number, or to the larger one of two; numbers that would become infinite, infinities and NaN stay. There are 2 fragments of 16 x 16 elements, and 8 summands in each step. The sum is split.
// CHECK-LABEL: func.func @single(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: memref<70x72xf32>)
// CHECK:         %[[PARTS:.*]] = memref.alloc() : memref<
// CHECK:         gpu.launch
// CHECK-SAME:      threads(%[[T:[a-z0-9]+]],
// CHECK-SAME:      workgroup(%[[AS:[a-z0-9]+]] : memref<64x36xf32, #gpu.address_space<workgroup>>, %[[BS:[a-z0-9]+]] : memref<32x72xf32, #gpu.address_space<workgroup>>)
// Two times 16 summands are on their way, 8 elements each: what a step reads is used by the step after the next one. A round
// of the loop has two steps, with a place in shared memory for each.
// The rows of A lie along the sum, so that each thread may have four summands side by side, which it writes at once.
// CHECK:         %[[ROW_A:.*]] = arith.divui %[[T]], %c4
// CHECK-NEXT:    %[[THREAD:.*]] = arith.remui %[[T]], %c4
// CHECK:         %[[FIRST:.*]] = arith.muli %[[THREAD]], %c4
// CHECK:         %[[ROW_B:.*]] = arith.divui %[[T]], %c16
// CHECK:         scf.for %{{.*}} step %c32
// CHECK:           %[[FOUR:.*]] = vector.from_elements %{{.*}} : vector<4xf32>
// CHECK-NEXT:      vector.store %[[FOUR]], %[[AS]][%[[ROW_A]], %[[FIRST]]] {alignment = 16 : i64}
// CHECK:           vector.store %{{.*}}, %[[BS]][%[[ROW_B]], %{{.*}}] {alignment = 16 : i64}
// CHECK-COUNT-2:   vector.load {{.*}} {alignment = 16 : i64}
// CHECK:         scf.for %[[K:[a-z0-9]+]] = %{{.*}} to %{{.*}} step %c32 iter_args(%{{[a-z0-9]+}} = %{{[0-9]+}}#0, %{{[a-z0-9]+}} = %{{[0-9]+}}#1, %[[READ:[a-z0-9]+]] =
// CHECK-SAME:      -> (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[K]], %c32
// CHECK:           %[[BITS:.*]] = arith.bitcast %[[READ]] : f32 to i32
// CHECK-NEXT:      %[[MORE:.*]] = arith.addi %[[BITS]], %c4096_i32
// CHECK-NEXT:      %[[MAGNITUDE:.*]] = math.absf %[[READ]]
// CHECK-NEXT:      %[[IS_SMALL:.*]] = arith.cmpf olt, %[[MAGNITUDE]], %cst
// CHECK-NEXT:      %[[NEW:.*]] = arith.bitcast %[[MORE]] : i32 to f32
// CHECK-NEXT:      arith.select %[[IS_SMALL]], %[[NEW]], %[[READ]]
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[AS]][
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[BS]][
// CHECK-NEXT:      gpu.barrier
// CHECK:           arith.subi %{{.*}}, %[[NEXT]]
// CHECK-COUNT-8:   memref.load
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[AS]][%{{[0-9]+}}, %c0] {{.*}} -> !gpu.mma_matrix<16x8xf32, "AOp">
// CHECK:           gpu.subgroup_mma_load_matrix %[[BS]][%c0, {{.*}} -> !gpu.mma_matrix<8x16xf32, "BOp">
// CHECK-COUNT-2:   gpu.subgroup_mma_compute
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[AS]][%{{[0-9]+}}, %c8]
// CHECK:           gpu.subgroup_mma_load_matrix %[[BS]][%c8,
// CHECK-COUNT-2:   gpu.subgroup_mma_compute
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[AS]][
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[BS]][
// CHECK-NEXT:      gpu.barrier
// CHECK:           arith.subi %{{.*}}, %{{.*}}
// CHECK-COUNT-8:   memref.load
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[AS]][%{{[0-9]+}}, %c16]
// CHECK:           gpu.subgroup_mma_load_matrix %[[BS]][%c16,
// CHECK-COUNT-2:   gpu.subgroup_mma_compute
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[AS]][%{{[0-9]+}}, %c24]
// CHECK:           gpu.subgroup_mma_load_matrix %[[BS]][%c24,
// CHECK-COUNT-2:   gpu.subgroup_mma_compute
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK:           scf.yield
// CHECK-NOT:     memref.load %[[C]][
// CHECK-COUNT-8: gpu.subgroup_mma_extract_thread_local
// CHECK:         scf.if
// CHECK-COUNT-4:   vector.store {{.*}}, %[[PARTS]][{{.*}} {alignment = 8 : i64}
// CHECK-COUNT-8:   memref.store %{{.*}}, %[[PARTS]][
// CHECK-COUNT-8:   memref.store %{{.*}}, %[[PARTS]][
// CHECK-NOT:     memref.store
// CHECK-COUNT-8: gpu.subgroup_mma_extract_thread_local
// CHECK-COUNT-4:   vector.store {{.*}}, %[[PARTS]][
// CHECK-COUNT-16:  memref.store %{{.*}}, %[[PARTS]][
// CHECK-NOT:     gpu.subgroup_mma
// CHECK:         memref.dealloc %[[PARTS]]
// NONE-LABEL: func.func @single(
func.func @single(%A: memref<70x1000xf32>, %B: memref<1000x72xf32>, %C: memref<70x72xf32>) {
  linalg.matmul ins(%A, %B : memref<70x1000xf32>, memref<1000x72xf32>) outs(%C : memref<70x72xf32>)
  return
}

// -----

// Many tiles of 128 x 128 elements, of which each subgroup makes 64 x 32: for 8 summands it reads 4 fragments of rows and 2 of
// columns, 6 for 8 products, where in a tile of 64 x 64 it reads 3 for 2. Two times 16 summands are on their way.
// CHECK-LABEL: func.func @huge(
// CHECK:         gpu.launch
// CHECK-SAME:      workgroup(%[[AS:[a-z0-9]+]] : memref<128x36xf32, #gpu.address_space<workgroup>>, %[[BS:[a-z0-9]+]] : memref<32x136xf32, #gpu.address_space<workgroup>>)
// CHECK:         scf.for %{{.*}} step %c32
// CHECK-COUNT-4:   gpu.subgroup_mma_load_matrix %[[AS]]
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[BS]]
// CHECK-NOT:       gpu.subgroup_mma_load_matrix
// CHECK-COUNT-8:   gpu.subgroup_mma_compute
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK-COUNT-4:   gpu.subgroup_mma_load_matrix %[[AS]]
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[BS]]
// CHECK-COUNT-24:  gpu.subgroup_mma_compute
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK:           scf.yield
// CHECK:         scf.for %{{.*}} step %c16
// CHECK-COUNT-16:  gpu.subgroup_mma_compute
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK:           scf.yield
// CHECK-COUNT-64: gpu.subgroup_mma_extract_thread_local
// CHECK-NOT:     gpu.subgroup_mma_extract_thread_local
// CHECK:         gpu.terminator
// NONE-LABEL: func.func @huge(
func.func @huge(%A: memref<1280x64xf32>, %B: memref<64x1280xf32>, %C: memref<1280x1280xf32>) {
  linalg.matmul ins(%A, %B : memref<1280x64xf32>, memref<64x1280xf32>) outs(%C : memref<1280x1280xf32>)
  return
}

// -----

// Of 1024 x 1024 elements there are too few such tiles, but enough of 128 x 64, of which each subgroup makes 32 x 32. A multiprocessor
// makes one at a time, so that four times 16 summands, 12 elements of a thread each, are on their way while there are as many. Rows
// of the second factor lie along the sum as well, so that its fragments are transposed.
// CHECK-LABEL: func.func @big(
// CHECK:         gpu.launch
// CHECK-SAME:      in (%{{[a-z0-9]+}} = %c128,
// CHECK-SAME:      workgroup(%[[AS:[a-z0-9]+]] : memref<128x36xf32, #gpu.address_space<workgroup>>, %[[BS:[a-z0-9]+]] : memref<64x36xf32, #gpu.address_space<workgroup>>)
// CHECK:         scf.for %{{.*}} step %c64
// CHECK-COUNT-4:   gpu.barrier
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[AS]][{{.*}} {alignment = 16 : i64, leadDimension = 36 : index} :
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[BS]][{{.*}} {alignment = 16 : i64, leadDimension = 36 : index, transpose} :
// CHECK-COUNT-4:   gpu.subgroup_mma_compute {{.*}} {b_transpose} :
// CHECK-NOT:       gpu.barrier
// CHECK:         scf.for %{{.*}} step %c16
// CHECK-COUNT-3:   vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-8:   gpu.subgroup_mma_compute
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK:         scf.for %{{.*}} step %c16
// CHECK-NOT:       vector.load
// CHECK-COUNT-8:   gpu.subgroup_mma_compute
// CHECK-NOT:       gpu.subgroup_mma_compute
// CHECK:         gpu.terminator
// NONE-LABEL: func.func @big(
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @big(%A: memref<1024x300xf32>, %B: memref<1024x300xf32>, %C: memref<1024x1024xf32>) {
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<1024x300xf32>, memref<1024x300xf32>) outs(%C : memref<1024x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Factors of f16 are added up in f32; the body has product and sum in any order.
// CHECK-LABEL: func.func @half(
// CHECK:         workgroup(%{{.*}} : memref<64x40xf16, {{.*}}, %{{.*}} : memref<64x40xf16, {{.*}}) {
// CHECK-NOT:     arith.bitcast
// CHECK-COUNT-8: gpu.subgroup_mma_compute {{.*}} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NOT:     gpu.subgroup_mma_compute
// NONE-LABEL: func.func @half(
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @half(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<64x64xf16>, memref<64x64xf16>) outs(%C : memref<64x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %y = arith.extf %b : f16 to f32
    %x = arith.extf %a : f16 to f32
    %p = arith.mulf %y, %x : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Those of bf16 are numbers of TF32, and are made such when they are put into shared memory.
// CHECK-LABEL: func.func @brain(
// CHECK:         workgroup(%{{.*}} : memref<64x36xf32, {{.*}}, %{{.*}} : memref<64x36xf32, {{.*}}) {
// CHECK:         arith.extf {{.*}} : bf16 to f32
// CHECK-COUNT-16: gpu.subgroup_mma_compute {{.*}} : !gpu.mma_matrix<16x8xf32, "AOp">, !gpu.mma_matrix<8x16xf32, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
// CHECK-NOT:     gpu.subgroup_mma_compute
// NONE-LABEL: func.func @brain(
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @brain(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>, %C: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<64x64xbf16>, memref<64x64xbf16>) outs(%C : memref<64x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %y = arith.extf %b : bf16 to f32
    %x = arith.extf %a : bf16 to f32
    %p = arith.mulf %y, %x : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A tile of 128 x 32 has 4 x 2 subgroups, so that each makes 32 x 16 elements and reads few rows and columns for them.
// CHECK-LABEL: func.func @tall(
// CHECK:         gpu.launch
// CHECK-SAME:      workgroup(%[[AS:[a-z0-9]+]] : memref<128x36xf64, #gpu.address_space<workgroup>>, %[[BS:[a-z0-9]+]] : memref<32x36xf64, #gpu.address_space<workgroup>>)
// CHECK:         scf.for
// CHECK:           gpu.barrier
// CHECK-COUNT-4:   gpu.subgroup_mma_load_matrix %[[AS]]
// CHECK-COUNT-2:   gpu.subgroup_mma_load_matrix %[[BS]]
// CHECK-COUNT-8:   gpu.subgroup_mma_compute
// CHECK:           scf.yield
// F64-LABEL: func.func @tall(
// F64-COUNT-64: gpu.subgroup_mma_compute
// NONE-LABEL: func.func @tall(
func.func @tall(%A: memref<1000x32xf64>, %B: memref<32x32xf64>, %C: memref<1000x32xf64>) {
  linalg.matmul ins(%A, %B : memref<1000x32xf64>, memref<32x32xf64>) outs(%C : memref<1000x32xf64>)
  return
}

// -----

// Not on tensor cores: something else than a product, a square, a product that is rounded before it is added, factors of
// two types, integers, and small tiles (which are of a kind that could).
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     gpu.subgroup_mma
// CHECK:         return
// NONE-LABEL: func.func @others(
#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
func.func @others(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>, %D: memref<64x64xf16>, %E: memref<64x64xi32>,
                  %X: memref<64x12xf64>, %Y: memref<12x12xf64>) {
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.subf %a, %b : f32
    %p = arith.mulf %d, %d : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%D, %D : memref<64x64xf16>, memref<64x64xf16>) outs(%C : memref<64x64xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %p = arith.mulf %a, %b : f16
    %x = arith.extf %p : f16 to f32
    %s = arith.addf %c, %x : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#ik, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%D, %A : memref<64x64xf16>, memref<64x64xf32>) outs(%C : memref<64x64xf32>) {
  ^bb0(%a: f16, %b: f32, %c: f32):
    %x = arith.extf %a : f16 to f32
    %p = arith.mulf %x, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  linalg.matmul ins(%E, %E : memref<64x64xi32>, memref<64x64xi32>) outs(%E : memref<64x64xi32>)
  linalg.matmul ins(%X, %Y : memref<64x12xf64>, memref<12x12xf64>) outs(%X : memref<64x12xf64>)
  return
}
