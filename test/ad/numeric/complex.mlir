// Derivatives of complex numbers agree with central differences and with each other;
// a cotangent c and a tangent t have the product Re(c t).
// RUN: ad-opt check %s --entry=parts --input=0.7-0.4j
// RUN: ad-opt check %s --entry=parts --input=-1.1+0.6j --engine=interpreter
// RUN: ad-opt check %s --entry=together --input=0.7 --input=-0.4
// RUN: ad-opt check %s --entry=together --input=0.7 --input=-0.4 --engine=interpreter
// RUN: ad-opt check %s --entry=arithmetic --input=0.7-0.4j --input=-0.8+1.3j
// RUN: ad-opt check %s --entry=arithmetic --input=0.7-0.4j --input=-0.8+1.3j --engine=interpreter
// RUN: ad-opt check %s --entry=conjugates --input=-1.1+0.6j
// RUN: ad-opt check %s --entry=conjugates --input=0.7-0.4j --engine=interpreter
// RUN: ad-opt check %s --entry=exponentials --input=0.7-0.4j
// RUN: ad-opt check %s --entry=exponentials --input=-1.1+0.6j --engine=interpreter
// RUN: ad-opt check %s --entry=roots --input=0.7-0.4j
// RUN: ad-opt check %s --entry=roots --input=-1.1+0.6j --engine=interpreter
// RUN: ad-opt check %s --entry=circular --input=0.7-0.4j
// RUN: ad-opt check %s --entry=circular --input=-1.1+0.6j --engine=interpreter
// RUN: ad-opt check %s --entry=powers --input=0.7-0.4j --input=-0.8+1.3j --input=3
// RUN: ad-opt check %s --entry=powers --input=0.7-0.4j --input=-0.8+1.3j --input=-2 --engine=interpreter
// RUN: ad-opt check %s --entry=narrow --input=0.7-0.4j --input=1.5
// RUN: ad-opt check %s --entry=narrow --input=0.7-0.4j --input=1.5 --engine=interpreter
// RUN: ad-opt check %s --entry=chosen --input=0.7-0.4j --input=-0.8+1.3j
// RUN: ad-opt check %s --entry=second --input=0.7-0.4j --input=0.9+0.1j
// RUN: ad-opt check %s --entry=second --input=0.7-0.4j --input=0.9+0.1j --engine=interpreter

func.func @parts(%z: complex<f64>) -> (f64, f64, f64, f64) {
  %0 = complex.re %z : complex<f64>
  %1 = complex.im %z : complex<f64>
  %2 = complex.abs %z : complex<f64>
  %3 = complex.angle %z : complex<f64>
  return %0, %1, %2, %3 : f64, f64, f64, f64
}

func.func @together(%a: f64, %b: f64) -> complex<f64> {
  %z = complex.create %a, %b : complex<f64>
  %y = complex.mul %z, %z : complex<f64>
  return %y : complex<f64>
}

func.func @arithmetic(%z: complex<f64>, %w: complex<f64>) -> (complex<f64>, complex<f64>) {
  %k = complex.constant [2.0, -1.0] : complex<f64>
  %0 = complex.add %z, %w : complex<f64>
  %1 = complex.sub %0, %k : complex<f64>
  %2 = complex.mul %1, %w : complex<f64>
  %3 = complex.div %2, %z : complex<f64>
  %4 = complex.neg %3 : complex<f64>
  return %2, %4 : complex<f64>, complex<f64>
}

func.func @conjugates(%z: complex<f64>) -> (complex<f64>, complex<f64>) {
  %0 = complex.conj %z : complex<f64>
  %1 = complex.sign %z : complex<f64>
  return %0, %1 : complex<f64>, complex<f64>
}

func.func @exponentials(%z: complex<f64>)
    -> (complex<f64>, complex<f64>, complex<f64>, complex<f64>) {
  %0 = complex.exp %z : complex<f64>
  %1 = complex.expm1 %z : complex<f64>
  %2 = complex.log %z : complex<f64>
  %3 = complex.log1p %z : complex<f64>
  return %0, %1, %2, %3 : complex<f64>, complex<f64>, complex<f64>, complex<f64>
}

func.func @roots(%z: complex<f64>) -> (complex<f64>, complex<f64>) {
  %0 = complex.sqrt %z : complex<f64>
  %1 = complex.rsqrt %z : complex<f64>
  return %0, %1 : complex<f64>, complex<f64>
}

func.func @circular(%z: complex<f64>)
    -> (complex<f64>, complex<f64>, complex<f64>, complex<f64>) {
  %0 = complex.sin %z : complex<f64>
  %1 = complex.cos %z : complex<f64>
  %2 = complex.tan %z : complex<f64>
  %3 = complex.tanh %z : complex<f64>
  return %0, %1, %2, %3 : complex<f64>, complex<f64>, complex<f64>, complex<f64>
}

func.func @powers(%z: complex<f64>, %w: complex<f64>, %n: i32)
    -> (complex<f64>, complex<f64>, complex<f64>) {
  %0 = complex.pow %z, %w : complex<f64>
  %1 = complex.powi %z, %n : complex<f64>, i32
  %2 = complex.atan2 %z, %w : complex<f64>
  return %0, %1, %2 : complex<f64>, complex<f64>, complex<f64>
}

func.func @narrow(%z: complex<f32>, %x: f32) -> f32 {
  %c = complex.create %x, %x : complex<f32>
  %0 = complex.mul %z, %c : complex<f32>
  %1 = complex.exp %0 : complex<f32>
  %2 = complex.abs %1 : complex<f32>
  return %2 : f32
}

// The branch that was not taken has an infinite derivative.
func.func @chosen(%z: complex<f64>, %w: complex<f64>) -> complex<f64> {
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %c = complex.neq %z, %zero : complex<f64>
  %n = complex.sub %w, %w : complex<f64>
  %l = complex.log %n : complex<f64>
  %r = arith.select %c, %z, %l : complex<f64>
  return %r : complex<f64>
}

func.func @second(%z: complex<f64>, %s: complex<f64>) -> (complex<f64>, complex<f64>) {
  %r:4 = ad.vjp @arithmetic(%z, %z) seed(%s, %s) : (complex<f64>, complex<f64>), (complex<f64>, complex<f64>)
      -> (complex<f64>, complex<f64>, complex<f64>, complex<f64>)
  %q:3 = ad.vjp @conjugates(%z) seed(%s, %s) : (complex<f64>), (complex<f64>, complex<f64>)
      -> (complex<f64>, complex<f64>, complex<f64>)
  %u = complex.add %r#2, %r#3 : complex<f64>
  return %u, %q#2 : complex<f64>, complex<f64>
}
