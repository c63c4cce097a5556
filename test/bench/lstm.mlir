// The diagonal LSTM on a small instance: the derivatives of both entries, so also second ones, agree
// with central differences and with each other; no request and no call is left (F56, values).
// RUN: %python %S/Inputs/random_npy.py %t.main.npy '<f8' '(4, 12)' -1.0 1.0 1
// RUN: %python %S/Inputs/random_npy.py %t.extra.npy '<f8' '(3, 3)' -1.0 1.0 2
// RUN: %python %S/Inputs/random_npy.py %t.state.npy '<f8' '(4, 3)' -1.0 1.0 3
// RUN: %python %S/Inputs/random_npy.py %t.seq.npy '<f8' '(4, 3)' 0.0 1.0 4
// RUN: ad-opt check %bench/programs/lstm.mlir --entry=objective --input=%t.main.npy --input=%t.extra.npy --input=%t.state.npy --input=%t.seq.npy
// RUN: ad-opt check %bench/programs/lstm.mlir --entry=gradient --input=%t.main.npy --input=%t.extra.npy --input=%t.state.npy --input=%t.seq.npy
// RUN: ad-opt check %bench/programs/lstm.mlir --entry=objective --engine=interpreter --input=%t.main.npy --input=%t.extra.npy --input=%t.state.npy --input=%t.seq.npy
// RUN: ad-opt %bench/programs/lstm.mlir --ad-optimize | FileCheck %s

// One layer of one bit, two steps, all weights and biases zero: every gate is 1/2 and the change 0,
// so that from cell 1 the cell becomes 1/2 and the hidden value h = tanh(1/2) / 2 = 0.2310585786.
// With extra = (_, 2, 3), y = 2 h + 3 = 3.4621171573 and the objective is
// log(exp(y) + 2) - y = log(1 + 2 exp(-y)) = 0.0608378521. With p = 2 / (exp(y) + 2) = 0.0590241953
// its derivatives with respect to extra are 0, - p h and - p; with respect to the biases, where
// q = - 2 p / 2 (1 - tanh(1/2)^2): forget q / 4, ingate 0, outgate - 2 p tanh(1/2) / 4, change q / 2.
// RUN: %python %S/../driver/Inputs/npy.py %t.main1.npy '<f8' '(2, 4)' 0 0 0 0  0 0 0 0
// RUN: %python %S/../driver/Inputs/npy.py %t.extra1.npy '<f8' '(3, 1)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.state1.npy '<f8' '(2, 1)' 0 1
// RUN: %python %S/../driver/Inputs/npy.py %t.seq1.npy '<f8' '(2, 1)' 0 1
// RUN: ad-opt run %bench/programs/lstm.mlir --entry=objective --input=%t.main1.npy --input=%t.extra1.npy --input=%t.state1.npy --input=%t.seq1.npy | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %bench/programs/lstm.mlir --entry=gradient --input=%t.main1.npy --input=%t.extra1.npy --input=%t.state1.npy --input=%t.seq1.npy | FileCheck %s --check-prefix=GRADIENT

// VALUE: 0.0608378520873
// GRADIENT:      {{\[\[}}0.0, 0.0, 0.0, 0.0],
// GRADIENT-NEXT: [-0.0116048611520{{[0-9]*}}, 0.0, -0.0136380466779{{[0-9]*}}, -0.0232097223040{{[0-9]*}}]]
// GRADIENT-NEXT: {{\[\[}}0.0],
// GRADIENT-NEXT: [-0.0136380466779{{[0-9]*}}],
// GRADIENT-NEXT: [-0.0590241953308{{[0-9]*}}]]

// The same with a bias of -2000, at which the forget gate is 0 and flat, though exp(2000) is infinite: the
// cell is 0, y = 3 and p = 2 / (exp(3) + 2) = 0.0905573, so that only the change, - p / 2, and y count.
// RUN: %python %S/../driver/Inputs/npy.py %t.main2.npy '<f8' '(2, 4)' 0 0 0 0  -2000 0 0 0
// RUN: ad-opt run %bench/programs/lstm.mlir --entry=gradient --input=%t.main2.npy --input=%t.extra1.npy --input=%t.state1.npy --input=%t.seq1.npy | FileCheck %s --check-prefix=FLAT

// FLAT:      {{\[\[-?}}0.0, {{-?}}0.0, {{-?}}0.0, {{-?}}0.0],
// FLAT-NEXT: {{\[-?}}0.0, {{-?}}0.0, {{-?}}0.0, -0.045278{{[0-9]*}}]]
// FLAT-NEXT: {{\[\[-?}}0.0],
// FLAT-NEXT: {{\[-?}}0.0],
// FLAT-NEXT: [-0.090557{{[0-9]*}}]]

// CHECK-LABEL: func.func @gradient(
// CHECK-NOT:     {{ad\.|call}}
// CHECK:         return
