// x to the power n by n multiplications between blocks: what reverse mode needs of every iteration is kept, and there is
// nothing else in the loops [ZYG 2.2, 3.1]. It is differentiated as blocks with a tape, unless the blocks become a loop that
// counts first, as they do when the program is compiled; then it is in an array.
//
// objective(x: f64, n: i64) -> f64
// gradient(x: f64, n: i64) -> f64

func.func @objective(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r0 = arith.constant 1.0 : f64
  cf.br ^header(%r0, %n : f64, i64)
^header(%r: f64, %k: i64):
  %more = arith.cmpi sgt, %k, %zero : i64
  cf.cond_br %more, ^body, ^exit
^body:
  %r1 = arith.mulf %r, %x : f64
  %k1 = arith.subi %k, %one : i64
  cf.br ^header(%r1, %k1 : f64, i64)
^exit:
  return %r : f64
}

func.func @gradient(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x, %n) seed(%one) : (f64, i64), (f64) -> (f64, f64)
  return %x_bar : f64
}
