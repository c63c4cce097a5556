// The host makes all calls of functions that have kernels of their own, whatever loops they are in, and reads elements between
// them.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(4,)' 0.5 -1 2 0.25
// DEFINE: %{target} = cpu
// DEFINE: %{memory} = ad-opt run %s --entry=doubled --input=%t.npy --input=3 --target=%{target}
// DEFINE: %{recursive} = ad-opt run %s --entry=mapped --input=0.75 --input=3 --target=%{target}
// DEFINE: %{both} = %{memory} | FileCheck %s --check-prefix=MEMORY && %{recursive} | FileCheck %s --check-prefix=RECURSIVE
// RUN: %{both}
// REDEFINE: %{target} = gpu-emulate
// RUN: %{both}
// RUN: ad-opt %s --pass-pipeline='builtin.module(symbol-dce,ad-optimize,ad-make-kernels,ad-lower-to-kernels)' | FileCheck %s

// Twice 0.5, four times -1, eight times 2.
// MEMORY: {{^}}13.0{{$}}
// CHECK-LABEL: func.func @doubled(
// CHECK: scf.for
// CHECK: func.call @twice(
// CHECK: scf.yield
func.func @doubled(%x: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    func.call @twice(%x) : (memref<?xf64>) -> ()
    %t = memref.load %x[%i] : memref<?xf64>
    %s = arith.addf %a, %t : f64
    scf.yield %s : f64
  }
  return %r : f64
}
// CHECK-LABEL: func.func private @twice(
// CHECK: gpu.launch_func
func.func private @twice(%x: memref<?xf64>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf64>
  scf.parallel (%i) = (%c0) to (%d) step (%c1) {
    %v = memref.load %x[%i] : memref<?xf64>
    %w = arith.addf %v, %v : f64
    memref.store %w, %x[%i] : memref<?xf64>
  }
  return
}

// It calls itself in a map.
// RECURSIVE: {{^}}0.75{{$}}
func.func @mapped(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    scf.yield %x : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %is = tensor.from_elements %c0, %c1 : tensor<2xindex>
    %ys = soac.map ins(%is : tensor<2xindex>) (%i: index) -> tensor<2xf64> {
      %p = func.call @mapped(%x, %m) : (f64, index) -> f64
      soac.yield %p : f64
    }
    %a = tensor.extract %ys[%c0] : tensor<2xf64>
    scf.yield %a : f64
  }
  return %r : f64
}
