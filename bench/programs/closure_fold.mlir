// A fold with a function that is a value: its steps are those of a closure over two numbers, which a function of higher
// order calls, and hands over to another one [ZYG 3.2; MYIA 3].
//
// objective(a: f64, b: f64, n: i64) -> f64
// gradient(a: f64, b: f64, n: i64) -> (f64, f64)

!step = !ad.closure<(f64, f64) -> f64>
!map = !ad.closure<(f64) -> f64>

// step(i, step(i - 1, ...)), where i are the numbers 0 to n - 1.
func.func private @fold(%step: !step, %start: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %y = scf.for %i = %zero to %n step %one iter_args(%v = %start) -> f64 : i64 {
    %at = arith.sitofp %i : i64 to f64
    %w = ad.call %step(%v, %at) : !step
    scf.yield %w : f64
  }
  return %y : f64
}

func.func private @twice(%f: !map, %x: f64) -> f64 {
  %y = ad.call %f(%x) : !map
  %z = ad.call %f(%y) : !map
  return %z : f64
}

func.func @objective(%a: f64, %b: f64, %n: i64) -> f64 {
  %start = arith.constant 1.0 : f64
  %scaled = ad.lambda (%u: f64) -> f64 {
    %p = arith.mulf %a, %u : f64
    %s = math.sin %p : f64
    ad.yield %s : f64
  }
  %step = ad.lambda (%v: f64, %at: f64) -> f64 {
    %t = func.call @twice(%scaled, %v) : (!map, f64) -> f64
    %c = arith.mulf %b, %at : f64
    %d = math.cos %c : f64
    %w = arith.addf %t, %d : f64
    ad.yield %w : f64
  }
  %y = call @fold(%step, %start, %n) : (!step, f64, i64) -> f64
  return %y : f64
}

func.func @gradient(%a: f64, %b: f64, %n: i64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %r:3 = ad.vjp @objective(%a, %b, %n) seed(%one)
      : (f64, f64, i64), (f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}
