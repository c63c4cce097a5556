// For kernels, structured operations on buffers become such on tensors: what is written is known behind that, until something may
// write there again, and buffers that nobody reads any more are gone.
// RUN: ad-opt %s --raise-to-soac=for-kernels --canonicalize --cse | FileCheck %s
//
// The values of the CPU on an emulated GPU, in two launches each: a sum of many threads, and one kernel for a chain of operations and
// one for the copy of what is returned. Buffers that are only read are not copied back.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(1000,)' -1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.y.npy '<f8' '(1000,)' -1 1 2
// DEFINE: %{entry} = dot
// DEFINE: %{to_host} = DOT
// DEFINE: %{run} = ad-opt run %s --entry=%{entry} --input=%t.x.npy --input=%t.y.npy
// DEFINE: %{both} = %{run} > %t.cpu && %{run} --target=gpu-emulate --repeat=1 > %t.gpu 2> %t.report && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13 && FileCheck %s --check-prefix=%{to_host} < %t.report
// RUN: %{both}
// REDEFINE: %{entry} = chain
// REDEFINE: %{to_host} = CHAIN
// RUN: %{both}
// DOT:   "launches":2,{{.*}}"to_host_bytes":8}
// CHAIN: "launches":2,{{.*}}"to_host_bytes":16000}

#here = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @dot(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64>, %[[Y:[a-z0-9]+]]: memref<?xf64>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[READ_X:.*]] = bufferization.to_tensor %[[X]] restrict
// CHECK:         %[[XS:.*]] = bufferization.alloc_tensor() copy(%[[READ_X]])
// CHECK:         %[[READ_Y:.*]] = bufferization.to_tensor %[[Y]] restrict
// CHECK:         %[[YS:.*]] = bufferization.alloc_tensor() copy(%[[READ_Y]])
// CHECK:         %[[SUM:.*]] = linalg.dot ins(%[[XS]], %[[YS]] : {{.*}}) outs(%{{.*}} : tensor<f64>) -> tensor<f64>
// CHECK:         %[[R:.*]] = tensor.extract %[[SUM]][]
// CHECK:         return %[[R]]
func.func @dot(%x: memref<?xf64>, %y: memref<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = memref.alloc() : memref<f64>
  memref.store %zero, %sum[] : memref<f64>
  linalg.dot ins(%x, %y : memref<?xf64>, memref<?xf64>) outs(%sum : memref<f64>)
  %r = memref.load %sum[] : memref<f64>
  memref.dealloc %sum : memref<f64>
  return %r : f64
}

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64>, %[[Y:[a-z0-9]+]]: memref<?xf64>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[SIN:.*]] = linalg.map { math.sin } {{.*}} outs(%{{.*}} : tensor<?xf64>)
// CHECK:         %[[MUL:.*]] = linalg.mul ins(%[[SIN]], %{{.*}} :
// CHECK:         %[[EXP:.*]] = linalg.map { math.exp } ins(%[[MUL]] : tensor<?xf64>)
// CHECK:         bufferization.materialize_in_destination %[[EXP]] in restrict writable %[[Y]]
// CHECK:         return %[[Y]]
func.func @chain(%x: memref<?xf64>, %y: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  linalg.map { math.sin } ins(%x : memref<?xf64>) outs(%t : memref<?xf64>)
  linalg.mul ins(%t, %y : memref<?xf64>, memref<?xf64>) outs(%t : memref<?xf64>)
  linalg.map { math.exp } ins(%t : memref<?xf64>) outs(%y : memref<?xf64>)
  memref.dealloc %t : memref<?xf64>
  return %y : memref<?xf64>
}

// Something else may write to the buffer, or to one that may be the same: it is read again, and so behind a loop.
// CHECK-LABEL: func.func @written_between(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf64>, %[[Y:[a-z0-9]+]]: memref<?xf64>
// CHECK:         %[[SIN:.*]] = linalg.map { math.sin }
// CHECK:         bufferization.materialize_in_destination %[[SIN]] in restrict writable %[[Y]]
// CHECK:         memref.store %{{.*}}, %[[X]]
// CHECK:         %[[AGAIN:.*]] = bufferization.to_tensor %[[Y]] restrict
// CHECK:         %[[KEPT:.*]] = bufferization.alloc_tensor() copy(%[[AGAIN]])
// CHECK:         %[[COS:.*]] = linalg.map { math.cos } ins(%[[KEPT]] :
// CHECK:         bufferization.materialize_in_destination %[[COS]] in restrict writable %[[Y]]
// CHECK:         scf.for
// CHECK:           bufferization.to_tensor %[[Y]] restrict
// CHECK:           bufferization.materialize_in_destination %{{.*}} in restrict writable %[[Y]]
// CHECK:         bufferization.to_tensor %[[Y]] restrict
func.func @written_between(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  linalg.map { math.sin } ins(%x : memref<?xf64>) outs(%y : memref<?xf64>)
  memref.store %one, %x[%c0] : memref<?xf64>
  linalg.map { math.cos } ins(%y : memref<?xf64>) outs(%y : memref<?xf64>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.map { math.exp } ins(%y : memref<?xf64>) outs(%y : memref<?xf64>)
  }
  %r = bufferization.to_tensor %y restrict : memref<?xf64> to tensor<?xf64>
  return %r : tensor<?xf64>
}

// What a kernel of its own does with buffers stays.
// CHECK-LABEL: func.func @in_parallel(
// CHECK:         linalg.map { math.sin } ins(%{{.*}} : memref<
// CHECK-NOT:     to_tensor
// CHECK:         return
func.func @in_parallel(%x: memref<?x4xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %row = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf64> to memref<4xf64, strided<[1], offset: ?>>
    linalg.map { math.sin } ins(%row : memref<4xf64, strided<[1], offset: ?>>) outs(%row : memref<4xf64, strided<[1], offset: ?>>)
  }
  return
}

// Elements of what a buffer holds are those of the array, also in loops and branches that do not write there, and through views of
// all of it. Behind a loop that does, or where another part is shown, they are read.
// CHECK-LABEL: func.func @elements(
// CHECK-SAME: %[[X:arg[0-9]+]]: tensor<?xf64>, %[[N:arg[0-9]+]]: index
// CHECK-NOT: memref.load
// CHECK: scf.for
// CHECK: tensor.extract %[[X]]
// CHECK: scf.if
// CHECK: tensor.extract %[[X]]
// CHECK: scf.for
// CHECK: memref.load
// CHECK: memref.store
// CHECK: memref.load
// CHECK: return
func.func @elements(%x: tensor<?xf64>, %n: index, %c: i1) -> (f64, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %m = memref.alloc(%size) : memref<?xf64>
  %all = memref.subview %m[0] [%size] [%c1] : memref<?xf64> to memref<?xf64, strided<[?]>>
  bufferization.materialize_in_destination %x in restrict writable %all : (tensor<?xf64>, memref<?xf64, strided<[?]>>) -> ()
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %a = memref.load %m[%i] : memref<?xf64>
    %t = arith.addf %s, %a : f64
    scf.yield %t : f64
  }
  %first = scf.if %c -> f64 {
    %a = memref.load %m[%c0] : memref<?xf64>
    scf.yield %a : f64
  } else {
    scf.yield %zero : f64
  }
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %a = memref.load %m[%before] : memref<?xf64>
    memref.store %a, %m[%i] : memref<?xf64>
  }
  %last = memref.load %m[%c1] : memref<?xf64>
  return %sum, %first, %last, %zero : f64, f64, f64, f64
}

// CHECK-LABEL: func.func @part(
// CHECK: memref.load
// CHECK: return
func.func @part(%x: tensor<?xf64>, %size: index, %i: index) -> f64 {
  %m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %m : (tensor<?xf64>, memref<?xf64>) -> ()
  %part = memref.subview %m[1] [%i] [1] : memref<?xf64> to memref<?xf64, strided<[1], offset: 1>>
  %a = memref.load %part[%i] : memref<?xf64, strided<[1], offset: 1>>
  return %a : f64
}
