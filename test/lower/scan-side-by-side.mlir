// Results of a scan that are read together, element by element, are rows of one array; others are arrays of their own.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 2 3 4
// RUN: ad-opt run %s --entry=together --input=%t.npy --input=1 | FileCheck %s --check-prefix=VALUES
// RUN: ad-opt run %s --entry=apart --input=%t.npy --input=1 | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @together(
// CHECK: %[[ROWS:.*]] = tensor.empty(%{{.*}}) : tensor<?x2xf64>
// CHECK: %[[ALL:.*]]:3 = scf.for %[[I:[a-z0-9]+]] = {{.*}} -> (f64, f64, tensor<?x2xf64>)
// CHECK: %[[FIRST:.*]] = tensor.insert %{{.*}} into %{{.*}}[%[[I]], %c0]
// CHECK: tensor.insert %{{.*}} into %[[FIRST]][%[[I]], %c1]
// CHECK: tensor.extract %[[ALL]]#2[%{{.*}}, %c0]
// CHECK: tensor.extract %[[ALL]]#2[%{{.*}}, %c1]
// Sums 2, 5, 9 and products 2, 6, 24: at place 1 5 and 6, so 5 - 6.
// VALUES: -1.0
func.func @together(%x: tensor<?xf64>, %i: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %y:2 = soac.scan ins(%x, %x : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %one : f64, f64)
      (%l: f64, %m: f64, %r: f64, %s: f64) {
    %sum = arith.addf %l, %r : f64
    %product = arith.mulf %m, %s : f64
    soac.yield %sum, %product : f64, f64
  }
  %a = tensor.extract %y#0[%i] : tensor<?xf64>
  %b = tensor.extract %y#1[%i] : tensor<?xf64>
  %z = arith.subf %a, %b : f64
  return %z : f64
}

// CHECK-LABEL: func.func @apart(
// CHECK-NOT: tensor<?x2xf64>
// CHECK: return
func.func @apart(%x: tensor<?xf64>, %i: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %y:2 = soac.scan ins(%x, %x : tensor<?xf64>, tensor<?xf64>) neutral(%zero, %one : f64, f64)
      (%l: f64, %m: f64, %r: f64, %s: f64) {
    %sum = arith.addf %l, %r : f64
    %product = arith.mulf %m, %s : f64
    soac.yield %sum, %product : f64, f64
  }
  %a = tensor.extract %y#0[%i] : tensor<?xf64>
  %b = tensor.extract %y#1[%c1] : tensor<?xf64>
  %z = arith.subf %a, %b : f64
  return %z : f64
}
