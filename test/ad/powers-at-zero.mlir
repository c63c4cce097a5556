// x**0 has derivative 0 and x**1 derivative 1, also at x = 0, in both modes, for powf
// and fpowi, on numbers, tensors and vectors. CHECKLIST FP7.
// RUN: ad-opt run %s --entry=powf --input=0 --input=0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=powf --input=0 --input=1 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=powf --input=0 --input=2 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=fpowi --input=0 --input=0 | FileCheck %s --check-prefix=ZERO
// RUN: ad-opt run %s --entry=fpowi --input=0 --input=1 | FileCheck %s --check-prefix=ONE
// RUN: ad-opt run %s --entry=fpowi --input=0 --input=2 | FileCheck %s --check-prefix=ZERO
// RUN: %python %S/../driver/Inputs/npy.py %t.x.npy '<f8' '(4,)' 0 0 0 3
// RUN: %python %S/../driver/Inputs/npy.py %t.n.npy '<f8' '(4,)' 0 1 2 2
// RUN: %python %S/../driver/Inputs/npy.py %t.s.npy '<f8' '(4,)' 1 1 1 1
// RUN: ad-opt run %s --entry=tensors --input=%t.x.npy --input=%t.n.npy --input=%t.s.npy | FileCheck %s --check-prefix=TENSORS
// RUN: ad-opt run %s --entry=vectors | FileCheck %s --check-prefix=VECTORS

// ZERO: {{^}}{{-?}}0.0{{$}}
// ZERO-NEXT: {{^}}{{-?}}0.0{{$}}
// ONE: {{^}}1.0{{$}}
// ONE-NEXT: {{^}}1.0{{$}}
func.func private @power(%x: f64, %n: f64) -> f64 {
  %y = math.powf %x, %n : f64
  return %y : f64
}
func.func @powf(%x: f64, %n: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @power(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  %q:2 = ad.jvp @power(%x, %n) seed(%one) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  return %r#1, %q#1 : f64, f64
}

func.func private @whole(%x: f64, %n: i32) -> f64 {
  %y = math.fpowi %x, %n : f64, i32
  return %y : f64
}
func.func @fpowi(%x: f64, %n: i32) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @whole(%x, %n) seed(%one) : (f64, i32), (f64) -> (f64, f64)
  %q:2 = ad.jvp @whole(%x, %n) seed(%one) : (f64, i32), (f64) -> (f64, f64)
  return %r#1, %q#1 : f64, f64
}

// TENSORS: [{{-?}}0.0, 1.0, {{-?}}0.0, 6.0]
// TENSORS-NEXT: [{{-?}}0.0, 1.0, {{-?}}0.0, 6.0]
func.func private @all(%x: tensor<?xf64>, %n: tensor<?xf64>) -> tensor<?xf64> {
  %y = math.powf %x, %n : tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @tensors(%x: tensor<?xf64>, %n: tensor<?xf64>, %s: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:2 = ad.vjp @all(%x, %n) seed(%s) {wrt = array<i64: 0>} : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %q:2 = ad.jvp @all(%x, %n) seed(%s) {wrt = array<i64: 0>} : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1, %q#1 : tensor<?xf64>, tensor<?xf64>
}

// VECTORS: {{^}}1.0{{$}}
// VECTORS-NEXT: {{^}}6.0{{$}}
func.func private @lanes(%x: vector<2xf64>, %n: vector<2xi32>) -> vector<2xf64> {
  %y = math.fpowi %x, %n : vector<2xf64>, vector<2xi32>
  return %y : vector<2xf64>
}
func.func @vectors() -> (f64, f64) {
  %x = arith.constant dense<[0.0, 3.0]> : vector<2xf64>
  %n = arith.constant dense<[1, 2]> : vector<2xi32>
  %s = arith.constant dense<1.0> : vector<2xf64>
  %r:2 = ad.vjp @lanes(%x, %n) seed(%s) : (vector<2xf64>, vector<2xi32>), (vector<2xf64>) -> (vector<2xf64>, vector<2xf64>)
  %a = vector.extract %r#1[0] : f64 from vector<2xf64>
  %b = vector.extract %r#1[1] : f64 from vector<2xf64>
  return %a, %b : f64, f64
}
