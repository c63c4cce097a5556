// What cannot be done with functions that are values is an error where it is.
// RUN: ad-opt %s --split-input-file --verify-diagnostics --ad-differentiate

func.func private @scale(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func private @compose(%f: !ad.closure<(f64) -> f64>, %x: f64) -> f64 {
  %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}
// A chain of closures as long as the loop runs.
func.func @chain(%a: f64, %n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%h = %f) -> !ad.closure<(f64) -> f64> {
    // expected-error @+1 {{'ad.closure' op captures a function that may be of its own kind, so that nothing bounds what it takes}}
    %k = ad.closure @compose(%h) : (!ad.closure<(f64) -> f64>) -> !ad.closure<(f64) -> f64>
    scf.yield %k : !ad.closure<(f64) -> f64>
  }
  %y = ad.call %g(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}

// -----

// Nothing is known of a function that comes from outside of the module.
func.func @outside(%f: (f64) -> f64, %x: f64) -> f64 {
  // expected-error @+1 {{'func.call_indirect' op has no vjp rule: the function is not known}}
  %y = func.call_indirect %f(%x) : (f64) -> f64
  return %y : f64
}
func.func @request(%f: (f64) -> f64, %x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @outside(%f, %x) seed(%one) : ((f64) -> f64, f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @scale(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func private @adder(%a: f64) -> !ad.closure<(f64) -> f64> {
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  return %f : !ad.closure<(f64) -> f64>
}
func.func @request(%a: f64) -> f64 {
  // expected-error @+1 {{'ad.vjp' op asks for the derivative of a function that returns functions; differentiate a function that calls what it returns}}
  %f, %a_bar = ad.vjp @adder(%a) seed() : (f64), () -> (!ad.closure<(f64) -> f64>, f64)
  return %a_bar : f64
}

// -----

func.func private @other(%g: (!ad.closure<(f64) -> f64>) -> f64) -> f64 {
  // expected-error @+1 {{'ub.poison' op gives a closure to functions that are not known}}
  %f = ub.poison : !ad.closure<(f64) -> f64>
  %y = func.call_indirect %g(%f) : (!ad.closure<(f64) -> f64>) -> f64
  return %y : f64
}
func.func @outside(%g: (!ad.closure<(f64) -> f64>) -> f64) -> f64 {
  %y = func.call @other(%g) : ((!ad.closure<(f64) -> f64>) -> f64) -> f64
  return %y : f64
}

// -----

// expected-error @+1 {{'func.func' op takes or returns closures, which it cannot: it has no body}}
func.func private @external(%f: !ad.closure<(f64) -> f64>) -> f64
func.func private @scale(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func @call(%a: f64) -> f64 {
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  %y = func.call @external(%f) : (!ad.closure<(f64) -> f64>) -> f64
  return %y : f64
}

// -----

func.func @never(%x: f64) -> f64 {
  %f = ub.poison : !ad.closure<(f64) -> f64>
  // expected-error @+1 {{'ad.call' op calls a function that is made nowhere}}
  %y = ad.call %f(%x) : !ad.closure<(f64) -> f64>
  return %y : f64
}

// -----

func.func private @scale(%a: f64, %x: f64) -> f64 {
  %y = arith.mulf %a, %x : f64
  return %y : f64
}
func.func @in_tensor(%a: f64, %x: f64) {
  %f = ad.closure @scale(%a) : (f64) -> !ad.closure<(f64) -> f64>
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op has an operand or result that is a closure, which it cannot}}
  %g = builtin.unrealized_conversion_cast %f : !ad.closure<(f64) -> f64> to i64
  return
}
