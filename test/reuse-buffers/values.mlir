// Compiled scans, whose derivative is written where running values were kept, have the derivatives that definitions give;
// also of one element and of none.
// RUN: %python %S/../driver/Inputs/npy.py %t.a.npy '<f8' '(5,)' 2 0.5 -1 3 0.25
// RUN: %python %S/../driver/Inputs/npy.py %t.w.npy '<f8' '(5,)' 1 2 3 -1 4
// RUN: %python %S/../driver/Inputs/npy.py %t.a1.npy '<f8' '(1,)' 2
// RUN: %python %S/../driver/Inputs/npy.py %t.w1.npy '<f8' '(1,)' 3
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: ad-opt run %bench/programs/scan_prod.mlir --entry=gradient --input=%t.a.npy --input=%t.w.npy | FileCheck %s
// RUN: ad-opt run %bench/programs/scan_prod.mlir --entry=gradient --input=%t.a1.npy --input=%t.w1.npy | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %bench/programs/scan_prod.mlir --entry=gradient --input=%t.none.npy --input=%t.none.npy | FileCheck %s --check-prefix=NONE
// RUN: %python %S/../driver/Inputs/npy.py %t.m.npy '<f8' '(2,2,2)' 1 2 3 4 5 6 7 8
// RUN: %python %S/../driver/Inputs/npy.py %t.v.npy '<f8' '(2,2,2)' 1 0 0 0 0 0 0 1
// RUN: ad-opt run %bench/programs/scan_mat2.mlir --entry=gradient --input=%t.m.npy --input=%t.v.npy | FileCheck %s --check-prefix=MATRICES

// Running products 2, 1, -1, -3, -0.75, weighted: 2 + 2 - 3 + 3 - 3 = 1; each sum of those behind a factor, over it:
// 1 / 2, (1 - 2) / 0.5, (-3 + 3 - 3) / -1, (3 - 3) / 3, -3 / 0.25.
// CHECK: [0.5, -2.0, 3.0, {{-?}}0.0, -12.0]
// ONE: {{^}}[3.0]{{$}}
// NONE: {{^}}[]{{$}}

// y = A00 + (A B)11 = A00 + A10 B01 + A11 B11: dA = (1, 0; 6, 8), dB = (0, A10; 0, A11) = (0, 3; 0, 4).
// MATRICES: 1.0, 0.0
// MATRICES-NEXT: 6.0, 8.0
// MATRICES: 0.0, 3.0
// MATRICES-NEXT: 0.0, 4.0
