// # Deconvolution of a batch
//
// The least squares that recover signals from what a kernel made of them, or the kernel from the
// signals (ATL 2.1, 2.3). The tensor that the derivative binds depends on the number of the signal;
// it comes out of the sum over signals as a tensor with one dimension more. Both gradients are
// pipelines of two stencils.

// The sum over k and i of (sum over j of w[j] x[k, i + j] - z[k, i])^2.
func.func @loss(%x: tensor<?x?xf64>, %w: tensor<?xf64>, %z: tensor<?x?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %signals = tensor.dim %z, %zero : tensor<?x?xf64>
  %n = tensor.dim %z, %one : tensor<?x?xf64>
  %m = tensor.dim %w, %zero : tensor<?xf64>
  %loss = atl.sum (%k in %signals, %i in %n) -> f64 {
    %sum = atl.sum (%j in %m) -> f64 {
      %wj = atl.access %w[%j] : tensor<?xf64>
      %xij = atl.access %x[%k, %i + %j] : tensor<?x?xf64>
      %product = arith.mulf %wj, %xij : f64
      atl.yield %product : f64
    }
    %zi = atl.access %z[%k, %i] : tensor<?x?xf64>
    %residual = arith.subf %sum, %zi : f64
    %square = arith.mulf %residual, %residual : f64
    atl.yield %square : f64
  }
  return %loss : f64
}

func.func @by_signals(%x: tensor<?x?xf64>, %w: tensor<?xf64>, %z: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %loss, %x_bar = ad.vjp @loss(%x, %w, %z) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %x_bar : tensor<?x?xf64>
}

func.func @by_kernel(%x: tensor<?x?xf64>, %w: tensor<?xf64>, %z: tensor<?x?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %loss, %w_bar = ad.vjp @loss(%x, %w, %z) seed(%one) {wrt = array<i64: 1>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %w_bar : tensor<?xf64>
}
