// Implicit differentiation: the derivative of what an iteration converges to, by the equation that holds there, and not through
// the iterations. The rules are functions like others, and so the Hessian is there, too.
//
// x = tanh(W x + b), of which W is so small that there is one solution. With J the Jacobian of the step at x:
//   x_dot = J x_dot + (the tangent of a step with W_dot and b_dot)      u = J' u + x_bar, and W_bar, b_bar of a step with u

func.func private @step(%w: tensor<?x?xf64>, %b: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = soac.map ins(%w, %b : tensor<?x?xf64>, tensor<?xf64>) (%w_i: tensor<?xf64>, %b_i: f64) -> tensor<?xf64> {
    %terms = arith.mulf %w_i, %x : tensor<?xf64>
    %sum = soac.reduce ins(%terms : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %s = arith.addf %l, %r : f64
      soac.yield %s : f64
    }
    %a = arith.addf %sum, %b_i : f64
    %y_i = math.tanh %a : f64
    soac.yield %y_i : f64
  }
  return %y : tensor<?xf64>
}

// Whether no element changes by more than 1e-14.
func.func private @is_close(%x: tensor<?xf64>, %y: tensor<?xf64>) -> i1 {
  %zero = arith.constant 0.0 : f64
  %near = arith.constant 1.0e-14 : f64
  %d = arith.subf %x, %y : tensor<?xf64>
  %size = math.absf %d : tensor<?xf64>
  %largest = soac.reduce ins(%size : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %m = arith.maximumf %l, %r : f64
    soac.yield %m : f64
  }
  %is_close = arith.cmpf ole, %largest, %near : f64
  return %is_close : i1
}

func.func private @solve(%w: tensor<?x?xf64>, %b: tensor<?xf64>) -> tensor<?xf64>
    attributes {custom_jvp = @solve_jvp, custom_vjp = @solve_vjp} {
  %true = arith.constant true
  %x, %done = scf.while (%x = %b, %again = %true) : (tensor<?xf64>, i1) -> (tensor<?xf64>, i1) {
    scf.condition(%again) %x, %again : tensor<?xf64>, i1
  } do {
  ^bb0(%x: tensor<?xf64>, %again: i1):
    %next = func.call @step(%w, %b, %x) : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %close = func.call @is_close(%x, %next) : (tensor<?xf64>, tensor<?xf64>) -> i1
    %not_yet = arith.xori %close, %true : i1
    scf.yield %next, %not_yet : tensor<?xf64>, i1
  }
  return %x : tensor<?xf64>
}

// t = J t + c
func.func private @tangent(%w: tensor<?x?xf64>, %b: tensor<?xf64>, %x: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {
  %true = arith.constant true
  %t, %done = scf.while (%t = %c, %again = %true) : (tensor<?xf64>, i1) -> (tensor<?xf64>, i1) {
    scf.condition(%again) %t, %again : tensor<?xf64>, i1
  } do {
  ^bb0(%t: tensor<?xf64>, %again: i1):
    %y, %j_t = ad.jvp @step(%w, %b, %x) seed(%t) {wrt = array<i64: 2>}
        : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    %next = arith.addf %j_t, %c : tensor<?xf64>
    %close = func.call @is_close(%t, %next) : (tensor<?xf64>, tensor<?xf64>) -> i1
    %not_yet = arith.xori %close, %true : i1
    scf.yield %next, %not_yet : tensor<?xf64>, i1
  }
  return %t : tensor<?xf64>
}

func.func private @solve_jvp(%w: tensor<?x?xf64>, %b: tensor<?xf64>, %w_dot: tensor<?x?xf64>, %b_dot: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %x = func.call @solve(%w, %b) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %y, %c = ad.jvp @step(%w, %b, %x) seed(%w_dot, %b_dot) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>), (tensor<?x?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %x_dot = func.call @tangent(%w, %b, %x, %c)
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %x, %x_dot : tensor<?xf64>, tensor<?xf64>
}

// J' u
func.func private @pull(%w: tensor<?x?xf64>, %b: tensor<?xf64>, %x: tensor<?xf64>, %u: tensor<?xf64>) -> tensor<?xf64> {
  %y, %x_bar = ad.vjp @step(%w, %b, %x) seed(%u) {wrt = array<i64: 2>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// u = J' u + x_bar, for which there is a rule, too: u_dot = J' u_dot + (J' u)_dot with u as it is + x_bar_dot
func.func private @adjoint(%w: tensor<?x?xf64>, %b: tensor<?xf64>, %x: tensor<?xf64>, %x_bar: tensor<?xf64>) -> tensor<?xf64>
    attributes {custom_jvp = @adjoint_jvp} {
  %true = arith.constant true
  %u, %done = scf.while (%u = %x_bar, %again = %true) : (tensor<?xf64>, i1) -> (tensor<?xf64>, i1) {
    scf.condition(%again) %u, %again : tensor<?xf64>, i1
  } do {
  ^bb0(%u: tensor<?xf64>, %again: i1):
    %pulled = func.call @pull(%w, %b, %x, %u)
        : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %next = arith.addf %pulled, %x_bar : tensor<?xf64>
    %close = func.call @is_close(%u, %next) : (tensor<?xf64>, tensor<?xf64>) -> i1
    %not_yet = arith.xori %close, %true : i1
    scf.yield %next, %not_yet : tensor<?xf64>, i1
  }
  return %u : tensor<?xf64>
}

func.func private @adjoint_jvp(%w: tensor<?x?xf64>, %b: tensor<?xf64>, %x: tensor<?xf64>, %x_bar: tensor<?xf64>,
    %w_dot: tensor<?x?xf64>, %b_dot: tensor<?xf64>, %x_dot: tensor<?xf64>, %x_bar_dot: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>) {
  %u = func.call @adjoint(%w, %b, %x, %x_bar)
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %pulled, %pulled_dot = ad.jvp @pull(%w, %b, %x, %u) seed(%w_dot, %b_dot, %x_dot) {wrt = array<i64: 0, 1, 2>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>), (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>)
  %c = arith.addf %pulled_dot, %x_bar_dot : tensor<?xf64>
  %u_dot = func.call @adjoint(%w, %b, %x, %c)
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %u, %u_dot : tensor<?xf64>, tensor<?xf64>
}

func.func private @solve_vjp(%w: tensor<?x?xf64>, %b: tensor<?xf64>, %x_bar: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %x = func.call @solve(%w, %b) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %u = func.call @adjoint(%w, %b, %x, %x_bar)
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %y, %w_bar, %b_bar = ad.vjp @step(%w, %b, %x) seed(%u) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>)
  return %x, %w_bar, %b_bar : tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>
}

// The sum of the squares of x.
func.func @objective(%w: tensor<?x?xf64>, %b: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %x = func.call @solve(%w, %b) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %squares = arith.mulf %x, %x : tensor<?xf64>
  %sum = soac.reduce ins(%squares : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return %sum : f64
}

func.func @gradient(%w: tensor<?x?xf64>, %b: tensor<?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %y, %w_bar, %b_bar = ad.vjp @objective(%w, %b) seed(%one)
      : (tensor<?x?xf64>, tensor<?xf64>), (f64) -> (f64, tensor<?x?xf64>, tensor<?xf64>)
  return %w_bar, %b_bar : tensor<?x?xf64>, tensor<?xf64>
}

// The Hessian times a direction.
func.func @curvature(%w: tensor<?x?xf64>, %b: tensor<?xf64>, %w_dot: tensor<?x?xf64>, %b_dot: tensor<?xf64>)
    -> (tensor<?x?xf64>, tensor<?xf64>) {
  %r:4 = ad.jvp @gradient(%w, %b) seed(%w_dot, %b_dot)
      : (tensor<?x?xf64>, tensor<?xf64>), (tensor<?x?xf64>, tensor<?xf64>)
      -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>)
  return %r#2, %r#3 : tensor<?x?xf64>, tensor<?xf64>
}
