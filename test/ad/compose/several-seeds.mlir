// Several seeds at once, by mapping a derivative over them: what does not depend on the seed, the
// primal and its costly intermediate values, is outside of the map and computed once (FP4); the two
// modes agree (F03).
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(2,)' 0 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.s.npy '<f8' '(2, 2)' 1 0 0 1
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.s0.npy '<f8' '(3, 0)'
// RUN: %python %S/../../driver/Inputs/npy.py %t.none.npy '<f8' '(0, 2)'
// RUN: ad-opt run %s --entry=jvps --input=%t.npy --input=%t.s.npy | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %s --entry=vjps --input=%t.npy --input=%t.s.npy | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt check %s --entry=jvps --input=%t.npy --input=%t.s.npy
// RUN: ad-opt check %s --entry=vjps --input=%t.npy --input=%t.s.npy
// RUN: ad-opt run %s --entry=jvps --input=%t.x0.npy --input=%t.s0.npy
// RUN: ad-opt run %s --entry=vjps --input=%t.npy --input=%t.none.npy

// f(x)_i = exp(x_i) sum(sin x)
func.func private @f(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %sines = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %s = math.sin %x : f64
    soac.yield %s : f64
  }
  %sum = soac.reduce ins(%sines : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %t = arith.addf %l, %r : f64
    soac.yield %t : f64
  }
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %e = math.exp %x : f64
    %y = arith.mulf %e, %sum : f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}

// At (0, 1) with s = sin 1: (s + 1, cos 1; e, e (s + cos 1)); one mode gives rows, the other columns.
// VALUE-DAG: 1.8414709848
// VALUE-DAG: 0.540302305
// VALUE-DAG: 2.718281828
// VALUE-DAG: 3.756049227

// Three functions of x, each once and before the map over the seeds, and none in it.
// CHECK-LABEL: func.func @jvps(
// CHECK-COUNT-3: math.
// CHECK-NOT:     math.
// CHECK:         soac.map ins({{.*}}%arg1
// CHECK-NOT:     math.
// CHECK:         return
func.func @jvps(%xs: tensor<?xf64>, %seeds: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %rows = soac.map ins(%seeds : tensor<?x?xf64>) (%seed: tensor<?xf64>) -> tensor<?x?xf64> {
    %ys, %ys_dot = ad.jvp @f(%xs) seed(%seed)
        : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    soac.yield %ys_dot : tensor<?xf64>
  }
  return %rows : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @vjps(
// CHECK-COUNT-3: math.
// CHECK-NOT:     math.
// CHECK:         soac.map ins({{.*}}%arg1
// CHECK-NOT:     math.
// CHECK:         return
func.func @vjps(%xs: tensor<?xf64>, %seeds: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %rows = soac.map ins(%seeds : tensor<?x?xf64>) (%seed: tensor<?xf64>) -> tensor<?x?xf64> {
    %ys, %xs_bar = ad.vjp @f(%xs) seed(%seed)
        : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    soac.yield %xs_bar : tensor<?xf64>
  }
  return %rows : tensor<?x?xf64>
}
