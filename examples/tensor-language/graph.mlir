// # Fan-out and sums
//
// The adjoint of a value that is used twice is a sum, and that of a sum is a value that is used twice
// (ATL 2.2): with all arrows of the graph turned round, there are three additions as before.

// With x = v[0] and y = v[1], a = 2 x + 3 y and b = 4 x + a: 8 x and 5 a + 6 b.
func.func @graph(%v: tensor<2xf64>) -> (f64, f64) {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %four = arith.constant 4.0 : f64
  %five = arith.constant 5.0 : f64
  %six = arith.constant 6.0 : f64
  %eight = arith.constant 8.0 : f64
  %x = atl.access %v[0] : tensor<2xf64>
  %y = atl.access %v[1] : tensor<2xf64>
  %x2 = arith.mulf %two, %x : f64
  %y3 = arith.mulf %three, %y : f64
  %a = arith.addf %x2, %y3 : f64
  %x4 = arith.mulf %four, %x : f64
  %b = arith.addf %x4, %a : f64
  %z = arith.mulf %eight, %x : f64
  %a5 = arith.mulf %five, %a : f64
  %b6 = arith.mulf %six, %b : f64
  %w = arith.addf %a5, %b6 : f64
  return %z, %w : f64, f64
}

func.func @adjoint(%v: tensor<2xf64>, %z_bar: f64, %w_bar: f64) -> tensor<2xf64> {
  %z, %w, %v_bar = ad.vjp @graph(%v) seed(%z_bar, %w_bar)
      : (tensor<2xf64>), (f64, f64) -> (f64, f64, tensor<2xf64>)
  return %v_bar : tensor<2xf64>
}
