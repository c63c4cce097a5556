// An `scf.forall` that makes arrays and reads buffers, whose iterations reverse mode must not run again, is a loop [Z21].
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 0.3 -0.4 1.1 0.7
// RUN: ad-opt check %s --entry=squares --input=%t.x.npy
// RUN: ad-opt check %s --entry=local --input=%t.x.npy
// RUN: ad-opt check %s --entry=slope --input=%t.x.npy
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy | FileCheck %s
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --target=gpu-emulate | FileCheck %s
// The derivative of the squares of 0.3, -0.4, 1.1 and 0.7 is twice these.
// CHECK: [0.6, -0.8, 2.2, 1.4]

// The squares of what a buffer holds, which is freed.
func.func @squares(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %start = tensor.splat %zero[%n] : tensor<?xf64>
  %m = memref.alloc(%n) : memref<?xf64>
  bufferization.materialize_in_destination %xs in writable %m : (tensor<?xf64>, memref<?xf64>) -> ()
  %r = scf.forall (%i) in (%n) shared_outs(%o = %start) -> tensor<?xf64> {
    %x = memref.load %m[%i] : memref<?xf64>
    %y = arith.mulf %x, %x : f64
    %u = tensor.from_elements %y : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  memref.dealloc %m : memref<?xf64>
  return %r : tensor<?xf64>
}

// The same with a buffer of each iteration, and two results.
func.func @local(%xs: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %start = tensor.splat %zero[%n] : tensor<?xf64>
  %r:2 = scf.forall (%i) in (%n) shared_outs(%o = %start, %p = %start) -> (tensor<?xf64>, tensor<?xf64>) {
    %own = memref.alloca() : memref<1xf64>
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    memref.store %x, %own[%c0] : memref<1xf64>
    %a = memref.load %own[%c0] : memref<1xf64>
    %s = math.sin %a : f64
    memref.store %s, %own[%c0] : memref<1xf64>
    %b = memref.load %own[%c0] : memref<1xf64>
    %y = arith.mulf %a, %b : f64
    %u = tensor.from_elements %y : tensor<1xf64>
    %v = tensor.from_elements %b : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
      tensor.parallel_insert_slice %v into %p[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}

func.func @gradient(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?xf64>
  %ones = tensor.splat %one[%n] : tensor<?xf64>
  %r:2 = ad.vjp @squares(%xs) seed(%ones) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// Second order.
func.func @slope(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @squares(%xs) seed(%xs) : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
