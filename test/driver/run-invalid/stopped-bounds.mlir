// An index far out of bounds.
// RUN: rm -rf %t.out
// RUN: %python %S/../Inputs/npy.py %t.npy '<f8' '(2,)' 1 2
// RUN: not ad-opt run %s --entry=f --input=%t.npy --input=99999999999 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: the compiled program was stopped: it accessed memory out of bounds, or recursed too deeply
func.func @f(%xs: tensor<?xf64>, %i: index) -> f64 {
  %x = tensor.extract %xs[%i] : tensor<?xf64>
  return %x : f64
}
