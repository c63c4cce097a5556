// The gradient of the sum of maxima of columns: by hand for a few, of which one has a tie and one nothing but the start;
// and for many against central differences, on one core and on several.
// RUN: ad-opt run %s --entry=few | FileCheck %s
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(9, 37)' --vary=5
// RUN: ad-opt check %s --entry=sum --input=%t.x.npy
// RUN: rm -rf %t.one %t.two
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --output-dir=%t.one
// RUN: ad-opt run %s --entry=gradient --input=%t.x.npy --output-dir=%t.two --threads=2
// RUN: diff -r %t.one %t.two

// CHECK: {{\[\[}}0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
// CHECK-NEXT: [1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]]
func.func @few() -> tensor<?x?xf64> {
  %x = arith.constant dense<[
    [1.0, 2.0, 3.0, 0xFFF0000000000000, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0],
    [4.0, 2.0, 9.0, 0xFFF0000000000000, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 5.0]
  ]> : tensor<2x17xf64>
  %any = tensor.cast %x : tensor<2x17xf64> to tensor<?x?xf64>
  %r = call @gradient(%any) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

func.func @sum(%x: tensor<?x?xf64>) -> f64 {
  %least = arith.constant 0xFFF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %start = linalg.fill ins(%least : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %maxima = linalg.reduce ins(%x : tensor<?x?xf64>) outs(%start : tensor<?xf64>) dimensions = [0]
    (%a: f64, %b: f64) {
      %m = arith.maximumf %a, %b : f64
      linalg.yield %m : f64
    }
  %s = soac.reduce ins(%maxima : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %t = arith.addf %a, %b : f64
    soac.yield %t : f64
  }
  return %s : f64
}

func.func @gradient(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %r = ad.vjp @sum(%x) seed(%one) : (tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %r : tensor<?x?xf64>
}
