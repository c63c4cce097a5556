// The sum of squares of an array.
//
// Public entries: objective, gradient.

func.func @objective(%x: tensor<?xf64>) -> f64 {
  %squares = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %square = arith.mulf %a, %a : f64
    soac.yield %square : f64
  }
  %y = func.call @sum(%squares) : (tensor<?xf64>) -> f64
  return %y : f64
}

func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x) seed(%one)
      : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
