func.func @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @square(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
func.func @not_wanted(%x: f64) -> f64 {
  return %x : f64
}
