// Each numbered constraint of soac.hist and soac.scatter is refused where it is broken.
// RUN: ad-opt %s --split-input-file --verify-diagnostics

func.func @hist_c1_none(%vs: tensor<?xf64>, %d: tensor<?xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op needs at least one index array}}
  %h = soac.hist at() ins(%vs : tensor<?xf64>) into(%d : tensor<?xf64>) neutral(%z : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return
}

// -----

func.func @hist_c1_type(%is: tensor<?xi1>, %vs: tensor<?xf64>, %d: tensor<?xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op index array must be a vector of index or signless integers of more than one bit, but is 'tensor<?xi1>'}}
  %h = soac.hist at(%is : tensor<?xi1>) ins(%vs : tensor<?xf64>) into(%d : tensor<?xf64>) neutral(%z : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return
}

// -----

func.func @hist_c2_count(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<?xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op has 1 value arrays but 2 destinations}}
  %h:2 = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%d, %d : tensor<?xf64>, tensor<?xf64>) neutral(%z : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return
}

// -----

func.func @hist_c2_neutral(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<?xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op has 1 value arrays but 2 neutral elements}}
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%d : tensor<?xf64>) neutral(%z, %z : f64, f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return
}

// -----

func.func @hist_c3(%is: tensor<3xindex>, %vs: tensor<4xf64>, %d: tensor<?xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op inputs have different outer sizes: 3 and 4}}
  %h = soac.hist at(%is : tensor<3xindex>) ins(%vs : tensor<4xf64>) into(%d : tensor<?xf64>) neutral(%z : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return
}

// -----

func.func @hist_c4_rank(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<?xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op has 2 index arrays but destination 'tensor<?xf64>' has fewer dimensions}}
  %h = soac.hist at(%is, %is : tensor<?xindex>, tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%d : tensor<?xf64>) neutral(%z : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return
}

// -----

func.func @hist_c4_element(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<?x2xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op destination has elements of type 'tensor<2xf64>' but the value array's element is 'f64'}}
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%d : tensor<?x2xf64>) neutral(%z : f64) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return
}

// -----

func.func @hist_c4_neutral(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<?xf64>, %z: f32) {
  // expected-error @+1 {{'soac.hist' op neutral element has type 'f32' but the value array's element is 'f64'}}
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%d : tensor<?xf64>) neutral(%z : f32) (%l: f64, %r: f64) {
    %s = arith.addf %l, %r : f64
    soac.yield %s : f64
  }
  return
}

// -----

func.func @hist_c5(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<2xf64>, %e: tensor<3xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op destinations have different sizes in dimension 0: 2 and 3}}
  %h:2 = soac.hist at(%is : tensor<?xindex>) ins(%vs, %vs : tensor<?xf64>, tensor<?xf64>) into(%d, %e : tensor<2xf64>, tensor<3xf64>) neutral(%z, %z : f64, f64) (%l: f64, %l2: f64, %r: f64, %r2: f64) {
    soac.yield %l, %l2 : f64, f64
  }
  return
}

// -----

func.func @hist_c6(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<?xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op body takes ('f64') but should take ('f64', 'f64')}}
  %h = soac.hist at(%is : tensor<?xindex>) ins(%vs : tensor<?xf64>) into(%d : tensor<?xf64>) neutral(%z : f64) (%l: f64) {
    soac.yield %l : f64
  }
  return
}

// -----

func.func @hist_c7(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<?xf64>, %z: f64) {
  // expected-error @+1 {{'soac.hist' op result types differ from the destinations' types}}
  %h = "soac.hist"(%is, %vs, %d, %z) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%l: f64, %r: f64):
    soac.yield %l : f64
  }) : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<4xf64>
  return
}

// -----

func.func @scatter_c1_none(%vs: tensor<?xf64>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.scatter' op needs at least one index array}}
  %h = soac.scatter at() ins(%vs : tensor<?xf64>) into(%d : tensor<?xf64>)
  return
}

// -----

func.func @scatter_c1_rank(%is: tensor<?x?xindex>, %vs: tensor<?xf64>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.scatter' op index array must be a vector of index or signless integers of more than one bit, but is 'tensor<?x?xindex>'}}
  %h = soac.scatter at(%is : tensor<?x?xindex>) ins(%vs : tensor<?xf64>) into(%d : tensor<?xf64>)
  return
}

// -----

func.func @scatter_c2(%is: tensor<?xindex>) {
  // expected-error @+1 {{'soac.scatter' op needs at least one value array}}
  "soac.scatter"(%is) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<?xindex>) -> ()
  return
}

// -----

func.func @scatter_c2_rank(%is: tensor<?xindex>, %v: tensor<f64>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.scatter' op input of rank zero has no elements: 'tensor<f64>'}}
  %h = soac.scatter at(%is : tensor<?xindex>) ins(%v : tensor<f64>) into(%d : tensor<?xf64>)
  return
}

// -----

func.func @scatter_c3(%is: tensor<3xindex>, %vs: tensor<4xf64>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.scatter' op inputs have different outer sizes: 3 and 4}}
  %h = soac.scatter at(%is : tensor<3xindex>) ins(%vs : tensor<4xf64>) into(%d : tensor<?xf64>)
  return
}

// -----

func.func @scatter_c4(%is: tensor<?xindex>, %vs: tensor<?xf32>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.scatter' op destination has elements of type 'f64' but the value array's element is 'f32'}}
  %h = soac.scatter at(%is : tensor<?xindex>) ins(%vs : tensor<?xf32>) into(%d : tensor<?xf64>)
  return
}

// -----

func.func @scatter_c5(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<2xf64>, %e: tensor<3xf64>) {
  // expected-error @+1 {{'soac.scatter' op destinations have different sizes in dimension 0: 2 and 3}}
  %h:2 = soac.scatter at(%is : tensor<?xindex>) ins(%vs, %vs : tensor<?xf64>, tensor<?xf64>) into(%d, %e : tensor<2xf64>, tensor<3xf64>)
  return
}

// -----

func.func @scatter_c6(%is: tensor<?xindex>, %vs: tensor<?xf64>, %d: tensor<?xf64>) {
  // expected-error @+1 {{'soac.scatter' op result types differ from the destinations' types}}
  %h = "soac.scatter"(%is, %vs, %d) <{operandSegmentSizes = array<i32: 1, 1, 1>}>
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>) -> tensor<4xf64>
  return
}
