// Annotations of loops, which say how reverse mode treats them.

// x <- x + h sin x, n times. Reverse mode saves x for each iteration; split into blocks of 100, it
// saves one x per block and those of one block, and runs the body once more.
func.func @integrate(%x: f64, %h: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> f64 {
    %s = math.sin %p : f64
    %step = arith.mulf %h, %s : f64
    %q = arith.addf %p, %step : f64
    scf.yield %q : f64
  } {ad.strip_mine = 100 : i64}
  return %end : f64
}

func.func @gradient(%x: f64, %h: f64, %n: index) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %end, %x_bar, %h_bar = ad.vjp @integrate(%x, %h, %n) seed(%one)
      : (f64, f64, index), (f64) -> (f64, f64, f64)
  return %x_bar, %h_bar : f64, f64
}
