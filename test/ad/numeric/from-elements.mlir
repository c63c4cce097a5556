// Derivatives of tensor.from_elements agree with central differences and with each other.
// RUN: ad-opt check %s --entry=elements --input=0.5 --input=0.8
// RUN: ad-opt check %s --entry=matrix --input=0.5 --input=0.8

// The same value twice adds up.
func.func @elements(%x: f64, %y: f64) -> tensor<3xf64> {
  %r = tensor.from_elements %x, %y, %x : tensor<3xf64>
  return %r : tensor<3xf64>
}

// Two dimensions.
func.func @matrix(%x: f64, %y: f64) -> tensor<1x2xf64> {
  %r = tensor.from_elements %x, %y : tensor<1x2xf64>
  return %r : tensor<1x2xf64>
}
