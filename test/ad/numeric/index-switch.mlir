// Derivatives of scf.index_switch and scf.execute_region agree with central differences
// and with each other.
// RUN: ad-opt check %s --entry=f --input=0 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=f --input=2 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=f --input=2 --input=0.7 --input=1.3 --engine=interpreter
// RUN: ad-opt check %s --entry=f --input=5 --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=f --input=5 --input=0.7 --input=1.3 --engine=interpreter
// RUN: ad-opt check %s --entry=pullback --input=2 --input=0.7 --input=1.3

func.func @f(%i: index, %x: f64, %y: f64) -> (f64, f64) {
  %r:2 = scf.index_switch %i -> f64, f64
  case 0 {
    %p = arith.mulf %x, %y : f64
    scf.yield %p, %x : f64, f64
  }
  case 2 {
    %s = scf.execute_region -> f64 {
      %t = math.sin %x : f64
      scf.yield %t : f64
    }
    %p = arith.mulf %s, %s : f64
    scf.yield %p, %y : f64, f64
  }
  default {
    %e = math.exp %y : f64
    scf.yield %e, %e : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

// Second order.
func.func @pullback(%i: index, %x: f64, %y: f64) -> (f64, f64) {
  %r:4 = ad.vjp @f(%i, %x, %y) seed(%x, %y) : (index, f64, f64), (f64, f64) -> (f64, f64, f64, f64)
  return %r#2, %r#3 : f64, f64
}
