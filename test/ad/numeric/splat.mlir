// Derivatives of tensor.splat agree with central differences and with each other.
// RUN: ad-opt check %s --entry=splat --input=0.5 --input=4

func.func @splat(%x: f64, %n: index) -> tensor<?xf64> {
  %r = tensor.splat %x[%n] : tensor<?xf64>
  return %r : tensor<?xf64>
}
