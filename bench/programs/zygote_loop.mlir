// x to the power n by n multiplications in a loop, the scalar loop of [ZYG 2.2; 4.2, Table 2].
//
// Public entries: objective, gradient (with respect to x).

func.func @objective(%x: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %steps = arith.index_cast %n : i64 to index
  %y = scf.for %t = %c0 to %steps step %c1 iter_args(%r = %one) -> (f64) {
    %next = arith.mulf %r, %x : f64
    scf.yield %next : f64
  }
  return %y : f64
}

func.func @gradient(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x, %n) seed(%one) : (f64, i64), (f64) -> (f64, f64)
  return %x_bar : f64
}
