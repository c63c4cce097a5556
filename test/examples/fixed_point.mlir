// What an iteration converges to is differentiated by the equation that holds there, twice, and agrees with differences; the
// iterations to the solution are run once, and nothing of them is saved [ZYG 3.2] (Z24, FP3).
// DEFINE: %{random} = %python %root/test/bench/Inputs/random_npy.py
// RUN: %{random} %t.w.npy '<f8' '(4, 4)' -0.3 0.3 1 && %{random} %t.b.npy '<f8' '(4,)' -1 1 2
// RUN: ad-opt check %examples/fixed_point.mlir --entry=objective --input=%t.w.npy --input=%t.b.npy
// RUN: ad-opt check %examples/fixed_point.mlir --entry=gradient --input=%t.w.npy --input=%t.b.npy
// RUN: ad-opt check %examples/fixed_point.mlir --entry=gradient --input=%t.w.npy --input=%t.b.npy --engine=interpreter
// RUN: ad-opt %examples/fixed_point.mlir --ad-optimize | FileCheck %s

// The solution, then u, each by a loop that carries an array and whether it goes on.
// CHECK-LABEL: func.func @gradient(
// CHECK:         scf.while {{.*}} : (tensor<?xf64>, i1) -> tensor<?xf64>
// CHECK:         scf.while {{.*}} : (tensor<?xf64>, i1) -> tensor<?xf64>
// CHECK-NOT:     scf.while
// CHECK-NOT:     ad.tape
// CHECK:         return
