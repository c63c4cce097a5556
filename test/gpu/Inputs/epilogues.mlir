#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// A layer of a network, and what it makes in the other order; both depend on the number of the column.
func.func @layer(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>, %b: tensor<?xf64>, %s: tensor<?xf64>, %e: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?x?xf64>
  %n = tensor.dim %w, %c1 : tensor<?x?xf64>
  %p0 = tensor.empty(%m, %n) : tensor<?x?xf64>
  %q0 = tensor.empty(%n, %m) : tensor<?x?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%p0 : tensor<?x?xf64>) -> tensor<?x?xf64>
  %p = linalg.matmul ins(%x, %w : tensor<?x?xf64>, tensor<?x?xf64>) outs(%f : tensor<?x?xf64>) -> tensor<?x?xf64>
  %h:2 = linalg.generic {indexing_maps = [#column, #all, #row, #turned, #all, #turned], iterator_types = ["parallel", "parallel"]}
      ins(%b, %p, %s, %e : tensor<?xf64>, tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>)
      outs(%p0, %q0 : tensor<?x?xf64>, tensor<?x?xf64>) {
  ^bb0(%b_i: f64, %p_i: f64, %s_i: f64, %e_i: f64, %_: f64, %__: f64):
    %j = linalg.index 1 : index
    %j32 = arith.index_cast %j : index to i32
    %number = arith.sitofp %j32 : i32 to f64
    %1 = arith.mulf %p_i, %s_i : f64
    %2 = arith.addf %1, %b_i : f64
    %3 = math.tanh %2 : f64
    %4 = arith.mulf %e_i, %p_i : f64
    %5 = arith.addf %4, %number : f64
    linalg.yield %3, %5 : f64, f64
  } -> (tensor<?x?xf64>, tensor<?x?xf64>)
  return %h#0, %h#1 : tensor<?x?xf64>, tensor<?x?xf64>
}

// Each step takes the place of the one before: what is made of the product must not be written to its factor.
func.func @steps(%x: tensor<?x?xf64>, %w: tensor<?x?xf64>, %b: tensor<?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %m = tensor.dim %x, %c0 : tensor<?x?xf64>
  %n = tensor.dim %w, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%m, %n) : tensor<?x?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<?x?xf64> {
    %p = linalg.matmul ins(%y, %w : tensor<?x?xf64>, tensor<?x?xf64>) outs(%f : tensor<?x?xf64>) -> tensor<?x?xf64>
    %h = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
        ins(%p, %b : tensor<?x?xf64>, tensor<?xf64>) outs(%y : tensor<?x?xf64>) {
    ^bb0(%p_i: f64, %b_i: f64, %y_i: f64):
      %1 = arith.addf %p_i, %b_i : f64
      %2 = math.tanh %1 : f64
      %3 = arith.addf %2, %y_i : f64
      linalg.yield %3 : f64
    } -> tensor<?x?xf64>
    scf.yield %h : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}

// A convolution with a bias for each of its channels, and what is left of that above zero.
func.func @convolution(%x: tensor<?x?x?x?xf64>, %w: tensor<3x3x?x?xf64>, %b: tensor<?xf64>) -> tensor<?x?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %images = tensor.dim %x, %c0 : tensor<?x?x?x?xf64>
  %height = tensor.dim %x, %c1 : tensor<?x?x?x?xf64>
  %width = tensor.dim %x, %c2 : tensor<?x?x?x?xf64>
  %channels = tensor.dim %w, %c3 : tensor<3x3x?x?xf64>
  %rows = arith.subi %height, %c2 : index
  %columns = arith.subi %width, %c2 : index
  %e = tensor.empty(%images, %rows, %columns, %channels) : tensor<?x?x?x?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?x?x?xf64>) -> tensor<?x?x?x?xf64>
  %p = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x?x?x?xf64>, tensor<3x3x?x?xf64>) outs(%f : tensor<?x?x?x?xf64>)
      -> tensor<?x?x?x?xf64>
  %h = linalg.generic {indexing_maps = [affine_map<(n, i, j, c) -> (n, i, j, c)>, affine_map<(n, i, j, c) -> (c)>,
      affine_map<(n, i, j, c) -> (n, i, j, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %b : tensor<?x?x?x?xf64>, tensor<?xf64>) outs(%e : tensor<?x?x?x?xf64>) {
  ^bb0(%p_i: f64, %b_i: f64, %_: f64):
    %1 = arith.addf %p_i, %b_i : f64
    %2 = arith.maximumf %1, %zero : f64
    linalg.yield %2 : f64
  } -> tensor<?x?x?x?xf64>
  return %h : tensor<?x?x?x?xf64>
}

// Factors of 16 bits, sums of 32, and a layer of 16 again.
func.func @narrow(%x: tensor<?x?xf16>, %w: tensor<?x?xf16>, %b: tensor<?xf32>) -> tensor<?x?xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %n = tensor.dim %w, %c1 : tensor<?x?xf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %e16 = tensor.empty(%m, %n) : tensor<?x?xf16>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %h = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%e16 : tensor<?x?xf16>) {
  ^bb0(%p_i: f32, %b_i: f32, %_: f16):
    %1 = arith.addf %p_i, %b_i : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<?x?xf16>
  return %h : tensor<?x?xf16>
}

// A recurrent cell: the sums of two products, of which only what is made is written.
func.func @cell(%x: tensor<?x?x?xf64>, %w: tensor<?x?xf64>, %u: tensor<?x?xf64>, %h: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %steps = tensor.dim %x, %c0 : tensor<?x?x?xf64>
  %m = tensor.dim %x, %c1 : tensor<?x?x?xf64>
  %k = tensor.dim %x, %c2 : tensor<?x?x?xf64>
  %n = tensor.dim %w, %c1 : tensor<?x?xf64>
  %e = tensor.empty(%m, %n) : tensor<?x?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%y = %h) -> tensor<?x?xf64> {
    %x_t = tensor.extract_slice %x[%t, 0, 0] [1, %m, %k] [1, 1, 1] : tensor<?x?x?xf64> to tensor<?x?xf64>
    %p = linalg.matmul ins(%x_t, %w : tensor<?x?xf64>, tensor<?x?xf64>) outs(%f : tensor<?x?xf64>) -> tensor<?x?xf64>
    %q = linalg.matmul ins(%y, %u : tensor<?x?xf64>, tensor<?x?xf64>) outs(%p : tensor<?x?xf64>) -> tensor<?x?xf64>
    %a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
        ins(%q : tensor<?x?xf64>) outs(%e : tensor<?x?xf64>) {
    ^bb0(%q_i: f64, %_: f64):
      %1 = math.tanh %q_i : f64
      linalg.yield %1 : f64
    } -> tensor<?x?xf64>
    scf.yield %a : tensor<?x?xf64>
  }
  return %r : tensor<?x?xf64>
}
