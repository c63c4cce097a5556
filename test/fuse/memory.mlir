// What reads memory in its body does not move behind what writes there, nor in front of it; what does not may move to it.
// RUN: ad-opt %s --ad-fuse | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.y.npy '<f8' '(3,)' 0.5 0.25 0.75
// RUN: ad-opt run %s --entry=behind --input=%t.y.npy >%t.cpu
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.cpu
// RUN: ad-opt run %s --entry=behind --input=%t.y.npy --target=gpu-emulate >%t.gpu
// RUN: FileCheck %s --check-prefix=VALUES --input-file=%t.gpu
// RUN: ad-opt run %s --entry=front --input=%t.y.npy | FileCheck %s --check-prefix=FRONT

// The sine of half of each element, and not that of zero.
// VALUES: [0.2474039{{[0-9]+}}, 0.1246747{{[0-9]+}}, 0.3662725{{[0-9]+}}]

// CHECK-LABEL: func.func @behind(
// CHECK: soac.map
// CHECK:   memref.load
// CHECK:   math.sin
// CHECK-NOT: soac.map
// CHECK: linalg.fill
// CHECK-NOT: soac.map
// CHECK: return
func.func @behind(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %w = memref.alloc() : memref<1xf64>
  memref.store %half, %w[%c0] : memref<1xf64>
  %t = soac.map ins(%x : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %v = memref.load %w[%c0] : memref<1xf64>
    %e = arith.mulf %v, %y : f64
    soac.yield %e : f64
  }
  linalg.fill ins(%zero : f64) outs(%w : memref<1xf64>)
  %s = soac.map ins(%t : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %e = math.sin %y : f64
    soac.yield %e : f64
  }
  memref.dealloc %w : memref<1xf64>
  return %s : tensor<?xf64>
}

// Two maps over the same array: the second one reads what is written between them.
// FRONT: [1.0, 0.5, 1.5]
// FRONT-NEXT: [1.5, 0.75, 2.25]
// CHECK-LABEL: func.func @front(
// CHECK: soac.map
// CHECK: memref.store
// CHECK: soac.map
func.func @front(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %w = memref.alloc() : memref<1xf64>
  memref.store %two, %w[%c0] : memref<1xf64>
  %s = soac.map ins(%x : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %v = memref.load %w[%c0] : memref<1xf64>
    %e = arith.mulf %v, %y : f64
    soac.yield %e : f64
  }
  memref.store %three, %w[%c0] : memref<1xf64>
  %t = soac.map ins(%x : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %v = memref.load %w[%c0] : memref<1xf64>
    %e = arith.mulf %v, %y : f64
    soac.yield %e : f64
  }
  memref.dealloc %w : memref<1xf64>
  return %s, %t : tensor<?xf64>, tensor<?xf64>
}

// Where nothing is written in between, the two are one.
// CHECK-LABEL: func.func @one(
// CHECK: soac.map
// CHECK:   memref.load
// CHECK:   math.sin
// CHECK-NOT: soac.map
// CHECK: return
func.func @one(%x: tensor<?xf64>, %w: memref<1xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %t = soac.map ins(%x : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %v = memref.load %w[%c0] : memref<1xf64>
    %e = arith.mulf %v, %y : f64
    soac.yield %e : f64
  }
  %s = soac.map ins(%t : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
    %e = math.sin %y : f64
    soac.yield %e : f64
  }
  return %s : tensor<?xf64>
}
