// The sum of squares of a matrix product: sum((A B)^2) for square matrices.
//
// Public entries:
//   objective  the sum
//   gradient   its derivatives with respect to A and B: two more matrix products,
//              2 (A B) B^T and 2 A^T (A B)

func.func @objective(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %inner = tensor.dim %B, %c0 : tensor<?x?xf64>
  %width = tensor.dim %B, %c1 : tensor<?x?xf64>
  %terms = soac.iota %inner : tensor<?xindex>
  %columns = soac.iota %width : tensor<?xindex>
  %sums = soac.map ins(%A : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %squares = soac.map ins(%columns : tensor<?xindex>) (%j: index) -> tensor<?xf64> {
      %products = soac.map ins(%row, %terms : tensor<?xf64>, tensor<?xindex>)
          (%a: f64, %k: index) -> tensor<?xf64> {
        %b = tensor.extract %B[%k, %j] : tensor<?x?xf64>
        %ab = arith.mulf %a, %b : f64
        soac.yield %ab : f64
      }
      %entry = func.call @sum(%products) : (tensor<?xf64>) -> f64
      %square = arith.mulf %entry, %entry : f64
      soac.yield %square : f64
    }
    %sum = func.call @sum(%squares) : (tensor<?xf64>) -> f64
    soac.yield %sum : f64
  }
  %total = func.call @sum(%sums) : (tensor<?xf64>) -> f64
  return %total : f64
}

func.func @gradient(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %total, %A_bar, %B_bar = ad.vjp @objective(%A, %B) seed(%one)
      : (tensor<?x?xf64>, tensor<?x?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?x?xf64>)
  return %A_bar, %B_bar : tensor<?x?xf64>, tensor<?x?xf64>
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
