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
// With few centres, |P_i - C_k|^2 is summed as it stands for each. Among many, the nearest is where
// |C_k|^2 - 2 <P_i, C_k> is least, a product of matrices, which takes half the operations; only the
// distance to that one is then summed, as it stands. A point whose nearest two are as far, up to the
// rounding of these products, moves with either.

func.func @objective(%C: tensor<?x?xf64>, %P: tensor<?x?xf64>) -> f64 {
  %far = arith.constant 0x7FF0000000000000 : f64
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %few = arith.constant 32 : index
  %k = tensor.dim %C, %c0 : tensor<?x?xf64>
  %many = arith.cmpi ugt, %k, %few : index
  %costs = scf.if %many -> tensor<?xf64> {
    %nearest = func.call @nearest(%C, %P) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?xindex>
    %each = soac.map ins(%P, %nearest : tensor<?x?xf64>, tensor<?xindex>)
        (%p: tensor<?xf64>, %i: index) -> tensor<?xf64> {
      %c1 = arith.constant 1 : index
      %d = tensor.dim %C, %c1 : tensor<?x?xf64>
      %c = tensor.extract_slice %C[%i, 0] [1, %d] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %cost = func.call @distance(%p, %c) : (tensor<?xf64>, tensor<?xf64>) -> f64
      soac.yield %cost : f64
    }
    scf.yield %each : tensor<?xf64>
  } else {
    %each = soac.map ins(%P : tensor<?x?xf64>) (%p: tensor<?xf64>) -> tensor<?xf64> {
      %distances = soac.map ins(%C : tensor<?x?xf64>) (%c: tensor<?xf64>) -> tensor<?xf64> {
        %distance = func.call @distance(%p, %c) : (tensor<?xf64>, tensor<?xf64>) -> f64
        soac.yield %distance : f64
      }
      %nearest = soac.reduce ins(%distances : tensor<?xf64>) neutral(%far : f64)
          (%a: f64, %b: f64) {
        %least = arith.minimumf %a, %b : f64
        soac.yield %least : f64
      }
      soac.yield %nearest : f64
    }
    scf.yield %each : tensor<?xf64>
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

// For each point, which of the centres is the nearest one.
func.func private @nearest(%C: tensor<?x?xf64>, %P: tensor<?x?xf64>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %far = arith.constant 0x7FF0000000000000 : f64
  %two = arith.constant 2.0 : f64
  %k = tensor.dim %C, %c0 : tensor<?x?xf64>
  %numbers = soac.iota %k : tensor<?xindex>
  %norms = soac.map ins(%C : tensor<?x?xf64>) (%c: tensor<?xf64>) -> tensor<?xf64> {
    %norm = func.call @dot(%c, %c) : (tensor<?xf64>, tensor<?xf64>) -> f64
    soac.yield %norm : f64
  }
  %nearest = soac.map ins(%P : tensor<?x?xf64>) (%p: tensor<?xf64>) -> tensor<?xindex> {
    %scores = soac.map ins(%C, %norms : tensor<?x?xf64>, tensor<?xf64>)
        (%c: tensor<?xf64>, %norm: f64) -> tensor<?xf64> {
      %product = func.call @dot(%p, %c) : (tensor<?xf64>, tensor<?xf64>) -> f64
      %twice = arith.mulf %two, %product : f64
      %score = arith.subf %norm, %twice : f64
      soac.yield %score : f64
    }
    %least, %i = soac.reduce ins(%scores, %numbers : tensor<?xf64>, tensor<?xindex>)
        neutral(%far, %c0 : f64, index) (%a: f64, %i: index, %b: f64, %j: index) {
      %less = arith.cmpf olt, %b, %a : f64
      %value = arith.select %less, %b, %a : f64
      %number = arith.select %less, %j, %i : index
      soac.yield %value, %number : f64, index
    }
    soac.yield %i : index
  }
  return %nearest : tensor<?xindex>
}

func.func private @distance(%p: tensor<?xf64>, %c: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %squares = soac.map ins(%p, %c : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64)
      -> tensor<?xf64> {
    %difference = arith.subf %a, %b : f64
    %square = arith.mulf %difference, %difference : f64
    soac.yield %square : f64
  }
  %distance = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %sum = arith.addf %a, %b : f64
    soac.yield %sum : f64
  }
  return %distance : f64
}

func.func private @dot(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %products = soac.map ins(%x, %y : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64)
      -> tensor<?xf64> {
    %product = arith.mulf %a, %b : f64
    soac.yield %product : f64
  }
  %dot = soac.reduce ins(%products : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %sum = arith.addf %a, %b : f64
    soac.yield %sum : f64
  }
  return %dot : f64
}
