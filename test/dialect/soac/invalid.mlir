// Each numbered constraint of SoacOps.td and SoacTypes.td is refused where it is
// broken: `@map_c2` breaks (C2) of soac.map.
// RUN: ad-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{accumulator of 'index': element must be a float, complex or integer type}}
func.func private @acc_c1(!soac.acc<tensor<?xindex>>)

// -----

func.func @map_c1_no_input() {
  // expected-error @+1 {{'soac.map' op needs at least one input array}}
  %r = soac.map ins() () -> tensor<?xf64> {
    %c = arith.constant 0.0 : f64
    soac.yield %c : f64
  }
  return
}

// -----

func.func @map_c1_rank(%x: tensor<f64>) {
  // expected-error @+1 {{'soac.map' op input of rank zero has no elements: 'tensor<f64>'}}
  %r = soac.map ins(%x : tensor<f64>) (%v: f64) -> tensor<?xf64> {
    soac.yield %v : f64
  }
  return
}

// -----

func.func @map_c2_inputs(%a: tensor<2xf64>, %b: tensor<3xf64>) {
  // expected-error @+1 {{'soac.map' op inputs have different outer sizes: 2 and 3}}
  %r = soac.map ins(%a, %b : tensor<2xf64>, tensor<3xf64>) (%x: f64, %y: f64) -> tensor<2xf64> {
    soac.yield %x : f64
  }
  return
}

// -----

func.func @map_c2_result(%a: tensor<2xf64>) {
  // expected-error @+1 {{'soac.map' op result 0 has outer size 5 but the inputs have 2}}
  %r = soac.map ins(%a : tensor<2xf64>) (%x: f64) -> tensor<5xf64> {
    soac.yield %x : f64
  }
  return
}

// -----

func.func @map_c3(%a: tensor<2xf64>) {
  // expected-error @+1 {{'soac.map' op body takes ('f32') but should take ('f64')}}
  %r = soac.map ins(%a : tensor<2xf64>) (%x: f32) -> tensor<2xf32> {
    soac.yield %x : f32
  }
  return
}

// -----

func.func @map_c4_types(%a: tensor<2xf64>) {
  %r = soac.map ins(%a : tensor<2xf64>) (%x: f64) -> tensor<2xf32> {
    // expected-error @+1 {{'soac.yield' op yields ('f64') but the body of 'soac.map' should yield ('f32')}}
    soac.yield %x : f64
  }
  return
}

// -----

func.func @map_c4_count(%a: tensor<2xf64>) {
  %r = soac.map ins(%a : tensor<2xf64>) (%x: f64) -> tensor<2xf64> {
    // expected-error @+1 {{'soac.yield' op yields () but the body of 'soac.map' should yield ('f64')}}
    soac.yield
  }
  return
}

// -----

func.func @map_c4_scalar(%a: tensor<2xf64>) {
  // expected-error @+1 {{'soac.map' op result 0 must be a tensor of rank one or more}}
  %r = soac.map ins(%a : tensor<2xf64>) (%x: f64) -> f64 {
    soac.yield %x : f64
  }
  return
}

// -----

func.func @map_c4_missing_acc(%a: tensor<2xf64>, %acc: !soac.acc<tensor<2xf64>>) {
  // expected-error @+1 {{'soac.map' op returns fewer results than it takes accumulators}}
  soac.map ins(%a : tensor<2xf64>) accs(%acc : !soac.acc<tensor<2xf64>>)
      (%x: f64, %b: !soac.acc<tensor<2xf64>>) -> () {
    soac.yield %b : !soac.acc<tensor<2xf64>>
  }
  return
}

// -----

func.func @map_c4_acc_type(%a: tensor<2xf64>, %acc: !soac.acc<tensor<2xf64>>, %other: !soac.acc<tensor<3xf64>>) {
  // expected-error @+1 {{'soac.map' op accumulator 0 changes its type from '!soac.acc<tensor<2xf64>>' to '!soac.acc<tensor<3xf64>>'}}
  %r = soac.map ins(%a : tensor<2xf64>) accs(%acc : !soac.acc<tensor<2xf64>>)
      (%x: f64, %b: !soac.acc<tensor<2xf64>>) -> !soac.acc<tensor<3xf64>> {
    soac.yield %other : !soac.acc<tensor<3xf64>>
  }
  return
}

// -----

func.func private @next()
func.func @map_terminator(%a: tensor<2xf64>) {
  // expected-error @+1 {{'soac.map' op body must end in 'soac.yield'}}
  %r = soac.map ins(%a : tensor<2xf64>) (%x: f64) -> tensor<2xf64> {
    func.call @next() : () -> ()
    ub.unreachable
  }
  return
}

// -----

func.func @reduce_c1_neutrals(%a: tensor<2xf64>, %z: f64) {
  // expected-error @+1 {{'soac.reduce' op has 1 inputs but 2 neutral elements}}
  %r:2 = soac.reduce ins(%a : tensor<2xf64>) neutral(%z, %z : f64, f64)
      (%l: f64, %k: f64, %r: f64, %s: f64) {
    soac.yield %l, %r : f64, f64
  }
  return
}

// -----

func.func @reduce_c1_rank(%a: tensor<f64>, %z: f64) {
  // expected-error @+1 {{'soac.reduce' op input of rank zero has no elements}}
  %r = soac.reduce ins(%a : tensor<f64>) neutral(%z : f64) (%l: f64, %r: f64) {
    soac.yield %l : f64
  }
  return
}

// -----

func.func @reduce_c2(%a: tensor<2xf64>, %b: tensor<4xf64>, %z: f64) {
  // expected-error @+1 {{'soac.reduce' op inputs have different outer sizes: 2 and 4}}
  %r:2 = soac.reduce ins(%a, %b : tensor<2xf64>, tensor<4xf64>) neutral(%z, %z : f64, f64)
      (%l: f64, %k: f64, %r: f64, %s: f64) {
    soac.yield %l, %r : f64, f64
  }
  return
}

// -----

func.func @reduce_c3(%a: tensor<2x3xf64>, %z: f64) {
  // expected-error @+1 {{'soac.reduce' op neutral element has type 'f64' but the input's element is 'tensor<3xf64>'}}
  %r = soac.reduce ins(%a : tensor<2x3xf64>) neutral(%z : f64) (%l: f64, %r: f64) {
    soac.yield %l : f64
  }
  return
}

// -----

func.func @reduce_c4_arguments(%a: tensor<2xf64>, %z: f64) {
  // expected-error @+1 {{'soac.reduce' op body takes ('f64') but should take ('f64', 'f64')}}
  %r = soac.reduce ins(%a : tensor<2xf64>) neutral(%z : f64) (%l: f64) {
    soac.yield %l : f64
  }
  return
}

// -----

func.func @reduce_c4_yield(%a: tensor<2xf64>, %z: f64, %i: index) {
  %r = soac.reduce ins(%a : tensor<2xf64>) neutral(%z : f64) (%l: f64, %r: f64) {
    // expected-error @+1 {{'soac.yield' op yields ('index') but the body of 'soac.reduce' should yield ('f64')}}
    soac.yield %i : index
  }
  return
}

// -----

func.func @reduce_c5(%a: tensor<2xf64>, %z: f64) {
  // expected-error @+1 {{'soac.reduce' op result types differ from the neutral elements' types}}
  %r = "soac.reduce"(%a, %z) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%l: f64, %r: f64):
    soac.yield %l : f64
  }) : (tensor<2xf64>, f64) -> f32
  return
}

// -----

func.func @iota_c1_element() {
  // expected-error @+1 {{'soac.iota' op result must be a vector of index or signless integers, but is 'tensor<4xf64>'}}
  %0 = soac.iota : tensor<4xf64>
  return
}

// -----

func.func @iota_c1_rank() {
  // expected-error @+1 {{'soac.iota' op result must be a vector of index or signless integers}}
  %0 = soac.iota : tensor<4x4xindex>
  return
}

// -----

func.func @iota_c2() {
  // expected-error @+1 {{'soac.iota' op takes a size exactly when the result size is dynamic}}
  %0 = soac.iota : tensor<?xindex>
  return
}

// -----

func.func @replicate_c1(%v: f32) {
  // expected-error @+1 {{'soac.replicate' op element of 'tensor<4xf64>' is not 'f32'}}
  %0 = soac.replicate %v : f32 -> tensor<4xf64>
  return
}

// -----

func.func @replicate_c2(%v: f64, %n: index) {
  // expected-error @+1 {{'soac.replicate' op takes a size exactly when the outer size is dynamic}}
  %0 = soac.replicate %v, %n : f64 -> tensor<4xf64>
  return
}

// -----

func.func @with_acc_c1_array() {
  // expected-error @+1 {{'soac.with_acc' op needs at least one array}}
  %0 = soac.with_acc ins() () -> f64 {
    %c = arith.constant 0.0 : f64
    soac.yield %c : f64
  }
  return
}

// -----

func.func @with_acc_c1_type(%a: tensor<4xf64>) {
  // expected-error @+1 {{'soac.with_acc' op body takes ('!soac.acc<tensor<5xf64>>') but should take ('!soac.acc<tensor<4xf64>>')}}
  %0 = soac.with_acc ins(%a : tensor<4xf64>) (%acc: !soac.acc<tensor<5xf64>>) -> tensor<4xf64> {
    soac.yield %acc : !soac.acc<tensor<5xf64>>
  }
  return
}

// -----

func.func @with_acc_c2(%a: tensor<4xf64>, %v: f64) {
  %0:2 = soac.with_acc ins(%a : tensor<4xf64>) (%acc: !soac.acc<tensor<4xf64>>) -> (tensor<4xf64>, f64) {
    // expected-error @+1 {{'soac.yield' op yields ('f64', '!soac.acc<tensor<4xf64>>') but the body of 'soac.with_acc' should yield ('!soac.acc<tensor<4xf64>>', 'f64')}}
    soac.yield %v, %acc : f64, !soac.acc<tensor<4xf64>>
  }
  return
}

// -----

func.func @with_acc_c3(%a: tensor<4xf64>) {
  // expected-error @+1 {{'soac.with_acc' op results must begin with the types of the arrays}}
  %0 = soac.with_acc ins(%a : tensor<4xf64>) (%acc: !soac.acc<tensor<4xf64>>) -> tensor<?xf64> {
    soac.yield %acc : !soac.acc<tensor<4xf64>>
  }
  return
}

// -----

func.func @update_acc_c1(%acc: !soac.acc<tensor<4xf64>>, %i: index, %v: f64) {
  // expected-error @+1 {{'soac.update_acc' op has 2 indices but the array has rank 1}}
  %0 = soac.update_acc %acc[%i, %i], %v : !soac.acc<tensor<4xf64>>, f64
  return
}

// -----

func.func @update_acc_c2_element(%acc: !soac.acc<tensor<4xf64>>, %i: index, %v: f32) {
  // expected-error @+1 {{'soac.update_acc' op adds a value of type 'f32' where 'f64' is expected}}
  %0 = soac.update_acc %acc[%i], %v : !soac.acc<tensor<4xf64>>, f32
  return
}

// -----

func.func @update_acc_c2_row(%acc: !soac.acc<tensor<4x3xf64>>, %i: index, %v: tensor<2xf64>) {
  // expected-error @+1 {{'soac.update_acc' op adds a value of type 'tensor<2xf64>' where 'tensor<3xf64>' is expected}}
  %0 = soac.update_acc %acc[%i], %v : !soac.acc<tensor<4x3xf64>>, tensor<2xf64>
  return
}

// -----

func.func @yield_elsewhere() {
  // expected-error @+1 {{'soac.yield' op expects parent op to be one of}}
  soac.yield
}
