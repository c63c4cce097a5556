// pow(x, n) as a loop: one generated gradient is right for every n, 0 included [Z07];
// it is n x^(n-1).
// RUN: ad-opt run %s --entry=table --input=2.0 | FileCheck %s
// CHECK: [0.0, 1.0, 4.0, 12.0, 32.0, 80.0, 192.0]
// RUN: ad-opt run %s --entry=table --input=0.0 | FileCheck %s --check-prefix=ZERO
// ZERO: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
// RUN: ad-opt run %s --entry=gradient --input=2.0 --input=-3 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: {{^}}0.0

func.func private @power(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %one) -> f64 {
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}
func.func @gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @power(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @table(%x: f64) -> tensor<7xf64> {
  %ns = soac.iota : tensor<7xindex>
  %r = soac.map ins(%ns : tensor<7xindex>) (%n: index) -> tensor<7xf64> {
    %g = func.call @gradient(%x, %n) : (f64, index) -> f64
    soac.yield %g : f64
  }
  return %r : tensor<7xf64>
}
