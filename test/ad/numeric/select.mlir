// Derivatives of arith.select agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.x4.npy '<f8' '(4,)' 0.5 1.5 -0.7 2.1
// RUN: %python %S/../../driver/Inputs/npy.py %t.y4.npy '<f8' '(4,)' 1.2 0.3 0.9 -1.4
// RUN: ad-opt check %s --entry=scalar --input=true --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=scalar --input=false --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=array --input=true --input=%t.x4.npy --input=%t.y4.npy
// RUN: ad-opt check %s --entry=array --input=false --input=%t.x4.npy --input=%t.y4.npy

func.func @scalar(%c: i1, %x: f64, %y: f64) -> f64 {
  %a = math.sqrt %x : f64
  %r = arith.select %c, %a, %y : f64
  return %r : f64
}

// Whole arrays by one condition.
func.func @array(%c: i1, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = arith.select %c, %x, %y : tensor<?xf64>
  return %r : tensor<?xf64>
}
