// A batched LSTM in single precision: the sum of squared errors of its hidden states.
//
//   n steps, a batch of bs sequences, d inputs, h hidden units. Hidden values and cells both start
//   at h0. In step t, with the 4 h columns of z in the order input, forget, output, candidate:
//
//   z = xs[t] W + hidden U + b
//   input, forget, output = sigmoid(z_0, z_1, z_2),   candidate = tanh(z_3)
//   cell = forget cell + input candidate,   hidden = output tanh(cell)
//   total += |hidden - target[t]|^2
//
// Public entries:
//   objective  the total
//   gradient   d total / d(W, U, b), asked for with ad.vjp

func.func @objective(%W: tensor<?x?xf32>, %U: tensor<?x?xf32>, %b: tensor<?xf32>,
                     %xs: tensor<?x?x?xf32>, %h0: tensor<?x?xf32>, %target: tensor<?x?x?xf32>)
    -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %xs, %c0 : tensor<?x?x?xf32>
  %bs = tensor.dim %xs, %c1 : tensor<?x?x?xf32>
  %h = tensor.dim %h0, %c1 : tensor<?x?xf32>
  %zx = soac.map ins(%xs : tensor<?x?x?xf32>) (%x: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
    %xW = func.call @matmul(%x, %W) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    soac.yield %xW : tensor<?x?xf32>
  }
  %width = tensor.dim %W, %c1 : tensor<?x?xf32>
  %total, %hidden_n, %cell_n = scf.for %t = %c0 to %n step %c1
      iter_args(%sum = %zero, %hidden = %h0, %cell = %h0)
      -> (f32, tensor<?x?xf32>, tensor<?x?xf32>) {
    %zx_t = tensor.extract_slice %zx[%t, 0, 0] [1, %bs, %width] [1, 1, 1]
        : tensor<?x?x?xf32> to tensor<?x?xf32>
    %goal = tensor.extract_slice %target[%t, 0, 0] [1, %bs, %h] [1, 1, 1]
        : tensor<?x?x?xf32> to tensor<?x?xf32>
    %hU = func.call @matmul(%hidden, %U) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %z = arith.addf %zx_t, %hU : tensor<?x?xf32>
    %hidden_1, %cell_1, %errors = soac.map
        ins(%z, %cell, %goal : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
        (%z_row: tensor<?xf32>, %old: tensor<?xf32>, %wanted: tensor<?xf32>)
        -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
      %new_hidden, %new_cell = func.call @gates(%z_row, %b, %old)
          : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
      %error = func.call @squared_distance(%new_hidden, %wanted)
          : (tensor<?xf32>, tensor<?xf32>) -> f32
      soac.yield %new_hidden, %new_cell, %error : tensor<?xf32>, tensor<?xf32>, f32
    }
    %error = func.call @sum(%errors) : (tensor<?xf32>) -> f32
    %sum_1 = arith.addf %sum, %error : f32
    scf.yield %sum_1, %hidden_1, %cell_1 : f32, tensor<?x?xf32>, tensor<?x?xf32>
  }
  return %total : f32
}

func.func @gradient(%W: tensor<?x?xf32>, %U: tensor<?x?xf32>, %b: tensor<?xf32>,
                    %xs: tensor<?x?x?xf32>, %h0: tensor<?x?xf32>, %target: tensor<?x?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %one = arith.constant 1.0 : f32
  %total, %W_bar, %U_bar, %b_bar = ad.vjp @objective(%W, %U, %b, %xs, %h0, %target) seed(%one)
      {wrt = array<i64: 0, 1, 2>}
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>,
         tensor<?x?x?xf32>), (f32)
      -> (f32, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>)
  return %W_bar, %U_bar, %b_bar : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// One row of hidden values and cells.
func.func private @gates(%z: tensor<?xf32>, %b: tensor<?xf32>, %cell: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = tensor.dim %cell, %c0 : tensor<?xf32>
  %h2 = arith.muli %h, %c2 : index
  %h3 = arith.muli %h, %c3 : index
  %units = soac.iota %h : tensor<?xindex>
  %hidden_1, %cell_1 = soac.map ins(%units, %cell : tensor<?xindex>, tensor<?xf32>)
      (%j: index, %old: f32) -> (tensor<?xf32>, tensor<?xf32>) {
    %j1 = arith.addi %h, %j : index
    %j2 = arith.addi %h2, %j : index
    %j3 = arith.addi %h3, %j : index
    %y0 = tensor.extract %z[%j] : tensor<?xf32>
    %b0 = tensor.extract %b[%j] : tensor<?xf32>
    %z0 = arith.addf %y0, %b0 : f32
    %y1 = tensor.extract %z[%j1] : tensor<?xf32>
    %b1 = tensor.extract %b[%j1] : tensor<?xf32>
    %z1 = arith.addf %y1, %b1 : f32
    %y2 = tensor.extract %z[%j2] : tensor<?xf32>
    %b2 = tensor.extract %b[%j2] : tensor<?xf32>
    %z2 = arith.addf %y2, %b2 : f32
    %y3 = tensor.extract %z[%j3] : tensor<?xf32>
    %b3 = tensor.extract %b[%j3] : tensor<?xf32>
    %z3 = arith.addf %y3, %b3 : f32
    %input = func.call @sigmoid(%z0) : (f32) -> f32
    %forget = func.call @sigmoid(%z1) : (f32) -> f32
    %output = func.call @sigmoid(%z2) : (f32) -> f32
    %candidate = math.tanh %z3 : f32
    %kept = arith.mulf %forget, %old : f32
    %added = arith.mulf %input, %candidate : f32
    %new = arith.addf %kept, %added : f32
    %squashed = math.tanh %new : f32
    %hidden = arith.mulf %output, %squashed : f32
    soac.yield %hidden, %new : f32, f32
  }
  return %hidden_1, %cell_1 : tensor<?xf32>, tensor<?xf32>
}

// 1 / (1 + exp(-x)), whose derivative by way of exp would be infinity times zero for x below -88.
func.func private @sigmoid(%x: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %z = arith.mulf %x, %half : f32
  %t = math.tanh %z : f32
  %u = arith.mulf %t, %half : f32
  %y = arith.addf %u, %half : f32
  return %y : f32
}

func.func private @squared_distance(%v: tensor<?xf32>, %w: tensor<?xf32>) -> f32 {
  %squares = soac.map ins(%v, %w : tensor<?xf32>, tensor<?xf32>) (%a: f32, %b: f32)
      -> tensor<?xf32> {
    %difference = arith.subf %a, %b : f32
    %square = arith.mulf %difference, %difference : f32
    soac.yield %square : f32
  }
  %sum = func.call @sum(%squares) : (tensor<?xf32>) -> f32
  return %sum : f32
}

func.func private @matmul(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %inner = tensor.dim %B, %c0 : tensor<?x?xf32>
  %width = tensor.dim %B, %c1 : tensor<?x?xf32>
  %terms = soac.iota %inner : tensor<?xindex>
  %columns = soac.iota %width : tensor<?xindex>
  %product = soac.map ins(%A : tensor<?x?xf32>) (%row: tensor<?xf32>) -> tensor<?x?xf32> {
    %new = soac.map ins(%columns : tensor<?xindex>) (%j: index) -> tensor<?xf32> {
      %products = soac.map ins(%row, %terms : tensor<?xf32>, tensor<?xindex>)
          (%a: f32, %k: index) -> tensor<?xf32> {
        %b = tensor.extract %B[%k, %j] : tensor<?x?xf32>
        %ab = arith.mulf %a, %b : f32
        soac.yield %ab : f32
      }
      %entry = func.call @sum(%products) : (tensor<?xf32>) -> f32
      soac.yield %entry : f32
    }
    soac.yield %new : tensor<?xf32>
  }
  return %product : tensor<?x?xf32>
}

func.func private @sum(%v: tensor<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = soac.reduce ins(%v : tensor<?xf32>) neutral(%zero : f32) (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    soac.yield %c : f32
  }
  return %sum : f32
}
