// For kernels, a sum may repeat what an iteration makes of numbers, also roots and quotients: here each point is pulled by all
// others, and pulls them. Without that, a processor adds the pulls of an iteration to an array, which costs less than to compute
// them twice. What costs more than arithmetic is never computed again (F61, F45).
// RUN: ad-opt %s --ad-acc-to-reduce --canonicalize | FileCheck %s --check-prefix=CORE
// RUN: ad-opt %s --ad-acc-to-reduce=for-kernels --canonicalize | FileCheck %s
//
// As kernels, all sums are made by one.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(301,3)' 0 1
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy > %t.cpu
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --target=gpu-emulate --repeat=1 --emulate-report=%t.json > %t.gpu 2> %t.report
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// RUN: FileCheck %s --check-prefix=LAUNCHES < %t.report
// RUN: FileCheck %s --check-prefix=COUNTS --implicit-check-not='"atomics": {{[1-9]}}' < %t.json
// LAUNCHES: "launches":2,
// COUNTS: "atomics": 0

// CORE-LABEL: func.func @pulls(
// CORE:         soac.update_acc
// CHECK-LABEL: func.func @pulls(
// CHECK-NOT:   soac.update_acc
// CHECK:       soac.map
// CHECK:         soac.map
// CHECK:           math.sqrt
// CHECK:         soac.reduce
// CHECK:       return
func.func @pulls(%xs: tensor<?xf64>, %zeros: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %sums, %own = soac.with_acc ins(%zeros : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, tensor<?xf64>) {
    %totals, %next = soac.map ins(%xs : tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>) (%x: f64, %a: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>) {
      %pulls = soac.map ins(%xs : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
        %d = arith.subf %x, %y : f64
        %dd = arith.mulf %d, %d : f64
        %soft = arith.addf %dd, %one : f64
        %r = math.sqrt %soft : f64
        %f = arith.divf %d, %r : f64
        soac.yield %f : f64
      }
      %b = soac.update_acc %a[], %pulls : !soac.acc<tensor<?xf64>>, tensor<?xf64>
      %total = soac.reduce ins(%pulls : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %total, %b : f64, !soac.acc<tensor<?xf64>>
    }
    soac.yield %next, %totals : !soac.acc<tensor<?xf64>>, tensor<?xf64>
  }
  return %sums, %own : tensor<?xf64>, tensor<?xf64>
}

// Each iteration would have to run its loop again for every sum.
// CHECK-LABEL: func.func @loops(
// CHECK:         soac.update_acc
func.func @loops(%xs: tensor<?xf64>, %zeros: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sums, %own = soac.with_acc ins(%zeros : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, tensor<?xf64>) {
    %totals, %next = soac.map ins(%xs : tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>) (%x: f64, %a: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>) {
      %powers = soac.map ins(%xs : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
        %p = scf.for %i = %c0 to %n step %c1 iter_args(%q = %y) -> f64 {
          %r = arith.mulf %q, %x : f64
          scf.yield %r : f64
        }
        soac.yield %p : f64
      }
      %b = soac.update_acc %a[], %powers : !soac.acc<tensor<?xf64>>, tensor<?xf64>
      %total = soac.reduce ins(%powers : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %total, %b : f64, !soac.acc<tensor<?xf64>>
    }
    soac.yield %next, %totals : !soac.acc<tensor<?xf64>>, tensor<?xf64>
  }
  return %sums, %own : tensor<?xf64>, tensor<?xf64>
}

// What there is once for each iteration is not computed for each of the sums.
// CHECK-LABEL: func.func @grows(
// CHECK:         soac.update_acc
func.func @grows(%xs: tensor<?xf64>, %ys: tensor<?xf64>, %zeros: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0.0 : f64
  %sums, %own = soac.with_acc ins(%zeros : tensor<?xf64>) (%acc: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, tensor<?xf64>) {
    %totals, %next = soac.map ins(%xs : tensor<?xf64>) accs(%acc : !soac.acc<tensor<?xf64>>) (%x: f64, %a: !soac.acc<tensor<?xf64>>) -> (tensor<?xf64>, !soac.acc<tensor<?xf64>>) {
      %e = math.exp %x : f64
      %terms = soac.map ins(%ys : tensor<?xf64>) (%y: f64) -> tensor<?xf64> {
        %q = arith.mulf %e, %y : f64
        %r = math.tanh %q : f64
        soac.yield %r : f64
      }
      %b = soac.update_acc %a[], %terms : !soac.acc<tensor<?xf64>>, tensor<?xf64>
      %total = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %s = arith.addf %l, %r : f64
        soac.yield %s : f64
      }
      soac.yield %total, %b : f64, !soac.acc<tensor<?xf64>>
    }
    soac.yield %next, %totals : !soac.acc<tensor<?xf64>>, tensor<?xf64>
  }
  return %sums, %own : tensor<?xf64>, tensor<?xf64>
}

// The potential of points in space, as rows of three numbers.
func.func private @potential(%points: tensor<?x3xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %soft = arith.constant 0.01 : f64
  %one = arith.constant 1.0 : f64
  %rows = soac.map ins(%points : tensor<?x3xf64>) (%p: tensor<3xf64>) -> tensor<?xf64> {
    %terms = soac.map ins(%points : tensor<?x3xf64>) (%q: tensor<3xf64>) -> tensor<?xf64> {
      %squares = soac.map ins(%p, %q : tensor<3xf64>, tensor<3xf64>) (%a: f64, %b: f64) -> tensor<3xf64> {
        %d = arith.subf %a, %b : f64
        %dd = arith.mulf %d, %d : f64
        soac.yield %dd : f64
      }
      %distance = soac.reduce ins(%squares : tensor<3xf64>) neutral(%soft : f64) (%a: f64, %b: f64) {
        %c = arith.addf %a, %b : f64
        soac.yield %c : f64
      }
      %root = math.sqrt %distance : f64
      %term = arith.divf %one, %root : f64
      soac.yield %term : f64
    }
    %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %sum : f64
  }
  %all = soac.reduce ins(%rows : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %all : f64
}
func.func @gradient(%points: tensor<?x3xf64>) -> tensor<?x3xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @potential(%points) seed(%one) : (tensor<?x3xf64>), (f64) -> (f64, tensor<?x3xf64>)
  return %r#1 : tensor<?x3xf64>
}
