// What is not in Tensor SSA is an error at the operation (T29).
// RUN: ad-opt %s --atl-verify-form --split-input-file --verify-diagnostics

// All six right-hand sides [ATL Figure 10]: inputs, a constant, a guarded addition, a guarded function, a
// contraction of two tensors, one of one; and numbers.
func.func @six(%x: tensor<?xf64>, %p: !atl.pair<f64, tensor<?xf64>>, %n: index) -> (f64, tensor<?xf64>) {
  %a = atl.project %p[0] : !atl.pair<f64, tensor<?xf64>>
  %one = arith.constant 1.0 : f64
  %ones = atl.gen (%i in %n) -> tensor<?xf64> {
    atl.yield %one : f64
  }
  %sum = atl.gen (%i in %n) -> tensor<?xf64> {
    %q = atl.compare %i < 3
    %l = atl.bracket %q -> f64 {
      %e = atl.access %x[%i] : tensor<?xf64>
      atl.yield %e : f64
    }
    %r = atl.access %ones[%i] : tensor<?xf64>
    %s = arith.addf %l, %r : f64
    atl.yield %s : f64
  }
  %exp = atl.gen (%i in %n) -> tensor<?xf64> {
    %q = atl.exists (%j in %n) {
      %c = atl.compare %i = 2 * %j
      atl.yield %c : i1
    }
    %b = atl.bracket %q -> f64 {
      %e = atl.access %sum[%i] : tensor<?xf64>
      %f = math.exp %e : f64
      atl.yield %f : f64
    }
    atl.yield %b : f64
  }
  %product = atl.gen (%i in %n) -> tensor<?xf64> {
    %s = atl.sum (%j in %n, %k in %n) -> f64 {
      %q = atl.compare %i = %j + %k
      %b = atl.bracket %q -> f64 {
        %l = atl.access %exp[%j] : tensor<?xf64>
        %r = atl.access %x[%k] : tensor<?xf64>
        %m = arith.mulf %l, %r : f64
        atl.yield %m : f64
      }
      atl.yield %b : f64
    }
    atl.yield %s : f64
  }
  %total = atl.sum (%i in %n, %j in %n) -> f64 {
    %e = atl.access %product[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  %scaled = arith.mulf %a, %total : f64
  return %scaled, %product : f64, tensor<?xf64>
}

// -----

func.func @nested_let(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %e = atl.access %x[%i] : tensor<?xf64>
    // expected-error@+1 {{binds in a body what is used more than once: lets stand outermost [ATL 5.6, 5.7]}}
    %f = math.exp %e : f64
    %s = arith.addf %f, %f : f64
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

func.func @pair_inside(%x: tensor<?xf64>, %n: index) -> f64 {
  %s = atl.sum (%i in %n) -> f64 {
    %e = atl.access %x[%i] : tensor<?xf64>
    // expected-error@+1 {{makes pairs that are no output: tensors of halves are bound [ATL 5.18-5.20]}}
    %p = atl.pair %e, %e : f64, f64
    // expected-error@+1 {{projects what is no input: no value inside is a pair [ATL 5.11-5.17]}}
    %h = atl.project %p[0] : !atl.pair<f64, f64>
    atl.yield %h : f64
  }
  return %s : f64
}

// -----

func.func @access_of_gen(%x: tensor<?xf64>, %n: index) -> f64 {
  %s = atl.sum (%i in %n) -> f64 {
    // expected-error@+1 {{is not outermost in what is bound [ATL 5.21, 5.23]}}
    %g = atl.gen (%j in %n) -> tensor<?xf64> {
      %e = atl.access %x[%j] : tensor<?xf64>
      atl.yield %e : f64
    }
    // expected-error@+1 {{accesses what has no name [ATL 5.21, 5.22]}}
    %e = atl.access %g[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  return %s : f64
}

// -----

func.func @sum_in_call(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %s = atl.sum (%j in %n) -> f64 {
      %e = atl.access %x[%j] : tensor<?xf64>
      atl.yield %e : f64
    }
    // expected-error@+1 {{is not in Tensor SSA: operands of a function are elements of named tensors at the indices of the result [ATL 5.33]}}
    %f = math.exp %s : f64
    atl.yield %f : f64
  }
  return %y : tensor<?xf64>
}

// -----

func.func @product_in_addition(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %e = atl.access %x[%i] : tensor<?xf64>
    %p = arith.mulf %e, %e : f64
    // expected-error@+1 {{operands of an addition are elements of named tensors at the indices of the result [ATL 5.31]}}
    %s = arith.addf %p, %e : f64
    atl.yield %s : f64
  }
  return %y : tensor<?xf64>
}

// -----

func.func @bracket_around_addition(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %q = atl.compare %i < 3
    %b = atl.bracket %q -> f64 {
      %e = atl.access %x[%i] : tensor<?xf64>
      // expected-error@+1 {{a bracket is around each operand of an addition, not around both [ATL 5.31]}}
      %s = arith.addf %e, %e : f64
      atl.yield %s : f64
    }
    atl.yield %b : f64
  }
  return %y : tensor<?xf64>
}

// -----

func.func @elsewhere(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %e = atl.access %x[%i + 1] : tensor<?xf64>
    // expected-error@+1 {{operands of a function are elements of named tensors at the indices of the result [ATL 5.30]}}
    %f = math.exp %e : f64
    atl.yield %f : f64
  }
  return %y : tensor<?xf64>
}

// -----

func.func @transposed(%x: tensor<?x?xf64>, %n: index) -> tensor<?x?xf64> {
  %y = atl.gen (%i in %n, %j in %n) -> tensor<?x?xf64> {
    %e = atl.access %x[%j, %i] : tensor<?x?xf64>
    // expected-error@+1 {{operands of a function are elements of named tensors at the indices of the result [ATL 5.30]}}
    %f = math.exp %e : f64
    atl.yield %f : f64
  }
  return %y : tensor<?x?xf64>
}

// -----

func.func @copy(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    // expected-error@+1 {{a copy is no binding, and what is read elsewhere is a contraction [ATL 5.30]}}
    %e = atl.access %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  return %y : tensor<?xf64>
}

// -----

func.func @shared_index(%x: tensor<?xf64>, %n: index) -> f64 {
  %s = atl.sum (%i in %n, %j in %n) -> f64 {
    %l = atl.access %x[%i] : tensor<?xf64>
    // expected-error@+1 {{each index of a factor is an index of the sum of its own, in order: the predicate says which are equal [ATL 5.32]}}
    %r = atl.access %x[%i] : tensor<?xf64>
    %p = arith.mulf %l, %r : f64
    atl.yield %p : f64
  }
  return %s : f64
}

// -----

func.func @three_factors(%x: tensor<?xf64>, %n: index) -> f64 {
  %s = atl.sum (%i in %n, %j in %n, %k in %n) -> f64 {
    %a = atl.access %x[%i] : tensor<?xf64>
    %b = atl.access %x[%j] : tensor<?xf64>
    %c = atl.access %x[%k] : tensor<?xf64>
    // expected-error@+1 {{factors of a contraction are elements of named tensors at indices of its sum [ATL 5.30, 5.32, 5.34]}}
    %p = arith.mulf %a, %b : f64
    %q = arith.mulf %p, %c : f64
    atl.yield %q : f64
  }
  return %s : f64
}

// -----

func.func @bracket_around_sum(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %q = atl.compare %i < 3
    %b = atl.bracket %q -> f64 {
      // expected-error@+1 {{the bracket is inside of the sum of a contraction [ATL 5.34]}}
      %s = atl.sum (%j in %n) -> f64 {
        %e = atl.access %x[%j] : tensor<?xf64>
        atl.yield %e : f64
      }
      atl.yield %s : f64
    }
    atl.yield %b : f64
  }
  return %y : tensor<?xf64>
}

// -----

func.func @difference(%a: f64, %n: index) -> f64 {
  %s = atl.sum (%i in %n) -> f64 {
    atl.yield %a : f64
  }
  // expected-error@+1 {{is not in Tensor SSA: a difference is an addition of a product with -1}}
  %d = arith.subf %a, %s : f64
  return %d : f64
}

// -----

func.func @generations_in_generations(%x: tensor<?xf64>, %n: index) -> tensor<?x?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?x?xf64> {
    // expected-error@+1 {{it is none of the six right-hand sides [ATL Figure 10]}}
    %row = atl.gen (%j in %n) -> tensor<?xf64> {
      %e = atl.access %x[%j] : tensor<?xf64>
      %f = math.exp %e : f64
      atl.yield %f : f64
    }
    atl.yield %row : tensor<?xf64>
  }
  return %y : tensor<?x?xf64>
}

// -----

func.func @deeper_let(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %y = atl.gen (%i in %n) -> tensor<?xf64> {
    %q = atl.compare %i < 3
    %e = atl.access %x[%i] : tensor<?xf64>
    // expected-error@+1 {{binds what a deeper body uses: lets stand outermost [ATL 5.9]}}
    %f = math.exp %e : f64
    %b = atl.bracket %q -> f64 {
      %s = math.sin %f : f64
      atl.yield %s : f64
    }
    atl.yield %b : f64
  }
  return %y : tensor<?xf64>
}
