// What is between two maps does not keep them apart: operations on the elements of arrays, and the
// body of a with_acc.
// RUN: ad-opt %s --ad-fuse --canonicalize --cse | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' --vary=1
// RUN: %python %S/../driver/Inputs/npy.py %t.m.npy '<f8' '(2,3)' --vary=2
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f4' '(1,)' 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: ad-opt check %s --entry=elements --input=%t.x.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=elements --input=%t.x0.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=sums --input=%t.x.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=matrices --input=%t.m.npy --input=%t.m.npy
// RUN: ad-opt check %s --entry=accumulated --input=%t.x.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=accumulated --input=%t.x0.npy --input=%t.x0.npy
// RUN: ad-opt check %s --entry=start --input=%t.x.npy
// RUN: ad-opt check %s --entry=single --input=%t.x1.npy

// CHECK-LABEL: func.func @elements(
// CHECK-COUNT-1: soac.map
// CHECK-NOT: soac.map
// CHECK: math.sin
// CHECK: arith.addf %{{.*}} : f64
// CHECK: math.exp
// CHECK: return
func.func @elements(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %a = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = math.sin %e : f64
    soac.yield %s : f64
  }
  %b = arith.addf %a, %y : tensor<?xf64>
  %c = soac.map ins(%b, %x : tensor<?xf64>, tensor<?xf64>) (%e: f64, %f: f64) -> tensor<?xf64> {
    %s = math.exp %e : f64
    %p = arith.mulf %s, %f : f64
    soac.yield %p : f64
  }
  return %c : tensor<?xf64>
}

// Copies of a number are stored nowhere: what reads them takes the number.
// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %{{.*}}: tensor<?xf64>, %[[S:.*]]: f64)
// CHECK-NOT: soac.replicate
// CHECK-COUNT-1: soac.map
// CHECK: arith.addf %{{.*}}, %[[S]] : f64
// CHECK: math.exp
// CHECK-NOT: soac.map
// CHECK: return
func.func @copies(%x: tensor<?xf64>, %s: f64) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %all = soac.replicate %s, %n : f64 -> tensor<?xf64>
  %sum = arith.addf %x, %all : tensor<?xf64>
  %y = soac.map ins(%sum : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %p = math.exp %e : f64
    soac.yield %p : f64
  }
  return %y : tensor<?xf64>
}

// What one combinator alone reads is made in its loop.
// CHECK-LABEL: func.func @reduced(
// CHECK: soac.map
// CHECK: arith.addf %{{.*}} : f64
// CHECK: soac.reduce
func.func @reduced(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = arith.addf %x, %y : tensor<?xf64>
  %r = soac.reduce ins(%sum : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %m = arith.maximumf %a, %b : f64
    soac.yield %m : f64
  }
  return %r : f64
}

// So does what the sum of a return sweep gets from one map, where the next map reads another result.
// CHECK-LABEL: func.func @sums(
// CHECK-COUNT-1: soac.map
// CHECK-NOT: soac.map
// CHECK: math.sin
// CHECK: math.cos
// CHECK: arith.addf %{{.*}} : f64
// CHECK: return
func.func @sums(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %a, %b = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> (tensor<?xf64>, tensor<?xf64>) {
    %s = math.sin %e : f64
    %p = arith.mulf %s, %e : f64
    soac.yield %s, %p : f64, f64
  }
  %sum = arith.addf %y, %b : tensor<?xf64>
  %c, %d = soac.map ins(%a : tensor<?xf64>) (%e: f64) -> (tensor<?xf64>, tensor<?xf64>) {
    %s = math.cos %e : f64
    %p = arith.mulf %s, %e : f64
    soac.yield %s, %p : f64, f64
  }
  %total = arith.addf %sum, %d : tensor<?xf64>
  return %c, %total : tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @matrices(
// CHECK-COUNT-2: soac.map
// CHECK-NOT: soac.map
// CHECK: arith.mulf %{{.*}} : f64
// CHECK: return
func.func @matrices(%x: tensor<2x3xf64>, %y: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %a = soac.map ins(%x : tensor<2x3xf64>) (%row: tensor<3xf64>) -> tensor<2x3xf64> {
    %new = soac.map ins(%row : tensor<3xf64>) (%e: f64) -> tensor<3xf64> {
      %s = math.sin %e : f64
      soac.yield %s : f64
    }
    soac.yield %new : tensor<3xf64>
  }
  %b = arith.mulf %y, %a : tensor<2x3xf64>
  return %b : tensor<2x3xf64>
}

// CHECK-LABEL: func.func @accumulated(
// CHECK: soac.with_acc
// CHECK-COUNT-1: soac.map
// CHECK-NOT: soac.map
// CHECK: return
func.func @accumulated(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %last = arith.subi %n, %n : index
  %a = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = math.sin %e : f64
    soac.yield %s : f64
  }
  %sums = soac.with_acc ins(%y : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %done = soac.map ins(%a, %is : tensor<?xf64>, tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%e: f64, %i: index, %inner: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %at = arith.addi %i, %last : index
      %p = arith.mulf %e, %e : f64
      %new = soac.update_acc %inner[%at], %p : !soac.acc<tensor<?xf64>>, f64
      soac.yield %new : !soac.acc<tensor<?xf64>>
    }
    soac.yield %done : !soac.acc<tensor<?xf64>>
  }
  return %sums : tensor<?xf64>
}

// The array that is accumulated into is not read in between.
// CHECK-LABEL: func.func @start(
// CHECK: soac.map
// CHECK: soac.with_acc
// CHECK: soac.map
// CHECK: return
func.func @start(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %is = soac.iota %n : tensor<?xindex>
  %a = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = math.sin %e : f64
    soac.yield %s : f64
  }
  %sums = soac.with_acc ins(%x : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> tensor<?xf64> {
    %done = soac.map ins(%a, %is : tensor<?xf64>, tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%e: f64, %i: index, %inner: !soac.acc<tensor<?xf64>>) -> !soac.acc<tensor<?xf64>> {
      %p = arith.mulf %e, %e : f64
      %new = soac.update_acc %inner[%i], %p : !soac.acc<tensor<?xf64>>, f64
      soac.yield %new : !soac.acc<tensor<?xf64>>
    }
    soac.yield %done : !soac.acc<tensor<?xf64>>
  }
  return %sums : tensor<?xf64>
}

// CHECK-LABEL: func.func @single(
// CHECK-COUNT-1: soac.map
// CHECK-NOT: soac.map
// CHECK: return
func.func @single(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = soac.map ins(%x : tensor<?xf32>) (%e: f32) -> tensor<?xf32> {
    %s = math.sin %e : f32
    soac.yield %s : f32
  }
  %b = math.exp %a : tensor<?xf32>
  return %b : tensor<?xf32>
}
