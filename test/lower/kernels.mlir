// From what ad-map-to-gpu leaves to kernels over buffers, with their launches.
// RUN: ad-opt %s --pass-pipeline='builtin.module(ad-map-to-gpu,ad-lower-to-kernels)' > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=gpu.launch_func --implicit-check-not=gpu.module
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=BARRIERS
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(2, 3)' 1 2 3 4 5 6
// RUN: ad-opt run %s --entry=sums --input=%t.npy --target=gpu-emulate | FileCheck %s --check-prefix=VALUES

// VALUES: [6.0, 15.0]
// VALUES-NEXT: 21.0

// A kernel for the rows, one that adds them in blocks, and one for what the blocks have. The host allocates, launches and
// frees; it reads one element, as a copy from the device.
// CHECK-LABEL: func.func private @sums.on_device(
// CHECK-SAME: %[[XSS:[a-z0-9]+]]: memref<?x3xf64>
// CHECK: %[[YS:.*]] = gpu.alloc (%{{.*}}) : memref<?xf64>
// CHECK-NOT: scf.
// CHECK: gpu.launch_func{{ +}}@[[ROWS:.*]]::@{{.*}} blocks in (%{{.*}}, %c1, %c1) threads in (%c256, %c1, %c1) args(%[[XSS]] : memref<?x3xf64>, %[[YS]] : memref<?xf64>)
// CHECK: %[[PARTS:.*]] = gpu.alloc
// CHECK: gpu.launch_func{{ +}}@[[BLOCKS:.*]]::@{{.*}} blocks in ({{.*}}) threads in (%c256, %c1, %c1) args(%[[COUNT:.*]] : index, %{{[a-z0-9_]+}} : index, %[[YS]] : memref<?xf64>, %{{[a-z0-9_]+}} : index, %[[PARTS]] : memref<?xf64>)
// CHECK: %[[ONE:.*]] = gpu.alloc () : memref<1xf64>
// CHECK: gpu.launch_func{{ +}}@[[LAST:.*]]::@{{.*}} blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%[[COUNT]] : index, %[[PARTS]] : memref<?xf64>, %[[ONE]] : memref<1xf64>)
// CHECK: memref.extract_aligned_pointer_as_index %[[ONE]]
// CHECK: call @mgpuMemcpy(
// CHECK: %[[SUM:.*]] = memref.load %[[SLOT:.*]][]
// CHECK-DAG: gpu.dealloc %[[PARTS]]
// CHECK-DAG: gpu.dealloc %[[ONE]]
// CHECK: return %[[YS]], %[[SUM]]

// CHECK: gpu.module @[[ROWS]] attributes
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %thread_id_x
// CHECK: scf.if
// CHECK: %[[XS:.*]] = memref.subview %{{.*}}[%[[I]], 0] [1, 3] [1, 1]
// CHECK: scf.for
// CHECK: memref.load %[[XS]]
// CHECK: gpu.module @[[BLOCKS]] attributes
// CHECK: workgroup(%{{.*}} : memref<8xf64, #gpu.address_space<workgroup>>) kernel
// CHECK: gpu.module @[[LAST]] attributes

// One before and one after what the subgroups leave is combined; the rows need none.
// BARRIERS: gpu.module
// BARRIERS-NOT: gpu.barrier
// BARRIERS: gpu.module
// BARRIERS-COUNT-2: gpu.barrier
// BARRIERS-NOT: gpu.barrier
// BARRIERS: gpu.return
func.func @sums(%xss: tensor<?x3xf64>) -> (tensor<?xf64>, f64) {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%xss : tensor<?x3xf64>) (%xs: tensor<3xf64>) -> tensor<?xf64> {
    %y = soac.reduce ins(%xs : tensor<3xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    soac.yield %y : f64
  }
  %sum = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %ys, %sum : tensor<?xf64>, f64
}
