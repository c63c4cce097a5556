// sin(x) cos(x), the scalar benchmark "sincos" of [ZYG 4.2, Table 2]. Its derivative needs nothing
// but the sine and the cosine.
//
// Public entries: objective, gradient.

func.func @objective(%x: f64) -> f64 {
  %sin = math.sin %x : f64
  %cos = math.cos %x : f64
  %y = arith.mulf %sin, %cos : f64
  return %y : f64
}

func.func @gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}
