// Inverses that do not exist or do not fit are refused at the function [Z17].
// RUN: ad-opt %s --ad-differentiate --split-input-file --verify-diagnostics

// expected-error @+1 {{'func.func' op 'ad.inverse' refers to '@nowhere', which is not a function of this module}}
func.func private @unknown(%x: f64) -> f64 attributes {ad.inverse = @nowhere} {
  return %x : f64
}

// -----

func.func private @back(f64, index) -> f64
// expected-error @+1 {{'func.func' op 'ad.inverse' '@back' has type (f64, index) -> f64 but needs (f64, f64) -> f64}}
func.func private @type(%x: f64, %w: f64) -> f64 attributes {ad.inverse = @back} {
  return %x : f64
}

// -----

func.func private @back(f64, f64)
// expected-error @+1 {{'func.func' op 'ad.inverse' '@back' has type (f64, f64) -> () but needs (f64, f64) -> f64}}
func.func private @nothing(%x: f64, %w: f64) -> f64 attributes {ad.inverse = @back} {
  return %x : f64
}

// -----

// expected-error @+1 {{'func.func' op 'ad.inverse' must be '@inverse'}}
func.func private @kind(%x: f64) -> f64 attributes {ad.inverse = "back"} {
  return %x : f64
}
