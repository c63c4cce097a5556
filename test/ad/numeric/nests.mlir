// Derivatives of Perfect nests agree with central differences and with each other.
// RUN: %python %S/../../driver/Inputs/npy.py %t.c2.npy '|b1' '(2,)' 1 0
// RUN: %python %S/../../driver/Inputs/npy.py %t.m23.npy '<f8' '(2,3)' 0.5 1.5 -0.7 2.1 0.4 0.3
// RUN: %python %S/../../driver/Inputs/npy.py %t.t222.npy '<f8' '(2,2,2)' 1 2 3 4 5 6 7 8
// RUN: ad-opt check %s --entry=figure2 --input=%t.c2.npy --input=%t.m23.npy
// RUN: ad-opt check %s --entry=deep --input=%t.t222.npy

// FUT Figure 2: the adjoint is one nested map that computes 2 a x_bar, and nothing of the forward maps is left [F11].
func.func @figure2(%cs: tensor<?xi1>, %as: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = soac.map ins(%cs, %as : tensor<?xi1>, tensor<?x?xf64>) (%c: i1, %row: tensor<?xf64>) -> tensor<?x?xf64> {
    %y = scf.if %c -> tensor<?xf64> {
      scf.yield %row : tensor<?xf64>
    } else {
      %z = soac.map ins(%row : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
        %e = arith.mulf %a, %a : f64
        soac.yield %e : f64
      }
      scf.yield %z : tensor<?xf64>
    }
    soac.yield %y : tensor<?xf64>
  }
  return %r : tensor<?x?xf64>
}

// A nest of depth three [F12].
func.func @deep(%as: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r = soac.map ins(%as : tensor<?x?x?xf64>) (%bs: tensor<?x?xf64>) -> tensor<?x?x?xf64> {
    %s = soac.map ins(%bs : tensor<?x?xf64>) (%cs: tensor<?xf64>) -> tensor<?x?xf64> {
      %t = soac.map ins(%cs : tensor<?xf64>) (%c: f64) -> tensor<?xf64> {
        %e = math.sin %c : f64
        soac.yield %e : f64
      }
      soac.yield %t : tensor<?xf64>
    }
    soac.yield %s : tensor<?x?xf64>
  }
  return %r : tensor<?x?x?xf64>
}
