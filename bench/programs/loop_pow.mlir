// y^2 after n times y = p sin(y), and its gradient (BENCHMARKS: loop_pow).
//
// objective(y0: f64, p: f64, n: i64) -> f64
// gradient(y0: f64, p: f64, n: i64) -> (f64, f64)

func.func @objective(%y0: f64, %p: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = scf.for %i = %zero to %n step %one iter_args(%y = %y0) -> f64 : i64 {
    %s = math.sin %y : f64
    %next = arith.mulf %p, %s : f64
    scf.yield %next : f64
  }
  %result = arith.mulf %y, %y : f64
  return %result : f64
}

func.func @gradient(%y0: f64, %p: f64, %n: i64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @objective(%y0, %p, %n) seed(%one)
      : (f64, f64, i64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
