// The return sweep of no iterations has no rows of cotangents, whose size is not known then: they are not compared to what
// they would be added to. Of iterations that there are, rows are as large.
// RUN: %python %S/../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=gradient --input=%t.npy --input=0 --input=3 | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=gradient --input=%t.npy --input=2 --input=3 | FileCheck %s --check-prefix=TWO
// RUN: ad-opt run %s --entry=gradient --input=%t.npy --input=0 --input=3 --target=gpu-emulate | FileCheck %s --check-prefix=NONE
// NONE: {{^0.0$}}
// NONE-NEXT: [0.0, 0.0, 0.0]
//
// Each iteration gives x[1] x[2], two of them twice that.
// TWO: {{^12.0$}}
// TWO-NEXT: [0.0, 6.0, 4.0]
func.func @products(%xs: tensor<?xf64>, %n: index, %m: index) -> f64 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %e = tensor.empty(%n) : tensor<?xf64>
  %all = scf.forall (%i) in (%n) shared_outs(%out = %e) -> (tensor<?xf64>) {
    %r:2 = scf.for %k = %c1 to %m step %c1 iter_args(%a = %xs, %p = %one) -> (tensor<?xf64>, f64) {
      %x = tensor.extract %a[%k] : tensor<?xf64>
      %q = arith.mulf %p, %x : f64
      %a1 = tensor.insert %q into %a[%k] : tensor<?xf64>
      scf.yield %a1, %q : tensor<?xf64>, f64
    }
    %one_of = tensor.from_elements %r#1 : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one_of into %out[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  %sum = soac.reduce ins(%all : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
func.func @gradient(%xs: tensor<?xf64>, %n: index, %m: index) -> (f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @products(%xs, %n, %m) seed(%one) {wrt = array<i64: 0>} : (tensor<?xf64>, index, index), (f64) -> (f64, tensor<?xf64>)
  return %r#0, %r#1 : f64, tensor<?xf64>
}
