// What is found when half of the derivative of a function that calls itself is made: that half goes without a trace.
// RUN: ad-opt %s --verify-diagnostics --ad-differentiate

memref.global "private" @state : memref<f64> = dense<0.0>

func.func @f(%x: f64, %n: index) -> f64 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %mem = memref.alloca() : memref<4xf64>
  linalg.fill ins(%x : f64) outs(%mem : memref<4xf64>)
  cf.br ^loop(%x, %n : f64, index)
^loop(%y: f64, %k: index):
  %v = memref.load %mem[%i0] : memref<4xf64>
  %more = arith.cmpi sgt, %k, %i0 : index
  cf.cond_br %more, ^again, ^end
^end:
  return %v : f64
^again:
  %less = arith.subi %k, %i1 : index
  %state = memref.get_global @state : memref<f64>
  // expected-error @+1 {{'memref.store' op has no vjp rule: other functions may use the memory of a 'memref.global', too; take the buffer as an argument instead; mark}}
  memref.store %v, %state[] : memref<f64>
  // expected-error @+1 {{'func.call' op has no vjp rule: the function may hand on what it is given in memory, or is not known}}
  %w = func.call @f(%v, %less) : (f64, index) -> f64
  cf.br ^loop(%w, %less : f64, index)
}

func.func @gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  // expected-note @+1 {{derivative requested here}}
  %y, %bar = ad.vjp @f(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %bar : f64
}
