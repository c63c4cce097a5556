// Upstream moves reads out of loops that may not run, because they have no effects. The
// interpreter called a slice out of bounds there an error though nothing uses it.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.one.npy '<f8' '(1,)' 2
// DEFINE: %{check} = ad-opt check %s --engine=interpreter --entry=main
// RUN: %{check} --input=%t.none.npy | FileCheck %s
// RUN: not %{check} --input=%t.one.npy 2>&1 | FileCheck %s --check-prefix=USED

// CHECK: 0 {{.*}} ok
// USED: 'tensor.extract_slice' op offset 0, size 1, stride 1 is out of bounds for dimension 0 of size 0

func.func @main(%a: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %x = tensor.empty(%c0) : tensor<?x4xf64>
  %row = tensor.extract_slice %x[0, 0] [1, 4] [1, 1] : tensor<?x4xf64> to tensor<4xf64>
  %y = soac.map ins(%a : tensor<?xf64>) (%b: f64) -> tensor<?xf64> {
    %t = soac.reduce ins(%row : tensor<4xf64>) neutral(%b : f64) (%c: f64, %d: f64) {
      %e = arith.addf %c, %d : f64
      soac.yield %e : f64
    }
    soac.yield %t : f64
  }
  %s = soac.reduce ins(%y : tensor<?xf64>) neutral(%zero : f64) (%c: f64, %d: f64) {
    %e = arith.addf %c, %d : f64
    soac.yield %e : f64
  }
  return %s : f64
}
