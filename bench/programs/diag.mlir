// The first column of a diagonal matrix times its first row: dot(A[:, 0], A[0, :]), A = diag(x).
//
// A is a tensor of all pairs of indices. What is computed of it is what its bracket lets through, so
// that the objective and the gradient, which is (2 x[0], 0, 0, ...), take no product of lengths.
//
// Public entries: objective, gradient.

func.func @objective(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %A = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %on_diagonal = atl.compare %i = %j
    %entry = atl.bracket %on_diagonal -> f64 {
      %x_i = atl.access %x[%i] : tensor<?xf64>
      atl.yield %x_i : f64
    }
    atl.yield %entry : f64
  }
  %y = atl.sum (%i in %n) -> f64 {
    %column = atl.access %A[%i, 0] : tensor<?x?xf64>
    %row = atl.access %A[0, %i] : tensor<?x?xf64>
    %product = arith.mulf %column, %row : f64
    atl.yield %product : f64
  }
  return %y : f64
}

func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x) seed(%one)
      : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
