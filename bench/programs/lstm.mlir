// Log likelihood of a sequence under a diagonal LSTM: the D-LSTM problem of ADBench.
//
//   l layers, c steps, characters of b bits. Layer i has weights main[2 i] and biases
//   main[2 i + 1], each four blocks of b numbers: forget, ingate, outgate, change. The rows 2 i and
//   2 i + 1 of the state are the layer's hidden values and cells. For t = 0 .. c - 2:
//
//   x = seq[t] * extra[0], and in every layer, all elementwise,
//     forget = sigmoid(x W0 + B0)    ingate = sigmoid(hidden W1 + B1)
//     outgate = sigmoid(x W2 + B2)   change = tanh(hidden W3 + B3)
//     cell = cell forget + ingate change,   hidden = outgate tanh(cell),   x = hidden
//   y = x * extra[1] + extra[2]
//   total += sum(seq[t + 1] * (y - log(sum(exp(y)) + 2)))
//
//   objective = - total / ((c - 1) b)
//
// Public entries:
//   objective  as above
//   gradient   d objective / d(main, extra), asked for with ad.vjp

func.func @objective(%main: tensor<?x?xf64>, %extra: tensor<?x?xf64>, %state: tensor<?x?xf64>,
                     %seq: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %c = tensor.dim %seq, %c0 : tensor<?x?xf64>
  %b = tensor.dim %seq, %c1 : tensor<?x?xf64>
  %steps = arith.subi %c, %c1 : index
  %scale_in = func.call @row(%extra, %c0) : (tensor<?x?xf64>, index) -> tensor<?xf64>
  %scale_out = func.call @row(%extra, %c1) : (tensor<?x?xf64>, index) -> tensor<?xf64>
  %offset_out = func.call @row(%extra, %c2) : (tensor<?x?xf64>, index) -> tensor<?xf64>

  %total, %last = scf.for %t = %c0 to %steps step %c1 iter_args(%sum = %zero, %s = %state)
      -> (f64, tensor<?x?xf64>) {
    %next = arith.addi %t, %c1 : index
    %bits = func.call @row(%seq, %t) : (tensor<?x?xf64>, index) -> tensor<?xf64>
    %goal = func.call @row(%seq, %next) : (tensor<?x?xf64>, index) -> tensor<?xf64>
    %x = soac.map ins(%bits, %scale_in : tensor<?xf64>, tensor<?xf64>)
        (%bit: f64, %scale: f64) -> tensor<?xf64> {
      %scaled = arith.mulf %bit, %scale : f64
      soac.yield %scaled : f64
    }
    %hidden, %s_1 = func.call @layers(%main, %s, %x)
        : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>)
    %y = soac.map ins(%hidden, %scale_out, %offset_out
                      : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
        (%h: f64, %scale: f64, %offset: f64) -> tensor<?xf64> {
      %scaled = arith.mulf %h, %scale : f64
      %prediction = arith.addf %scaled, %offset : f64
      soac.yield %prediction : f64
    }
    %gain = func.call @log_likelihood(%y, %goal) : (tensor<?xf64>, tensor<?xf64>) -> f64
    %sum_1 = arith.addf %sum, %gain : f64
    scf.yield %sum_1, %s_1 : f64, tensor<?x?xf64>
  }

  %predicted = arith.muli %steps, %b : index
  %count = arith.index_cast %predicted : index to i64
  %number = arith.sitofp %count : i64 to f64
  %mean = arith.divf %total, %number : f64
  %loss = arith.negf %mean : f64
  return %loss : f64
}

func.func @gradient(%main: tensor<?x?xf64>, %extra: tensor<?x?xf64>, %state: tensor<?x?xf64>,
                    %seq: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %loss, %main_bar, %extra_bar = ad.vjp @objective(%main, %extra, %state, %seq) seed(%one)
      {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>), (f64)
      -> (f64, tensor<?x?xf64>, tensor<?x?xf64>)
  return %main_bar, %extra_bar : tensor<?x?xf64>, tensor<?x?xf64>
}

// One step of all layers: the hidden values of the last one, and the new state.
func.func private @layers(%main: tensor<?x?xf64>, %state: tensor<?x?xf64>, %x: tensor<?xf64>)
    -> (tensor<?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %b = tensor.dim %x, %c0 : tensor<?xf64>
  %rows = tensor.dim %main, %c0 : tensor<?x?xf64>
  %hidden_last, %state_last = scf.for %i = %c0 to %rows step %c2
      iter_args(%input = %x, %s = %state) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %j = arith.addi %i, %c1 : index
    %W0 = func.call @block(%main, %i, %c0, %b)
        : (tensor<?x?xf64>, index, index, index) -> tensor<?xf64>
    %W1 = func.call @block(%main, %i, %c1, %b)
        : (tensor<?x?xf64>, index, index, index) -> tensor<?xf64>
    %W2 = func.call @block(%main, %i, %c2, %b)
        : (tensor<?x?xf64>, index, index, index) -> tensor<?xf64>
    %W3 = func.call @block(%main, %i, %c3, %b)
        : (tensor<?x?xf64>, index, index, index) -> tensor<?xf64>
    %B0 = func.call @block(%main, %j, %c0, %b)
        : (tensor<?x?xf64>, index, index, index) -> tensor<?xf64>
    %B1 = func.call @block(%main, %j, %c1, %b)
        : (tensor<?x?xf64>, index, index, index) -> tensor<?xf64>
    %B2 = func.call @block(%main, %j, %c2, %b)
        : (tensor<?x?xf64>, index, index, index) -> tensor<?xf64>
    %B3 = func.call @block(%main, %j, %c3, %b)
        : (tensor<?x?xf64>, index, index, index) -> tensor<?xf64>
    %hidden = func.call @row(%s, %i) : (tensor<?x?xf64>, index) -> tensor<?xf64>
    %cell = func.call @row(%s, %j) : (tensor<?x?xf64>, index) -> tensor<?xf64>
    %hidden_1, %cell_1 = soac.map
        ins(%input, %hidden, %cell, %W0, %W1, %W2, %W3, %B0, %B1, %B2, %B3
            : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>,
              tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>,
              tensor<?xf64>)
        (%in: f64, %h: f64, %cl: f64, %w0: f64, %w1: f64, %w2: f64, %w3: f64,
         %b0: f64, %b1: f64, %b2: f64, %b3: f64) -> (tensor<?xf64>, tensor<?xf64>) {
      %z0 = func.call @affine(%in, %w0, %b0) : (f64, f64, f64) -> f64
      %z1 = func.call @affine(%h, %w1, %b1) : (f64, f64, f64) -> f64
      %z2 = func.call @affine(%in, %w2, %b2) : (f64, f64, f64) -> f64
      %z3 = func.call @affine(%h, %w3, %b3) : (f64, f64, f64) -> f64
      %forget = func.call @sigmoid(%z0) : (f64) -> f64
      %ingate = func.call @sigmoid(%z1) : (f64) -> f64
      %outgate = func.call @sigmoid(%z2) : (f64) -> f64
      %change = math.tanh %z3 : f64
      %kept = arith.mulf %cl, %forget : f64
      %added = arith.mulf %ingate, %change : f64
      %new_cell = arith.addf %kept, %added : f64
      %squashed = math.tanh %new_cell : f64
      %new_hidden = arith.mulf %outgate, %squashed : f64
      soac.yield %new_hidden, %new_cell : f64, f64
    }
    %s_1 = tensor.insert_slice %hidden_1 into %s[%i, 0] [1, %b] [1, 1]
        : tensor<?xf64> into tensor<?x?xf64>
    %s_2 = tensor.insert_slice %cell_1 into %s_1[%j, 0] [1, %b] [1, 1]
        : tensor<?xf64> into tensor<?x?xf64>
    scf.yield %hidden_1, %s_2 : tensor<?xf64>, tensor<?x?xf64>
  }
  return %hidden_last, %state_last : tensor<?xf64>, tensor<?x?xf64>
}

// sum(goal * (y - log(sum(exp(y)) + 2)))
func.func private @log_likelihood(%y: tensor<?xf64>, %goal: tensor<?xf64>) -> f64 {
  %two = arith.constant 2.0 : f64
  %exps = soac.map ins(%y : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %e = math.exp %a : f64
    soac.yield %e : f64
  }
  %sum = func.call @sum(%exps) : (tensor<?xf64>) -> f64
  %sum_2 = arith.addf %sum, %two : f64
  %norm = math.log %sum_2 : f64
  %gains = soac.map ins(%y, %goal : tensor<?xf64>, tensor<?xf64>) (%a: f64, %g: f64)
      -> tensor<?xf64> {
    %normalised = arith.subf %a, %norm : f64
    %gain = arith.mulf %g, %normalised : f64
    soac.yield %gain : f64
  }
  %gain = func.call @sum(%gains) : (tensor<?xf64>) -> f64
  return %gain : f64
}

func.func private @affine(%x: f64, %w: f64, %b: f64) -> f64 {
  %product = arith.mulf %x, %w : f64
  %sum = arith.addf %product, %b : f64
  return %sum : f64
}

// 1 / (1 + exp(-x)), whose derivative by way of exp would be infinity times zero for x below -710.
func.func private @sigmoid(%x: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %z = arith.mulf %x, %half : f64
  %t = math.tanh %z : f64
  %u = arith.mulf %t, %half : f64
  %y = arith.addf %u, %half : f64
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

// Row i of a matrix.
func.func private @row(%m: tensor<?x?xf64>, %i: index) -> tensor<?xf64> {
  %c1 = arith.constant 1 : index
  %width = tensor.dim %m, %c1 : tensor<?x?xf64>
  %row = tensor.extract_slice %m[%i, 0] [1, %width] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  return %row : tensor<?xf64>
}

// Block k, of b numbers, of row i.
func.func private @block(%m: tensor<?x?xf64>, %i: index, %k: index, %b: index) -> tensor<?xf64> {
  %start = arith.muli %k, %b : index
  %block = tensor.extract_slice %m[%i, %start] [1, %b] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
  return %block : tensor<?xf64>
}
