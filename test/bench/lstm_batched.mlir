// The batched LSTM in single precision: derivatives agree with central differences, also second ones;
// the small instance's figures are those of a gradient written out by hand (F61, values).
// RUN: %python %S/Inputs/random_npy.py %t.W.npy '<f4' '(2, 12)' -0.5 0.5 1
// RUN: %python %S/Inputs/random_npy.py %t.U.npy '<f4' '(3, 12)' -0.5 0.5 2
// RUN: %python %S/Inputs/random_npy.py %t.b.npy '<f4' '(12,)' -0.5 0.5 3
// RUN: %python %S/Inputs/random_npy.py %t.xs.npy '<f4' '(4, 2, 2)' -1.0 1.0 4
// RUN: %python %S/Inputs/random_npy.py %t.h0.npy '<f4' '(2, 3)' -0.5 0.5 5
// RUN: %python %S/Inputs/random_npy.py %t.target.npy '<f4' '(4, 2, 3)' -1.0 1.0 6
// DEFINE: %{small} = %bench/programs/lstm_batched.mlir --input=%t.W.npy --input=%t.U.npy --input=%t.b.npy --input=%t.xs.npy --input=%t.h0.npy --input=%t.target.npy
// RUN: ad-opt check %{small} --entry=objective
// RUN: ad-opt check %{small} --entry=gradient
// RUN: ad-opt check %{small} --entry=objective --engine=interpreter
// RUN: ad-opt run %{small} --entry=objective | FileCheck %s --check-prefix=TOTAL
// RUN: ad-opt run %{small} --entry=gradient | FileCheck %s --check-prefix=GRADIENT
// RUN: ad-opt %bench/programs/lstm_batched.mlir --ad-optimize | FileCheck %s

// From a reverse sweep in NumPy 2.4.6, f64, over the same inputs:
// total 7.03624061; W_bar[0] = (0.12659804, 0.24732146, 0.02450618, ...), U_bar[2] = (..., 0.384957503,
// -0.0743449913), b_bar = (0.25398936, ..., -0.62614041).
// TOTAL: 7.03624
// GRADIENT:      {{\[\[}}0.126598{{[0-9]*}}, 0.247321{{[0-9]*}}, 0.024506
// GRADIENT:      0.384957{{[0-9]*}}, -0.07434{{[0-9]*}}]]
// GRADIENT-NEXT: [0.253989{{[0-9]*}}, {{.*}}, -0.62614{{[0-9]*}}]

// CHECK-LABEL: func.func @gradient(
// CHECK-NOT:     {{ad\.|call}}
// CHECK:         return
