// log(sum(exp(x))) without overflow: the maximum is subtracted and added back, so it has no
// influence on the result and needs no derivative.
//
// Public entries: objective, gradient.

func.func @objective(%x: tensor<?xf64>) -> f64 {
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %x_0 = ad.stop_gradient %x : tensor<?xf64>
  %max = soac.reduce ins(%x_0 : tensor<?xf64>) neutral(%lowest : f64) (%a: f64, %b: f64) {
    %c = arith.maximumf %a, %b : f64
    soac.yield %c : f64
  }
  %exps = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %shifted = arith.subf %a, %max : f64
    %e = math.exp %shifted : f64
    soac.yield %e : f64
  }
  %sum = func.call @sum(%exps) : (tensor<?xf64>) -> f64
  %log = math.log %sum : f64
  %y = arith.addf %log, %max : f64
  return %y : f64
}

func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @objective(%x) seed(%one)
      : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
