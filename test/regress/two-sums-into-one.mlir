// Two updates of an accumulator that starts at zero: both are handed out of what is around them, the second
// when the first one's contributions are already a result of it, which was read after it was gone.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.w.npy '<f8' '(3,)' 0.0 1.0 1
// RUN: %python %S/../bench/Inputs/random_npy.py %t.x.npy '<f8' '(2,)' 0.0 1.0 2
// RUN: ad-opt check %s --entry=f --input=%t.w.npy --input=%t.x.npy
// RUN: ad-opt check %s --entry=f --input=%t.w.npy --input=%t.x.npy --engine=interpreter

// y[i, k] is 9 x[i] + x[i], where n is the length of w.
func.func @f(%w: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?x?xf64> {
  // What is no part of the language: the structured engine differentiates.
  %other = arith.constant dense<[2, 0, 1, 3]> : tensor<4xindex>
  %zero = arith.constant 0 : index
  %n = tensor.dim %w, %zero : tensor<?xf64>
  %m = tensor.dim %x, %zero : tensor<?xf64>
  %y = atl.gen (%i0 in %m) -> tensor<?x?xf64> {
    %blocks = atl.gen (%i1 in %m) -> tensor<?x?xf64> {
      %block = atl.gen (%i2 in %m) -> tensor<?x?xf64> {
        %row = atl.gen (%i3 in %n) -> tensor<?xf64> {
          %s = atl.sum (%i4 in %n) -> f64 {
            %t = atl.sum (%i5 in %n) -> f64 {
              %e = atl.access %x[%i0] : tensor<?xf64>
              atl.yield %e : f64
            }
            atl.yield %t : f64
          }
          %own = atl.access %x[%i0] : tensor<?xf64>
          %both = arith.addf %s, %own : f64
          atl.yield %both : f64
        }
        atl.yield %row : tensor<?xf64>
      }
      %second = atl.access %block[%i1] : tensor<?x?xf64>
      atl.yield %second : tensor<?xf64>
    }
    %first = atl.access %blocks[%i0] : tensor<?x?xf64>
    atl.yield %first : tensor<?xf64>
  }
  return %y : tensor<?x?xf64>
}
