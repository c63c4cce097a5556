// bench/programs/loop_pow.mlir: the gradient is that of dual numbers in Python, and passes the check.
// RUN: ad-opt check %bench/programs/loop_pow.mlir --entry=objective --input=0.5 --input=1.1 --input=20
// RUN: ad-opt check %bench/programs/loop_pow.mlir --entry=objective --input=0.5 --input=1.1 --input=0
// RUN: ad-opt run %bench/programs/loop_pow.mlir --entry=objective --input=0.5 --input=1.1 --input=20 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %bench/programs/loop_pow.mlir --entry=gradient --input=0.5 --input=1.1 --input=20 | FileCheck %s
// VALUE: 0.55082118
// CHECK: 0.07730784
// CHECK: 5.42544311
