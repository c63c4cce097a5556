// Derivatives of func.call agree with central differences and with each other.
// RUN: ad-opt check %s --entry=helper --input=0.5 --input=3 --input=0.8
// RUN: ad-opt check %s --entry=both --input=0.5 --input=0.8 --input=3

func.func @helper(%a: f64, %n: index, %b: f64) -> (f64, f64) {
  %p = arith.mulf %a, %b : f64
  %e = math.exp %a : f64
  return %p, %e : f64, f64
}

// Both results, both arguments.
func.func @both(%x: f64, %y: f64, %n: index) -> f64 {
  %r:2 = func.call @helper(%x, %n, %y) : (f64, index, f64) -> (f64, f64)
  %s = arith.addf %r#0, %r#1 : f64
  return %s : f64
}
