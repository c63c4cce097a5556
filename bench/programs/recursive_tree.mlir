// The geometric mean of the leaves of a binary tree, by a function that calls itself twice: with x, and with its sine, at every
// node [ZYG 3; MYIA 3]. Leaves are 2 to the power n.
//
// objective(x: f64, n: i64) -> f64
// gradient(x: f64, n: i64) -> f64

func.func private @tree(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %leaf = arith.cmpi sle, %n, %zero : i64
  %y = scf.if %leaf -> f64 {
    scf.yield %x : f64
  } else {
    %below = arith.subi %n, %one : i64
    %s = math.sin %x : f64
    %left = func.call @tree(%s, %below) : (f64, i64) -> f64
    %right = func.call @tree(%x, %below) : (f64, i64) -> f64
    %product = arith.mulf %left, %right : f64
    %root = math.sqrt %product : f64
    scf.yield %root : f64
  }
  return %y : f64
}

func.func @objective(%x: f64, %n: i64) -> f64 {
  %y = func.call @tree(%x, %n) : (f64, i64) -> f64
  return %y : f64
}

func.func @gradient(%x: f64, %n: i64) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @tree(%x, %n) seed(%one) : (f64, i64), (f64) -> (f64, f64)
  return %x_bar : f64
}
