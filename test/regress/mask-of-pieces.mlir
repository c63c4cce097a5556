// An array gets a cotangent for one element, which was read, then another one for all of them, which is zero unless a branch
// was taken. The sum is not: it was taken for zero, and so was the derivative. (Random program 77039.)
// RUN: ad-opt run %s --entry=gradient --input=0.5 | FileCheck %s --check-prefix=READ
// RUN: ad-opt run %s --entry=gradient --input=-0.5 | FileCheck %s --check-prefix=SCANNED
// RUN: ad-opt %s --ad-differentiate -o %t.mlir
// RUN: ad-opt run %t.mlir --entry=gradient --input=0.5 | FileCheck %s --check-prefix=READ
// RUN: ad-opt run %t.mlir --entry=gradient --input=-0.5 | FileCheck %s --check-prefix=SCANNED
// RUN: ad-opt check %s --entry=f --input=0.5
// RUN: ad-opt check %s --entry=f --input=-0.5

// Three times the first element, 2 x.
// READ: 6.0
// 3 * 2 x + 2 * 3 x + 5 x.
// SCANNED: 17.0
func.func @f(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %k = arith.constant dense<[2.0, 3.0, 5.0]> : tensor<3xf64>
  %u = soac.map ins(%k : tensor<3xf64>) (%e: f64) -> tensor<3xf64> {
    %p = arith.mulf %x, %e : f64
    soac.yield %p : f64
  }
  %v = soac.scan ins(%u : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  %first = tensor.extract %u[%c0] : tensor<3xf64>
  %is_positive = arith.cmpf ogt, %x, %zero : f64
  %y = scf.if %is_positive -> tensor<3xf64> {
    %copies = tensor.splat %first : tensor<3xf64>
    scf.yield %copies : tensor<3xf64>
  } else {
    scf.yield %v : tensor<3xf64>
  }
  %sum = soac.reduce ins(%y : tensor<3xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

func.func @gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @f(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
