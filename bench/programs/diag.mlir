// The first column of a diagonal matrix times its first row: dot(A[:, 0], A[0, :]), A = diag(x).
//
// A is the function @diag of two indices, an array that nobody stores, so the objective and the
// gradient do work in proportion to the length of x. The gradient is (2 x[0], 0, 0, ...).
//
// Public entries: objective, gradient.

func.func @objective(%x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %range = soac.iota %n : tensor<?xindex>
  %products = soac.map ins(%range : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %column = func.call @diag(%x, %i, %c0) : (tensor<?xf64>, index, index) -> f64
    %row = func.call @diag(%x, %c0, %i) : (tensor<?xf64>, index, index) -> f64
    %product = arith.mulf %column, %row : f64
    soac.yield %product : f64
  }
  %y = func.call @sum(%products) : (tensor<?xf64>) -> f64
  return %y : f64
}

func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x) seed(%one)
      : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// The entry (i, j) of diag(x).
func.func private @diag(%x: tensor<?xf64>, %i: index, %j: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %on_diagonal = arith.cmpi eq, %i, %j : index
  %entry = scf.if %on_diagonal -> f64 {
    %x_i = tensor.extract %x[%i] : tensor<?xf64>
    scf.yield %x_i : f64
  } else {
    scf.yield %zero : f64
  }
  return %entry : f64
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
