// k-means clustering as an optimisation problem: the cost of k centres for n points, in d
// dimensions.
//
//   cost(C) = sum_i min_k |P_i - C_k|^2
//
// Public entries:
//   objective         the cost
//   gradient_hessian  the gradient with respect to C, and the diagonal of the Hessian
//
// A point moves with its nearest centre only, and coordinate by coordinate, so the Hessian is
// diagonal: one ad.jvp of the gradient in the direction of all ones gives the whole of it.
//
// |P_i - C_k|^2 is summed as it stands, in n k d multiplications; no n x k table of distances is
// stored.

func.func @objective(%C: tensor<?x?xf64>, %P: tensor<?x?xf64>) -> f64 {
  %far = arith.constant 0x7FF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %costs = soac.map ins(%P : tensor<?x?xf64>) (%p: tensor<?xf64>) -> tensor<?xf64> {
    %distances = soac.map ins(%C : tensor<?x?xf64>) (%c: tensor<?xf64>) -> tensor<?xf64> {
      %squares = soac.map ins(%p, %c : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64)
          -> tensor<?xf64> {
        %difference = arith.subf %a, %b : f64
        %square = arith.mulf %difference, %difference : f64
        soac.yield %square : f64
      }
      %distance = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64)
          (%a: f64, %b: f64) {
        %sum = arith.addf %a, %b : f64
        soac.yield %sum : f64
      }
      soac.yield %distance : f64
    }
    %nearest = soac.reduce ins(%distances : tensor<?xf64>) neutral(%far : f64) (%a: f64, %b: f64) {
      %least = arith.minimumf %a, %b : f64
      soac.yield %least : f64
    }
    soac.yield %nearest : f64
  }
  %cost = soac.reduce ins(%costs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %sum = arith.addf %a, %b : f64
    soac.yield %sum : f64
  }
  return %cost : f64
}

func.func private @gradient(%C: tensor<?x?xf64>, %P: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %cost, %C_bar = ad.vjp @objective(%C, %P) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>)
  return %C_bar : tensor<?x?xf64>
}

func.func @gradient_hessian(%C: tensor<?x?xf64>, %P: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %k = tensor.dim %C, %c0 : tensor<?x?xf64>
  %d = tensor.dim %C, %c1 : tensor<?x?xf64>
  %ones = tensor.splat %one[%k, %d] : tensor<?x?xf64>
  %gradient, %diagonal = ad.jvp @gradient(%C, %P) seed(%ones) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %gradient, %diagonal : tensor<?x?xf64>, tensor<?x?xf64>
}
