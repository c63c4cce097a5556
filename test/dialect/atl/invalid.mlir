// Each numbered constraint of AtlOps.td and AtlTypes.td is refused where it is
// broken: `@gen_c2` breaks (C2) of atl.gen [T16] [T17] [T18] [T19].
// RUN: ad-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{pair of 'index': must be a float, a pair, or a tensor of rank one or more of floats or pairs}}
func.func private @pair_type_c1(!atl.pair<f64, index>)

// -----

// expected-error @+1 {{pair of 'tensor<f64>': must be a float, a pair, or a tensor of rank one or more of floats or pairs}}
func.func private @pair_type_c1_rank(!atl.pair<tensor<f64>, f64>)

// -----

func.func @gen_c1_none(%v: f64) {
  // expected-error @+1 {{'atl.gen' op needs at least one index}}
  %r = atl.gen () -> tensor<?xf64> {
    atl.yield %v : f64
  }
  return
}

// -----

func.func @gen_c1_arguments(%n: index, %v: f64) {
  // expected-error @+1 {{'atl.gen' op body takes ('i32') but should take ('index')}}
  %r = "atl.gen"(%n) ({
  ^bb0(%i: i32):
    atl.yield %v : f64
  }) : (index) -> tensor<?xf64>
  return
}

// -----

func.func @gen_c2_rank(%n: index, %v: f64) {
  // expected-error @+1 {{'atl.gen' op result 'tensor<?xf64>' has fewer dimensions than the 2 indices}}
  %r = atl.gen (%i in %n, %j in %n) -> tensor<?xf64> {
    atl.yield %v : f64
  }
  return
}

// -----

func.func @gen_c2_size(%n: index, %v: f64) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{'atl.gen' op result has size 5 in dimension 1 but the index goes to 4}}
  %r = atl.gen (%i in %n, %j in %c4) -> tensor<?x5xf64> {
    atl.yield %v : f64
  }
  return
}

// -----

func.func @gen_c3_type(%n: index) {
  // expected-error @+1 {{'atl.gen' op elements of the result must be floats or pairs: 'tensor<?xindex>'}}
  %r = atl.gen (%i in %n) -> tensor<?xindex> {
    atl.yield %i : index
  }
  return
}

// -----

func.func @gen_c3_yield(%n: index, %v: f32) {
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    // expected-error @+1 {{'atl.yield' op yields 'f32' but the body of 'atl.gen' should yield 'f64'}}
    atl.yield %v : f32
  }
  return
}

// -----

func.func @gen_c3_row(%n: index, %v: tensor<3xf64>) {
  %r = atl.gen (%i in %n) -> tensor<?x?xf64> {
    // expected-error @+1 {{'atl.yield' op yields 'tensor<3xf64>' but the body of 'atl.gen' should yield 'tensor<?xf64>'}}
    atl.yield %v : tensor<3xf64>
  }
  return
}

// -----

func.func @gen_c3_terminator(%n: index, %v: f64) {
  // expected-error @+1 {{'atl.gen' op body must end in 'atl.yield'}}
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    ub.unreachable
  }
  return
}

// -----

func.func @gen_c4_triangle(%n: index, %v: f64) {
  // expected-note @+1 {{computed here}}
  %r = atl.gen (%i in %n) -> tensor<?x?xf64> {
    // expected-error @+1 {{'atl.gen' op size is computed inside of an 'atl' operation: compute it outside, or let a bracket with a comparison say which indices count}}
    %row = atl.gen (%j in %i) -> tensor<?xf64> {
      atl.yield %v : f64
    }
    atl.yield %row : tensor<?xf64>
  }
  return
}

// -----

func.func @gen_c5(%n: index, %x: tensor<?xf64>) {
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    // expected-error @+1 {{'tensor.extract' op cannot be in the body of 'atl.gen', which has 'atl' operations, constants, 'arith' and 'math' on scalars, 'tensor.dim', and 'func.call' on scalars only; do it outside}}
    %e = tensor.extract %x[%i] : tensor<?xf64>
    atl.yield %e : f64
  }
  return
}

// -----

func.func @gen_c5_tensors(%n: index, %x: tensor<2xf64>) {
  %r = atl.gen (%i in %n) -> tensor<?x2xf64> {
    // expected-error @+1 {{'arith.addf' op cannot be in the body of 'atl.gen'}}
    %e = arith.addf %x, %x : tensor<2xf64>
    atl.yield %e : tensor<2xf64>
  }
  return
}

// -----

func.func private @f(tensor<2xf64>) -> f64
func.func @gen_c5_call(%n: index, %x: tensor<2xf64>) {
  %r = atl.gen (%i in %n) -> tensor<?xf64> {
    // expected-error @+1 {{'func.call' op cannot be in the body of 'atl.gen'}}
    %e = func.call @f(%x) : (tensor<2xf64>) -> f64
    atl.yield %e : f64
  }
  return
}

// -----

func.func @sum_c1(%v: f64) {
  // expected-error @+1 {{'atl.sum' op needs at least one index}}
  %r = atl.sum () -> f64 {
    atl.yield %v : f64
  }
  return
}

// -----

func.func @sum_c2_tensor(%n: index, %v: tensor<?xf64>) {
  // expected-error @+1 {{'atl.sum' op adds up floats, not 'tensor<?xf64>': generate a tensor of sums instead}}
  %r = atl.sum (%i in %n) -> tensor<?xf64> {
    atl.yield %v : tensor<?xf64>
  }
  return
}

// -----

func.func @sum_c2_integer(%n: index, %v: i64) {
  // expected-error @+1 {{'atl.sum' op adds up floats, not 'i64'}}
  %r = atl.sum (%i in %n) -> i64 {
    atl.yield %v : i64
  }
  return
}

// -----

func.func @sum_c2_yield(%n: index, %v: f32) {
  %r = atl.sum (%i in %n) -> f64 {
    // expected-error @+1 {{'atl.yield' op yields 'f32' but the body of 'atl.sum' should yield 'f64'}}
    atl.yield %v : f32
  }
  return
}

// -----

func.func @sum_c3(%n: index, %v: f64, %x: tensor<?x?xf64>) {
  %r = atl.sum (%i in %n) -> f64 {
    %row = atl.access %x[%i] : tensor<?x?xf64>
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{computed here}}
    %d = tensor.dim %row, %c0 : tensor<?xf64>
    // expected-error @+1 {{'atl.sum' op size is computed inside of an 'atl' operation}}
    %s = atl.sum (%j in %d) -> f64 {
      atl.yield %v : f64
    }
    atl.yield %s : f64
  }
  return
}

// -----

func.func @sum_c4(%n: index, %p: i1, %v: f64) {
  %r = atl.sum (%i in %n) -> f64 {
    // expected-error @+1 {{'scf.if' op cannot be in the body of 'atl.sum'}}
    %e = scf.if %p -> f64 {
      scf.yield %v : f64
    } else {
      scf.yield %v : f64
    }
    atl.yield %e : f64
  }
  return
}

// -----

func.func @exists_c1(%p: i1) {
  // expected-error @+1 {{'atl.exists' op needs at least one index}}
  %r = atl.exists () {
    atl.yield %p : i1
  }
  return
}

// -----

func.func @exists_c2(%n: index, %v: f64) {
  %r = atl.exists (%i in %n) {
    // expected-error @+1 {{'atl.yield' op yields 'f64' but the body of 'atl.exists' should yield 'i1'}}
    atl.yield %v : f64
  }
  return
}

// -----

func.func @exists_c3(%n: index, %p: i1) {
  // expected-note @+1 {{computed here}}
  %r = atl.exists (%i in %n) {
    // expected-error @+1 {{'atl.exists' op size is computed inside of an 'atl' operation}}
    %q = atl.exists (%j in %i) {
      atl.yield %p : i1
    }
    atl.yield %q : i1
  }
  return
}

// -----

func.func @exists_c4(%n: index, %m: tensor<?xi1>) {
  %r = atl.exists (%i in %n) {
    // expected-error @+1 {{'tensor.extract' op cannot be in the body of 'atl.exists'}}
    %p = tensor.extract %m[%i] : tensor<?xi1>
    atl.yield %p : i1
  }
  return
}

// -----

func.func @bracket_c1(%p: i1, %v: index) {
  // expected-error @+1 {{'atl.bracket' op result must be a float, a pair, or a tensor of rank one or more of floats or pairs: 'index'}}
  %r = atl.bracket %p -> index {
    atl.yield %v : index
  }
  return
}

// -----

func.func @bracket_c2_yield(%p: i1, %v: tensor<3xf64>) {
  %r = atl.bracket %p -> tensor<?xf64> {
    // expected-error @+1 {{'atl.yield' op yields 'tensor<3xf64>' but the body of 'atl.bracket' should yield 'tensor<?xf64>'}}
    atl.yield %v : tensor<3xf64>
  }
  return
}

// -----

func.func @bracket_c2_arguments(%p: i1) {
  // expected-error @+1 {{'atl.bracket' op body takes ('f64') but should take ()}}
  %r = "atl.bracket"(%p) ({
  ^bb0(%v: f64):
    atl.yield %v : f64
  }) : (i1) -> f64
  return
}

// -----

func.func @bracket_c3(%p: i1, %x: tensor<f64>) {
  %r = atl.bracket %p -> f64 {
    // expected-error @+1 {{'tensor.extract' op cannot be in the body of 'atl.bracket'}}
    %e = tensor.extract %x[] : tensor<f64>
    atl.yield %e : f64
  }
  return
}

// -----

func.func @access_c1_none(%x: tensor<?xf64>) {
  // expected-error @+1 {{'atl.access' op needs at least one index}}
  %e = atl.access %x[] : tensor<?xf64>
  return
}

// -----

func.func @access_c1_many(%x: tensor<?xf64>, %i: index) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'atl.access' op has 2 indices but the tensor has 1 dimensions}}
  %e = "atl.access"(%x, %i) {map = affine_map<(d0) -> (d0, d0)>} : (tensor<?xf64>, index) -> f64
  return
}

// -----

func.func @access_c1_type(%x: tensor<?xindex>, %i: index) {
  // expected-error @+1 {{'atl.access' op elements of the tensor must be floats or pairs: 'tensor<?xindex>'}}
  %e = atl.access %x[%i] : tensor<?xindex>
  return
}

// -----

func.func @access_c2_symbols(%x: tensor<?xf64>, %i: index) {
  // expected-error @+1 {{'atl.access' op map takes 0 dimensions and 1 symbols but should take 1 dimensions, one for each operand, and no symbols}}
  %e = "atl.access"(%x, %i) {map = affine_map<()[s0] -> (s0)>} : (tensor<?xf64>, index) -> f64
  return
}

// -----

func.func @access_c2_operands(%x: tensor<?xf64>, %i: index) {
  // expected-error @+1 {{'atl.access' op map takes 2 dimensions and 0 symbols but should take 1 dimensions}}
  %e = "atl.access"(%x, %i) {map = affine_map<(d0, d1) -> (d0 + d1)>} : (tensor<?xf64>, index) -> f64
  return
}

// -----

func.func @access_c2_mod(%x: tensor<?xf64>, %i: index) {
  // expected-error @+1 {{'atl.access' op expression is not a sum of indices, sizes and constants times constants: d0 + (d0 mod 2) * 3}}
  %e = "atl.access"(%x, %i) {map = affine_map<(d0) -> (d0 + (d0 mod 2) * 3)>} : (tensor<?xf64>, index) -> f64
  return
}

// -----

func.func @access_c2_floordiv(%x: tensor<?xf64>, %i: index) {
  // expected-error @+1 {{'atl.access' op expression is not a sum of indices, sizes and constants times constants: d0 floordiv 2}}
  %e = "atl.access"(%x, %i) {map = affine_map<(d0) -> (d0 floordiv 2)>} : (tensor<?xf64>, index) -> f64
  return
}

// -----

func.func @access_c3(%x: tensor<?xf64>, %n: index) {
  %s = atl.sum (%i in %n) -> f64 {
    // expected-note @+1 {{computed here}}
    %k = arith.muli %i, %i : index
    // expected-error @+1 {{'atl.access' op operand of an affine expression is neither an index of a surrounding operation nor a size: write sums and multiples of indices in the expression itself, and compute sizes outside of 'atl' operations}}
    %e = atl.access %x[%k + 1] : tensor<?xf64>
    atl.yield %e : f64
  }
  return
}

// -----

func.func @access_c4(%x: tensor<?x?xf64>, %i: index) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'atl.access' op inferred type(s) 'tensor<?xf64>' are incompatible with return type(s) of operation 'f64'}}
  %e = "atl.access"(%x, %i) {map = affine_map<(d0) -> (d0)>} : (tensor<?x?xf64>, index) -> f64
  return
}

// -----

func.func @compare_c1(%i: index) {
  // expected-error @+1 {{'atl.compare' op compares two expressions, not 1}}
  %p = "atl.compare"(%i) {comparison = 0 : i32, map = affine_map<(d0) -> (d0)>} : (index) -> i1
  return
}

// -----

func.func @compare_c2(%i: index, %j: index) {
  // expected-error @+1 {{'atl.compare' op expression is not a sum of indices, sizes and constants times constants: d0 ceildiv 2}}
  %p = "atl.compare"(%i, %j) {comparison = 0 : i32, map = affine_map<(d0, d1) -> (d1, d0 ceildiv 2)>} : (index, index) -> i1
  return
}

// -----

func.func @compare_c3(%n: index, %v: f64) {
  %s = atl.exists (%i in %n) {
    // expected-note @+1 {{computed here}}
    %k = arith.subi %n, %i : index
    // expected-error @+1 {{'atl.compare' op operand of an affine expression is neither an index of a surrounding operation nor a size}}
    %p = atl.compare %i <= %k
    atl.yield %p : i1
  }
  return
}

// -----

func.func @compare_what(%i: index) {
  // expected-error @+1 {{attribute 'comparison' failed to satisfy constraint}}
  %p = "atl.compare"(%i) {comparison = 3 : i32, map = affine_map<(d0) -> (d0, d0)>} : (index) -> i1
  return
}

// -----

func.func @member_c1_none(%m: tensor<?xi1>) {
  // expected-error @+1 {{'atl.member' op needs at least one index}}
  %p = atl.member %m[] : tensor<?xi1>
  return
}

// -----

func.func @member_c1_at_only(%l: tensor<?xindex>, %k: index) {
  // expected-error @+1 {{'atl.member' op needs at least one index}}
  %p = atl.member (%l)[] at %k : tensor<?xindex>
  return
}

// -----

func.func @member_c1_relation(%i: index) {
  // expected-error @+1 {{'atl.member' op needs a relation}}
  %p = "atl.member"(%i) {map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 0, 1>} : (index) -> i1
  return
}

// -----

func.func @member_c1_dense(%m: tensor<?x?xi1>, %i: index) {
  // expected-error @+1 {{'atl.member' op relation 'tensor<?x?xi1>' needs 2 indices, not 1}}
  %p = atl.member %m[%i] : tensor<?x?xi1>
  return
}

// -----

func.func @member_c1_list(%l: tensor<?xindex>, %i: index) {
  // expected-error @+1 {{'atl.member' op relation of 1 arrays needs as many indices, not 2}}
  %p = atl.member (%l)[%i, %i] : tensor<?xindex>
  return
}

// -----

func.func @member_c1_element(%l: tensor<?xi8>, %i: index) {
  // expected-error @+1 {{'atl.member' op relation must be a tensor of 'i1', or arrays of 'index', 'i32' or 'i64' of rank one: 'tensor<?xi8>'}}
  %p = atl.member (%l)[%i] : tensor<?xi8>
  return
}

// -----

func.func @member_c1_rank(%l: tensor<?x2xindex>, %i: index) {
  // expected-error @+1 {{'atl.member' op relation must be a tensor of 'i1', or arrays of 'index', 'i32' or 'i64' of rank one: 'tensor<?x2xindex>'}}
  %p = atl.member (%l)[%i] : tensor<?x2xindex>
  return
}

// -----

func.func @member_c2(%l: tensor<4xindex>, %m: tensor<5xi64>, %i: index) {
  // expected-error @+1 {{'atl.member' op arrays of the list have different sizes: 4 and 5}}
  %p = atl.member (%l, %m)[%i, %i] : tensor<4xindex>, tensor<5xi64>
  return
}

// -----

func.func @member_c2_compressed(%s: tensor<3xindex>, %l: tensor<4xindex>, %m: tensor<5xi64>, %i: index) {
  // expected-error @+1 {{'atl.member' op arrays of the list have different sizes: 4 and 5}}
  %p = atl.member (compressed %s, %l, %m)[%i, %i, %i] : tensor<3xindex>, tensor<4xindex>, tensor<5xi64>
  return
}

// -----

func.func @member_c2_no_end(%s: tensor<0xindex>, %l: tensor<4xindex>, %i: index) {
  // expected-error @+1 {{'atl.member' op compressed list has no number behind its last tuple: 'tensor<0xindex>'}}
  %p = atl.member (compressed %s, %l)[%i, %i] : tensor<0xindex>, tensor<4xindex>
  return
}

// -----

func.func @member_c3(%m: tensor<?xi1>, %i: index) {
  // expected-error @+1 {{'atl.member' op has no numbered tuples: 'tensor<?xi1>'}}
  %p = atl.member %m[%i] at %i : tensor<?xi1>
  return
}

// -----

func.func @member_c4(%m: tensor<?xi1>, %i: index) {
  // expected-error @+1 {{'atl.member' op expression is not a sum of indices, sizes and constants times constants: d0 mod 2}}
  %p = "atl.member"(%m, %i) {map = affine_map<(d0) -> (d0 mod 2)>, operandSegmentSizes = array<i32: 1, 1>} : (tensor<?xi1>, index) -> i1
  return
}

// -----

func.func @member_c5(%l: tensor<?xindex>, %n: index) {
  %x = atl.exists (%i in %n) {
    // expected-note @+1 {{computed here}}
    %k = arith.addi %i, %n : index
    // expected-error @+1 {{'atl.member' op operand of an affine expression is neither an index of a surrounding operation nor a size}}
    %p = atl.member (%l)[%i] at %k : tensor<?xindex>
    atl.yield %p : i1
  }
  return
}

// -----

func.func @member_c6(%m: tensor<?xi1>, %i: index) {
  // expected-error @+1 {{'atl.member' op is no list that could be compressed: 'tensor<?xi1>'}}
  %p = "atl.member"(%m, %i) {compressed, map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1>} : (tensor<?xi1>, index) -> i1
  return
}

// -----

func.func @pair_c1(%a: f64, %b: index) {
  // expected-error @+1 {{'atl.pair' op pair of 'index': must be a float, a pair, or a tensor of rank one or more of floats or pairs}}
  %p = atl.pair %a, %b : f64, index
  return
}

// -----

func.func @project_c1(%p: !atl.pair<f64, f64>) {
  // expected-error @+1 {{'atl.project' op number must be 0 or 1, not 2}}
  %a = atl.project %p[2] : !atl.pair<f64, f64>
  return
}

// -----

func.func @yield_elsewhere(%v: f64) -> f64 {
  // expected-error @+1 {{'atl.yield' op expects parent op to be one of 'atl.gen, atl.sum, atl.exists, atl.bracket'}}
  atl.yield %v : f64
}
