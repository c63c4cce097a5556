// Hist and scatter update their destinations in the loop that carries them; a map
// that only they read runs in that loop, unless it calls functions: those take vectors in a loop of
// their own.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @hist
// CHECK-NOT: tensor.empty
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[H:.*]] = %{{.*}})
// CHECK:   %[[K:.*]] = tensor.extract %{{.*}}[%[[I]]]
// CHECK:   %[[V:.*]] = arith.mulf
// CHECK:   %[[INSIDE:.*]] = arith.cmpi ult, %[[K]]
// CHECK:   scf.if %[[INSIDE]]
// CHECK:     %[[OLD:.*]] = tensor.extract %[[H]][%[[K]]]
// CHECK:     %[[NEW:.*]] = arith.addf %[[OLD]], %[[V]]
// CHECK:     tensor.insert %[[NEW]] into %[[H]][%[[K]]]
// CHECK-NOT: scf.for
// CHECK: return
func.func @hist(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %w = arith.mulf %v, %v : f64
    soac.yield %w : f64
  }
  %h = soac.hist at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}

// A map that reads the destination runs before it is overwritten.
// CHECK-LABEL: func.func @swap
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK:   scf.if
// CHECK: return
func.func @swap(%is: tensor<?xindex>, %xs: tensor<?xf64>) -> tensor<?xf64> {
  %ws = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %x = tensor.extract %xs[%i] : tensor<?xf64>
    soac.yield %x : f64
  }
  %ys = soac.scatter at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%xs : tensor<?xf64>)
  return %ys : tensor<?xf64>
}

// Two indices, the second one an integer, and rows as elements.
// CHECK-LABEL: func.func @rows
// CHECK: arith.cmpi ult
// CHECK: arith.index_cast %{{.*}} : i32 to index
// CHECK: arith.cmpi ult
// CHECK: arith.andi
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}, 0] [1, 1, 2] [1, 1, 1]
func.func @rows(%is: tensor<?xindex>, %js: tensor<?xi32>, %vs: tensor<?x2xf64>,
    %xs: tensor<?x?x2xf64>) -> tensor<?x?x2xf64> {
  %ys = soac.scatter at(%is, %js : tensor<?xindex>, tensor<?xi32>) ins(%vs : tensor<?x2xf64>)
      into(%xs : tensor<?x?x2xf64>)
  return %ys : tensor<?x?x2xf64>
}

// CHECK-LABEL: func.func @functions
// CHECK: scf.for
// CHECK:   math.exp
// CHECK: scf.for
// CHECK-NOT: math.exp
// CHECK:   scf.if
// CHECK: return
func.func @functions(%is: tensor<?xindex>, %vs: tensor<?xf64>, %dest: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    %w = math.exp %v : f64
    soac.yield %w : f64
  }
  %h = soac.hist at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%dest : tensor<?xf64>)
      neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %h : tensor<?xf64>
}
