// The weighted sum of sines of a histogram: sum_b w[b] sin(h[b]), where h[b] is the product
// of v[i]^2 over all i with ix[i] = b. Values whose bin does not exist are ignored.
//
// Public entries: objective, gradient (with respect to v).

func.func @objective(%v: tensor<?xf64>, %ix: tensor<?xi64>, %w: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %neutral = arith.constant 1.0 : f64
  %empty = arith.constant 1.0 : f64
  %m = tensor.dim %w, %c0 : tensor<?xf64>
  %bins = tensor.splat %empty[%m] : tensor<?xf64>
  %squares = soac.map ins(%v : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %square = arith.mulf %a, %a : f64
    soac.yield %square : f64
  }
  %h = soac.hist at(%ix : tensor<?xi64>) ins(%squares : tensor<?xf64>)
      into(%bins : tensor<?xf64>) neutral(%neutral : f64) (%a: f64, %b: f64) {
    %c = arith.mulf %a, %b : f64
    soac.yield %c : f64
  }
  %terms = soac.map ins(%h, %w : tensor<?xf64>, tensor<?xf64>) (%a: f64, %weight: f64)
      -> tensor<?xf64> {
    %sin = math.sin %a : f64
    %term = arith.mulf %weight, %sin : f64
    soac.yield %term : f64
  }
  %y = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %y : f64
}

func.func @gradient(%v: tensor<?xf64>, %ix: tensor<?xi64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %v_bar = ad.vjp @objective(%v, %ix, %w) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xi64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %v_bar : tensor<?xf64>
}
