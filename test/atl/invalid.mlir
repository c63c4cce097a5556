// What functions of the tensor language cannot do is an error at the operation.
// RUN: ad-opt %s --atl-to-ssa --split-input-file --verify-diagnostics

func.func @mixed_precision(%x: tensor<?xf64>, %n: index) -> f32 {
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  // expected-error@+1 {{mixes numbers of types f64 and f32; use one of them}}
  %t = arith.truncf %s : f64 to f32
  return %t : f32
}

// -----

func.func @other_operations(%x: tensor<?xf64>, %n: index) -> f64 {
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  %zero = arith.constant 0.0 : f64
  // expected-error@+1 {{is no operation of the tensor language on scalars; call a function for a scalar function of its own, or lower the rest first}}
  %p = arith.cmpf ogt, %s, %zero : f64
  %r = arith.select %p, %s, %zero : f64
  return %r : f64
}
