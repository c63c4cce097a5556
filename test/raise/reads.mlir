// Loops that go through buffers, and write none, read what these held in front of them: they are sums and arrays like those of loops
// that never saw a buffer (F45), and keep nothing on tapes. What looks elements up stays, and what is in another loop.
// RUN: ad-opt %s --raise-to-soac=loops=any-order | FileCheck %s
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=TAPES
// RUN: ad-opt %s --convert-scf-to-cf --ad-differentiate -o %t.blocks.mlir
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// RUN: %{random} %t.x.npy '<f8' '(9,)' -1 1 1 && %{random} %t.y.npy '<f8' '(9,)' -1 1 2
// DEFINE: %{entry} = dot_gradient
// DEFINE: %{n} = 9
// DEFINE: %{inputs} = --entry=%{entry} --input=%t.x.npy --input=%t.y.npy --input=%{n}
// DEFINE: %{compare} = %python %S/../bench/Inputs/compare.py
// DEFINE: %{same} = ad-opt run %t.blocks.mlir %{inputs} > %t.blocks && ad-opt run %s %{inputs} > %t.cpu && ad-opt run %s %{inputs} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %{compare} %t.blocks %t.cpu 1e-14 && %{compare} %t.cpu %t.gpu 1e-14
// RUN: %{same}
// REDEFINE: %{entry} = overwritten_gradient
// RUN: %{same}
// REDEFINE: %{entry} = rows_gradient
// RUN: %{same}
// REDEFINE: %{entry} = search_gradient
// RUN: %{same}
// REDEFINE: %{n} = 0
// REDEFINE: %{entry} = dot_gradient
// RUN: %{same}

// CHECK-LABEL: func.func @dot(
// CHECK: bufferization.alloc_tensor() copy
// CHECK: soac.map
// CHECK: soac.reduce
// CHECK-NOT: scf.for
// CHECK: return
func.func @dot(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %a = memref.load %x[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf64>
    %sin = math.sin %a : f64
    %p = arith.mulf %sin, %b : f64
    %t = arith.addf %s, %p : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// What is read is what was there before something else is written: x, and then nothing of it.
func.func @overwritten(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %sum = func.call @dot(%x, %y, %n) : (memref<?xf64>, memref<?xf64>, index) -> f64
  memref.store %sum, %x[%c0] : memref<?xf64>
  memref.store %sum, %y[%c0] : memref<?xf64>
  %again = func.call @dot(%x, %y, %n) : (memref<?xf64>, memref<?xf64>, index) -> f64
  return %again : f64
}

// CHECK-LABEL: func.func @rows(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.load
// CHECK: return
func.func @rows(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.for %i = %c0 to %n step %c1 {
    %sum = scf.for %j = %c0 to %i step %c1 iter_args(%s = %zero) -> f64 {
      %a = memref.load %x[%j] : memref<?xf64>
      %t = arith.addf %s, %a : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%i] : memref<?xf64>
  }
  %last = memref.load %y[%c0] : memref<?xf64>
  return %last : f64
}

// CHECK-LABEL: func.func @search(
// CHECK: scf.for
// CHECK: memref.load
// CHECK: return
func.func @search(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %at, %found = scf.for %i = %c0 to %c3 step %c1 iter_args(%k = %n, %s = %zero) -> (index, f64) {
    %half = arith.divui %k, %c3 : index
    %a = memref.load %x[%half] : memref<?xf64>
    %square = arith.mulf %a, %a : f64
    %t = arith.addf %s, %square : f64
    scf.yield %half, %t : index, f64
  }
  return %found : f64
}

// TAPES-LABEL: func.func @dot_gradient
// TAPES-NOT: ad.tape
// TAPES-LABEL: func.func @overwritten_gradient
// TAPES-NOT: ad.tape
// TAPES-LABEL: func.func @rows_gradient
func.func @dot_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (f64, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %f = ad.vjp @dot(%x_m, %y_m, %n) seed(%half, %x_bar_m, %y_bar_m)
      : (memref<?xf64>, memref<?xf64>, index), (f64, memref<?xf64>, memref<?xf64>) -> (f64)
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %f, %x_bar_t, %y_bar_t : f64, tensor<?xf64>, tensor<?xf64>
}

func.func @overwritten_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (f64, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %f = ad.vjp @overwritten(%x_m, %y_m, %n) seed(%half, %x_bar_m, %y_bar_m)
      : (memref<?xf64>, memref<?xf64>, index), (f64, memref<?xf64>, memref<?xf64>) -> (f64)
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %f, %x_bar_t, %y_bar_t : f64, tensor<?xf64>, tensor<?xf64>
}

func.func @rows_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (f64, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %f = ad.vjp @rows(%x_m, %y_m, %n) seed(%half, %x_bar_m, %y_bar_m)
      : (memref<?xf64>, memref<?xf64>, index), (f64, memref<?xf64>, memref<?xf64>) -> (f64)
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %f, %x_bar_t, %y_bar_t : f64, tensor<?xf64>, tensor<?xf64>
}

func.func @search_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (f64, tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f64
  %size = tensor.dim %x, %c0 : tensor<?xf64>
  %x_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %x_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %y_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %x_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %y in restrict writable %x_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %y_bar_m = memref.alloc(%size) : memref<?xf64>
  bufferization.materialize_in_destination %x in restrict writable %y_bar_m : (tensor<?xf64>, memref<?xf64>) -> ()
  %f = ad.vjp @search(%x_m, %y_m, %n) seed(%half, %x_bar_m, %y_bar_m)
      : (memref<?xf64>, memref<?xf64>, index), (f64, memref<?xf64>, memref<?xf64>) -> (f64)
  %x_bar_t = bufferization.to_tensor %x_bar_m restrict : memref<?xf64> to tensor<?xf64>
  %y_bar_t = bufferization.to_tensor %y_bar_m restrict : memref<?xf64> to tensor<?xf64>
  return %f, %x_bar_t, %y_bar_t : f64, tensor<?xf64>, tensor<?xf64>
}
