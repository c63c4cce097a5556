// Nests of loops that are not perfect are a loop for each of their parts before they become maps (F45, F49), as long as no part
// needs what another one does in other iterations: products of matrices that begin with zeros, layers with a bias and an activation.
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
// REDEFINE: %{entry} = product_gradient
// RUN: %{same}
// REDEFINE: %{entry} = layer_gradient
// RUN: %{same}
// REDEFINE: %{entry} = layer_tangent
// RUN: %{same}
// REDEFINE: %{entry} = parallel_gradient
// RUN: %{same}
// REDEFINE: %{entry} = hoisted_gradient
// RUN: %{same}
// REDEFINE: %{entry} = changed_gradient
// RUN: %{same}
// REDEFINE: %{entry} = rows_before_gradient
// RUN: %{same}
// REDEFINE: %{entry} = read_late_gradient
// RUN: %{same}
// REDEFINE: %{n} = 0
// REDEFINE: %{entry} = layer_gradient
// RUN: %{same}
// REDEFINE: %{n} = 1
// REDEFINE: %{entry} = product_gradient
// RUN: %{same}
// REDEFINE: %{entry} = parallel_gradient
// RUN: %{same}

// A product of matrices that begins with zeros, and becomes one in tiles, with two for the derivative.
// CHECK-LABEL: func.func @product_gradient(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK-COUNT-3: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         return
func.func private @product(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      affine.store %zero, %c[%i, %j] : memref<?x?xf64>
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

// A layer: a bias, a sum, an activation, of numbers that all parts need; a nest in a nest in a nest.
// CHECK-LABEL: func.func @layer_gradient(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK:         math.tanh
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK:         return
func.func private @layer(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %bias = memref.load %b[%c0, %j] : memref<?x?xf64>
      %double = arith.addf %bias, %bias : f64
      memref.store %double, %c[%i, %j] : memref<?x?xf64>
      scf.for %k = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %y = memref.load %b[%k, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %old = memref.load %c[%i, %j] : memref<?x?xf64>
        %new = arith.addf %old, %p : f64
        memref.store %new, %c[%i, %j] : memref<?x?xf64>
      }
      %sum = memref.load %c[%i, %j] : memref<?x?xf64>
      %t = math.tanh %sum : f64
      %u = arith.mulf %t, %double : f64
      memref.store %u, %c[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// What a parallel loop runs in order.
// CHECK-LABEL: func.func @parallel_gradient(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK-COUNT-2: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         return
func.func private @parallel(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    %w = memref.load %b[%i, %j] : memref<?x?xf64>
    %v = math.sin %w : f64
    memref.store %v, %c[%j, %i] : memref<?x?xf64>
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.load %a[%k, %i] : memref<?x?xf64>
      %y = memref.load %b[%k, %j] : memref<?x?xf64>
      %p = arith.mulf %x, %y : f64
      %old = memref.load %c[%j, %i] : memref<?x?xf64>
      %new = arith.addf %old, %p : f64
      memref.store %new, %c[%j, %i] : memref<?x?xf64>
    }
    scf.reduce
  }
  return
}

// What the innermost loop needs is read in front of it.
// CHECK-LABEL: func.func @hoisted_gradient(
// CHECK-NOT:     {{scf.for|cf.br}}
// CHECK-COUNT-3: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:         return
func.func private @hoisted(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %k] : memref<?x?xf64>
      %d = arith.addf %x, %x : f64
      scf.for %j = %c0 to %n step %c1 {
        %y = memref.load %b[%k, %j] : memref<?x?xf64>
        %p = arith.mulf %d, %y : f64
        %old = memref.load %c[%i, %j] : memref<?x?xf64>
        %new = arith.addf %old, %p : f64
        memref.store %new, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// The innermost loop changes what was read in front of it.
// CHECK-LABEL: func.func @changed_gradient(
// CHECK:         cf.br
func.func private @changed(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i, %c1] : memref<?x?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %y = memref.load %b[%i, %j] : memref<?x?xf64>
      %p = arith.mulf %x, %y : f64
      memref.store %p, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// The second part reads what the first one writes in other iterations, before it does: in order.
// CHECK-LABEL: func.func @rows_before_gradient(
// CHECK:         cf.br
func.func private @rows_before(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %m step %c1 {
    %x = memref.load %b[%c0, %i] : memref<?x?xf64>
    %y = math.sin %x : f64
    memref.store %y, %a[%c0, %i] : memref<?x?xf64>
    %r = arith.addi %i, %c1 : index
    scf.for %j = %c0 to %n step %c1 {
      %z = memref.load %a[%c0, %r] : memref<?x?xf64>
      %w = memref.load %b[%i, %j] : memref<?x?xf64>
      %p = arith.mulf %z, %w : f64
      memref.store %p, %c[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// A number that is read before a part overwrites it, and needed behind.
// CHECK-LABEL: func.func @read_late_gradient(
// CHECK:         cf.br
func.func private @read_late(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%c0, %i] : memref<?x?xf64>
    %y = math.sin %x : f64
    memref.store %y, %a[%c0, %i] : memref<?x?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %w = memref.load %b[%i, %j] : memref<?x?xf64>
      %p = arith.mulf %x, %w : f64
      memref.store %p, %c[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

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

func.func @layer_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
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
  ad.vjp @layer(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @layer_tangent(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
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
  ad.jvp @layer(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @parallel_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
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
  ad.vjp @parallel(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @hoisted_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
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
  ad.vjp @hoisted(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @changed_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
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
  ad.vjp @changed(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @rows_before_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
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
  ad.vjp @rows_before(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}

func.func @read_late_gradient(%xa: tensor<?x?xf64>, %xb: tensor<?x?xf64>, %xc: tensor<?x?xf64>, %xda: tensor<?x?xf64>, %xdb: tensor<?x?xf64>, %xdc: tensor<?x?xf64>, %n: index) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {
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
  ad.vjp @read_late(%a, %b, %c, %n) seed(%da, %db, %dc) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>, index), (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()
  %ya = bufferization.to_tensor %a restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yb = bufferization.to_tensor %b restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yc = bufferization.to_tensor %c restrict : memref<?x?xf64> to tensor<?x?xf64>
  %yda = bufferization.to_tensor %da restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydb = bufferization.to_tensor %db restrict : memref<?x?xf64> to tensor<?x?xf64>
  %ydc = bufferization.to_tensor %dc restrict : memref<?x?xf64> to tensor<?x?xf64>
  return %ya, %yb, %yc, %yda, %ydb, %ydc : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
}
