// bench/programs/recursive_tree.mlir: the gradient is that of dual numbers in Python, and passes the check [M24, Z27].
// RUN: ad-opt check %bench/programs/recursive_tree.mlir --entry=objective --input=0.7 --input=4
// RUN: ad-opt check %bench/programs/recursive_tree.mlir --entry=objective --input=0.7 --input=0
// RUN: ad-opt run %bench/programs/recursive_tree.mlir --entry=objective --input=0.7 --input=4 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %bench/programs/recursive_tree.mlir --entry=gradient --input=0.7 --input=4 | FileCheck %s
// VALUE: 0.60342238
// CHECK: 0.62808706
