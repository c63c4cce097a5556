// What cannot be split into its fields is an error where it is.
// RUN: ad-opt %s --split-input-file --verify-diagnostics --ad-split-records

func.func @in_array(%r: tensor<4x!ad.record<x: f64>>, %i: index) -> f64 {
  // expected-error @+1 {{'tensor.extract' op has a value of type 'tensor<4x!ad.record<x: f64>>', whose records cannot be split into their fields}}
  %e = tensor.extract %r[%i] : tensor<4x!ad.record<x: f64>>
  %x = ad.get %e[x] : !ad.record<x: f64>
  return %x : f64
}

// -----

func.func @unknown(%r: !ad.record<x: f64>) -> i64 {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op has a value of type '!ad.record<x: f64>', whose records cannot be split into their fields}}
  %n = builtin.unrealized_conversion_cast %r : !ad.record<x: f64> to i64
  return %n : i64
}

// -----

func.func @region(%x: f64) -> f64 {
  // expected-error @+1 {{'scf.execute_region' op has a value of type 'tuple<f64>', whose records cannot be split into their fields}}
  %r = scf.execute_region -> tuple<f64> {
    %p = ad.record(%x) : tuple<f64>
    // expected-error @+1 {{'scf.yield' op has a value of type 'tuple<f64>', whose records cannot be split into their fields}}
    scf.yield %p : tuple<f64>
  }
  %y = ad.get %r[0] : tuple<f64>
  return %y : f64
}
