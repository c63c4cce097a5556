// Derivatives of The program of FUT Figure 1, both modes statement by statement [F01, F02, F13] agree with central differences and with each other.
// RUN: ad-opt check %s --entry=figure1 --input=0.7 --input=1.3

func.func @figure1(%x0: f64, %x1: f64) -> (f64, f64) {
  %v0 = math.sin %x0 : f64
  %v1 = arith.mulf %x1, %v0 : f64
  %v2 = arith.mulf %x0, %x1 : f64
  return %v1, %v2 : f64, f64
}
