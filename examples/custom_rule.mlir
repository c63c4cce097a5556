// A derivative given by hand: softplus, log(1 + exp x), whose own derivative would be inf / inf for
// large x. What the rule names is an ordinary function from arguments and cotangents of the results to
// results and cotangents of the arguments.

func.func private @softplus(%x: f64) -> f64 attributes {custom_vjp = @softplus_vjp} {
  %e = math.exp %x : f64
  %y = math.log1p %e : f64
  return %y : f64
}

func.func private @softplus_vjp(%x: f64, %y_bar: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %y = func.call @softplus(%x) : (f64) -> f64
  %minus_x = arith.negf %x : f64
  %e = math.exp %minus_x : f64
  %d = arith.addf %one, %e : f64
  %x_bar = arith.divf %y_bar, %d : f64
  return %y, %x_bar : f64, f64
}

func.func @objective(%x: f64) -> f64 {
  %y = func.call @softplus(%x) : (f64) -> f64
  return %y : f64
}

func.func @slope(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @softplus(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
