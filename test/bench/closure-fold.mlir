// bench/programs/closure_fold.mlir: the gradient is that of dual numbers in Python, and passes the check; nothing of the
// closures is left [M24, Z25, Z26].
// RUN: ad-opt check %bench/programs/closure_fold.mlir --entry=objective --input=0.8 --input=0.3 --input=5
// RUN: ad-opt check %bench/programs/closure_fold.mlir --entry=objective --input=0.8 --input=0.3 --input=0
// RUN: ad-opt run %bench/programs/closure_fold.mlir --entry=objective --input=0.8 --input=0.3 --input=5 | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %bench/programs/closure_fold.mlir --entry=gradient --input=0.8 --input=0.3 --input=5 | FileCheck %s
// RUN: ad-opt %bench/programs/closure_fold.mlir --ad-optimize | FileCheck %s --check-prefix=DIRECT
// DIRECT-NOT: ad.{{call|closure|lambda}}
// DIRECT-NOT: call
// VALUE: 0.99983647
// CHECK: 1.35955109
// CHECK: -4.35809028
