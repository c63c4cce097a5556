// An argument that takes over the uses of a later one stays.
// RUN: ad-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @repeated
// CHECK-SAME: (%[[X:.*]]: tensor<?xf64>)
// CHECK: soac.map ins(%[[X]] : tensor<?xf64>) (%[[A:.*]]: f64)
// CHECK-NEXT: math.sin %[[A]] : f64
func.func @repeated(%x: tensor<?xf64>) -> tensor<?xf64> {
  %y = soac.map ins(%x, %x : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
    %c = math.sin %b : f64
    soac.yield %c : f64
  }
  return %y : tensor<?xf64>
}
