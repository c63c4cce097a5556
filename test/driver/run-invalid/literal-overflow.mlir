// A number that a narrow float cannot hold.
// RUN: rm -rf %t.out
// RUN: not ad-opt run %s --entry=f --input=1e39 --output-dir=%t.out 2>&1 | FileCheck %s
// RUN: not test -e %t.out
// RUN: ad-opt run %s --entry=f --input=3.4028235e38 | FileCheck %s --check-prefix=LARGEST
// RUN: not ad-opt run %s --entry=g --input=1+1e39j 2>&1 | FileCheck %s --check-prefix=PART

// CHECK: error: input 0 of @f(f32) -> (f32): '1e39' is too large for f32
// What is printed as the largest one is it.
// LARGEST: 3.4028235e38
func.func @f(%x: f32) -> f32 {
  return %x : f32
}
// PART: error: input 0 of @g(complex<f32>) -> (complex<f32>): '+1e39' is too large for f32
func.func @g(%x: complex<f32>) -> complex<f32> {
  return %x : complex<f32>
}
