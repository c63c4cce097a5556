// The scans among the benchmark programs: derivatives against central differences and against each
// other, also of nothing and of one element, and values worked out by hand [F34, F35].
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(3,)' 2 3 4
// RUN: %python %S/../driver/Inputs/npy.py %t.b.npy '<f8' '(3,)' 5 7 11
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(3,)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.x0.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.x1.npy '<f8' '(1,)' 0.6
// RUN: %python %S/../driver/Inputs/npy.py %t.m3.npy '<f8' '(3,2,2)' 0.5 1.5 -0.7 2.1 1.2 0.3 0.9 -1.4 0.2 0.8 -0.6 1.1
// RUN: %python %S/../driver/Inputs/npy.py %t.w3.npy '<f8' '(3,2,2)' 1.5 0.5 -1.7 1.1 -1.2 1.3 0.4 1.4 -0.2 0.9 0.6 0.1
// RUN: %python %S/../driver/Inputs/npy.py %t.m0.npy '<f8' '(0,2,2)'
// RUN: %python %S/../driver/Inputs/npy.py %t.p2.npy '<f8' '(2,2,2)' 1 2 3 4 5 6 7 8
// RUN: %python %S/../driver/Inputs/npy.py %t.u2.npy '<f8' '(2,2,2)' 1 0 0 0 0 1 0 0
// RUN: ad-opt check %bench/programs/scan_prod.mlir --entry=objective --input=%t.a.npy --input=%t.w.npy
// RUN: ad-opt check %bench/programs/scan_prod.mlir --entry=objective --input=%t.x0.npy --input=%t.x0.npy
// RUN: ad-opt check %bench/programs/scan_prod.mlir --entry=gradient --input=%t.a.npy --input=%t.w.npy
// RUN: ad-opt check %bench/programs/scan_linrec.mlir --entry=objective --input=%t.a.npy --input=%t.b.npy --input=%t.w.npy
// RUN: ad-opt check %bench/programs/scan_linrec.mlir --entry=objective --input=%t.x1.npy --input=%t.x1.npy --input=%t.x1.npy
// RUN: ad-opt check %bench/programs/scan_linrec.mlir --entry=gradient --input=%t.a.npy --input=%t.b.npy --input=%t.w.npy
// RUN: ad-opt check %bench/programs/scan_mat2.mlir --entry=objective --input=%t.m3.npy --input=%t.w3.npy
// RUN: ad-opt check %bench/programs/scan_mat2.mlir --entry=objective --input=%t.m0.npy --input=%t.m0.npy
// RUN: ad-opt check %bench/programs/scan_mat2.mlir --entry=gradient --input=%t.m3.npy --input=%t.w3.npy
// RUN: ad-opt run %bench/programs/scan_prod.mlir --entry=gradient --input=%t.a.npy --input=%t.w.npy | FileCheck %s --check-prefix=PROD
// RUN: ad-opt run %bench/programs/scan_linrec.mlir --entry=gradient --input=%t.a.npy --input=%t.b.npy --input=%t.w.npy | FileCheck %s --check-prefix=LINREC
// RUN: ad-opt run %bench/programs/scan_mat2.mlir --entry=gradient --input=%t.p2.npy --input=%t.u2.npy | FileCheck %s --check-prefix=MAT2
// RUN: ad-opt %bench/programs/scan_mat2.mlir --ad-optimize | FileCheck %s --check-prefix=SHARED

// a + 2 a b + 3 a b c at 2, 3, 4: 1 + 2 b + 3 b c, 2 a + 3 a c, 3 a b.
// PROD: [43.0, 28.0, 18.0]

// h = 5, 22, 99. The cotangents of h from the end: 3, 2 + 4 3 = 14, 1 + 3 14 = 43; those of a are
// these times 0, 5, 22.
// LINREC: [0.0, 70.0, 66.0]
// LINREC-NEXT: [43.0, 14.0, 3.0]

// A_0[0, 0] + (A_0 A_1)[0, 1] = a + a f + b h: da = 1 + f, db = h; df = a, dh = b.
// MAT2: {{\[\[\[}}7.0, 8.0],
// MAT2-NEXT: [0.0, 0.0]],
// MAT2:      {{\[\[}}0.0, 1.0],
// MAT2-NEXT: [0.0, 2.0]]]

// Both rows of the product share their coefficients, which are the elements themselves.
// SHARED-LABEL: func.func @gradient(
// SHARED:         %[[A:.*]]:4 = soac.map
// SHARED:         soac.scan ins(%[[A]]#0, %[[A]]#1, %[[A]]#2, %[[A]]#3 :
// SHARED:         soac.scan ins(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[A]]#0, %[[A]]#1, %[[A]]#2, %[[A]]#3 :
// SHARED-SAME:      attributes {exclusive, reverse}
