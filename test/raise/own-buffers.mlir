// Loops in order over buffers that a function is given become maps where these share no memory (F45): because all that calls the
// function, or asks for its derivative, hands it what it has allocated, or because the function says so by `llvm.noalias`. They
// stay loops where two may be one, or a seed is a buffer that is handed over, too.
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt %s --convert-scf-to-cf --ad-differentiate -o %t.loops.mlir
// RUN: %python %S/../bench/Inputs/random_npy.py %t.1.npy '<f8' '(9,)' -1 1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.2.npy '<f8' '(9,)' -1 1 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.3.npy '<f8' '(9,)' -1 1 3
// RUN: %python %S/../bench/Inputs/random_npy.py %t.4.npy '<f8' '(9,)' -1 1 4
// DEFINE: %{entry} =
// DEFINE: %{inputs} = --entry=%{entry} --input=%t.1.npy --input=%t.2.npy --input=%t.3.npy --input=%t.4.npy --input=9
// DEFINE: %{same} = ad-opt run %t.loops.mlir %{inputs} > %t.loops && ad-opt run %s %{inputs} > %t.cpu && ad-opt run %s %{inputs} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.loops %t.cpu 1e-14 && %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-14
// REDEFINE: %{entry} = own_gradient
// RUN: %{same}
// REDEFINE: %{entry} = own_tangent
// RUN: %{same}
// REDEFINE: %{entry} = one_gradient
// RUN: %{same}
// REDEFINE: %{entry} = seed_gradient
// RUN: %{same}
// REDEFINE: %{entry} = declared_gradient
// RUN: %{same}
// REDEFINE: %{entry} = called_gradient
// RUN: %{same}

func.func private @own(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c1 to %m step %c1 {
    %l = arith.subi %i, %c1 : index
    %r = arith.addi %i, %c1 : index
    %x = memref.load %a[%l] : memref<?xf64>
    %y = memref.load %a[%r] : memref<?xf64>
    %z = arith.mulf %y, %x : f64
    memref.store %z, %b[%i] : memref<?xf64>
  }
  return
}

// Also called with one buffer for both.
func.func private @one(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %l = arith.subi %i, %c1 : index
    %x = memref.load %a[%l] : memref<?xf64>
    %y = math.sin %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  return
}

// Its seeds are one buffer.
func.func private @seed(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %l = arith.subi %i, %c1 : index
    %x = memref.load %a[%l] : memref<?xf64>
    %y = math.sin %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  return
}

func.func private @declared(%a: memref<?xf64>, %b: memref<?xf64> {llvm.noalias}, %n: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %l = arith.subi %i, %c1 : index
    %x = memref.load %a[%l] : memref<?xf64>
    %y = math.sin %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  return
}

// Called by another function, which does not know.
func.func private @called(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %l = arith.subi %i, %c1 : index
    %x = memref.load %a[%l] : memref<?xf64>
    %y = math.sin %x : f64
    memref.store %y, %b[%i] : memref<?xf64>
  }
  return
}

func.func @calls(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) {
  func.call @called(%a, %b, %n) : (memref<?xf64>, memref<?xf64>, index) -> ()
  return
}

// CHECK-LABEL: func.func private @own.vjp_0_1(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK:         soac.map
// CHECK:         return
// CHECK-LABEL: func.func private @own.jvp_0_1(
// CHECK-NOT:     scf.for
// CHECK:         soac.map
// CHECK:         return
// CHECK-LABEL: func.func private @one.vjp_0_1(
// CHECK-NOT:     soac.map
// CHECK:         return
// CHECK-LABEL: func.func private @seed.vjp_0_1(
// CHECK-NOT:     soac.map
// CHECK:         return
// CHECK-LABEL: func.func private @declared.vjp_0_1(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK:         soac.map
// CHECK:         return
// CHECK-LABEL: func.func private @called.vjp_0_1(
// CHECK-NOT:     soac.map
// CHECK:         return

func.func @own_gradient(%xa: tensor<?xf64>, %xb: tensor<?xf64>, %xda: tensor<?xf64>, %xdb: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?xf64>, memref<?xf64>) -> ()
  %b = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?xf64>, memref<?xf64>) -> ()
  %da = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?xf64>, memref<?xf64>) -> ()
  %db = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @own(%a, %b, %n) seed(%da, %db) : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?xf64> to tensor<?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?xf64> to tensor<?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?xf64> to tensor<?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?xf64> to tensor<?xf64>
  return %ya, %yb, %yda, %ydb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @own_tangent(%xa: tensor<?xf64>, %xb: tensor<?xf64>, %xda: tensor<?xf64>, %xdb: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?xf64>, memref<?xf64>) -> ()
  %b = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?xf64>, memref<?xf64>) -> ()
  %da = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?xf64>, memref<?xf64>) -> ()
  %db = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.jvp @own(%a, %b, %n) seed(%da, %db) : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?xf64> to tensor<?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?xf64> to tensor<?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?xf64> to tensor<?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?xf64> to tensor<?xf64>
  return %ya, %yb, %yda, %ydb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @one_gradient(%xa: tensor<?xf64>, %xb: tensor<?xf64>, %xda: tensor<?xf64>, %xdb: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?xf64>, memref<?xf64>) -> ()
  %b = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?xf64>, memref<?xf64>) -> ()
  %da = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?xf64>, memref<?xf64>) -> ()
  %db = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @one(%a, %a, %n) seed(%da, %da) : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  ad.vjp @one(%a, %b, %n) seed(%da, %db) : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?xf64> to tensor<?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?xf64> to tensor<?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?xf64> to tensor<?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?xf64> to tensor<?xf64>
  return %ya, %yb, %yda, %ydb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @seed_gradient(%xa: tensor<?xf64>, %xb: tensor<?xf64>, %xda: tensor<?xf64>, %xdb: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?xf64>, memref<?xf64>) -> ()
  %b = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?xf64>, memref<?xf64>) -> ()
  %da = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?xf64>, memref<?xf64>) -> ()
  %db = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @seed(%a, %b, %n) seed(%da, %da) : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?xf64> to tensor<?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?xf64> to tensor<?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?xf64> to tensor<?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?xf64> to tensor<?xf64>
  return %ya, %yb, %yda, %ydb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @declared_gradient(%xa: tensor<?xf64>, %xb: tensor<?xf64>, %xda: tensor<?xf64>, %xdb: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?xf64>, memref<?xf64>) -> ()
  %b = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?xf64>, memref<?xf64>) -> ()
  %da = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?xf64>, memref<?xf64>) -> ()
  %db = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?xf64>, memref<?xf64>) -> ()
  %is_large = arith.cmpi sgt, %n, %n : index
  %chosen = arith.select %is_large, %b, %a : memref<?xf64>
  ad.vjp @declared(%chosen, %b, %n) seed(%da, %db) : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?xf64> to tensor<?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?xf64> to tensor<?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?xf64> to tensor<?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?xf64> to tensor<?xf64>
  return %ya, %yb, %yda, %ydb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

func.func @called_gradient(%xa: tensor<?xf64>, %xb: tensor<?xf64>, %xda: tensor<?xf64>, %xdb: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?xf64>, memref<?xf64>) -> ()
  %b = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?xf64>, memref<?xf64>) -> ()
  %da = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?xf64>, memref<?xf64>) -> ()
  %db = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?xf64>, memref<?xf64>) -> ()
  ad.vjp @called(%a, %b, %n) seed(%da, %db) : (memref<?xf64>, memref<?xf64>, index), (memref<?xf64>, memref<?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?xf64> to tensor<?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?xf64> to tensor<?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?xf64> to tensor<?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?xf64> to tensor<?xf64>
  return %ya, %yb, %yda, %ydb : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}
