// Derivatives of scf.for in scf.for agree with central differences and with each other.
// RUN: ad-opt check %s --entry=nested --input=3 --input=0.8

// The inner loop is executed again, not saved by the outer one: tapes have rank one [F16, Z08].
func.func @nested(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> f64 {
      %t = math.sin %b : f64
      scf.yield %t : f64
    }
    scf.yield %s : f64
  }
  return %r : f64
}
