// Cross sections of neutrons, looked up and from poles: values by hand; derivatives agree with central
// differences.
// DEFINE: %{npy} = %python %S/../driver/Inputs/npy.py
// RUN: %{npy} %t.nuclides.npy '<i8' '(2, 2)' 0 1 1 0
// RUN: %{npy} %t.concs.npy '<f8' '(2, 2)' 1 2 3 9
// RUN: %{npy} %t.counts.npy '<i8' '(2,)' 2 1
// RUN: %{npy} %t.materials.npy '<i8' '(2,)' 0 1
// DEFINE: %{in_materials} = --input=%t.nuclides.npy --input=%t.concs.npy --input=%t.counts.npy

// Lookups of 0.5 in the first material and of 3 in the second. Nuclide 0 at 0.5: f = 0.5 and
// micro = 2 + 2 * 1.5 = 5; nuclide 1 at 0.5: f = 0.75, 3 + 2 * 0.5 = 4; nuclide 1 at 3: f = 0.5,
// 4 + 2 * 1.5 = 7. In all 1 * 5 + 2 * 4 + 3 * 7 = 34.
// RUN: %{npy} %t.grid.npy '<f8' '(2, 3)' 0 1 2 0 2 4
// RUN: %{npy} %t.xs.npy '<f8' '(2, 3, 5)' 1 0 0 0 1 3 0 0 0 2 0 0 0 0 0 4 0 0 0 0 0 0 0 0 2 8 0 0 0 1
// RUN: %{npy} %t.energies.npy '<f8' '(2,)' 0.5 3
// RUN: %{npy} %t.weights.npy '<f8' '(5,)' 1 0 0 0 2
// DEFINE: %{xs} = %bench/programs/xsbench.mlir --input=%t.grid.npy --input=%t.xs.npy %{in_materials} --input=%t.energies.npy --input=%t.materials.npy --input=%t.weights.npy
// RUN: ad-opt run %{xs} --entry=objective | FileCheck %s --check-prefix=XS
// RUN: ad-opt run %{xs} --entry=gradient | FileCheck %s --check-prefix=XS-GRADIENT
// RUN: ad-opt check %{xs} --entry=gradient
// XS: 34.0
// XS-GRADIENT:      {{\[\[\[}}0.5, 0.0, 0.0, 0.0, 1.0],
// XS-GRADIENT-NEXT: [0.5, 0.0, 0.0, 0.0, 1.0],
// XS-GRADIENT-NEXT: [0.0, 0.0, 0.0, 0.0, 0.0]],
// XS-GRADIENT:      {{\[\[}}1.5, 0.0, 0.0, 0.0, 3.0],
// XS-GRADIENT-NEXT: [2.0, 0.0, 0.0, 0.0, 4.0],
// XS-GRADIENT-NEXT: [1.5, 0.0, 0.0, 0.0, 3.0]]]
// XS-GRADIENT-NEXT: {{\[\[}}5.0, 4.0],
// XS-GRADIENT-NEXT: [7.0, 0.0]]

// One nuclide, one window, one pole at 0.25 - i: z = i / 2, where W is exp(1/4) erfc(1/2) = 0.61569, of which 10 terms give all but 3e-6;
// the absorption cross section with residue 1 and curve fit 2 is 2 * 0.25 + W.
// RUN: %{npy} %t.pole.npy '<f8' '(1, 1, 8)' 0.25 -1 0 0 1 0 0 0
// RUN: %{npy} %t.moment.npy '<i8' '(1, 1)' 2
// RUN: %{npy} %t.fit.npy '<f8' '(1, 1, 3)' 0 2 0
// RUN: %{npy} %t.start.npy '<i8' '(1, 2)' 0 1
// RUN: %{npy} %t.radius.npy '<f8' '(1, 4)' 0.1 0.2 0.3 0.4
// RUN: %{npy} %t.one.npy '<i8' '(1, 1)' 0
// RUN: %{npy} %t.conc.npy '<f8' '(1, 1)' 1
// RUN: %{npy} %t.count.npy '<i8' '(1,)' 1
// RUN: %{npy} %t.energy.npy '<f8' '(1,)' 0.25
// RUN: %{npy} %t.material.npy '<i8' '(1,)' 0
// RUN: %{npy} %t.absorption.npy '<f8' '(4,)' 0 1 0 0
// RUN: ad-opt run %bench/programs/rsbench.mlir --input=%t.pole.npy --input=%t.moment.npy --input=%t.fit.npy --input=%t.start.npy --input=%t.radius.npy --input=%t.one.npy --input=%t.conc.npy --input=%t.count.npy --input=%t.energy.npy --input=%t.material.npy --input=%t.absorption.npy --entry=objective | FileCheck %s --check-prefix=RS
// RS: 1.11568{{[0-9]+}}

// Two nuclides with windows of 2, 0, 1 and 3 poles, one of them far away, all angular momenta.
// RUN: %{npy} %t.poles.npy '<f8' '(2, 4, 8)' --vary=3
// RUN: %{npy} %t.far.npy '<f8' '(2, 4, 8)' 30 1 2 3 4 5 6 7 0.1 0.2 -1 1 -1 1 -1 1 20 0.5 1 1 1 1 1 1 0 0 0 0 0 0 0 0 25 2 1 2 1 2 1 2 0.3 -0.1 1 2 3 2 1 2 15 1 1 1 2 2 1 1 -20 3 1 0 1 0 1 0
// RUN: %{npy} %t.moments.npy '<i8' '(2, 4)' 0 1 2 3 3 2 1 0
// RUN: %{npy} %t.fits.npy '<f8' '(2, 2, 3)' --vary=4
// RUN: %{npy} %t.starts.npy '<i8' '(2, 3)' 0 2 2 0 1 4
// RUN: %{npy} %t.radii.npy '<f8' '(2, 4)' --vary=5
// RUN: %{npy} %t.lookups.npy '<f8' '(2,)' 0.3 0.7
// RUN: %{npy} %t.all.npy '<f8' '(4,)' 1 2 3 4
// DEFINE: %{rest} = --input=%t.moments.npy --input=%t.fits.npy --input=%t.starts.npy --input=%t.radii.npy %{in_materials} --input=%t.lookups.npy --input=%t.materials.npy --input=%t.all.npy
// RUN: ad-opt check %bench/programs/rsbench.mlir --entry=objective --input=%t.poles.npy %{rest}
// RUN: ad-opt check %bench/programs/rsbench.mlir --entry=objective --input=%t.far.npy %{rest}
// RUN: ad-opt check %bench/programs/rsbench.mlir --entry=gradient --input=%t.far.npy %{rest}

// No request and no call is left, and nothing is kept per lookup, nuclide or pole.
// RUN: ad-opt %bench/programs/xsbench.mlir --ad-optimize | FileCheck %s
// RUN: ad-opt %bench/programs/rsbench.mlir --ad-optimize | FileCheck %s
// CHECK-LABEL: func.func @gradient(
// CHECK-NOT:     {{ad\.|call}}
// CHECK:         soac.with_acc
// CHECK-NOT:     {{ad\.|call}}
// CHECK:         return
