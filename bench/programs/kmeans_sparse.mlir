// k-means clustering of sparse points: the cost of k dense centres for n points in d dimensions
// that are given as the rows of a CSR matrix (vals, cols, rows).
//
//   cost(C) = sum_i min_k |P_i - C_k|^2,   |P_i - C_k|^2 = |P_i|^2 + |C_k|^2 - 2 sum_j v C_k[col]
//
// where j runs over the stored entries (col, v) of row i, and |P_i|^2, which is the same for all
// centres, is added to the least of the rest. So the cost takes nnz k + k d multiplications, and so
// does its derivative: what it adds to the gradient of a centre is a multiple of the centre, summed
// over the points first, and the stored entries.
//
// Public entries:
//   objective         the cost
//   gradient_hessian  the gradient with respect to C, and the diagonal of the Hessian, from one
//                     ad.jvp of the gradient: the Hessian is diagonal

func.func @objective(%C: tensor<?x?xf64>, %vals: tensor<?xf64>, %cols: tensor<?xi64>,
                     %rows: tensor<?xi64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %far = arith.constant 0x7FF0000000000000 : f64
  %k = tensor.dim %C, %c0 : tensor<?x?xf64>
  %starts = tensor.dim %rows, %c0 : tensor<?xi64>
  %n = arith.subi %starts, %c1 : index
  %points = soac.iota %n : tensor<?xindex>
  %centres = soac.iota %k : tensor<?xindex>
  %norms = soac.map ins(%C : tensor<?x?xf64>) (%c: tensor<?xf64>) -> tensor<?xf64> {
    %norm = func.call @norm(%c) : (tensor<?xf64>) -> f64
    soac.yield %norm : f64
  }
  %costs = soac.map ins(%points : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %next = arith.addi %i, %c1 : index
    %start_id = tensor.extract %rows[%i] : tensor<?xi64>
    %end_id = tensor.extract %rows[%next] : tensor<?xi64>
    %start = arith.index_cast %start_id : i64 to index
    %end = arith.index_cast %end_id : i64 to index
    %length = arith.subi %end, %start : index
    %own_vals = tensor.extract_slice %vals[%start] [%length] [1] : tensor<?xf64> to tensor<?xf64>
    %own_cols = tensor.extract_slice %cols[%start] [%length] [1] : tensor<?xi64> to tensor<?xi64>
    %relative = soac.map ins(%centres, %norms : tensor<?xindex>, tensor<?xf64>)
        (%centre: index, %norm: f64) -> tensor<?xf64> {
      %products = soac.map ins(%own_vals, %own_cols : tensor<?xf64>, tensor<?xi64>)
          (%v: f64, %id: i64) -> tensor<?xf64> {
        %col = arith.index_cast %id : i64 to index
        %c = tensor.extract %C[%centre, %col] : tensor<?x?xf64>
        %product = arith.mulf %v, %c : f64
        soac.yield %product : f64
      }
      %product = func.call @sum(%products) : (tensor<?xf64>) -> f64
      %twice = arith.mulf %two, %product : f64
      %distance = arith.subf %norm, %twice : f64
      soac.yield %distance : f64
    }
    %nearest = soac.reduce ins(%relative : tensor<?xf64>) neutral(%far : f64) (%a: f64, %b: f64) {
      %least = arith.minimumf %a, %b : f64
      soac.yield %least : f64
    }
    %own_norm = func.call @norm(%own_vals) : (tensor<?xf64>) -> f64
    %cost = arith.addf %own_norm, %nearest : f64
    soac.yield %cost : f64
  }
  %cost = func.call @sum(%costs) : (tensor<?xf64>) -> f64
  return %cost : f64
}

func.func private @gradient(%C: tensor<?x?xf64>, %vals: tensor<?xf64>, %cols: tensor<?xi64>,
                            %rows: tensor<?xi64>) -> tensor<?x?xf64> {
  %one = arith.constant 1.0 : f64
  %cost, %C_bar = ad.vjp @objective(%C, %vals, %cols, %rows) seed(%one) {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>), (f64)
      -> (f64, tensor<?x?xf64>)
  return %C_bar : tensor<?x?xf64>
}

func.func @gradient_hessian(%C: tensor<?x?xf64>, %vals: tensor<?xf64>, %cols: tensor<?xi64>,
                            %rows: tensor<?xi64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %k = tensor.dim %C, %c0 : tensor<?x?xf64>
  %d = tensor.dim %C, %c1 : tensor<?x?xf64>
  %ones = tensor.splat %one[%k, %d] : tensor<?x?xf64>
  %gradient, %diagonal = ad.jvp @gradient(%C, %vals, %cols, %rows) seed(%ones)
      {wrt = array<i64: 0>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xi64>, tensor<?xi64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %gradient, %diagonal : tensor<?x?xf64>, tensor<?x?xf64>
}

func.func private @norm(%v: tensor<?xf64>) -> f64 {
  %squares = soac.map ins(%v : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %square = arith.mulf %a, %a : f64
    soac.yield %square : f64
  }
  %norm = func.call @sum(%squares) : (tensor<?xf64>) -> f64
  return %norm : f64
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
