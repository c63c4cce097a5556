// Each numbered constraint of AdClosureOps.td is refused where it is broken: `@closure_c2_type` breaks (C2) of ad.closure
// [M06].
// RUN: ad-opt %s --split-input-file --verify-diagnostics

func.func @closure_c1(%a: f64) {
  // expected-error @+1 {{'ad.closure' op 'nowhere' is not a function of this module}}
  %f = ad.closure @nowhere(%a) : (f64) -> !ad.closure<() -> f64>
  return
}

// -----

func.func private @two(f64, f64) -> f64
func.func @closure_c2_count(%a: f64) {
  // expected-error @+1 {{'ad.closure' op captures 1 values, so that 'two' should have 1 arguments, not 2}}
  %f = ad.closure @two(%a) : (f64) -> !ad.closure<() -> f64>
  return
}

// -----

func.func private @two(f64, f64) -> f64
func.func @closure_c2_type(%a: index) {
  // expected-error @+1 {{'ad.closure' op captured or later argument 0 has type 'index' but needs 'f64'}}
  %f = ad.closure @two(%a) : (index) -> !ad.closure<(f64) -> f64>
  return
}

// -----

func.func private @two(f64, f64) -> f64
func.func @closure_c2_result(%a: f64) {
  // expected-error @+1 {{'ad.closure' op result 0 has type 'f32' but needs 'f64'}}
  %f = ad.closure @two(%a) : (f64) -> !ad.closure<(f64) -> f32>
  return
}

// -----

func.func @lambda_c1(%a: f32) {
  %f = ad.lambda (%x: f64) -> f64 {
    // expected-error @+1 {{'ad.yield' op value 0 has type 'f32' but needs 'f64'}}
    ad.yield %a : f32
  }
  return
}

// -----

func.func @lambda_end(%a: f64) -> f64 {
  // expected-error @+1 {{'ad.yield' op expects parent op 'ad.lambda'}}
  ad.yield %a : f64
}

// -----

func.func @call_c1(%f: !ad.closure<(f64) -> f64>, %a: f64) {
  // expected-error @+1 {{'ad.call' op has 2 arguments but needs 1}}
  %r = "ad.call"(%f, %a, %a) : (!ad.closure<(f64) -> f64>, f64, f64) -> f64
  return
}

// -----

// expected-error @+2 {{invalid kind of type specified: expected builtin.function, but found 'f64'}}
// expected-error @+1 {{failed to parse Ad_ClosureType parameter 'function'}}
func.func private @type(!ad.closure<f64>)
