// Logistic regression: the mean negative log likelihood of labels t (0 or 1) given the rows of x,
//   L(w, b) = 1/n sum_i ( softplus(z_i) - t_i z_i ),  z_i = <x_i, w> + b,
// with its gradient and, by differentiating the gradient, its Hessian times a direction.

func.func @objective(%w: tensor<?xf64>, %b: f64, %x: tensor<?x?xf64>, %t: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %losses = soac.map ins(%x, %t : tensor<?x?xf64>, tensor<?xf64>)
      (%row: tensor<?xf64>, %label: f64) -> tensor<?xf64> {
    %products = soac.map ins(%row, %w : tensor<?xf64>, tensor<?xf64>)
        (%x_j: f64, %w_j: f64) -> tensor<?xf64> {
      %product = arith.mulf %x_j, %w_j : f64
      soac.yield %product : f64
    }
    %dot = func.call @sum(%products) : (tensor<?xf64>) -> f64
    %z = arith.addf %dot, %b : f64
    %softplus = func.call @softplus(%z) : (f64) -> f64
    %label_z = arith.mulf %label, %z : f64
    %loss = arith.subf %softplus, %label_z : f64
    soac.yield %loss : f64
  }
  %total = func.call @sum(%losses) : (tensor<?xf64>) -> f64
  %n = tensor.dim %t, %c0 : tensor<?xf64>
  %n_int = arith.index_cast %n : index to i64
  %n_float = arith.sitofp %n_int : i64 to f64
  %mean = arith.divf %total, %n_float : f64
  return %mean : f64
}

func.func @gradient(%w: tensor<?xf64>, %b: f64, %x: tensor<?x?xf64>, %t: tensor<?xf64>)
    -> (tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %y, %w_bar, %b_bar = ad.vjp @objective(%w, %b, %x, %t) seed(%one) {wrt = array<i64: 0, 1>}
      : (tensor<?xf64>, f64, tensor<?x?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>, f64)
  return %w_bar, %b_bar : tensor<?xf64>, f64
}

func.func @hessian_product(%w: tensor<?xf64>, %b: f64, %x: tensor<?x?xf64>, %t: tensor<?xf64>,
                           %w_dot: tensor<?xf64>, %b_dot: f64) -> (tensor<?xf64>, f64) {
  %w_bar, %b_bar, %w_bar_dot, %b_bar_dot = ad.jvp @gradient(%w, %b, %x, %t) seed(%w_dot, %b_dot)
      {wrt = array<i64: 0, 1>}
      : (tensor<?xf64>, f64, tensor<?x?xf64>, tensor<?xf64>), (tensor<?xf64>, f64)
      -> (tensor<?xf64>, f64, tensor<?xf64>, f64)
  return %w_bar_dot, %b_bar_dot : tensor<?xf64>, f64
}

// log(1 + exp(z)), by the branch that cannot overflow.
func.func private @softplus(%z: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %z, %zero : f64
  %result = scf.if %positive -> f64 {
    %minus_z = arith.negf %z : f64
    %e = math.exp %minus_z : f64
    %rest = math.log1p %e : f64
    %large = arith.addf %z, %rest : f64
    scf.yield %large : f64
  } else {
    %e = math.exp %z : f64
    %small = math.log1p %e : f64
    scf.yield %small : f64
  }
  return %result : f64
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
