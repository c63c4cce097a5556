// Loops in order that add to elements of buffers that iterations share become accumulators, which become sums, products and
// histograms (F45, F49): a loss, the rows of a matrix, a product of matrices, bins. What is read beside, or written in between, is not
// taken for an addition.
// RUN: ad-opt %s --ad-optimize -o %t.mlir && FileCheck %s --input-file=%t.mlir
// RUN: ad-opt %s --lower-affine --convert-scf-to-cf --ad-differentiate -o %t.loops.mlir
// RUN: %python %S/../bench/Inputs/random_npy.py %t.1.npy '<f8' '(7, 7)' -1 1 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.2.npy '<f8' '(7, 7)' -1 1 2
// RUN: %python %S/../bench/Inputs/random_npy.py %t.3.npy '<f8' '(7, 7)' -1 1 3
// RUN: %python %S/../bench/Inputs/random_npy.py %t.4.npy '<f8' '(7, 7)' -1 1 4
// RUN: %python %S/../bench/Inputs/random_npy.py %t.5.npy '<f8' '(7, 7)' -1 1 5
// RUN: %python %S/../bench/Inputs/random_npy.py %t.6.npy '<f8' '(7, 7)' -1 1 6
// DEFINE: %{entry} =
// DEFINE: %{n} = 7
// DEFINE: %{inputs} = --entry=%{entry} --input=%t.1.npy --input=%t.2.npy --input=%t.3.npy --input=%t.4.npy --input=%t.5.npy --input=%t.6.npy --input=%{n}
// DEFINE: %{same} = ad-opt run %t.loops.mlir %{inputs} > %t.loops && ad-opt run %s %{inputs} > %t.cpu && ad-opt run %s %{inputs} --target=gpu-emulate > %t.gpu && \
// DEFINE:           %python %S/../bench/Inputs/compare.py %t.loops %t.cpu 1e-13 && %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
//
// REDEFINE: %{entry} = loss_gradient
// RUN: %{same}
// REDEFINE: %{entry} = loss_tangent
// RUN: %{same}
// REDEFINE: %{entry} = rows_gradient
// RUN: %{same}
// REDEFINE: %{entry} = rows_tangent
// RUN: %{same}
// REDEFINE: %{entry} = product_gradient
// RUN: %{same}
// REDEFINE: %{entry} = product_tangent
// RUN: %{same}
// REDEFINE: %{entry} = bins_gradient
// RUN: %{same}
// REDEFINE: %{entry} = bins_tangent
// RUN: %{same}
// REDEFINE: %{entry} = lost_gradient
// RUN: %{same}
// REDEFINE: %{entry} = read_beside_gradient
// RUN: %{same}
// REDEFINE: %{entry} = first_minus_gradient
// RUN: %{same}
// REDEFINE: %{n} = 0
// REDEFINE: %{entry} = loss_gradient
// RUN: %{same}
// REDEFINE: %{entry} = product_gradient
// RUN: %{same}
// REDEFINE: %{n} = 1
// REDEFINE: %{entry} = rows_gradient
// RUN: %{same}
// REDEFINE: %{entry} = bins_gradient
// RUN: %{same}

// A number in a buffer, to which each element adds.
func.func private @loss(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<f64>
  %zero = arith.constant 0.0 : f64
  memref.store %zero, %s[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %y = memref.load %b[%j, %i] : memref<?x?xf64>
      %d = arith.subf %x, %y : f64
      %q = arith.mulf %d, %d : f64
      %old = memref.load %s[] : memref<f64>
      %new = arith.addf %q, %old : f64
      memref.store %new, %s[] : memref<f64>
    }
  }
  %sum = memref.load %s[] : memref<f64>
  memref.store %sum, %c[%c0, %c0] : memref<?x?xf64>
  memref.dealloc %s : memref<f64>
  return
}

// A matrix by a vector, in the first column, subtracted.
func.func private @rows(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %old = memref.load %c[%i, %c0] : memref<?x?xf64>
      %x = memref.load %a[%i, %j] : memref<?x?xf64>
      %y = memref.load %b[%c1, %j] : memref<?x?xf64>
      %p = arith.mulf %x, %y : f64
      %new = arith.subf %old, %p : f64
      memref.store %new, %c[%i, %c0] : memref<?x?xf64>
    }
  }
  return
}

func.func private @product(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %n {
        %x = affine.load %a[%i, %k] : memref<?x?xf64>
        %y = affine.load %b[%k, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %old = affine.load %c[%i, %j] : memref<?x?xf64>
        %new = arith.addf %old, %p : f64
        affine.store %new, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// Bins that are computed, two additions to each.
func.func private @bins(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%c0, %i] : memref<?x?xf64>
    %y = memref.load %b[%c0, %i] : memref<?x?xf64>
    %p = arith.mulf %x, %y : f64
    %j = arith.remui %i, %c3 : index
    %old = memref.load %c[%c1, %j] : memref<?x?xf64>
    %new = arith.addf %old, %p : f64
    memref.store %new, %c[%c1, %j] : memref<?x?xf64>
    %e = math.exp %x : f64
    %old2 = memref.load %c[%c1, %j] : memref<?x?xf64>
    %new2 = arith.addf %old2, %e : f64
    memref.store %new2, %c[%c1, %j] : memref<?x?xf64>
  }
  return
}

// Two places that are the same: the second store forgets what the first one has added.
func.func private @lost(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%c0, %i] : memref<?x?xf64>
    %y = memref.load %b[%c0, %i] : memref<?x?xf64>
    %j = arith.remui %i, %c3 : index
    %i3 = arith.addi %i, %c3 : index
    %j3 = arith.remui %i3, %c3 : index
    %old = memref.load %c[%c1, %j] : memref<?x?xf64>
    %old3 = memref.load %c[%c1, %j3] : memref<?x?xf64>
    %new = arith.addf %old, %x : f64
    memref.store %new, %c[%c1, %j] : memref<?x?xf64>
    %new3 = arith.addf %old3, %y : f64
    memref.store %new3, %c[%c1, %j3] : memref<?x?xf64>
  }
  return
}

// A running sum, which others read.
func.func private @read_beside(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%c0, %i] : memref<?x?xf64>
    %old = memref.load %c[%c0, %c0] : memref<?x?xf64>
    %new = arith.addf %old, %x : f64
    memref.store %new, %c[%c0, %c0] : memref<?x?xf64>
    memref.store %new, %b[%c1, %i] : memref<?x?xf64>
  }
  return
}

// x - c[0, 0], which is no addition.
func.func private @first_minus(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%c0, %i] : memref<?x?xf64>
    %old = memref.load %c[%c0, %c0] : memref<?x?xf64>
    %new = arith.subf %x, %old : f64
    memref.store %new, %c[%c0, %c0] : memref<?x?xf64>
  }
  return
}

// CHECK-LABEL: func.func @loss_gradient(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK:         soac.reduce
// CHECK:         return
func.func @loss_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.vjp @loss(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @loss_tangent(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.jvp @loss(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// CHECK-LABEL: func.func @rows_gradient(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK:         arith.negf
// CHECK:         soac.reduce
// CHECK:         return
func.func @rows_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.vjp @rows(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @rows_tangent(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.jvp @rows(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// Three products of matrices.
// CHECK-LABEL: func.func @product_gradient(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK-COUNT-3: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         return
func.func @product_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.vjp @product(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @product_tangent(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.jvp @product(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// CHECK-LABEL: func.func @bins_gradient(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK:         soac.hist
// CHECK-NOT:     soac.hist
// CHECK:         return
func.func @bins_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.vjp @bins(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @bins_tangent(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.jvp @bins(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// CHECK-LABEL: func.func @lost_gradient(
// CHECK-NOT:     soac.
// CHECK:         cf.br
func.func @lost_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.vjp @lost(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// CHECK-LABEL: func.func @read_beside_gradient(
// CHECK-NOT:     soac.
// CHECK:         cf.br
func.func @read_beside_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.vjp @read_beside(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

// CHECK-LABEL: func.func @first_minus_gradient(
// CHECK-NOT:     soac.
// CHECK:         cf.br
func.func @first_minus_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
  %seven = arith.constant 7 : index
  %a = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xa in restrict writable %a : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %b = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xb in restrict writable %b : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %c = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xc in restrict writable %c : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %da = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xda in restrict writable %da : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %db = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdb in restrict writable %db : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  %dc = memref.alloc(%seven, %seven) : memref<?x?xf64>
  bufferization.materialize_in_destination %xdc in restrict writable %dc : (tensor<?x?xf64>, memref<?x?xf64>) -> ()
  ad.vjp @first_minus(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
