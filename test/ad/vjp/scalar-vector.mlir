// RUN: ad-opt %s --ad-generate="function=f mode=vjp" --inline --canonicalize --cse | FileCheck %s

// Rows are elementwise on vectors; a condition has one bit per lane. The zero of a
// lane that maximumf did not choose is masked again where it was multiplied.

// CHECK-LABEL: func.func @f_vjp
// CHECK-SAME: (%[[X:.+]]: vector<4xf32>, %[[Y:.+]]: vector<4xf32>, %[[S:.+]]: vector<4xf32>)
// CHECK-DAG: %[[ZERO:.+]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG: %[[HALF:.+]] = arith.constant dense<5.000000e-01> : vector<4xf32>
// CHECK-DAG: %[[ONE:.+]] = arith.constant dense<1.000000e+00> : vector<4xf32>
// CHECK-DAG: %[[ROOT:.+]] = math.sqrt %[[X]] : vector<4xf32>
// CHECK-DAG: %[[FIRST:.+]] = arith.cmpf oge, %[[ROOT]], %[[Y]] : vector<4xf32>
// CHECK-DAG: %[[ROOT_BAR:.+]] = arith.select %[[FIRST]], %[[S]], %[[ZERO]] : vector<4xi1>, vector<4xf32>
// CHECK-DAG: %[[Y_BAR:.+]] = arith.select %[[FIRST]], %[[ZERO]], %[[S]] : vector<4xi1>, vector<4xf32>
// CHECK-DAG: %[[RECIPROCAL:.+]] = arith.divf %[[ONE]], %[[ROOT]] : vector<4xf32>
// CHECK-DAG: %[[SLOPE:.+]] = arith.mulf %[[RECIPROCAL]], %[[HALF]] : vector<4xf32>
// CHECK-DAG: %[[PRODUCT:.+]] = arith.mulf %[[ROOT_BAR]], %[[SLOPE]] : vector<4xf32>
// CHECK-DAG: %[[X_BAR:.+]] = arith.select %[[FIRST]], %[[PRODUCT]], %[[ZERO]] : vector<4xi1>, vector<4xf32>
// CHECK: return %{{.+}}, %[[X_BAR]], %[[Y_BAR]]
func.func @f(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %root = math.sqrt %x : vector<4xf32>
  %r = arith.maximumf %root, %y : vector<4xf32>
  return %r : vector<4xf32>
}
