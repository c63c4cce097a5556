// Canonicalisation drops a carried value that nothing reads and keeps the loop's attributes: the
// positions in 'ad.no_false_dependencies' then meant other values, or none. Now a list that does
// not fit the loop is void.
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 0.5 -0.25 1.5 0.75
// RUN: ad-opt check %s --entry=main --input=%t.x.npy --input=2.0 | FileCheck %s
// RUN: ad-opt check %s --entry=main --input=%t.x.npy --input=2.0 --engine=interpreter | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(canonicalize,ad-generate{function=main mode=vjp},ad-differentiate)' \
// RUN:   --remarks-filter-missed='ad-differentiate' -o /dev/null 2>&1 | FileCheck %s --check-prefix=VOID

// CHECK: 0 {{.*}} ok
// CHECK: 1 {{.*}} ok
// VOID: remark: [Missed] promise {{.*}}'ad.no_false_dependencies' is void: it speaks of 3 values, and the loop carries 2

// The promise is true of the second array only; the first is overwritten again and again.
func.func @main(%x: tensor<4xf64>, %s: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%dead = %s, %a = %x, %b = %s) -> (f64, tensor<4xf64>, f64) {
    %old = tensor.extract %a[%c0] : tensor<4xf64>
    %y = math.sin %old : f64
    %new = tensor.insert %y into %a[%c0] : tensor<4xf64>
    %z = arith.mulf %b, %y : f64
    scf.yield %dead, %new, %z : f64, tensor<4xf64>, f64
  } {ad.no_false_dependencies = array<i1: true, false, true>}
  %e = tensor.extract %r#1[%c0] : tensor<4xf64>
  %t = arith.addf %e, %r#2 : f64
  return %t : f64
}
