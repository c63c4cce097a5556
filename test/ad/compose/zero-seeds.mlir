// A seed that is zero is none: nothing is multiplied by it, whatever infinities there are; with plain-ieee
// it is a seed like any other.
// RUN: ad-opt %s --ad-differentiate --inline --canonicalize --cse --symbol-dce | FileCheck %s
// RUN: ad-opt %s --ad-differentiate=plain-ieee --inline --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=PLAIN
// RUN: ad-opt check %s --entry=rows --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=column --input=0.7 --input=1.3
// RUN: ad-opt run %s --entry=none --input=0.7 --input=1.3 | FileCheck %s --check-prefix=NONE
// RUN: %python %S/../../driver/Inputs/npy.py %t.x.npy '<f4' '(3,)' 0 1 4
// RUN: ad-opt run %s --entry=arrays --input=%t.x.npy | FileCheck %s --check-prefix=ARRAYS

func.func private @f(%x: f64, %y: f64) -> (f64, f64) {
  %p = arith.mulf %x, %y : f64
  %e = math.exp %x : f64
  return %p, %e : f64, f64
}

// Two rows of the Jacobian.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[E:.*]] = math.exp %[[X]]
// CHECK-NOT: arith.mulf
// CHECK: return %[[Y]], %[[X]], %[[E]], %[[ZERO]]
// PLAIN-LABEL: func.func @rows(
// PLAIN: %[[ZERO:.*]] = arith.constant 0.0
// PLAIN: arith.mulf %{{.*}}, %[[ZERO]]
func.func @rows(%x: f64, %y: f64) -> (f64, f64, f64, f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %first:4 = ad.vjp @f(%x, %y) seed(%one, %zero) : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  %second:4 = ad.vjp @f(%x, %y) seed(%zero, %one) : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %first#2, %first#3, %second#2, %second#3 : f64, f64, f64, f64
}

// A column of it.
// CHECK-LABEL: func.func @column(
// CHECK-SAME: %[[X:.*]]: f64, %[[Y:.*]]: f64
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: return %[[X]], %[[ZERO]]
func.func @column(%x: f64, %y: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %r:4 = ad.jvp @f(%x, %y) seed(%zero, %one) : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3 : f64, f64
}

// No seed at all.
// NONE: 0.0
// NONE: 0.0
func.func @none(%x: f64, %y: f64) -> (f64, f64) {
  %zero = arith.constant 0.0 : f64
  %r:4 = ad.vjp @f(%x, %y) seed(%zero, %zero) : (f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3 : f64, f64
}

// The root has an infinite slope at 0, which no seed reaches.
func.func private @roots(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %roots = math.sqrt %x : tensor<?xf32>
  %squares = arith.mulf %x, %x : tensor<?xf32>
  return %roots, %squares : tensor<?xf32>, tensor<?xf32>
}
// ARRAYS: {{^}}[0.0, 2.0, 8.0]{{$}}
func.func @arrays(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %ones = tensor.splat %one[%n] : tensor<?xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?xf32>
  %r:3 = ad.vjp @roots(%x) seed(%zeros, %ones)
      : (tensor<?xf32>), (tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
  return %r#2 : tensor<?xf32>
}
