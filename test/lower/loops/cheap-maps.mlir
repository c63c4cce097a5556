// A map that picks elements or does a little arithmetic runs in the loop of each of its readers;
// others are stored once.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f8' '(2, 2)' 1 2 3 4
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0, 2)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.v.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=columns --input=%t.x.npy | FileCheck %s --check-prefix=COLUMNS
// RUN: ad-opt run %s --entry=columns --input=%t.x0.npy | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=branch --input=%t.v.npy --input=true | FileCheck %s --check-prefix=BRANCH
// RUN: ad-opt run %s --entry=expensive --input=%t.v.npy | FileCheck %s --check-prefix=EXPENSIVE

// Two loops, which read the rows.
// CHECK-LABEL: func.func @columns
// CHECK: scf.for {{.*}} -> (f64)
// CHECK:   tensor.extract
// CHECK: tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: scf.for {{.*}} -> (f64, tensor<?xf64>)
// CHECK-NOT: scf.for
// CHECK: return
// COLUMNS: 14.0
// COLUMNS: [2.0, 6.0]
// NONE: 0.0
// NONE: []
func.func @columns(%xss: tensor<?x2xf64>) -> (f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %a:2 = soac.map ins(%xss : tensor<?x2xf64>) (%xs: tensor<2xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
    %x = tensor.extract %xs[%c0] : tensor<2xf64>
    %y = tensor.extract %xs[%c1] : tensor<2xf64>
    soac.yield %x, %y : f64, f64
  }
  %p = soac.map ins(%a#0, %a#1 : tensor<?xf64>, tensor<?xf64>) (%x: f64, %y: f64) -> tensor<?xf64> {
    %z = arith.mulf %x, %y : f64
    soac.yield %z : f64
  }
  %s = soac.reduce ins(%p : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %sums = soac.scan ins(%a#1 : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s, %sums : f64, tensor<?xf64>
}

// A reader in a branch: nothing is stored in front of it.
// CHECK-LABEL: func.func @branch
// CHECK-NOT: tensor.empty
// CHECK: scf.for {{.*}} -> (f64)
// CHECK:   arith.mulf
// CHECK: scf.if
// CHECK-NOT: tensor.empty
// CHECK:   scf.for {{.*}} -> (f64)
// CHECK:     arith.mulf
// CHECK: return
// BRANCH: 14.0
// BRANCH: 36.0
func.func @branch(%xs: tensor<?xf64>, %too: i1) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %squares = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %s = arith.mulf %x, %x : f64
    soac.yield %s : f64
  }
  %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %product = scf.if %too -> f64 {
    %p = soac.reduce ins(%squares : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
      %t = arith.mulf %l, %r : f64
      soac.yield %t : f64
    }
    scf.yield %p : f64
  } else {
    scf.yield %one : f64
  }
  return %sum, %product : f64, f64
}

// CHECK-LABEL: func.func @expensive
// CHECK: scf.for {{.*}} -> (tensor<?xf64>, f64)
// CHECK: math.exp
// CHECK: arith.addf
// CHECK-NOT: math.exp
// CHECK: scf.for {{.*}} -> (f64, tensor<?xf64>)
// CHECK-NOT: scf.for
// CHECK: return
// EXPENSIVE: 30.19287485
// EXPENSIVE: [2.71828{{.*}}, 10.10733{{.*}}, 30.19287{{.*}}]
func.func @expensive(%xs: tensor<?xf64>) -> (f64, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %a = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    soac.yield %e : f64
  }
  %s = soac.reduce ins(%a : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %sums = soac.scan ins(%a : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  return %s, %sums : f64, tensor<?xf64>
}
