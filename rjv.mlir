func.func @jr(%t: tensor<?xf64>, %x: f64, %s: tensor<?xf64>, %sx: f64) -> (f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:6 = ad.vjp @j(%t, %x, %s, %sx) seed(%one, %one) : (tensor<?xf64>, f64, tensor<?xf64>, f64), (f64, f64) -> (f64, f64, tensor<?xf64>, f64, tensor<?xf64>, f64)
  return %r#0, %r#2 : f64, tensor<?xf64>
}
