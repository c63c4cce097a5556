// Accumulators are the arrays themselves; an update reads, adds and writes in place.
// RUN: ad-opt %s --lower-soac-to-loops --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @histogram
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-zA-Z0-9_]+]] = %{{.*}}) -> (tensor<?xf64>)
// CHECK: %[[K:[a-zA-Z0-9_]+]] = tensor.extract %{{.*}} : tensor<?xindex>
// CHECK: scf.if %{{.*}} -> (tensor<?xf64>)
// CHECK-NEXT: %[[OLD:[a-zA-Z0-9_]+]] = tensor.extract %[[A]][%[[K]]]
// CHECK-NEXT: %[[NEW:[a-zA-Z0-9_]+]] = arith.addf %[[OLD]], %{{.*}}
// CHECK-NEXT: tensor.insert %[[NEW]] into %[[A]][%[[K]]]
// CHECK: else
// CHECK-NEXT: scf.yield %[[A]]
func.func @histogram(%xs: tensor<?xf64>, %is: tensor<?xindex>, %z: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %r = soac.with_acc ins(%z : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>) {
    %a1 = soac.map ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) accs(%acc : !soac.acc<tensor<?xf64>>)
        (%x: f64, %i: index, %a: !soac.acc<tensor<?xf64>>) -> (!soac.acc<tensor<?xf64>>) {
      %positive = arith.cmpf ogt, %x, %zero : f64
      %a2 = scf.if %positive -> !soac.acc<tensor<?xf64>> {
        %a3 = soac.update_acc %a[%i], %x : !soac.acc<tensor<?xf64>>, f64
        scf.yield %a3 : !soac.acc<tensor<?xf64>>
      } else {
        scf.yield %a : !soac.acc<tensor<?xf64>>
      }
      soac.yield %a2 : !soac.acc<tensor<?xf64>>
    }
    soac.yield %a1 : !soac.acc<tensor<?xf64>>
  }
  return %r : tensor<?xf64>
}

// A row is added element by element, and a map that only the update reads is not stored.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: tensor.empty
// CHECK: scf.for {{.*}} iter_args(%[[A:[a-zA-Z0-9_]+]] = %{{.*}}) -> (tensor<?x?xf64>)
// CHECK: scf.for %[[J:[a-zA-Z0-9_]+]] = {{.*}} iter_args(%[[B:[a-zA-Z0-9_]+]] = %[[A]]) -> (tensor<?x?xf64>)
// CHECK: %[[V:[a-zA-Z0-9_]+]] = arith.mulf
// CHECK: %[[OLD:[a-zA-Z0-9_]+]] = tensor.extract %[[B]][%[[I:[a-zA-Z0-9_]+]], %[[J]]]
// CHECK: %[[NEW:[a-zA-Z0-9_]+]] = arith.addf %[[OLD]], %[[V]]
// CHECK: tensor.insert %[[NEW]] into %[[B]][%[[I]], %[[J]]]
func.func @rows(%xss: tensor<?x?xf64>, %is: tensor<?xindex>, %z: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = soac.with_acc ins(%z : tensor<?x?xf64>) (%acc: !soac.acc<tensor<?x?xf64>>) -> (tensor<?x?xf64>) {
    %a1 = soac.map ins(%xss, %is : tensor<?x?xf64>, tensor<?xindex>) accs(%acc : !soac.acc<tensor<?x?xf64>>)
        (%xs: tensor<?xf64>, %i: index, %a: !soac.acc<tensor<?x?xf64>>) -> (!soac.acc<tensor<?x?xf64>>) {
      %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
        %y = arith.mulf %x, %x : f64
        soac.yield %y : f64
      }
      %a3 = soac.update_acc %a[%i], %ys : !soac.acc<tensor<?x?xf64>>, tensor<?xf64>
      soac.yield %a3 : !soac.acc<tensor<?x?xf64>>
    }
    soac.yield %a1 : !soac.acc<tensor<?x?xf64>>
  }
  return %r : tensor<?x?xf64>
}

// Complex numbers and integers add in their own way.
// CHECK-LABEL: func.func @kinds
// CHECK: complex.add
// CHECK: arith.addi
func.func @kinds(%cs: tensor<4xcomplex<f64>>, %ns: tensor<4xi32>, %c: complex<f64>, %n: i32, %i: index)
    -> (tensor<4xcomplex<f64>>, tensor<4xi32>) {
  %r, %s = soac.with_acc ins(%cs, %ns : tensor<4xcomplex<f64>>, tensor<4xi32>)
      (%a: !soac.acc<tensor<4xcomplex<f64>>>, %b: !soac.acc<tensor<4xi32>>) -> (tensor<4xcomplex<f64>>, tensor<4xi32>) {
    %a1 = soac.update_acc %a[%i], %c : !soac.acc<tensor<4xcomplex<f64>>>, complex<f64>
    %b1 = soac.update_acc %b[%i], %n : !soac.acc<tensor<4xi32>>, i32
    soac.yield %a1, %b1 : !soac.acc<tensor<4xcomplex<f64>>>, !soac.acc<tensor<4xi32>>
  }
  return %r, %s : tensor<4xcomplex<f64>>, tensor<4xi32>
}

// What is added to a null accumulator vanishes, also through a loop and a branch.
// CHECK-LABEL: func.func @null
// CHECK: %[[S:[a-zA-Z0-9_]+]] = scf.for {{.*}} -> (f64)
// CHECK-NOT: tensor.
// CHECK: return %[[S]]
func.func @null(%c: i1, %v: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %null = soac.null_acc : !soac.acc<tensor<4xf64>>
  %s, %a = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v, %a = %null) -> (f64, !soac.acc<tensor<4xf64>>) {
    %b = scf.if %c -> !soac.acc<tensor<4xf64>> {
      %a1 = soac.update_acc %a[%c0], %v : !soac.acc<tensor<4xf64>>, f64
      scf.yield %a1 : !soac.acc<tensor<4xf64>>
    } else {
      scf.yield %a : !soac.acc<tensor<4xf64>>
    }
    %t = arith.addf %s, %v : f64
    scf.yield %t, %b : f64, !soac.acc<tensor<4xf64>>
  }
  return %s : f64
}
