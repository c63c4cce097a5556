// A sum over pairs whose elements have a short loop: they are made where the sum is, and there is no array of all pairs, also if the
// loop is in a loop. Those with a longer loop have threads of their own.
// RUN: ad-opt %s --pass-pipeline='builtin.module(symbol-dce,ad-optimize,ad-make-kernels)' | FileCheck %s
// RUN: %python %S/../bench/Inputs/random_npy.py %t.npy '<f8' '(70,6)' -1 1
// DEFINE: %{entry} = pairs
// DEFINE: %{both} = ad-opt run %s --entry=%{entry} --input=%t.npy > %t.cpu && \
// DEFINE:   ad-opt run %s --entry=%{entry} --input=%t.npy --target=gpu-emulate > %t.gpu && \
// DEFINE:   %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13
// RUN: %{both}
// REDEFINE: %{entry} = nested
// RUN: %{both}
// REDEFINE: %{entry} = longer
// RUN: %{both}

// CHECK-LABEL: func.func @pairs(
// CHECK-NOT:     tensor.empty({{.*}}) : tensor<?x?xf64>
// CHECK:         return
func.func @pairs(%p: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %start = arith.constant 0.01 : f64
  %sums = soac.map ins(%p : tensor<?x?xf64>) (%pi: tensor<?xf64>) -> tensor<?xf64> {
    %row = soac.map ins(%p : tensor<?x?xf64>) (%pj: tensor<?xf64>) -> tensor<?xf64> {
      %d = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %start) -> f64 {
        %x = tensor.extract %pi[%k] : tensor<?xf64>
        %y = tensor.extract %pj[%k] : tensor<?xf64>
        %t = arith.subf %x, %y : f64
        %tt = arith.mulf %t, %t : f64
        %u = arith.addf %s, %tt : f64
        scf.yield %u : f64
      }
      %r = math.sqrt %d : f64
      soac.yield %r : f64
    }
    %sum = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %sum : f64
  }
  return %sums : tensor<?xf64>
}

// CHECK-LABEL: func.func @nested(
// CHECK-NOT:     tensor.empty({{.*}}) : tensor<?x?xf64>
// CHECK:         return
func.func @nested(%p: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f64
  %sums = soac.map ins(%p : tensor<?x?xf64>) (%pi: tensor<?xf64>) -> tensor<?xf64> {
    %row = soac.map ins(%p : tensor<?x?xf64>) (%pj: tensor<?xf64>) -> tensor<?xf64> {
      %d = scf.for %k = %c0 to %c6 step %c2 iter_args(%s = %zero) -> f64 {
        %e = scf.for %l = %c0 to %c2 step %c1 iter_args(%q = %s) -> f64 {
          %kl = arith.addi %k, %l : index
          %x = tensor.extract %pi[%kl] : tensor<?xf64>
          %y = tensor.extract %pj[%k] : tensor<?xf64>
          %t = arith.mulf %x, %y : f64
          %u = arith.addf %q, %t : f64
          scf.yield %u : f64
        }
        scf.yield %e : f64
      }
      %r = math.sin %d : f64
      soac.yield %r : f64
    }
    %sum = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %sum : f64
  }
  return %sums : tensor<?xf64>
}

// CHECK-LABEL: func.func @longer(
// CHECK:         tensor.empty({{.*}}) : tensor<?x?xf64>
// CHECK:         return
func.func @longer(%p: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f64
  %sums = soac.map ins(%p : tensor<?x?xf64>) (%pi: tensor<?xf64>) -> tensor<?xf64> {
    %row = soac.map ins(%p : tensor<?x?xf64>) (%pj: tensor<?xf64>) -> tensor<?xf64> {
      %x = tensor.extract %pi[%c0] : tensor<?xf64>
      %y = tensor.extract %pj[%c1] : tensor<?xf64>
      %d = scf.for %k = %c0 to %c100 step %c1 iter_args(%s = %x) -> f64 {
        %t = math.cos %s : f64
        %u = arith.addf %y, %t : f64
        scf.yield %u : f64
      }
      soac.yield %d : f64
    }
    %sum = soac.reduce ins(%row : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    soac.yield %sum : f64
  }
  return %sums : tensor<?xf64>
}
