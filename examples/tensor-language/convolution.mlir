// # Convolution and correlation
//
// The derivative of a convolution is the convolution of the tangent; its adjoint is a correlation
// (ATL 2.1). The sum over the results, from which the adjoint is derived, is solved for: what remains
// of it are the bounds of the kernel.

// y[i] = sum over j of c[j] x[i + j].
func.func @convolve(%x: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %length = tensor.dim %x, %zero : tensor<?xf64>
  %m = tensor.dim %c, %zero : tensor<?xf64>
  %last = arith.subi %length, %m : index
  %n = arith.addi %last, %one : index
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %sum = atl.sum (%j in %m) -> f64 {
      %cj = atl.access %c[%j] : tensor<?xf64>
      %xij = atl.access %x[%i + %j] : tensor<?xf64>
      %product = arith.mulf %cj, %xij : f64
      atl.yield %product : f64
    }
    atl.yield %sum : f64
  }
  return %y : tensor<?xf64>
}

func.func @tangent(%x: tensor<?xf64>, %c: tensor<?xf64>, %x_dot: tensor<?xf64>) -> tensor<?xf64> {
  %y, %y_dot = ad.jvp @convolve(%x, %c) seed(%x_dot) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %y_dot : tensor<?xf64>
}

func.func @adjoint(%x: tensor<?xf64>, %c: tensor<?xf64>, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %y, %x_bar = ad.vjp @convolve(%x, %c) seed(%y_bar) {wrt = array<i64: 0>}
      : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
