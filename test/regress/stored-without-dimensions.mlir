// A costly value that an outer map repeats was stored for the elements of the inner map also where
// it is a tensor without dimensions, which no array has as its rows.
// RUN: ad-opt %s --ad-simplify | FileCheck %s

// CHECK-LABEL: func.func @repeated(
// CHECK:         soac.map
// CHECK:         return

func.func @repeated(%x: tensor<3xf64>, %s: tensor<4xf64>) -> tensor<4x3xf64> {
  %r = soac.map ins(%s : tensor<4xf64>) (%a: f64) -> tensor<4x3xf64> {
    %row = soac.map ins(%x : tensor<3xf64>) (%b: f64) -> tensor<3xf64> {
      %t = tensor.from_elements %b : tensor<f64>
      %u = math.sin %t : tensor<f64>
      %c = tensor.extract %u[] : tensor<f64>
      %d = arith.mulf %c, %a : f64
      soac.yield %d : f64
    }
    soac.yield %row : tensor<3xf64>
  }
  return %r : tensor<4x3xf64>
}
