// exp(x) - 1 of numbers of 16 bits had no correct digit near zero, as upstream computes both in these numbers.
// RUN: ad-opt run %s --entry=half --input=1e-4 | FileCheck %s --check-prefix=HALF
// RUN: ad-opt run %s --entry=bfloat | FileCheck %s --check-prefix=BFLOAT
// HALF: 0.000100016594
// BFLOAT: [0.0009994507, 0.020263672]

func.func @half(%x: f16) -> f16 {
  %y = math.expm1 %x : f16
  return %y : f16
}

func.func @bfloat() -> tensor<2xbf16> {
  %x = arith.constant dense<[1.0e-3, 2.0e-2]> : tensor<2xbf16>
  %y = math.expm1 %x : tensor<2xbf16>
  return %y : tensor<2xbf16>
}
