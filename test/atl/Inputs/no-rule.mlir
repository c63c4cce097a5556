func.func private @fft(tensor<?xf64>) -> tensor<?xf64>
func.func @energy(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = func.call @fft(%x) : (tensor<?xf64>) -> tensor<?xf64>
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %y[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  return %s : f64
}
func.func @main(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @energy(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}
