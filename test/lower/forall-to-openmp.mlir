// Outermost loops with one dimension run on threads; the others are left for upstream.
// RUN: ad-opt %s --lower-forall-to-openmp=threads=4 | FileCheck %s
// RUN: ad-opt %s --lower-forall-to-openmp | FileCheck %s --check-prefix=ONE
// RUN: ad-opt %s --pass-pipeline='builtin.module(lower-forall-to-openmp{threads=4},ad-lower-buffers-to-llvm)' | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// ONE-NOT: omp.
// IR: call void {{.*}}@__kmpc_fork_call
// IR: define internal void @loops..omp_par

// CHECK-LABEL: func.func @loops(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK: omp.parallel num_threads(%[[FOUR]] : i32) {
// CHECK-NEXT: omp.wsloop nowait {
// CHECK-NEXT: omp.loop_nest (%[[T:.*]]) : index = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[T]]]
// CHECK: scf.forall
// CHECK: omp.yield
// CHECK: omp.terminator
// There is nothing to start for one iteration.
// CHECK: %[[MANY:.*]] = arith.cmpi sgt, %[[N]], %{{.*}}
// CHECK-NEXT: scf.if %[[MANY]] {
// CHECK: omp.parallel num_threads(
// CHECK: } else {
// CHECK-NEXT: scf.forall (%{{.*}}) in (%[[N]])
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (4, 4)
// CHECK-NOT: omp.
func.func @loops(%n: index, %out: memref<?xf64>) {
  %one = arith.constant 1.0 : f64
  scf.forall (%t) in (4) {
    memref.store %one, %out[%t] : memref<?xf64>
    scf.forall (%u) in (4) {
      memref.store %one, %out[%u] : memref<?xf64>
    }
  }
  scf.forall (%t) in (%n) {
    memref.store %one, %out[%t] : memref<?xf64>
  }
  scf.forall (%t, %u) in (4, 4) {
    memref.store %one, %out[%u] : memref<?xf64>
  }
  return
}
