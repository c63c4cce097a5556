// The product of an array. Its derivative with respect to an element is the product of the others,
// also where there are zeros.
//
// Public entries: objective, gradient.

func.func @objective(%x: tensor<?xf64>) -> f64 {
  %neutral = arith.constant 1.0 : f64
  %y = soac.reduce ins(%x : tensor<?xf64>) neutral(%neutral : f64) (%a: f64, %b: f64) {
    %c = arith.mulf %a, %b : f64
    soac.yield %c : f64
  }
  return %y : f64
}

func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x) seed(%one)
      : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
