// sum_i x_i sin(x_i), and its gradient: sin(x_i) + x_i cos(x_i).
func.func @objective(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %ys = soac.map ins(%x : tensor<?xf64>) (%x_i: f64) -> tensor<?xf64> {
    %s = math.sin %x_i : f64
    %y_i = arith.mulf %x_i, %s : f64
    soac.yield %y_i : f64
  }
  %y = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %y : f64
}

func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
