// Every buffer that a run allocates is freed, but for the results.
// RUN: ad-opt %s --ad-bufferize | FileCheck %s

// The loop carries a new array in each iteration: the old one is freed there.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: memref.dealloc
// CHECK: scf.yield
func.func @carried(%x: tensor<?xf64>, %t: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %last = arith.subi %n, %c1 : index
  %is = soac.iota %n : tensor<?xindex>
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%y = %x) -> tensor<?xf64> {
    %z = soac.map ins(%is : tensor<?xindex>) (%k: index) -> tensor<?xf64> {
      %l = arith.subi %last, %k : index
      %a = tensor.extract %y[%k] : tensor<?xf64>
      %b = tensor.extract %y[%l] : tensor<?xf64>
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    scf.yield %z : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @workspace
// CHECK: %[[W:[a-z0-9_]+]] = memref.alloc
// CHECK: memref.dealloc %[[W]]
// CHECK: return
func.func @workspace(%x: tensor<?xf64>) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %e = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = math.exp %a : f64
    soac.yield %b : f64
  }
  %s = soac.reduce ins(%e : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  %w = soac.map ins(%e : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %b = arith.divf %a, %s : f64
    soac.yield %b : f64
  }
  %m = soac.reduce ins(%w : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.maximumf %a, %b : f64
    soac.yield %c : f64
  }
  return %s, %m : f64, f64
}
