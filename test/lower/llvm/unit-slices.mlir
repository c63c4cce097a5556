// A row of an array with more than one dimension of size one, whatever its strides.
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(2, 1, 1)' 1.5 2.5
// RUN: ad-opt run %s --entry=row --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=replaced --input=%t.npy | FileCheck %s --check-prefix=REPLACED

// CHECK: 2.5
func.func @row(%x: tensor<?x1x1xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %part = tensor.extract_slice %x[1, 0, 0] [1, 1, 1] [1, 2, 1] : tensor<?x1x1xf64> to tensor<1x1x1xf64>
  %zero = arith.constant 0.0 : f64
  %zeros = tensor.splat %zero : tensor<1x1xf64>
  %sum = soac.reduce ins(%part : tensor<1x1x1xf64>) neutral(%zeros : tensor<1x1xf64>) (%a: tensor<1x1xf64>, %b: tensor<1x1xf64>) {
    %rows = soac.map ins(%a, %b : tensor<1x1xf64>, tensor<1x1xf64>) (%u: tensor<1xf64>, %v: tensor<1xf64>) -> tensor<1x1xf64> {
      %row = soac.map ins(%u, %v : tensor<1xf64>, tensor<1xf64>) (%p: f64, %q: f64) -> tensor<1xf64> {
        %r = arith.addf %p, %q : f64
        soac.yield %r : f64
      }
      soac.yield %row : tensor<1xf64>
    }
    soac.yield %rows : tensor<1x1xf64>
  }
  %r = tensor.extract %sum[%c0, %c0] : tensor<1x1xf64>
  return %r : f64
}

// REPLACED: {{\[\[\[}}3.0]],
// REPLACED: {{\[\[}}5.0]]]
func.func @replaced(%x: tensor<?x1x1xf64>) -> tensor<?x1x1xf64> {
  %r = soac.map ins(%x : tensor<?x1x1xf64>) (%row: tensor<1x1xf64>) -> tensor<?x1x1xf64> {
    %twice = arith.addf %row, %row : tensor<1x1xf64>
    soac.yield %twice : tensor<1x1xf64>
  }
  return %r : tensor<?x1x1xf64>
}
