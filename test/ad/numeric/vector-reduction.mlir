// Derivatives of vector.reduction by a product, a minimum and a maximum agree with
// central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x3.npy '<f8' '(3,)' 0.5 1.5 -0.7
// RUN: %python %S/../../driver/Inputs/npy.py %t.x0.npy '<f8' '(3,)' 0.5 0 -0.7
// RUN: ad-opt check %s --entry=f --input=%t.x3.npy --input=0.9
// RUN: ad-opt check %s --entry=f --input=%t.x3.npy --input=0.9 --engine=interpreter
// RUN: ad-opt check %s --entry=f --input=%t.x0.npy --input=0.9

func.func @f(%x: tensor<3xf64>, %y: f64) -> (f64, f64, f64, f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract %x[%c0] : tensor<3xf64>
  %1 = tensor.extract %x[%c1] : tensor<3xf64>
  %2 = tensor.extract %x[%c2] : tensor<3xf64>
  %v = vector.from_elements %0, %1, %2 : vector<3xf64>
  %a = vector.reduction <mul>, %v, %y : vector<3xf64> into f64
  %b = vector.reduction <minimumf>, %v : vector<3xf64> into f64
  %c = vector.reduction <maximumf>, %v, %y : vector<3xf64> into f64
  %d = vector.reduction <minnumf>, %v, %y : vector<3xf64> into f64
  %e = vector.reduction <maxnumf>, %v : vector<3xf64> into f64
  return %a, %b, %c, %d, %e : f64, f64, f64, f64, f64
}
