// Hand tracking on a small hand (six bones in a chain and a fork): derivatives of all four entries
// agree with central differences and with each other. The Jacobian is a map over the basis without
// request, call or loop over anything but the bones (F03, F56, values).
// RUN: %python %S/Inputs/random_npy.py %t.theta.npy '<f8' '(10,)' -0.8 0.8
// RUN: %python %S/Inputs/random_npy.py %t.us.npy '<f8' '(4, 2)' 0.1 0.5
// RUN: %python %S/../driver/Inputs/npy.py %t.parents.npy '<i8' '(6,)' -1 0 1 2 3 0
// RUN: %python %S/Inputs/random_npy.py %t.rel.npy '<f8' '(6, 4, 4)' -0.7 0.7 2
// RUN: %python %S/Inputs/random_npy.py %t.inv.npy '<f8' '(6, 4, 4)' -0.7 0.7 3
// RUN: %python %S/Inputs/random_npy.py %t.pos.npy '<f8' '(5, 3)' -1.0 1.0 4
// RUN: %python %S/Inputs/random_npy.py %t.wts.npy '<f8' '(5, 6)' 0.0 0.4 5
// RUN: %python %S/../driver/Inputs/npy.py %t.tris.npy '<i8' '(2, 3)' 0 1 2 4 3 1
// RUN: %python %S/../driver/Inputs/npy.py %t.vertex.npy '<i8' '(4,)' 3 0 4 3
// RUN: %python %S/../driver/Inputs/npy.py %t.triangle.npy '<i8' '(4,)' 1 0 0 1
// RUN: %python %S/Inputs/random_npy.py %t.pts.npy '<f8' '(4, 3)' -1.0 1.0 6
// DEFINE: %{model} = --input=%t.theta.npy --input=%t.us.npy --input=%t.parents.npy --input=%t.rel.npy --input=%t.inv.npy --input=%t.pos.npy --input=%t.wts.npy --input=%t.tris.npy
// RUN: ad-opt check %bench/programs/hand.mlir --entry=objective %{model} --input=%t.vertex.npy --input=%t.pts.npy
// RUN: ad-opt check %bench/programs/hand.mlir --entry=jacobian %{model} --input=%t.vertex.npy --input=%t.pts.npy
// RUN: ad-opt check %bench/programs/hand.mlir --entry=objective_complicated %{model} --input=%t.triangle.npy --input=%t.pts.npy
// RUN: ad-opt check %bench/programs/hand.mlir --entry=jacobian_complicated %{model} --input=%t.triangle.npy --input=%t.pts.npy
// RUN: ad-opt check %bench/programs/hand.mlir --entry=objective_complicated --engine=interpreter %{model} --input=%t.triangle.npy --input=%t.pts.npy
// RUN: ad-opt %bench/programs/hand.mlir --ad-optimize | FileCheck %s

// A hand at rest (theta = 0) of one bone: the global rotation is the identity, its derivative at
// zero that of the first-order form. The point (1, 2, 3) is seen at the origin: the error is
// - (1, 2, 3); turning about x, y, z moves it by (0, -3, 2), (3, 0, -1), (-2, 1, 0).
// RUN: %python %S/../driver/Inputs/npy.py %t.theta0.npy '<f8' '(6,)' 0 0 0 0 0 0
// RUN: %python %S/../driver/Inputs/npy.py %t.us0.npy '<f8' '(0, 2)'
// RUN: %python %S/../driver/Inputs/npy.py %t.parents0.npy '<i8' '(1,)' -1
// RUN: %python %S/../driver/Inputs/npy.py %t.rel0.npy '<f8' '(1, 4, 4)' 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
// RUN: %python %S/../driver/Inputs/npy.py %t.pos0.npy '<f8' '(1, 3)' 1 2 3
// RUN: %python %S/../driver/Inputs/npy.py %t.wts0.npy '<f8' '(1, 1)' 1
// RUN: %python %S/../driver/Inputs/npy.py %t.tris0.npy '<i8' '(0, 3)'
// RUN: %python %S/../driver/Inputs/npy.py %t.vertex0.npy '<i8' '(1,)' 0
// RUN: %python %S/../driver/Inputs/npy.py %t.pts0.npy '<f8' '(1, 3)' 0 0 0
// RUN: ad-opt run %bench/programs/hand.mlir --entry=jacobian --input=%t.theta0.npy --input=%t.us0.npy --input=%t.parents0.npy --input=%t.rel0.npy --input=%t.rel0.npy --input=%t.pos0.npy --input=%t.wts0.npy --input=%t.tris0.npy --input=%t.vertex0.npy --input=%t.pts0.npy | FileCheck %s --check-prefix=ROWS

// ROWS:      {{\[\[\[}}{{-?}}0.0, 3.0, -2.0]],
// ROWS:      {{\[\[}}-3.0, {{-?}}0.0, 1.0]],
// ROWS:      {{\[\[}}2.0, -1.0, {{-?}}0.0]],
// ROWS:      {{\[\[}}-1.0, {{-?}}0.0, {{-?}}0.0]],
// ROWS:      {{\[\[}}{{-?}}0.0, -1.0, {{-?}}0.0]],
// ROWS:      {{\[\[}}{{-?}}0.0, {{-?}}0.0, -1.0]]]

// CHECK-LABEL: func.func @jacobian(
// CHECK-NOT:     {{ad\.|call|scf\.while}}
// CHECK-LABEL: func.func @jacobian_complicated(
// CHECK-NOT:     {{ad\.|call|scf\.while}}
// CHECK:         return
