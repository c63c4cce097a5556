// # Sparse rows
//
// A sparse matrix whose entries are stored row after row (CSR) is a compressed list: `starts` says which
// entries are those of each row. A sum for each row goes over the entries of that row. The cost is in
// proportion to the number of entries, whatever the size of the matrix, and so are those of the
// gradients of a loss by the entries and by the vector.

// The sum of the squares of A x, where entry k of A is values[k] in column columns[k].
func.func @loss(%starts: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %x: tensor<?xf64>, %rows: index) -> f64 {
  %zero = arith.constant 0 : index
  %entries = tensor.dim %values, %zero : tensor<?xf64>
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %y = atl.gen (%i in %rows) -> tensor<?xf64> {
    %sum = atl.sum (%j in %n, %k in %entries) -> f64 {
      %is_entry = atl.member (compressed %starts, %columns)[%i, %j] at %k : tensor<?xindex>, tensor<?xindex>
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
  %loss = atl.sum (%i in %rows) -> f64 {
    %e = atl.access %y[%i] : tensor<?xf64>
    %square = arith.mulf %e, %e : f64
    atl.yield %square : f64
  }
  return %loss : f64
}

func.func @gradient(%starts: tensor<?xindex>, %columns: tensor<?xindex>, %values: tensor<?xf64>, %x: tensor<?xf64>, %rows: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %loss, %values_bar, %x_bar = ad.vjp @loss(%starts, %columns, %values, %x, %rows) seed(%one) {wrt = array<i64: 2, 3>}
      : (tensor<?xindex>, tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, index), (f64) -> (f64, tensor<?xf64>, tensor<?xf64>)
  return %values_bar, %x_bar : tensor<?xf64>, tensor<?xf64>
}
