// What loops and branches carry is row-major, unless it may be a slice of another array: what they begin with and what they
// yield passes through an operation that says so.
// RUN: ad-opt %s --lower-known-layouts | FileCheck %s
// RUN: sed "/^\/\/ What blocks take/,$ d" %s | ad-opt --lower-known-layouts --one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops=1" --canonicalize --cse --canonicalize | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @loop(
// CHECK: %[[X:.*]] = soac.row_major %arg0 : tensor<?xf64>
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (tensor<?xf64>)
// CHECK: %[[E:.*]] = scf.if
// CHECK: %[[B:.*]] = tensor.insert %{{.*}} into %[[A]]
// CHECK: %[[C:.*]] = soac.row_major %[[B]]
// CHECK: scf.yield %[[C]]
// CHECK: %[[D:.*]] = soac.row_major %[[A]]
// CHECK: scf.yield %[[D]]
// CHECK: %[[F:.*]] = soac.row_major %[[E]]
// CHECK: scf.yield %[[F]]
// BUFFERS-LABEL: func.func @loop(
// BUFFERS-NOT: memref.copy
// BUFFERS-LABEL: func.func @counted(
func.func @loop(%x: tensor<?xf64>, %n: index, %v: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf64> {
    %less = arith.cmpi slt, %i, %c1 : index
    %b = scf.if %less -> tensor<?xf64> {
      %c = tensor.insert %v into %a[%i] : tensor<?xf64>
      scf.yield %c : tensor<?xf64>
    } else {
      scf.yield %a : tensor<?xf64>
    }
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// Numbers are carried as they are.
// CHECK-LABEL: func.func @counted(
// CHECK: %[[X:.*]] = soac.row_major %arg0
// CHECK: scf.while (%[[A:.*]] = %[[X]], %[[I:.*]] = %arg1)
// CHECK: %[[B:.*]] = soac.row_major %[[A]]
// CHECK: scf.condition(%{{.*}}) %[[B]], %[[I]]
// CHECK: ^bb0(%[[C:.*]]: tensor<?xf64>, %[[J:.*]]: index):
// CHECK: %[[D:.*]] = soac.row_major
// CHECK: scf.yield %[[D]], %{{.*}} : tensor<?xf64>, index
func.func @counted(%x: tensor<?xf64>, %n: index, %v: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %x, %i = %n) : (tensor<?xf64>, index) -> (tensor<?xf64>, index) {
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %a, %i : tensor<?xf64>, index
  } do {
  ^bb0(%a: tensor<?xf64>, %i: index):
    %j = arith.subi %i, %c1 : index
    %b = tensor.insert %v into %a[%j] : tensor<?xf64>
    scf.yield %b, %j : tensor<?xf64>, index
  }
  return %r#0 : tensor<?xf64>
}

// A row that is filled in its place, in an inner loop, is a slice; the array that it is a part of is not. No copy is made.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[X:.*]] = soac.row_major %arg0
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK: %[[ROW:.*]] = tensor.extract_slice %[[A]]
// CHECK-NOT: soac.row_major
// CHECK: scf.for {{.*}} iter_args(%[[B:.*]] = %[[ROW]])
// CHECK-NOT: soac.row_major
// CHECK: %[[FULL:.*]] = tensor.insert_slice
// CHECK: %[[C:.*]] = soac.row_major %[[FULL]]
// CHECK: scf.yield %[[C]]
// BUFFERS-LABEL: func.func @rows(
// BUFFERS-NOT: memref.copy
func.func @rows(%x: tensor<?x?xf64>, %n: index, %m: index, %v: f64) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x?xf64> {
    %row = tensor.extract_slice %a[%i, 0] [1, %m] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %full = scf.for %j = %c0 to %m step %c1 iter_args(%b = %row) -> tensor<?xf64> {
      %c = tensor.insert %v into %b[%j] : tensor<?xf64>
      scf.yield %c : tensor<?xf64>
    }
    %d = tensor.insert_slice %full into %a[%i, 0] [1, %m] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %d : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// Who writes later copies, as without the operation: nothing is copied in front of the rare case.
// BUFFERS-LABEL: func.func @rarely(
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.if %arg3
// BUFFERS: memref.copy
// BUFFERS: else
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @rarely(%x: tensor<?xf64> {bufferization.writable = false}, %y: tensor<?xf64> {bufferization.writable = false}, %p: i1, %rare: i1, %v: f64, %i: index) -> f64 {
  %b = scf.if %p -> tensor<?xf64> {
    scf.yield %x : tensor<?xf64>
  } else {
    scf.yield %y : tensor<?xf64>
  }
  %d = scf.if %rare -> tensor<?xf64> {
    %c = tensor.insert %v into %b[%i] : tensor<?xf64>
    scf.yield %c : tensor<?xf64>
  } else {
    scf.yield %b : tensor<?xf64>
  }
  %w = tensor.extract %d[%i] : tensor<?xf64>
  return %w : f64
}

// What blocks take, what has a layout of its own, and memory of another kind is left alone.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: soac.row_major
// CHECK: return
func.func @others(%x: tensor<8xf64> {bufferization.buffer_layout = strided<[2]>}, %c: i1, %v: f64) -> (tensor<8xf64>, tensor<8xf64>, tensor<8xf64>) {
  %other = bufferization.alloc_tensor() {memory_space = 3} : tensor<8xf64>
  cf.br ^next(%x : tensor<8xf64>)
^next(%y: tensor<8xf64>):
  %a = scf.if %c -> tensor<8xf64> {
    scf.yield %x : tensor<8xf64>
  } else {
    scf.yield %x : tensor<8xf64>
  }
  %b = scf.if %c -> tensor<8xf64> {
    scf.yield %y : tensor<8xf64>
  } else {
    scf.yield %y : tensor<8xf64>
  }
  %d = scf.if %c -> tensor<8xf64> {
    scf.yield %other : tensor<8xf64>
  } else {
    scf.yield %other : tensor<8xf64>
  }
  return %a, %b, %d : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
}
