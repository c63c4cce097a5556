// expm1 keeps its digits for small arguments: a call of the C library, not exp(x) - 1.
// RUN: ad-opt %s --lower-math-to-calls | FileCheck %s
// RUN: ad-opt run %s --entry=f --input=1e-20 --input=1e-20 | FileCheck --check-prefix=VALUE %s

// CHECK-LABEL: func.func @f
// CHECK-DAG: call @expm1(%{{.*}}) : (f64) -> f64
// CHECK-DAG: call @expm1f(%{{.*}}) : (f32) -> f32
// VALUE: 1e-20
// VALUE: 1e-20
func.func @f(%x: f64, %y: f32) -> (f64, f32) {
  %0 = math.expm1 %x : f64
  %1 = math.expm1 %y : f32
  return %0, %1 : f64, f32
}

// CHECK-LABEL: func.func @vector
// CHECK-COUNT-2: call @expm1
func.func @vector(%x: vector<2xf64>) -> vector<2xf64> {
  %0 = math.expm1 %x : vector<2xf64>
  return %0 : vector<2xf64>
}
// CHECK: func.func private @expm1(f64) -> f64 attributes {llvm.readnone}
