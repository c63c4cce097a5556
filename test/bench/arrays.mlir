// The array problems and those of ZYG's Table 2: derivatives of the objectives and of the gradients
// agree with central differences and with each other. Values are compared with closed formulas in
// tools/ad-bench/tests/array_programs.rs (Z39, values).
// RUN: %python %S/Inputs/random_npy.py %t.x.npy '<f8' '(9,)' 0.5 1.5 1
// RUN: %python %S/Inputs/random_npy.py %t.A.npy '<f8' '(4, 4)' -1.0 1.0 2
// RUN: %python %S/Inputs/random_npy.py %t.B.npy '<f8' '(4, 4)' -1.0 1.0 3
// RUN: %python %S/Inputs/random_npy.py %t.b4.npy '<f8' '(4,)' -1.0 1.0 4
// RUN: %python %S/Inputs/random_npy.py %t.c4.npy '<f8' '(4,)' -1.0 1.0 5
// RUN: ad-opt check %bench/programs/reduce_mul.mlir --entry=objective --input=%t.x.npy
// RUN: ad-opt check %bench/programs/reduce_mul.mlir --entry=gradient --input=%t.x.npy
// RUN: ad-opt check %bench/programs/reduce_min.mlir --entry=objective --input=%t.x.npy
// RUN: ad-opt check %bench/programs/reduce_sumsq.mlir --entry=objective --input=%t.x.npy
// RUN: ad-opt check %bench/programs/reduce_lse.mlir --entry=objective --input=%t.x.npy
// RUN: ad-opt check %bench/programs/reduce_lse.mlir --entry=gradient --input=%t.x.npy
// RUN: ad-opt check %bench/programs/diag.mlir --entry=objective --input=%t.x.npy
// RUN: ad-opt check %bench/programs/matmul.mlir --entry=objective --input=%t.A.npy --input=%t.B.npy
// RUN: ad-opt check %bench/programs/matmul.mlir --entry=gradient --input=%t.A.npy --input=%t.B.npy
// RUN: ad-opt check %bench/programs/zygote_sincos.mlir --entry=objective --input=0.7
// RUN: ad-opt check %bench/programs/zygote_loop.mlir --entry=objective --input=0.7 --input=5
// RUN: ad-opt check %bench/programs/zygote_mlp.mlir --entry=objective --input=%t.A.npy --input=%t.b4.npy --input=%t.B.npy --input=%t.c4.npy --input=%t.b4.npy --input=2

// RUN: %python %S/../driver/Inputs/npy.py %t.i9.npy "<i8" "(9,)" 0 2 1 1 3 0 4 -1 2
// RUN: ad-opt check %bench/programs/hist_add.mlir --entry=objective --input=%t.x.npy --input=%t.i9.npy --input=%t.b4.npy
// RUN: ad-opt check %bench/programs/hist_mul.mlir --entry=objective --input=%t.x.npy --input=%t.i9.npy --input=%t.b4.npy
// RUN: ad-opt check %bench/programs/hist_mul.mlir --entry=gradient --input=%t.x.npy --input=%t.i9.npy --input=%t.b4.npy
// RUN: ad-opt check %bench/programs/hist_max.mlir --entry=objective --input=%t.x.npy --input=%t.i9.npy --input=%t.b4.npy

// No tape, no call, no matrix that the objective does not have.
// RUN: ad-opt %bench/programs/matmul.mlir --ad-optimize | FileCheck %s --check-prefix=MATMUL
// RUN: ad-opt %bench/programs/diag.mlir --ad-optimize | FileCheck %s --check-prefix=DIAG
// RUN: ad-opt %bench/programs/zygote_sincos.mlir --ad-optimize | FileCheck %s --check-prefix=SINCOS

// MATMUL-LABEL: func.func @gradient(
// MATMUL-NOT:     {{ad\.|call|scf\.for|tensor<\?x\?x\?x}}
// MATMUL:         return

// DIAG-LABEL: func.func @gradient(
// DIAG-NOT:     {{ad\.|call|scf\.for|tensor<\?x\?x}}
// DIAG:         return

// SINCOS-LABEL: func.func @gradient(
// SINCOS-DAG:     math.sin
// SINCOS-DAG:     math.cos
// SINCOS-NOT:     math
// SINCOS:         return
