// # Matrices that are zero but on the diagonal
//
// The adjoint of a trace writes a matrix of zeros, but for its diagonal, and that of a diagonal matrix
// reads one (ATL 1, 2.2). As brackets say where the zeros are, neither matrix exists: several traces,
// a column times a row, and the trace of a multiple of the identity take work in proportion to the
// length of the diagonal at most, and so do their gradients.

// trace(A) + trace(A), A = diag(x).
func.func @traces(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %a = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %on_diagonal = atl.compare %i = %j
    %entry = atl.bracket %on_diagonal -> f64 {
      %xi = atl.access %x[%i] : tensor<?xf64>
      atl.yield %xi : f64
    }
    atl.yield %entry : f64
  }
  %first = atl.sum (%i in %n) -> f64 {
    %entry = atl.access %a[%i, %i] : tensor<?x?xf64>
    atl.yield %entry : f64
  }
  %second = atl.sum (%i in %n) -> f64 {
    %entry = atl.access %a[%i, %i] : tensor<?x?xf64>
    atl.yield %entry : f64
  }
  %y = arith.addf %first, %second : f64
  return %y : f64
}

// dot(A[:, 0], A[0, :]), A = diag(x).
func.func @column_times_row(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %a = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %on_diagonal = atl.compare %i = %j
    %entry = atl.bracket %on_diagonal -> f64 {
      %xi = atl.access %x[%i] : tensor<?xf64>
      atl.yield %xi : f64
    }
    atl.yield %entry : f64
  }
  %y = atl.sum (%i in %n) -> f64 {
    %column = atl.access %a[%i, 0] : tensor<?x?xf64>
    %row = atl.access %a[0, %i] : tensor<?x?xf64>
    %product = arith.mulf %column, %row : f64
    atl.yield %product : f64
  }
  return %y : f64
}

// trace(eye(x)), n by n.
func.func @trace_of_eye(%x: f64, %n: index) -> f64 {
  %eye = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %on_diagonal = atl.compare %i = %j
    %entry = atl.bracket %on_diagonal -> f64 {
      atl.yield %x : f64
    }
    atl.yield %entry : f64
  }
  %y = atl.sum (%i in %n) -> f64 {
    %entry = atl.access %eye[%i, %i] : tensor<?x?xf64>
    atl.yield %entry : f64
  }
  return %y : f64
}

func.func @gradients(%x: tensor<?xf64>, %a: f64, %n: index) -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %t, %t_bar = ad.vjp @traces(%x) seed(%one) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  %c, %c_bar = ad.vjp @column_times_row(%x) seed(%one)
      : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  %e, %e_bar = ad.vjp @trace_of_eye(%a, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %t_bar, %c_bar, %e_bar : tensor<?xf64>, tensor<?xf64>, f64
}
