// Sizes that cannot be are errors at the operation, before anything runs, with the calls that led to it; so are types
// that recursion leaves open [M09].
// RUN: ad-opt %s --ad-specialize --split-input-file --verify-diagnostics

func.func private @product(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  // expected-error @+1 {{'linalg.matmul' op one operand has 4 where another has 5}}
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
func.func @caller(%a: tensor<3x4xf64>, %b: tensor<5x2xf64>, %c: tensor<3x2xf64>) -> tensor<?x?xf64> {
  %a0 = tensor.cast %a : tensor<3x4xf64> to tensor<?x?xf64>
  %b0 = tensor.cast %b : tensor<5x2xf64> to tensor<?x?xf64>
  %c0 = tensor.cast %c : tensor<3x2xf64> to tensor<?x?xf64>
  // expected-note @+1 {{called from here}}
  %r = func.call @product(%a0, %b0, %c0) : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// -----

func.func private @sum(%a: tensor<*xf64>, %b: tensor<*xf64>) -> tensor<*xf64> {
  // expected-error @+1 {{'arith.addf' op sizes 3 and 4 differ}}
  %r = arith.addf %a, %b : tensor<*xf64>
  return %r : tensor<*xf64>
}
func.func @caller(%a: tensor<3xf64>, %b: tensor<4xf64>) -> tensor<*xf64> {
  %a0 = tensor.cast %a : tensor<3xf64> to tensor<*xf64>
  %b0 = tensor.cast %b : tensor<4xf64> to tensor<*xf64>
  // expected-note @+1 {{called from here}}
  %r = func.call @sum(%a0, %b0) : (tensor<*xf64>, tensor<*xf64>) -> tensor<*xf64>
  return %r : tensor<*xf64>
}

// -----

func.func @ranks(%a: tensor<3xf64>) -> tensor<?x?xf64> {
  %b = tensor.cast %a : tensor<3xf64> to tensor<*xf64>
  // expected-error @+1 {{'tensor.cast' op sizes 3 and ?x? differ}}
  %c = tensor.cast %b : tensor<*xf64> to tensor<?x?xf64>
  return %c : tensor<?x?xf64>
}

// -----

func.func @widths(%a: tensor<?xf64>, %n: tensor<3xf64>) -> tensor<?xf64> {
  %four = arith.constant 4 : index
  %b = soac.iota %four : tensor<?xindex>
  %n0 = tensor.cast %n : tensor<3xf64> to tensor<?xf64>
  // expected-error @+1 {{'soac.map' op sizes 4 and 3 differ}}
  %c = soac.map ins(%b, %n0 : tensor<?xindex>, tensor<?xf64>) (%i: index, %x: f64) -> tensor<?xf64> {
    soac.yield %x : f64
  }
  return %c : tensor<?xf64>
}

// -----

func.func private @forever(%x: tensor<*xf64>) -> tensor<*xf64> {
  // expected-error @+1 {{'func.call' op the type of what '@forever' returns cannot be determined}}
  %r = func.call @forever(%x) : (tensor<*xf64>) -> tensor<*xf64>
  return %r : tensor<*xf64>
}
func.func @caller(%a: tensor<3xf64>) -> tensor<*xf64> {
  %a0 = tensor.cast %a : tensor<3xf64> to tensor<*xf64>
  // expected-note @+2 {{called from here}}
  // expected-error @+1 {{'func.call' op the type of what '@forever' returns cannot be determined}}
  %r = func.call @forever(%a0) : (tensor<*xf64>) -> tensor<*xf64>
  return %r : tensor<*xf64>
}

// -----

func.func private @deeper(%x: tensor<*xf64>, %n: index) -> f64 {
  %zero = arith.constant 0.0 : f64
  %v = tensor.cast %x : tensor<*xf64> to tensor<?xf64>
  %w = tensor.expand_shape %v [[0, 1]] output_shape [1, %n] : tensor<?xf64> into tensor<1x?xf64>
  %y = tensor.cast %w : tensor<1x?xf64> to tensor<*xf64>
  // expected-error @+1 {{'func.call' op calls a function that calls itself with tensors of other ranks}}
  %r = func.call @deeper(%y, %n) : (tensor<*xf64>, index) -> f64
  return %r : f64
}
func.func @caller(%a: tensor<3xf64>, %n: index) -> f64 {
  %a0 = tensor.cast %a : tensor<3xf64> to tensor<*xf64>
  // expected-note @+2 {{called from here}}
  // expected-error @+1 {{'func.call' op calls a function that calls itself with tensors of other ranks}}
  %r = func.call @deeper(%a0, %n) : (tensor<*xf64>, index) -> f64
  return %r : f64
}
