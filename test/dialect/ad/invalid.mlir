// Each numbered constraint of AdOps.td is refused at the request that breaks it:
// `@vjp_c2_range` breaks (C2) of ad.vjp [M15].
// RUN: ad-opt %s --split-input-file --verify-diagnostics

func.func @vjp_c1_unknown(%x: f64) {
  // expected-error @+1 {{'ad.vjp' op 'nowhere' is not a function of this module}}
  %r:2 = ad.vjp @nowhere(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

module @vjp_c1_module {
  module @g {}
  func.func @h(%x: f64) {
    // expected-error @+1 {{'ad.vjp' op 'g' is not a function of this module}}
    %r:2 = ad.vjp @g(%x) seed(%x) : (f64), (f64) -> (f64, f64)
    return
  }
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c1_count(%x: f64) {
  // expected-error @+1 {{'ad.vjp' op has 1 operands but needs 2}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c1_type(%x: f64) {
  // expected-error @+1 {{'ad.vjp' op operands 1 has type 'f64' but needs 'index'}}
  %r:2 = ad.vjp @f(%x, %x) seed(%x) : (f64, f64), (f64) -> (f64, f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c2_range(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.vjp' op 'wrt' position 2 is out of range: the callee has 2 arguments}}
  %r:2 = ad.vjp @f(%x, %n) seed(%x) {wrt = array<i64: 2>} : (f64, index), (f64) -> (f64, f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c2_negative(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.vjp' op 'wrt' position -1 is out of range}}
  %r:2 = ad.vjp @f(%x, %n) seed(%x) {wrt = array<i64: -1>} : (f64, index), (f64) -> (f64, f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c2_twice(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.vjp' op 'wrt' lists position 0 twice}}
  %r:3 = ad.vjp @f(%x, %n) seed(%x) {wrt = array<i64: 0, 0>} : (f64, index), (f64) -> (f64, f64, f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c2_type(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.vjp' op 'wrt' position 1 has the non-differentiable type 'index'}}
  %r:2 = ad.vjp @f(%x, %n) seed(%x) {wrt = array<i64: 1>} : (f64, index), (f64) -> (f64, index)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c2_empty(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.vjp' op 'wrt' lists no argument}}
  %r = ad.vjp @f(%x, %n) seed(%x) {wrt = array<i64>} : (f64, index), (f64) -> (f64)
  return
}

// -----

func.func private @g(index, i1, tensor<4xi32>) -> f64
func.func @vjp_c2_none(%i: index, %b: i1, %t: tensor<4xi32>, %s: f64) {
  // expected-error @+1 {{'ad.vjp' op callee has no differentiable argument}}
  %r = ad.vjp @g(%i, %b, %t) seed(%s) : (index, i1, tensor<4xi32>), (f64) -> (f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c3_count(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.vjp' op has 0 seeds but needs 1}}
  %r:2 = ad.vjp @f(%x, %n) seed() : (f64, index), () -> (f64, f64)
  return
}

// -----

func.func private @f(f64) -> (f64, index)
func.func @vjp_c3_too_many(%x: f64) {
  // expected-error @+1 {{'ad.vjp' op has 2 seeds but needs 1}}
  %r:3 = ad.vjp @f(%x) seed(%x, %x) : (f64), (f64, f64) -> (f64, index, f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c3_type(%x: f64, %n: index, %s: f32) {
  // expected-error @+1 {{'ad.vjp' op seeds 0 has type 'f32' but needs 'f64'}}
  %r:2 = ad.vjp @f(%x, %n) seed(%s) : (f64, index), (f32) -> (f64, f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c4_count(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.vjp' op has 1 results but needs 2}}
  %r = ad.vjp @f(%x, %n) seed(%x) : (f64, index), (f64) -> (f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @vjp_c4_type(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.vjp' op results 1 has type 'f32' but needs 'f64'}}
  %r:2 = ad.vjp @f(%x, %n) seed(%x) : (f64, index), (f64) -> (f64, f32)
  return
}

// -----

func.func @jvp_c1_unknown(%x: f64) {
  // expected-error @+1 {{'ad.jvp' op 'nowhere' is not a function of this module}}
  %r:2 = ad.jvp @nowhere(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @jvp_c2_type(%x: f64, %n: index) {
  // expected-error @+1 {{'ad.jvp' op 'wrt' position 1 has the non-differentiable type 'index'}}
  %r:2 = ad.jvp @f(%x, %n) seed(%x) {wrt = array<i64: 1>} : (f64, index), (f64) -> (f64, f64)
  return
}

// -----

func.func private @g(f64, f64) -> f64
func.func @jvp_c3_count(%x: f64) {
  // expected-error @+1 {{'ad.jvp' op has 1 seeds but needs 2}}
  %r:2 = ad.jvp @g(%x, %x) seed(%x) : (f64, f64), (f64) -> (f64, f64)
  return
}

// -----

func.func private @g(tensor<?xf64>) -> f64
func.func @jvp_c3_type(%x: tensor<?xf64>, %s: tensor<4xf64>) {
  // expected-error @+1 {{'ad.jvp' op seeds 0 has type 'tensor<4xf64>' but needs 'tensor<?xf64>'}}
  %r:2 = ad.jvp @g(%x) seed(%s) : (tensor<?xf64>), (tensor<4xf64>) -> (f64, f64)
  return
}

// -----

func.func private @g(f64) -> (f64, index)
func.func @jvp_c4(%x: f64) {
  // expected-error @+1 {{'ad.jvp' op has 4 results but needs 3}}
  %r:4 = ad.jvp @g(%x) seed(%x) : (f64), (f64) -> (f64, index, f64, index)
  return
}

// -----

func.func @wrt_of_wrong_kind(%x: f64) {
  // expected-error @+1 {{Invalid attribute `wrt` in property conversion: "x"}}
  %r:2 = "ad.jvp"(%x, %x) <{callee = @wrt_of_wrong_kind, operandSegmentSizes = array<i32: 1, 1>, wrt = "x"}> : (f64, f64) -> (f64, f64)
  return
}

// -----

func.func @no_seed_clause(%x: f64) {
  // expected-error @+1 {{expected 'seed'}}
  %r:2 = ad.jvp @no_seed_clause(%x) : (f64), () -> (f64, f64)
  return
}

// -----

func.func @stop_changes_type(%x: f64) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %y = "ad.stop_gradient"(%x) : (f64) -> f32
  return
}
