// The sum of the squares of a sparse matrix times a vector. The matrix has its entries in a list: their
// rows, columns and values.
//
// A sum over the numbered tuples of a relation takes each tuple once, so that objective and gradient
// take work in proportion to the number of entries.
//
// Public entries: objective, gradient (of the values and of the vector).

func.func @objective(%rows: tensor<?xi64>, %columns: tensor<?xi64>, %values: tensor<?xf64>, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %entries = tensor.dim %values, %c0 : tensor<?xf64>
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %sum = atl.sum (%j in %n, %k in %entries) -> f64 {
      %is_entry = atl.member (%rows, %columns)[%i, %j] at %k : tensor<?xi64>, tensor<?xi64>
      %term = atl.bracket %is_entry -> f64 {
        %v = atl.access %values[%k] : tensor<?xf64>
        %xj = atl.access %x[%j] : tensor<?xf64>
        %product = arith.mulf %v, %xj : f64
        atl.yield %product : f64
      }
      atl.yield %term : f64
    }
    atl.yield %sum : f64
  }
  %loss = atl.sum (%i in %n) -> f64 {
    %e = atl.access %y[%i] : tensor<?xf64>
    %square = arith.mulf %e, %e : f64
    atl.yield %square : f64
  }
  return %loss : f64
}

func.func @gradient(%rows: tensor<?xi64>, %columns: tensor<?xi64>, %values: tensor<?xf64>, %x: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %values_bar, %x_bar = ad.vjp @objective(%rows, %columns, %values, %x) seed(%one)
      : (tensor<?xi64>, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %values_bar, %x_bar : tensor<?xf64>, tensor<?xf64>
}
