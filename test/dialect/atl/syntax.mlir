// What is not in the language is refused where it is written [T16] [T17] [T18].
// RUN: ad-opt %s --split-input-file --verify-diagnostics

func.func @product(%x: tensor<?xf64>, %i: index, %j: index) {
  // expected-error @+1 {{not affine: one factor must be a constant}}
  %e = atl.access %x[%i * %j] : tensor<?xf64>
  return
}

// -----

func.func @remainder(%x: tensor<?xf64>, %i: index) {
  // expected-error @+1 {{not affine here: 'mod'}}
  %e = atl.access %x[%i mod 2] : tensor<?xf64>
  return
}

// -----

func.func @quotient(%i: index) {
  // expected-error @+1 {{not affine here: 'floordiv'}}
  %p = atl.compare 1 + 2 * %i floordiv 2 < %i
  return
}

// -----

func.func @symbol(%x: tensor<?xf64>, %n: index) {
  // expected-error @+1 {{expected an index, a size or an integer}}
  %e = atl.access %x[symbol(%n)] : tensor<?xf64>
  return
}

// -----

func.func @no_term(%x: tensor<?xf64>, %n: index) {
  // expected-error @+1 {{expected an index, a size or an integer}}
  %e = atl.access %x[%n + ] : tensor<?xf64>
  return
}

// -----

func.func @float_index(%x: tensor<?xf64>, %v: f64) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{use of value '%v' expects different type than prior uses: 'index' vs 'f64'}}
  %e = atl.access %x[%v] : tensor<?xf64>
  return
}

// -----

func.func @too_many_indices(%x: tensor<?xf64>, %i: index) {
  // expected-error @+1 {{has fewer dimensions than there are indices}}
  %e = atl.access %x[%i, %i] : tensor<?xf64>
  return
}

// -----

func.func @no_tensor(%x: f64, %i: index) {
  // expected-error @+1 {{invalid kind of type specified}}
  %e = atl.access %x[%i] : f64
  return
}

// -----

func.func @greater(%i: index, %j: index) {
  // expected-error @+1 {{expected '<', '<=' or '='}}
  %p = atl.compare %i > %j
  return
}

// -----

func.func @mask_as_list(%m: tensor<?xi1>, %i: index) {
  // expected-error @+1 {{a tensor of 'i1' is written without parentheses, a list of tuples with them}}
  %p = atl.member (%m)[%i] : tensor<?xi1>
  return
}

// -----

func.func @list_as_mask(%l: tensor<?xindex>, %i: index) {
  // expected-error @+1 {{a tensor of 'i1' is written without parentheses, a list of tuples with them}}
  %p = atl.member %l[%i] : tensor<?xindex>
  return
}

// -----

func.func @no_size(%v: f64) {
  // expected-error @+1 {{expected 'in'}}
  %r = atl.gen (%i) -> tensor<?xf64> {
    atl.yield %v : f64
  }
  return
}

// -----

func.func @no_type(%n: index, %v: f64) {
  // expected-error @+1 {{expected '->'}}
  %r = atl.sum (%i in %n) {
    atl.yield %v : f64
  }
  return
}

// -----

// expected-error @+1 {{expected ','}}
func.func private @half_a_pair(!atl.pair<f64>)
