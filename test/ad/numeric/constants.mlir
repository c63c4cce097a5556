// Constants of arrays in every element type, also of one number for all elements and in resources, as frontends write
// weights: compiled code and the interpreter read the same.
// RUN: %python %S/../../driver/Inputs/npy.py %t.f16.npy '<f2' '(3,)' 0.5 -1 0.25
// RUN: %python %S/../../driver/Inputs/npy.py %t.f32.npy '<f4' '(3,)' 0.5 -1 0.25
// RUN: %python %S/../../driver/Inputs/npy.py %t.f64.npy '<f8' '(2,)' 0.5 -1
// RUN: ad-opt check %s --entry=half --input=%t.f16.npy
// RUN: ad-opt check %s --entry=half --input=%t.f16.npy --engine=interpreter
// RUN: ad-opt check %s --entry=bfloat --input=%t.f32.npy
// RUN: ad-opt check %s --entry=bfloat --input=%t.f32.npy --engine=interpreter
// RUN: ad-opt check %s --entry=weights --input=%t.f32.npy
// RUN: ad-opt check %s --entry=weights --input=%t.f32.npy --engine=interpreter
// RUN: ad-opt check %s --entry=others --input=%t.f64.npy
// RUN: ad-opt check %s --entry=others --input=%t.f64.npy --engine=interpreter
// RUN: ad-opt run %s --entry=weights --input=%t.f32.npy | FileCheck %s --check-prefix=WEIGHTS
// RUN: ad-opt run %s --entry=others --input=%t.f64.npy | FileCheck %s --check-prefix=OTHERS
// RUN: not ad-opt check %s --entry=short --input=%t.f32.npy --engine=interpreter 2>&1 | FileCheck %s --check-prefix=SHORT

func.func @half(%x: tensor<3xf16>) -> tensor<3xf16> {
  %c = arith.constant dense<[0.5, 2.0, -0.25]> : tensor<3xf16>
  %one = arith.constant dense<1.0> : tensor<3xf16>
  %y = arith.mulf %x, %c : tensor<3xf16>
  %t = math.tanh %y : tensor<3xf16>
  %z = arith.addf %t, %one : tensor<3xf16>
  return %z : tensor<3xf16>
}

func.func @bfloat(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = arith.constant dense<[0.5, 2.0, -0.25]> : tensor<3xbf16>
  %w = arith.extf %c : tensor<3xbf16> to tensor<3xf32>
  %y = arith.mulf %x, %w : tensor<3xf32>
  return %y : tensor<3xf32>
}

// 1, 2, 3 and -1, 0, 0.5 times what is given: 0.5 - 2 + 0.75 and -0.5 + 0 + 0.125.
// WEIGHTS: [-0.75, -0.375]
func.func @weights(%x: tensor<3xf32>) -> tensor<2xf32> {
  %w = arith.constant dense_resource<w> : tensor<2x3xf32>
  %z = arith.constant dense<0.0> : tensor<2xf32>
  %r = linalg.matvec ins(%w, %x : tensor<2x3xf32>, tensor<3xf32>) outs(%z : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// 6 and 3, the real parts of sums, times x, times 7 * 2 and 300: of -1 * 3 and 300, the larger one is chosen.
// OTHERS: [42.0, -900.0]
func.func @others(%x: tensor<2xf64>) -> tensor<2xf64> {
  %c = arith.constant dense<[(4.0, 4.0), (1.0, 0.0)]> : tensor<2xcomplex<f64>>
  %d = arith.constant dense<(2.0, 1.0)> : tensor<2xcomplex<f64>>
  %bits = arith.constant dense<[true, true]> : tensor<2xi1>
  %i = arith.constant dense<[7, -1]> : tensor<2xi8>
  %j = arith.constant dense<300> : tensor<2xi16>
  %k = arith.constant dense_resource<k> : tensor<2xi32>
  %r = soac.map ins(%x, %c, %d, %bits : tensor<2xf64>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2xi1>)
      (%a: f64, %p: complex<f64>, %q: complex<f64>, %b: i1) -> tensor<2xf64> {
    %s = complex.add %p, %q : complex<f64>
    %re = complex.re %s : complex<f64>
    %u = arith.mulf %re, %a : f64
    %v = arith.select %b, %u, %a : f64
    soac.yield %v : f64
  }
  %wide = arith.extsi %i : tensor<2xi8> to tensor<2xi32>
  %wider = arith.extsi %j : tensor<2xi16> to tensor<2xi32>
  %times = arith.muli %wide, %k : tensor<2xi32>
  %chosen = arith.maxsi %times, %wider : tensor<2xi32>
  %bits2 = arith.constant dense<[false, true]> : tensor<2xi1>
  %n = arith.select %bits2, %chosen, %times : tensor<2xi1>, tensor<2xi32>
  %f = arith.sitofp %n : tensor<2xi32> to tensor<2xf64>
  %y = arith.mulf %r, %f : tensor<2xf64>
  return %y : tensor<2xf64>
}

// SHORT: has a constant that the interpreter does not read
func.func @short(%x: tensor<3xf32>) -> tensor<3xf32> {
  %w = arith.constant dense_resource<short> : tensor<3xf32>
  %y = arith.mulf %x, %w : tensor<3xf32>
  return %y : tensor<3xf32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F0000004000004040000080BF000000000000003F",
      k: "0x040000000200000003000000",
      short: "0x040000000000803F"
    }
  }
#-}
