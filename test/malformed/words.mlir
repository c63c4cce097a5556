// Words in the wrong place, missing ones and unknown ones.
// RUN: ad-opt %s --split-input-file --verify-diagnostics
// RUN: not ad-opt %s --split-input-file --ad-optimize

// expected-error @+1 {{custom op 'this' is unknown (tried 'builtin.this' as well)}}
this is not a program

// -----

// expected-error @+1 {{expected operation name in quotes}}
{"json": true}

// -----

func.func @map_without_ins(%xs: tensor<?xf64>) {
  // expected-error @+1 {{custom op 'soac.map' expected 'ins'}}
  %ys = soac.map (%x: f64) -> tensor<?xf64> {
    soac.yield %x : f64
  }
  return
}

// -----

func.func @map_without_result_type(%xs: tensor<?xf64>) {
  // expected-error @+1 {{expected '->'}}
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) {
    soac.yield %x : f64
  }
  return
}

// -----

func.func @map_with_bare_arguments(%xs: tensor<?xf64>) {
  // expected-error @+1 {{expected ':'}}
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x) -> tensor<?xf64> {
    soac.yield %x : f64
  }
  return
}

// -----

func.func @reduce_without_neutral(%xs: tensor<?xf64>) {
  // expected-error @+1 {{custom op 'soac.reduce' expected 'neutral'}}
  %s = soac.reduce ins(%xs : tensor<?xf64>) (%l: f64, %r: f64) {
    soac.yield %l : f64
  }
  return
}

// -----

func.func @map_without_body(%xs: tensor<?xf64>) {
  // expected-error @+1 {{expected '{' to begin a region}}
  %ys = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64>
  return
}

// -----

func.func @unknown_operation(%xs: tensor<?xf64>) {
  // expected-error @+1 {{custom op 'soac.fold' is unknown}}
  %ys = soac.fold ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    soac.yield %x : f64
  }
  return
}

// -----

func.func @unknown_dialect(%x: f64) {
  // expected-error @+2 {{Dialect `sauce' not found for custom op 'sauce.map' }}
  // expected-note @+1 {{Available dialects: }}
  %y = sauce.map %x : f64
  return
}

// -----

// expected-error @+1 {{unknown  type `accumulator` in dialect `soac`}}
func.func @unknown_type(%x: !soac.accumulator<tensor<?xf64>>) {
  return
}

// -----

func.func @unknown_request(%x: f64) {
  // expected-error @+1 {{custom op 'ad.grad' is unknown}}
  %r:2 = ad.grad @unknown_request(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

func.func @request_of_string(%x: f64) {
  // expected-error @+1 {{custom op 'ad.vjp' invalid kind of attribute specified}}
  %r:2 = ad.vjp "f"(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

func.func @wrt_of_floats(%x: f64) {
  // expected-error @+1 {{custom op 'ad.vjp' 'ad.vjp' op attribute 'wrt' failed to satisfy constraint: i64 dense array attribute}}
  %r:2 = ad.vjp @wrt_of_floats(%x) seed(%x) {wrt = array<f64: 0.0>} : (f64), (f64) -> (f64, f64)
  return
}

// -----

func.func @count_of_results(%xs: tensor<?xf64>) {
  // expected-error @+1 {{operation defines 1 results but was provided 2 to bind}}
  %a, %b = soac.map ins(%xs : tensor<?xf64>) (%x: f64) -> tensor<?xf64> {
    soac.yield %x : f64
  }
  return
}
