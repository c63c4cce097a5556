// Derivatives of scf.if agree with central differences and with each other.
// RUN: ad-opt check %s --entry=branch --input=true --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=branch --input=false --input=0.7 --input=1.3
// RUN: ad-opt check %s --entry=around --input=true --input=0.7
// RUN: ad-opt check %s --entry=around --input=false --input=0.7
// RUN: ad-opt check %s --entry=inactive --input=true --input=0.7 --input=4

// The adjoint of a free variable that one branch does not read stays symbolic there.
func.func @branch(%c: i1, %x: f64, %y: f64) -> f64 {
  %r = scf.if %c -> f64 {
    %e = math.exp %x : f64
    scf.yield %e : f64
  } else {
    %p = arith.mulf %x, %y : f64
    scf.yield %p : f64
  }
  return %r : f64
}

// Two results, one of them an integer; used before, in and after the branch; the adjoint refers to primal values of every block by definition [F17, Z09].
func.func @around(%c: i1, %x: f64) -> f64 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %s = math.sin %x : f64
  %r:2 = scf.if %c -> (f64, index) {
    %e = arith.mulf %s, %x : f64
    scf.yield %e, %i1 : f64, index
  } else {
    scf.yield %s, %i0 : f64, index
  }
  %w = arith.index_cast %r#1 : index to i64
  %f = arith.sitofp %w : i64 to f64
  %p = arith.mulf %r#0, %f : f64
  %q = arith.mulf %p, %x : f64
  return %q : f64
}

// A branch without effect on the derivative is only run.
func.func @inactive(%c: i1, %x: f64, %n: index) -> (f64, index) {
  %i1 = arith.constant 1 : index
  %m = scf.if %c -> index {
    %k = arith.addi %n, %i1 : index
    scf.yield %k : index
  } else {
    scf.yield %n : index
  }
  %y = arith.mulf %x, %x : f64
  return %y, %m : f64, index
}
