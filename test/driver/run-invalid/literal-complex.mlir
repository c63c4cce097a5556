// Half a complex number.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1+j --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out

// CHECK: error: input 0 of @f(complex<f64>) -> (complex<f64>): '1+j' is neither a complex number such as '1+2j', which complex<f64> takes, nor a .npy file
func.func @f(%x: complex<f64>) -> complex<f64> {
  return %x : complex<f64>
}
