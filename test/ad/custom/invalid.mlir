// Custom rules that do not exist or do not fit are refused at the function, and those that ask for what
// they are needed for, at the request or call.
// RUN: ad-opt %s --ad-differentiate --split-input-file --verify-diagnostics

// expected-error @+1 {{'func.func' op 'custom_vjp' refers to '@nowhere', which is not a function of this module}}
func.func private @unknown(%x: f64) -> f64 attributes {custom_vjp = @nowhere} {
  return %x : f64
}

// -----

func.func private @rule(f64, f64) -> f64
// expected-error @+1 {{'custom_vjp' rule '@rule' has type (f64, f64) -> f64 but needs (f64, f64) -> (f64, f64)}}
func.func private @results(%x: f64) -> f64 attributes {custom_vjp = @rule} {
  return %x : f64
}

// -----

func.func private @rule(f64, index, f64, f64) -> (f64, f64)
// expected-error @+1 {{'custom_jvp' rule '@rule' has type (f64, index, f64, f64) -> (f64, f64) but needs (f64, index, f64) -> (f64, f64)}}
func.func private @integers(%x: f64, %n: index) -> f64 attributes {custom_jvp = @rule} {
  return %x : f64
}

// -----

// expected-error @+1 {{'func.func' op 'custom_vjp' must be '@rule' or '[@forward, @backward]'}}
func.func private @kind(%x: f64) -> f64 attributes {custom_vjp = "rule"} {
  return %x : f64
}

// -----

func.func private @fwd(f64) -> (f64, f64)
func.func private @bwd(f64, f64) -> f64
// expected-error @+1 {{'func.func' op 'custom_jvp' must be '@rule'}}
func.func private @mode(%x: f64) -> f64 attributes {custom_jvp = [@fwd, @bwd]} {
  return %x : f64
}

// -----

func.func private @fwd(f64) -> (f64, i64)
func.func private @bwd(f64, f64) -> f64
// expected-error @+1 {{'custom_vjp' rule '@bwd' has type (f64, f64) -> f64 but needs (i64, f64) -> f64}}
func.func private @residual(%x: f64) -> f64 attributes {custom_vjp = [@fwd, @bwd]} {
  return %x : f64
}

// -----

// Only the other mode has a rule, and there is no body to fall back to.
func.func private @rule(f64, f64) -> (f64, f64)
func.func private @external(f64) -> f64 attributes {custom_jvp = @rule}
func.func @f(%x: f64) -> f64 {
  // expected-note @+2 {{derivative requested here}}
  // expected-error @+1 {{has no vjp rule: '@external' has no body; give it one, or the attribute 'custom_vjp'}}
  %r:2 = ad.vjp @external(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

// A rule that asks for the derivative that it is the rule of.
func.func private @f(%x: f64) -> f64 attributes {custom_vjp = @rule} {
  return %x : f64
}
func.func private @rule(%x: f64, %s: f64) -> (f64, f64) {
  // expected-error @+2 {{'ad.vjp' op asks for the derivative of '@f', which contains the request itself}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func @g(%x: f64) -> f64 {
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

// The same, asked for before.
func.func @g(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func private @f(%x: f64) -> f64 attributes {custom_vjp = @rule} {
  return %x : f64
}
func.func private @rule(%x: f64, %s: f64) -> (f64, f64) {
  // expected-error @+2 {{'ad.vjp' op asks for the derivative of '@f', which contains the request itself}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// -----

// A rule that calls what asks.
func.func private @f(%x: f64) -> f64 attributes {custom_vjp = @rule} {
  return %x : f64
}
func.func private @rule(%x: f64, %s: f64) -> (f64, f64) {
  %r:2 = call @asks(%x, %s) : (f64, f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func private @asks(%x: f64, %s: f64) -> (f64, f64) {
  // expected-error @+2 {{'ad.vjp' op asks for the derivative of '@f', which contains the request itself}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// -----

// Rules of both modes, each by the other.
func.func private @f(%x: f64) -> f64 attributes {custom_jvp = @forward, custom_vjp = @reverse} {
  return %x : f64
}
func.func private @forward(%x: f64, %s: f64) -> (f64, f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}
func.func private @reverse(%x: f64, %s: f64) -> (f64, f64) {
  // expected-error @+2 {{'ad.jvp' op asks for the derivative of '@f', which contains the request itself}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.jvp @f(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %r#0, %r#1 : f64, f64
}

// -----

// A rule of a function that is called, whose backward function asks for the derivative of the caller.
func.func @g(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func private @f(%x: f64) -> f64 {
  %y = call @inner(%x) : (f64) -> f64
  return %y : f64
}
func.func private @inner(%x: f64) -> f64 attributes {custom_vjp = [@fwd, @bwd]} {
  return %x : f64
}
func.func private @fwd(%x: f64) -> (f64, f64) {
  return %x, %x : f64, f64
}
func.func private @bwd(%x: f64, %s: f64) -> f64 {
  // expected-error @+2 {{'ad.vjp' op asks for the derivative of '@f', which contains the request itself}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
