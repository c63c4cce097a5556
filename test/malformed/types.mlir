// Operands, types and bodies that do not fit.
// RUN: ad-opt %s --split-input-file --verify-diagnostics
// RUN: not ad-opt %s --split-input-file --ad-optimize

func.func @map_of_scalar(%x: f64) {
  // expected-error @+1 {{'soac.map' op operand #0 must be variadic of ranked tensor of any type values, but got 'f64'}}
  %y = soac.map ins(%x : f64) (%e: f64) -> tensor<?xf64> {
    soac.yield %e : f64
  }
  return
}

// -----

func.func @map_of_unranked(%x: tensor<*xf64>) {
  // expected-error @+1 {{'soac.map' op operand #0 must be variadic of ranked tensor of any type values, but got 'tensor<*xf64>'}}
  %y = soac.map ins(%x : tensor<*xf64>) (%e: f64) -> tensor<?xf64> {
    soac.yield %e : f64
  }
  return
}

// -----

func.func @map_of_buffer(%x: memref<?xf64>) {
  // expected-error @+1 {{'soac.map' op operand #0 must be variadic of ranked tensor of any type values, but got 'memref<?xf64>'}}
  %y = soac.map ins(%x : memref<?xf64>) (%e: f64) -> tensor<?xf64> {
    soac.yield %e : f64
  }
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @operand_of_other_type(%xs: tensor<?xf32>) {
  // expected-error @+1 {{use of value '%xs' expects different type than prior uses: 'tensor<?xf64>' vs 'tensor<?xf32>'}}
  %y = soac.map ins(%xs : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    soac.yield %e : f64
  }
  return
}

// -----

func.func @counts_of_operands_and_types(%xs: tensor<?xf64>) {
  // expected-error @+1 {{custom op 'soac.map' number of operands and types do not match: got 2 operands and 1 types}}
  %y = soac.map ins(%xs, %xs : tensor<?xf64>) (%e: f64, %f: f64) -> tensor<?xf64> {
    soac.yield %e : f64
  }
  return
}

// -----

// expected-error @+2 {{invalid kind of type specified: expected builtin.tensor, but found 'f64'}}
// expected-error @+1 {{failed to parse Soac_AccType parameter 'array' which is to be a `::mlir::RankedTensorType`}}
func.func @acc_of_scalar(%x: !soac.acc<f64>) {
  return
}

// -----

// expected-error @+2 {{invalid kind of type specified: expected builtin.tensor, but found 'memref<4xf64>'}}
// expected-error @+1 {{failed to parse Soac_AccType parameter 'array' which is to be a `::mlir::RankedTensorType`}}
func.func @acc_of_buffer(%x: !soac.acc<memref<4xf64>>) {
  return
}

// -----

func.func @accs_of_arrays(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op operand #1 must be variadic of accumulator, but got 'tensor<?xf64>'}}
  %y = soac.map ins(%xs : tensor<?xf64>) accs(%xs : tensor<?xf64>) (%e: f64, %a: tensor<?xf64>) -> tensor<?xf64> {
    soac.yield %a : tensor<?xf64>
  }
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @iota_of_float_size(%n: f64) {
  // expected-error @+1 {{use of value '%n' expects different type than prior uses: 'index' vs 'f64'}}
  %i = soac.iota %n : tensor<?xindex>
  return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @update_at_float(%a: !soac.acc<tensor<?xf64>>, %x: f64) {
  // expected-error @+1 {{use of value '%x' expects different type than prior uses: 'index' vs 'f64'}}
  %b = soac.update_acc %a[%x], %x : !soac.acc<tensor<?xf64>>, f64
  return
}

// -----

func.func @update_of_array(%a: tensor<?xf64>, %i: index, %x: f64) {
  // expected-error @+1 {{'soac.update_acc' op operand #0 must be accumulator, but got 'tensor<?xf64>'}}
  %b = soac.update_acc %a[%i], %x : tensor<?xf64>, f64
  return
}

// -----

func.func @with_acc_of_index(%xs: tensor<?xindex>) {
  // expected-error @+1 {{accumulator of 'index': element must be a float, complex or integer type}}
  %y = soac.with_acc ins(%xs : tensor<?xindex>) (%a: !soac.acc<tensor<?xindex>>) -> tensor<?xindex> {
    soac.yield %a : !soac.acc<tensor<?xindex>>
  }
  return
}

// -----

func.func @value_of_later(%xs: tensor<?xf64>) {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  %y = soac.map ins(%z : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    soac.yield %e : f64
  }
  // expected-note @+1 {{operand defined here (op in the same block)}}
  %z = soac.map ins(%y : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    soac.yield %e : f64
  }
  return
}

// -----

func.func @value_of_body(%xs: tensor<?xf64>) -> f64 {
  %y = soac.map ins(%xs : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    %z = math.exp %e : f64
    soac.yield %z : f64
  }
  // expected-error @+1 {{use of undeclared SSA value name}}
  return %z : f64
}

// -----

func.func @body_of_two_blocks(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op expects region #0 to have 0 or 1 blocks}}
  %y = soac.map ins(%xs : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
    cf.br ^next
  ^next:
    soac.yield %e : f64
  }
  return
}

// -----

func.func @negative_segments(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op 'operandSegmentSizes' attribute cannot have negative elements}}
  %y = "soac.map"(%xs) <{operandSegmentSizes = array<i32: -1, 2>}> ({
  ^bb0(%e: f64):
    soac.yield %e : f64
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @too_many_segments(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
  %y = "soac.map"(%xs) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%e: f64):
    soac.yield %e : f64
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @no_region(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op requires one region}}
  %y = "soac.map"(%xs) <{operandSegmentSizes = array<i32: 1, 0>}> : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @empty_region(%xs: tensor<?xf64>) {
  // expected-error @+1 {{'soac.map' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %y = "soac.map"(%xs) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  }) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @request_without_callee(%x: f64) {
  // expected-error @+1 {{'ad.vjp' op requires attribute 'callee'}}
  %r:2 = "ad.vjp"(%x, %x) <{operandSegmentSizes = array<i32: 1, 1>}> : (f64, f64) -> (f64, f64)
  return
}
