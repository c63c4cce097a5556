// Custom rules that do not exist or do not fit are refused at the function.
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
