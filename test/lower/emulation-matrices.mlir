// Matrices of subgroups become vectors of the elements that each lane has, loads and stores accesses of these, and products
// calls at which the lanes meet.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-gpu-to-emulation,canonicalize,cse)' --split-input-file --verify-diagnostics | FileCheck %s --implicit-check-not=gpu.
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-gpu-to-emulation{races=1})' --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=RACES

// CHECK-LABEL: func.func private @kernels.product(
// CHECK-SAME:    %[[THREAD:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: memref<16x20xf32>, %[[Y:[a-z0-9]+]]: memref<16x24xf32>
// CHECK:         %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// Two factors and sums of a thread: 16 x 8, 8 x 16 and 16 x 16 elements are divided by 32.
// CHECK-DAG:     %[[A:.*]] = memref.alloca() : memref<4xf32>
// CHECK-DAG:     %[[B:.*]] = memref.alloca() : memref<4xf32>
// CHECK-DAG:     %[[C:.*]] = memref.alloca() : memref<8xf32>
// CHECK:         %[[LANE:.*]] = call @ad_emulate_lane(%[[THREAD]])
// CHECK:         %[[SUMS:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZEROS]]) -> (vector<8xf32>)
// The lane's row in 8 of them, and its column in 4; the first factor is transposed in memory.
// CHECK:           %[[ROW:.*]] = arith.divui %[[LANE]], %c4
// CHECK:           %[[COLUMN:.*]] = arith.remui %[[LANE]], %c4
// CHECK-DAG:       %[[BELOW:.*]] = arith.addi %[[ROW]], %c8
// CHECK-DAG:       %[[BESIDE:.*]] = arith.addi %[[COLUMN]], %c4
// CHECK:           memref.load %[[X]][%[[COLUMN]], %[[ROW]]]
// CHECK:           memref.load %[[X]][%[[COLUMN]], %[[BELOW]]]
// CHECK:           memref.load %[[X]][%[[BESIDE]], %[[ROW]]]
// CHECK:           memref.load %[[X]][%[[BESIDE]], %[[BELOW]]]
// CHECK-COUNT-4:   memref.load %[[X]]
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[A]][
// CHECK-COUNT-4:   memref.store %{{.*}}, %[[B]][
// CHECK-COUNT-8:   memref.store %{{.*}}, %[[C]][
// CHECK-DAG:       %[[AT_A:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK-DAG:       %[[AT_B:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK-DAG:       %[[AT_C:.*]] = memref.extract_aligned_pointer_as_index %[[C]]
// CHECK:           call @ad_emulate_multiply(%[[THREAD]], %[[AT_A]], %[[AT_B]], %[[AT_C]], %c1_i32, %c0)
// CHECK-COUNT-8:   memref.load %[[C]][
// CHECK:           %[[NEXT:.*]] = vector.from_elements
// CHECK:           scf.yield %[[NEXT]] : vector<8xf32>
// CHECK-COUNT-8: memref.store %{{.*}}, %[[Y]][
// CHECK:         func.func private @kernels.product.launch({{.*}}) attributes {ad.barriers,

// RACES-LABEL:   func.func private @kernels.product(
// RACES-COUNT-16: call @ad_emulate_access
// RACES-NOT:     call @ad_emulate_access
module attributes {gpu.container_module} {
  func.func @main(%x: memref<16x20xf32>, %y: memref<16x24xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<16x20xf32>, %y : memref<16x24xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @product(%x: memref<16x20xf32>, %y: memref<16x24xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %zeros = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
      %sums = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zeros) -> !gpu.mma_matrix<16x16xf32, "COp"> {
        %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 20 : index, transpose} : memref<16x20xf32> -> !gpu.mma_matrix<16x8xf32, "AOp">
        %b = gpu.subgroup_mma_load_matrix %x[%c8, %c0] {leadDimension = 20 : index} : memref<16x20xf32> -> !gpu.mma_matrix<8x16xf32, "BOp">
        %next = gpu.subgroup_mma_compute %a, %b, %sum {a_transpose} : !gpu.mma_matrix<16x8xf32, "AOp">, !gpu.mma_matrix<8x16xf32, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
        scf.yield %next : !gpu.mma_matrix<16x16xf32, "COp">
      }
      gpu.subgroup_mma_store_matrix %sums, %y[%c0, %c0] {leadDimension = 24 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x24xf32>
      gpu.return
    }
  }
}

// -----

// Rows that are not those of the buffer.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @skewed(%x: memref<16x20xf64>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @+1 {{is of a form whose elements cannot be shared out}}
      %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 40 : index} : memref<16x20xf64> -> !gpu.mma_matrix<8x8xf64, "COp">
      gpu.subgroup_mma_store_matrix %a, %x[%c0, %c0] {leadDimension = 20 : index} : !gpu.mma_matrix<8x8xf64, "COp">, memref<16x20xf64>
      gpu.return
    }
  }
}

// -----

// A shape that only other hardware has.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @large(%x: memref<32x32xf16>) kernel {
      %c0 = arith.constant 0 : index
      %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      %b = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
      %c = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 32 : index} : memref<32x32xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
      // expected-error @+1 {{is of a form whose elements cannot be shared out}}
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
      gpu.subgroup_mma_store_matrix %d, %x[%c0, %c0] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16>
      gpu.return
    }
  }
}

// -----

// How a factor was read is said twice, since it lies in the registers accordingly.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @forgotten(%x: memref<16x16xf32>) kernel {
      %c0 = arith.constant 0 : index
      %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index, transpose} : memref<16x16xf32> -> !gpu.mma_matrix<16x8xf32, "AOp">
      %b = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<8x16xf32, "BOp">
      %c = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
      // expected-error @+1 {{is of a form whose elements cannot be shared out}}
      %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x8xf32, "AOp">, !gpu.mma_matrix<8x16xf32, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
      gpu.subgroup_mma_store_matrix %d, %x[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
      gpu.return
    }
  }
}

// -----

// Fewer elements than there are lanes.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @small(%x: memref<4x4xf64>) kernel {
      %c0 = arith.constant 0 : index
      // expected-error @+1 {{is of a form whose elements cannot be shared out}}
      %a = gpu.subgroup_mma_load_matrix %x[%c0, %c0] {leadDimension = 4 : index} : memref<4x4xf64> -> !gpu.mma_matrix<4x4xf64, "COp">
      gpu.subgroup_mma_store_matrix %a, %x[%c0, %c0] {leadDimension = 4 : index} : !gpu.mma_matrix<4x4xf64, "COp">, memref<4x4xf64>
      gpu.return
    }
  }
}
