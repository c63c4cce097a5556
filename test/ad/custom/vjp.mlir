// A custom_vjp is used wherever the function is differentiated in reverse mode: by a request, through
// a call, with some arguments or results only, in maps and loops, and again by an outer derivative.
// The rule says three times what is true, so that its use shows in the figures (FP3, M07).
// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt run %s --entry=request --input=3.0 | FileCheck %s --check-prefix=REQUEST
// RUN: ad-opt run %s --entry=through_call --input=3.0 | FileCheck %s --check-prefix=CALL
// RUN: %python %S/../../driver/Inputs/npy.py %t.npy '<f8' '(3,)' 1 2 3
// RUN: ad-opt run %s --entry=in_map --input=%t.npy | FileCheck %s --check-prefix=MAP
// RUN: ad-opt run %s --entry=in_loop --input=2.0 | FileCheck %s --check-prefix=LOOP
// RUN: ad-opt run %s --entry=in_branch --input=2.0 | FileCheck %s --check-prefix=BRANCH
// RUN: ad-opt run %s --entry=second --input=3.0 | FileCheck %s --check-prefix=SECOND
// RUN: ad-opt run %s --entry=forward --input=3.0 | FileCheck %s --check-prefix=FORWARD
// RUN: ad-opt run %s --entry=partial --input=3.0 --input=%t.npy | FileCheck %s --check-prefix=PARTIAL

func.func private @square(%x: f64) -> f64 attributes {custom_vjp = @square_rule} {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func private @square_rule(%x: f64, %y_bar: f64) -> (f64, f64) {
  %six = arith.constant 6.0 : f64
  %y = arith.mulf %x, %x : f64
  %slope = arith.mulf %six, %x : f64
  %x_bar = arith.mulf %slope, %y_bar : f64
  return %y, %x_bar : f64, f64
}

// CHECK-LABEL: func.func @request(
// CHECK:         call @square.vjp_0(
// REQUEST: 18.0
func.func @request(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @square(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// y = sin(x^2 + x): 3 * 2 x and 1.
func.func private @caller(%x: f64) -> f64 {
  %s = call @square(%x) : (f64) -> f64
  %y = arith.addf %s, %x : f64
  return %y : f64
}
// CALL: 19.0
func.func @through_call(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @caller(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

func.func private @mapped(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    %y = func.call @square(%x) : (f64) -> f64
    soac.yield %y : f64
  }
  return %ys : tensor<?xf64>
}
// MAP: [6.0, 24.0, 54.0]
func.func @in_map(%xs: tensor<?xf64>) -> tensor<?xf64> {
  %ys, %xs_bar = ad.vjp @mapped(%xs) seed(%xs)
      : (tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %xs_bar : tensor<?xf64>
}

// x^4 in two steps: 6 x^2 * 6 x.
func.func private @repeated(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> (f64) {
    %b = func.call @square(%a) : (f64) -> f64
    scf.yield %b : f64
  }
  return %y : f64
}
// LOOP: 288.0
func.func @in_loop(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @repeated(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

func.func private @chosen(%x: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  %y = scf.if %positive -> f64 {
    %b = func.call @square(%x) : (f64) -> f64
    scf.yield %b : f64
  } else {
    scf.yield %x : f64
  }
  return %y : f64
}
// BRANCH: 12.0
func.func @in_branch(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @chosen(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// The rule is differentiated through its body: (6 x)' = 6.
// SECOND: 6.0
func.func @second(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @request(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// Forward mode has no rule here and takes the body.
// FORWARD: 6.0
func.func @forward(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @caller(%x) seed(%one) {wrt = array<i64: 0>} : (f64), (f64) -> (f64, f64)
  %without = arith.subf %y_dot, %one : f64
  return %without : f64
}

// One argument and one result of two, the other result of a size that is known at run time only: the
// missing seed is a zero of that size.
func.func private @two(%x: f64, %v: tensor<?xf64>) -> (f64, tensor<?xf64>)
    attributes {custom_vjp = @two_rule} {
  %y = arith.mulf %x, %x : f64
  return %y, %v : f64, tensor<?xf64>
}
func.func private @two_rule(%x: f64, %v: tensor<?xf64>, %y_bar: f64, %v_bar: tensor<?xf64>)
    -> (f64, tensor<?xf64>, f64, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %y, %x_bar = call @square_rule(%x, %y_bar) : (f64, f64) -> (f64, f64)
  %size = tensor.dim %v_bar, %c0 : tensor<?xf64>
  %i = arith.index_cast %size : index to i64
  %f = arith.sitofp %i : i64 to f64
  %marked = arith.addf %x_bar, %f : f64
  return %y, %v, %marked, %v_bar : f64, tensor<?xf64>, f64, tensor<?xf64>
}
func.func private @first(%x: f64, %v: tensor<?xf64>) -> f64 {
  %y, %w = call @two(%x, %v) : (f64, tensor<?xf64>) -> (f64, tensor<?xf64>)
  return %y : f64
}
// PARTIAL: 21.0
func.func @partial(%x: f64, %v: tensor<?xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @first(%x, %v) seed(%one) {wrt = array<i64: 0>}
      : (f64, tensor<?xf64>), (f64) -> (f64, f64)
  return %x_bar : f64
}
