// k-means, dense and sparse: gradient and Hessian diagonal by hand on three points, from one jvp of
// one vjp (F58, F59); derivatives of the objective agree with central differences.
// Costs 1, 4 and 2: the first two points belong to the first centre, the third to the second.
// RUN: %python %S/../driver/Inputs/npy.py %t.C.npy '<f8' '(2, 2)' 0 0 4 4
// RUN: %python %S/../driver/Inputs/npy.py %t.P.npy '<f8' '(3, 2)' 1 0 0 2 5 3
// RUN: %python %S/../driver/Inputs/npy.py %t.vals.npy '<f8' '(4,)' 1 2 5 3
// RUN: %python %S/../driver/Inputs/npy.py %t.cols.npy '<i8' '(4,)' 0 1 0 1
// RUN: %python %S/../driver/Inputs/npy.py %t.rows.npy '<i8' '(4,)' 0 1 2 4
// DEFINE: %{dense} = %bench/programs/kmeans.mlir --input=%t.C.npy --input=%t.P.npy
// DEFINE: %{sparse} = %bench/programs/kmeans_sparse.mlir --input=%t.C.npy --input=%t.vals.npy --input=%t.cols.npy --input=%t.rows.npy
// RUN: ad-opt run %{dense} --entry=objective | FileCheck %s --check-prefix=COST
// RUN: ad-opt run %{sparse} --entry=objective | FileCheck %s --check-prefix=COST
// RUN: ad-opt run %{dense} --entry=gradient_hessian | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %{sparse} --entry=gradient_hessian | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt check %{dense} --entry=objective
// RUN: ad-opt check %{sparse} --entry=objective
// RUN: ad-opt check %{dense} --entry=gradient_hessian
// RUN: ad-opt check %{sparse} --entry=gradient_hessian
// Among many centres the nearest is searched with products, on a GPU as well.
// RUN: %python %S/Inputs/random_npy.py %t.C40.npy '<f8' '(40, 3)' -1 1 1
// RUN: %python %S/Inputs/random_npy.py %t.P50.npy '<f8' '(50, 3)' -1 1 2
// DEFINE: %{many} = %bench/programs/kmeans.mlir --input=%t.C40.npy --input=%t.P50.npy
// RUN: ad-opt check %{many} --entry=objective
// RUN: ad-opt check %{many} --entry=gradient_hessian
// RUN: ad-opt run %{many} --entry=gradient_hessian > %t.cpu
// RUN: ad-opt run %{many} --entry=gradient_hessian --target=gpu-emulate > %t.gpu
// RUN: %python %S/Inputs/compare.py %t.cpu %t.gpu 1e-12
// RUN: ad-opt %bench/programs/kmeans.mlir --ad-optimize | FileCheck %s
// RUN: ad-opt %bench/programs/kmeans_sparse.mlir --ad-optimize | FileCheck %s

// COST: 7.0
// VALUE:      {{\[\[}}-2.0, -4.0],
// VALUE-NEXT: [-2.0, 2.0]]
// VALUE-NEXT: {{\[\[}}4.0, 4.0],
// VALUE-NEXT: [2.0, 2.0]]

// No request and no call is left, and nothing is stored per point and coordinate of a centre.
// CHECK-LABEL: func.func @gradient_hessian(
// CHECK-NOT:     {{ad\.|call|tensor<\?x\?x\?}}
// CHECK:         return
