// A weighted sum of running products: sum_i w_i x_0 x_1 ... x_i.
//
// Public entries:
//   objective  the sum
//   gradient   its derivative with respect to x, asked for with ad.vjp
//
// The gradient is a linear recurrence from the last element to the first, solved by a scan.

func.func @objective(%x: tensor<?xf64>, %w: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %products = soac.scan ins(%x : tensor<?xf64>) neutral(%one : f64) (%l: f64, %r: f64) {
    %p = arith.mulf %l, %r : f64
    soac.yield %p : f64
  }
  %terms = soac.map ins(%products, %w : tensor<?xf64>, tensor<?xf64>) (%p: f64, %wi: f64) -> tensor<?xf64> {
    %t = arith.mulf %p, %wi : f64
    soac.yield %t : f64
  }
  %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

func.func @gradient(%x: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x, %w) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
