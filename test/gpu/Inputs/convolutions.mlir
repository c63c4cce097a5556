// Sums of squares of convolutions and of pooled images, and their gradients, of all sizes.

func.func @plain(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %y: tensor<?x?x?x?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %all = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%y : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %empty = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%all : tensor<?x?x?x?xf32>) outs(%start : tensor<f32>) {
    ^bb0(%value: f32, %so_far: f32):
      %square = arith.mulf %value, %value : f32
      %next = arith.addf %so_far, %square : f32
      linalg.yield %next : f32
  } -> tensor<f32>
  %loss = tensor.extract %sum[] : tensor<f32>
  return %loss : f32
}

func.func @plain_gradient(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %y: tensor<?x?x?x?xf32>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %one = arith.constant 1.0 : f32
  %loss, %x_bar, %w_bar = ad.vjp @plain(%x, %w, %y) seed(%one) {wrt = array<i64: 0, 1>}
    : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>), (f32) -> (f32, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
  return %x_bar, %w_bar : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

func.func @strided(%x: tensor<?x?x?x?xf64>, %w: tensor<?x?x?x?xf64>, %y: tensor<?x?x?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %all = linalg.conv_2d_nchw_fchw {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>} ins(%x, %w : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) outs(%y : tensor<?x?x?x?xf64>) -> tensor<?x?x?x?xf64>
  %empty = tensor.empty() : tensor<f64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<f64>) -> tensor<f64>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%all : tensor<?x?x?x?xf64>) outs(%start : tensor<f64>) {
    ^bb0(%value: f64, %so_far: f64):
      %square = arith.mulf %value, %value : f64
      %next = arith.addf %so_far, %square : f64
      linalg.yield %next : f64
  } -> tensor<f64>
  %loss = tensor.extract %sum[] : tensor<f64>
  return %loss : f64
}

func.func @strided_gradient(%x: tensor<?x?x?x?xf64>, %w: tensor<?x?x?x?xf64>, %y: tensor<?x?x?x?xf64>) -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %loss, %x_bar, %w_bar = ad.vjp @strided(%x, %w, %y) seed(%one) {wrt = array<i64: 0, 1>}
    : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>), (f64) -> (f64, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>)
  return %x_bar, %w_bar : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>
}

func.func @depthwise(%x: tensor<?x?x?x?xf64>, %w: tensor<?x?x?xf64>, %y: tensor<?x?x?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %all = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) outs(%y : tensor<?x?x?x?xf64>) -> tensor<?x?x?x?xf64>
  %empty = tensor.empty() : tensor<f64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<f64>) -> tensor<f64>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%all : tensor<?x?x?x?xf64>) outs(%start : tensor<f64>) {
    ^bb0(%value: f64, %so_far: f64):
      %square = arith.mulf %value, %value : f64
      %next = arith.addf %so_far, %square : f64
      linalg.yield %next : f64
  } -> tensor<f64>
  %loss = tensor.extract %sum[] : tensor<f64>
  return %loss : f64
}

func.func @depthwise_gradient(%x: tensor<?x?x?x?xf64>, %w: tensor<?x?x?xf64>, %y: tensor<?x?x?x?xf64>) -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %loss, %x_bar, %w_bar = ad.vjp @depthwise(%x, %w, %y) seed(%one) {wrt = array<i64: 0, 1>}
    : (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?x?xf64>), (f64) -> (f64, tensor<?x?x?x?xf64>, tensor<?x?x?xf64>)
  return %x_bar, %w_bar : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
}

func.func @pooled(%x: tensor<?x?x?x?xf64>, %w: tensor<?x?xf64>, %y: tensor<?x?x?x?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %all = linalg.pooling_nhwc_max {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%x, %w : tensor<?x?x?x?xf64>, tensor<?x?xf64>) outs(%y : tensor<?x?x?x?xf64>) -> tensor<?x?x?x?xf64>
  %empty = tensor.empty() : tensor<f64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<f64>) -> tensor<f64>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%all : tensor<?x?x?x?xf64>) outs(%start : tensor<f64>) {
    ^bb0(%value: f64, %so_far: f64):
      %square = arith.mulf %value, %value : f64
      %next = arith.addf %so_far, %square : f64
      linalg.yield %next : f64
  } -> tensor<f64>
  %loss = tensor.extract %sum[] : tensor<f64>
  return %loss : f64
}

func.func @pooled_gradient(%x: tensor<?x?x?x?xf64>, %w: tensor<?x?xf64>, %y: tensor<?x?x?x?xf64>) -> (tensor<?x?x?x?xf64>, tensor<?x?xf64>) {
  %one = arith.constant 1.0 : f64
  %loss, %x_bar, %w_bar = ad.vjp @pooled(%x, %w, %y) seed(%one) {wrt = array<i64: 0, 1>}
    : (tensor<?x?x?x?xf64>, tensor<?x?xf64>, tensor<?x?x?x?xf64>), (f64) -> (f64, tensor<?x?x?x?xf64>, tensor<?x?xf64>)
  return %x_bar, %w_bar : tensor<?x?x?x?xf64>, tensor<?x?xf64>
}
