// A choice between arrays of different sizes was made element by element, and had the size of the first one.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,)'
// RUN: %python %S/../driver/Inputs/npy.py %t.two.npy '<f8' '(2,)' 3 5
// DEFINE: %{both} = --entry=chosen --input=%t.none.npy --input=%t.two.npy
// RUN: ad-opt run %s %{both} --input=true | FileCheck %s --check-prefix=FIRST
// RUN: ad-opt run %s %{both} --input=false | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %s %{both} --input=false --target=gpu-emulate | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt check %s %{both} --input=true
// RUN: ad-opt check %s %{both} --input=false
// RUN: ad-opt check %s %{both} --input=false --engine=interpreter
// The cotangent of the array that was not chosen is a zero of its own size; it had the size of the one that was.
// RUN: %python %S/../driver/Inputs/npy.py %t.four.npy '<f8' '(4,)' 1 2 3 4
// DEFINE: %{gradient} = ad-opt run %s --entry=gradient --input=%t.four.npy --input=%t.two.npy
// RUN: %{gradient} --input=true | FileCheck %s --check-prefix=LONG
// RUN: %{gradient} --input=false | FileCheck %s --check-prefix=SHORT
// RUN: %{gradient} --input=true --target=gpu-emulate | FileCheck %s --check-prefix=LONG
// RUN: %{gradient} --input=false --target=gpu-emulate | FileCheck %s --check-prefix=SHORT
// DEFINE: %{selected} = --entry=selected --input=%t.four.npy --input=%t.two.npy
// RUN: ad-opt check %s %{selected} --input=true
// RUN: ad-opt check %s %{selected} --input=false
// RUN: ad-opt check %s %{selected} --input=true --engine=interpreter
// RUN: ad-opt check %s %{selected} --input=false --engine=interpreter
// RUN: ad-opt check %s --entry=selected --input=%t.none.npy --input=%t.two.npy --input=false
// RUN: ad-opt check %s --entry=selected --input=%t.two.npy --input=%t.none.npy --input=false
// RUN: ad-opt check %s --entry=grown --input=%t.two.npy --input=true
// RUN: ad-opt check %s --entry=grown --input=%t.two.npy --input=false
// RUN: ad-opt check %s --entry=recorded --input=true --input=%t.four.npy --input=0.5 --input=%t.two.npy --input=-3
// RUN: ad-opt check %s --entry=recorded --input=false --input=%t.four.npy --input=0.5 --input=%t.two.npy --input=-3
// RUN: ad-opt check %s --entry=alternate --input=%t.four.npy --input=%t.two.npy --input=5
// RUN: ad-opt check %s --entry=alternate --input=%t.four.npy --input=%t.two.npy --input=5 --engine=interpreter
// FIRST: {{^\[\] *$}}
// SECOND: [9.0, 25.0]

func.func @chosen(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %x = scf.if %c -> tensor<?xf64> {
    scf.yield %a : tensor<?xf64>
  } else {
    scf.yield %b : tensor<?xf64>
  }
  %squares = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %s = arith.mulf %e, %e : f64
    soac.yield %s : f64
  }
  return %squares : tensor<?xf64>
}

// Twice what was chosen, and zeros.
// LONG:       [2.0, 4.0, 6.0, 8.0]
// LONG-NEXT:  {{\[-?0.0, -?0.0\]}}
// SHORT:      {{\[-?0.0, -?0.0, -?0.0, -?0.0\]}}
// SHORT-NEXT: [6.0, 10.0]
func.func private @sum_of_squares(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: i1) -> f64 {
  %squares = func.call @chosen(%a, %b, %c) : (tensor<?xf64>, tensor<?xf64>, i1) -> tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%s: f64, %t: f64) {
    %u = arith.addf %s, %t : f64
    soac.yield %u : f64
  }
  return %sum : f64
}
func.func @gradient(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: i1) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %s, %a_bar, %b_bar = ad.vjp @sum_of_squares(%a, %b, %c) seed(%one)
      : (tensor<?xf64>, tensor<?xf64>, i1), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %a_bar, %b_bar : tensor<?xf64>, tensor<?xf64>
}

func.func @selected(%a: tensor<?xf64>, %b: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %x = arith.select %c, %a, %b : tensor<?xf64>
  %y = math.sin %x : tensor<?xf64>
  return %y : tensor<?xf64>
}

// Both sizes are those of one argument.
func.func @grown(%a: tensor<?xf64>, %c: i1) -> tensor<?xf64> {
  %aa = tensor.concat dim(0) %a, %a : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %x = arith.select %c, %a, %aa : tensor<?xf64>
  %y = math.sin %x : tensor<?xf64>
  return %y : tensor<?xf64>
}

!pair = tuple<tensor<?xf64>, f64>
func.func @recorded(%c: i1, %p: !pair, %q: !pair) -> !pair {
  %r = arith.select %c, %p, %q : !pair
  %x = ad.get %r[0] : !pair
  %s = ad.get %r[1] : !pair
  %y = math.sin %x : tensor<?xf64>
  %t = arith.mulf %s, %s : f64
  %z = ad.record(%y, %t) : !pair
  return %z : !pair
}

// One or the other in each step.
func.func @alternate(%a: tensor<?xf64>, %b: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%y = %zero) -> f64 {
    %bit = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %bit, %c0 : index
    %f = math.cos %y : f64
    %size = tensor.dim %a, %c0 : tensor<?xf64>
    %fs = tensor.splat %f[%size] : tensor<?xf64>
    %fa = arith.mulf %a, %fs : tensor<?xf64>
    %x = arith.select %even, %fa, %b : tensor<?xf64>
    %sum = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%s: f64, %t: f64) {
      %u = arith.addf %s, %t : f64
      soac.yield %u : f64
    }
    %z = arith.addf %f, %sum : f64
    scf.yield %z : f64
  }
  return %y : f64
}
