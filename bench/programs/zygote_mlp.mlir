// A network of two layers with the cross entropy of one labelled example, the MNIST network
// (784 - 100 - 10) of [ZYG 4.2, Table 2].
//
//   hidden = max(W1 x + b1, 0),  z = W2 hidden + b2,  loss = log(sum(exp(z))) - z[label]
//
// Public entries:
//   objective  the loss
//   gradient   d loss / d(W1, b1, W2, b2)

func.func @objective(%W1: tensor<?x?xf64>, %b1: tensor<?xf64>, %W2: tensor<?x?xf64>,
                     %b2: tensor<?xf64>, %x: tensor<?xf64>, %label: i64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %z1 = func.call @affine(%W1, %b1, %x) : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>)
      -> tensor<?xf64>
  %hidden = soac.map ins(%z1 : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %positive = arith.maximumf %a, %zero : f64
    soac.yield %positive : f64
  }
  %z = func.call @affine(%W2, %b2, %hidden) : (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>)
      -> tensor<?xf64>
  %norm = func.call @logsumexp(%z) : (tensor<?xf64>) -> f64
  %position = arith.index_cast %label : i64 to index
  %own = tensor.extract %z[%position] : tensor<?xf64>
  %loss = arith.subf %norm, %own : f64
  return %loss : f64
}

func.func @gradient(%W1: tensor<?x?xf64>, %b1: tensor<?xf64>, %W2: tensor<?x?xf64>,
                    %b2: tensor<?xf64>, %x: tensor<?xf64>, %label: i64)
    -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %loss, %W1_bar, %b1_bar, %W2_bar, %b2_bar =
      ad.vjp @objective(%W1, %b1, %W2, %b2, %x, %label) seed(%one)
      {wrt = array<i64: 0, 1, 2, 3>}
      : (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, i64),
        (f64)
      -> (f64, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>)
  return %W1_bar, %b1_bar, %W2_bar, %b2_bar
      : tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>
}

// W x + b
func.func private @affine(%W: tensor<?x?xf64>, %b: tensor<?xf64>, %x: tensor<?xf64>)
    -> tensor<?xf64> {
  %y = soac.map ins(%W, %b : tensor<?x?xf64>, tensor<?xf64>) (%row: tensor<?xf64>, %offset: f64)
      -> tensor<?xf64> {
    %products = soac.map ins(%row, %x : tensor<?xf64>, tensor<?xf64>) (%a: f64, %c: f64)
        -> tensor<?xf64> {
      %product = arith.mulf %a, %c : f64
      soac.yield %product : f64
    }
    %sum = func.call @sum(%products) : (tensor<?xf64>) -> f64
    %entry = arith.addf %sum, %offset : f64
    soac.yield %entry : f64
  }
  return %y : tensor<?xf64>
}

func.func private @logsumexp(%x: tensor<?xf64>) -> f64 {
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

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %sum : f64
}
