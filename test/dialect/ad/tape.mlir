// Tapes print as they parse, and stock passes keep what is done with them in order [Z15].
// RUN: ad-opt %s | ad-opt | FileCheck %s
// RUN: ad-opt %s --mlir-print-op-generic | ad-opt | FileCheck %s
// RUN: ad-opt %s --emit-bytecode | ad-opt | FileCheck %s
// RUN: ad-opt %s --cse --loop-invariant-code-motion --ad-hoist --cse --sccp | FileCheck %s

// CHECK-LABEL: func.func @entries(
// CHECK: %[[T:.*]] = ad.tape_create : !ad.tape<f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>>
// CHECK: ad.tape_push %[[T]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !ad.tape<f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>>
// CHECK: %{{.*}}:6 = ad.tape_pop %[[T]] : !ad.tape<f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>>
// CHECK: ad.tape_free %[[T]] : !ad.tape<f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>>
func.func @entries(%x: f64, %b: i1, %i: index, %c: complex<f32>, %v: vector<4xf64>, %a: tensor<?x3xf64>)
    -> (f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>) {
  %t = ad.tape_create : !ad.tape<f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>>
  ad.tape_push %t, %x, %b, %i, %c, %v, %a : !ad.tape<f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>>
  %r:6 = ad.tape_pop %t : !ad.tape<f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>>
  ad.tape_free %t : !ad.tape<f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>>
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : f64, i1, index, complex<f32>, vector<4xf64>, tensor<?x3xf64>
}

// Two entries that look the same are two; the handle may go anywhere.
// CHECK-LABEL: func.func @order(
// CHECK-SAME: %[[T:.*]]: !ad.tape<f64>
// CHECK: scf.for
// CHECK-NEXT: ad.tape_push %[[T]], %{{.*}} : !ad.tape<f64>
// CHECK-NEXT: ad.tape_push %[[T]], %{{.*}} : !ad.tape<f64>
// CHECK-NEXT: }
// CHECK: call @order(
// CHECK-NEXT: %[[A:.*]] = ad.tape_pop %[[T]] : !ad.tape<f64>
// CHECK-NEXT: %[[B:.*]] = ad.tape_pop %[[T]] : !ad.tape<f64>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @order(%t: !ad.tape<f64>, %x: f64, %n: index) -> (f64, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    ad.tape_push %t, %x : !ad.tape<f64>
    ad.tape_push %t, %x : !ad.tape<f64>
  }
  %u:2 = call @order(%t, %x, %n) : (!ad.tape<f64>, f64, index) -> (f64, f64)
  %a = ad.tape_pop %t : !ad.tape<f64>
  %b = ad.tape_pop %t : !ad.tape<f64>
  return %a, %b : f64, f64
}

// After bufferisation the type of the tape is as it was.
// CHECK-LABEL: func.func @buffers(
// CHECK: ad.tape_push %[[T:.*]], %{{.*}}, %{{.*}} : !ad.tape<index, tensor<?xf64>>, index, memref<?xf64, strided<[2]>>
// CHECK: %{{.*}}:2 = ad.tape_pop %[[T]] : !ad.tape<index, tensor<?xf64>>, index, memref<?xf64>
func.func @buffers(%t: !ad.tape<index, tensor<?xf64>>, %i: index, %a: memref<?xf64, strided<[2]>>) -> (index, memref<?xf64>) {
  ad.tape_push %t, %i, %a : !ad.tape<index, tensor<?xf64>>, index, memref<?xf64, strided<[2]>>
  %j, %b = ad.tape_pop %t : !ad.tape<index, tensor<?xf64>>, index, memref<?xf64>
  return %j, %b : index, memref<?xf64>
}

// A tape that keeps nothing.
// CHECK-LABEL: func.func @nothing(
// CHECK-SAME: %[[T:.*]]: !ad.tape<>
// CHECK: ad.tape_push %[[T]] : !ad.tape<>
// CHECK: ad.tape_pop %[[T]] : !ad.tape<>
func.func @nothing(%t: !ad.tape<>) {
  ad.tape_push %t : !ad.tape<>
  ad.tape_pop %t : !ad.tape<>
  return
}
