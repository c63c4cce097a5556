// A weighted sum of the states of a linear recurrence: sum_i w_i h_i with
// h_i = a_i h_(i-1) + b_i and h_(-1) = 0.
//
// The recurrence is a scan over the functions h -> a h + b: first (a1, b1), then (a2, b2)
// is (a1 a2, b1 a2 + b2).
//
// Public entries:
//   objective  the sum
//   gradient   its derivatives with respect to a and b, asked for with ad.vjp

func.func @objective(%a: tensor<?xf64>, %b: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %factors, %states = soac.scan ins(%a, %b : tensor<?xf64>, tensor<?xf64>)
      neutral(%one, %zero : f64, f64) (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
    %aa = arith.mulf %a1, %a2 : f64
    %ba = arith.mulf %b1, %a2 : f64
    %bab = arith.addf %ba, %b2 : f64
    soac.yield %aa, %bab : f64, f64
  }
  %terms = soac.map ins(%states, %w : tensor<?xf64>, tensor<?xf64>) (%h: f64, %wi: f64) -> tensor<?xf64> {
    %t = arith.mulf %h, %wi : f64
    soac.yield %t : f64
  }
  %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

func.func @gradient(%a: tensor<?xf64>, %b: tensor<?xf64>, %w: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %a_bar, %b_bar = ad.vjp @objective(%a, %b, %w) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %a_bar, %b_bar : tensor<?xf64>, tensor<?xf64>
}
