// Bundle adjustment on a small instance: the derivatives of both entries agree with central
// differences and with each other; the blocks are those that the dense derivative has, and no
// request, no call and no dense Jacobian is left (F56, values).
// RUN: %python %S/Inputs/random_npy.py %t.cams.npy '<f8' '(3, 11)' 0.1 1.0
// RUN: %python %S/Inputs/random_npy.py %t.X.npy '<f8' '(4, 3)' 1.5 2.5
// RUN: %python %S/Inputs/random_npy.py %t.w.npy '<f8' '(5,)' 0.5 1.5
// RUN: %python %S/Inputs/random_npy.py %t.feats.npy '<f8' '(5, 2)' -1.0 1.0
// RUN: %python %S/../driver/Inputs/npy.py %t.obs.npy '<i8' '(5, 2)' 0 0 1 3 2 2 0 3 1 1
// RUN: ad-opt check %bench/programs/ba.mlir --entry=objective --input=%t.cams.npy --input=%t.X.npy --input=%t.w.npy --input=%t.feats.npy --input=%t.obs.npy
// RUN: ad-opt check %bench/programs/ba.mlir --entry=jacobian --input=%t.cams.npy --input=%t.X.npy --input=%t.w.npy --input=%t.feats.npy --input=%t.obs.npy
// RUN: ad-opt check %bench/programs/ba.mlir --entry=objective --engine=interpreter --input=%t.cams.npy --input=%t.X.npy --input=%t.w.npy --input=%t.feats.npy --input=%t.obs.npy
// RUN: ad-opt %bench/programs/ba.mlir --ad-optimize | FileCheck %s

// One camera without rotation, at the origin: e = (1, 2) / 2, |e|^2 = 1.25, s = 1 + 1.25 k1, and the
// derivative with respect to the rotation is that of the first-order form.
// RUN: %python %S/../driver/Inputs/npy.py %t.cam1.npy '<f8' '(1, 11)' 0 0 0  0 0 0  10  3 4  0.4 0
// RUN: %python %S/../driver/Inputs/npy.py %t.X1.npy '<f8' '(1, 3)' 1 2 2
// RUN: %python %S/../driver/Inputs/npy.py %t.w1.npy '<f8' '(1,)' 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.feats1.npy '<f8' '(1, 2)' 1 1
// RUN: %python %S/../driver/Inputs/npy.py %t.obs1.npy '<i8' '(1, 2)' 0 0
// RUN: ad-opt run %bench/programs/ba.mlir --entry=objective --input=%t.cam1.npy --input=%t.X1.npy --input=%t.w1.npy --input=%t.feats1.npy --input=%t.obs1.npy | FileCheck %s --check-prefix=VALUE
// RUN: ad-opt run %bench/programs/ba.mlir --entry=jacobian --input=%t.cam1.npy --input=%t.X1.npy --input=%t.w1.npy --input=%t.feats1.npy --input=%t.obs1.npy | FileCheck %s --check-prefix=ROWS
// RUN: ad-opt jacobian %bench/programs/ba.mlir --entry=objective --input=%t.cam1.npy --input=%t.X1.npy --input=%t.w1.npy --input=%t.feats1.npy --input=%t.obs1.npy 2>&1 | FileCheck %s --check-prefix=SPARSE
// RUN: ad-opt check %bench/programs/ba.mlir --entry=objective --input=%t.cam1.npy --input=%t.X1.npy --input=%t.w1.npy --input=%t.feats1.npy --input=%t.obs1.npy

// VALUE: {{\[\[}}4.75, 9.0]]
// VALUE: [0.75]
// Rotation, centre, focal length, principal point, distortion, point, weight.
// ROWS:      -8.25, 11.625, -7.5, -4.25, -1.0, 3.125, 0.375, 0.5, 0.0, 3.125, 3.90625, 4.25, 1.0, -3.125, 9.5],
// ROWS-NEXT: -24.0, 8.25, 3.75, -1.0, -5.75, 6.25, 0.75, 0.0, 0.5, 6.25, 7.8125, 1.0, 5.75, -6.25, 18.0]]]
// ROWS-NEXT: [-1.0]

// The same as a sparse Jacobian of the objective: no entries for v0 in the first row, and for u0 in the second.
// SPARSE-DAG: note: 3 x 17, 31 entries, 3 colours of rows (vjp)
// SPARSE-DAG: {{^}}1 1 -8.25{{$}}
// SPARSE-DAG: {{^}}1 15 9.5{{$}}
// SPARSE-DAG: {{^}}2 11 7.8125{{$}}
// SPARSE-DAG: {{^}}3 15 -1.0{{$}}
// SPARSE-NOT: {{^}}{{1 9|2 8}} 

// CHECK-LABEL: func.func @jacobian(
// CHECK-NOT:     {{ad\.|call|with_acc|scf\.for}}
// CHECK:         soac.map
// CHECK:           tensor.from_elements {{.*}} : tensor<2x15xf64>
// CHECK-NOT:     {{ad\.|call|with_acc|scf\.for}}
// CHECK:         return
