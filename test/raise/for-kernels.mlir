// The outermost parallel loops of the host are such that kernels are made of; those inside of them, and in functions that they
// call, stay, and so do those whose iterations do something beside their results. With operators without a neutral element they
// are loops.
// RUN: ad-opt %s --split-input-file --pass-pipeline='builtin.module(raise-to-soac{for-kernels=1})' | FileCheck %s

// CHECK-LABEL: func.func @stores(
// CHECK: scf.forall (%[[I:.*]], %[[J:.*]]) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) {
// CHECK:   scf.parallel
// CHECK:   call @inside
// CHECK: }
// CHECK: return
// CHECK: func.func private @inside(
// CHECK: scf.parallel
func.func @stores(%x: memref<?x?xf64>, %n: index, %m: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%n, %m) step (%s, %c1) {
    scf.parallel (%k) = (%c0) to (%j) step (%c1) {
      %a = memref.load %x[%i, %k] : memref<?x?xf64>
      %b = math.exp %a : f64
      memref.store %b, %x[%i, %k] : memref<?x?xf64>
    }
    func.call @inside(%x, %i) : (memref<?x?xf64>, index) -> ()
  }
  return
}
func.func private @inside(%x: memref<?x?xf64>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.parallel (%j) = (%c0) to (%i) step (%c1) {
    memref.store %zero, %x[%i, %j] : memref<?x?xf64>
  }
  return
}

// -----

// CHECK-LABEL: func.func @sums(
// CHECK: soac.map
// CHECK: soac.reduce
// CHECK: scf.parallel
// CHECK: scf.for
func.func @sums(%x: tensor<?xf64>, %y: memref<?xf64>, %n: index) -> (f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    scf.reduce(%a : f64) {
    ^bb0(%p: f64, %q: f64):
      %s = arith.addf %p, %q : f64
      scf.reduce.return %s : f64
    }
  }
  %stored = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    memref.store %a, %y[%i] : memref<?xf64>
    scf.reduce(%a : f64) {
    ^bb0(%p: f64, %q: f64):
      %s = arith.addf %p, %q : f64
      scf.reduce.return %s : f64
    }
  }
  %other = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
    %a = tensor.extract %x[%i] : tensor<?xf64>
    scf.reduce(%a : f64) {
    ^bb0(%p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      %s = math.absf %t : f64
      scf.reduce.return %s : f64
    }
  }
  return %r, %stored, %other : f64, f64, f64
}

// -----

// CHECK-LABEL: func.func @others(
// CHECK-NOT: tensor.gather
// CHECK-NOT: linalg.softmax
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @others(%u: tensor<?x4xf64>, %at: tensor<?x1xindex>, %x: tensor<?x?xf64>, %n: index)
    -> (tensor<?x4xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %g = tensor.gather %u[%at] gather_dims([0]) : (tensor<?x4xf64>, tensor<?x1xindex>) -> tensor<?x4xf64>
  %s = linalg.softmax dimension(0) ins(%x : tensor<?x?xf64>) outs(%x : tensor<?x?xf64>) -> tensor<?x?xf64>
  %v = tensor.empty(%n) : tensor<?xf64>
  %p = tensor.pad %v low[1] high[1] {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %a = tensor.extract %x[%c0, %i] : tensor<?x?xf64>
    tensor.yield %a : f64
  } : tensor<?xf64> to tensor<?xf64>
  return %g, %s, %p : tensor<?x4xf64>, tensor<?x?xf64>, tensor<?xf64>
}
