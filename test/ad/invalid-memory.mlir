// What the return sweep would run again may not write to memory, nor read what something writes to.
// RUN: ad-opt %s --ad-differentiate --split-input-file --verify-diagnostics

// In the body of a combinator, nothing is assigned to [M20].
func.func @marked(%x: tensor<?xf64>, %m: memref<?xindex>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = soac.map ins(%x : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    // expected-error @+1 {{'memref.load' op has no vjp rule: it reads memory that something writes to, and reverse mode would run it again}}
    %old = memref.load %m[%c0] : memref<?xindex>
    %new = arith.addi %old, %c1 : index
    // expected-error @+1 {{'memref.store' op has no vjp rule: it writes to memory, and reverse mode would run it again}}
    memref.store %new, %m[%c0] : memref<?xindex>
    %w = math.sin %v : f64
    soac.yield %w : f64
  }
  return %y : tensor<?xf64>
}

func.func @gradient(%x: tensor<?xf64>, %m: memref<?xindex>, %seed: tensor<?xf64>) -> tensor<?xf64> {
  // expected-note @+1 {{derivative requested here}}
  %y, %x_bar = ad.vjp @marked(%x, %m) seed(%seed) {wrt = array<i64: 0>}
      : (tensor<?xf64>, memref<?xindex>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// -----

func.func @read(%x: tensor<?xf64>, %m: memref<f64>) -> tensor<?xf64> {
  %y = soac.map ins(%x : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
    // expected-error @+1 {{'memref.load' op has no vjp rule: it is in the body of an operation that reverse mode runs again}}
    %w = memref.load %m[] : memref<f64>
    %p = arith.mulf %v, %w : f64
    soac.yield %p : f64
  }
  return %y : tensor<?xf64>
}

func.func @gradient(%x: tensor<?xf64>, %m: memref<f64>, %seed: tensor<?xf64>, %m_bar: memref<f64>) -> tensor<?xf64> {
  // expected-note @+1 {{derivative requested here}}
  %y, %x_bar = ad.vjp @read(%x, %m) seed(%seed, %m_bar)
      : (tensor<?xf64>, memref<f64>), (tensor<?xf64>, memref<f64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// -----

// What other functions may read is not lost.
memref.global "private" @state : memref<f64> = dense<0.0>

func.func @kept(%x: f64) -> f64 {
  %m = memref.get_global @state : memref<f64>
  // expected-error @+1 {{'memref.store' op has no vjp rule: other functions may use the memory of a 'memref.global', too; take the buffer as an argument instead; mark}}
  memref.store %x, %m[] : memref<f64>
  return %x : f64
}

func.func @gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  // expected-note @+1 {{derivative requested here}}
  %y, %x_bar = ad.vjp @kept(%x) seed(%one) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

memref.global "private" @calls : memref<index> = dense<0>

func.func private @log(%v: f64) -> f64 {
  %m = memref.get_global @calls : memref<index>
  %n = memref.load %m[] : memref<index>
  %c1 = arith.constant 1 : index
  %more = arith.addi %n, %c1 : index
  memref.store %more, %m[] : memref<index>
  %w = math.sin %v : f64
  return %w : f64
}

func.func @logged(%xs: tensor<3xf64>) -> tensor<3xf64> {
  %ys = soac.map ins(%xs : tensor<3xf64>) (%x: f64) -> tensor<3xf64> {
    // expected-error @+1 {{'func.call' op has no vjp rule: it writes to memory, and reverse mode would run it again; move it out of what is around it, or put it into a function with a 'custom_vjp'}}
    %y = func.call @log(%x) : (f64) -> f64
    soac.yield %y : f64
  }
  return %ys : tensor<3xf64>
}

func.func @gradient(%xs: tensor<3xf64>) -> tensor<3xf64> {
  // expected-note @+1 {{derivative requested here}}
  %ys, %xs_bar = ad.vjp @logged(%xs) seed(%xs) : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %xs_bar : tensor<3xf64>
}

// -----

// A buffer of the function is read in the body of a map, and overwritten when the map is through: its rule would read it
// again.
func.func @scaled(%xs: tensor<3xf64>) -> tensor<3xf64> {
  %three = arith.constant 3.0 : f64
  %m = memref.alloc() : memref<f64>
  memref.store %three, %m[] : memref<f64>
  %ys = soac.map ins(%xs : tensor<3xf64>) (%x: f64) -> tensor<3xf64> {
    // expected-error @+1 {{'memref.load' op has no vjp rule: it reads memory that something writes to, and reverse mode would run it again}}
    %k = memref.load %m[] : memref<f64>
    %y = arith.mulf %x, %k : f64
    soac.yield %y : f64
  }
  memref.dealloc %m : memref<f64>
  return %ys : tensor<3xf64>
}

func.func @scaled_gradient(%xs: tensor<3xf64>) -> tensor<3xf64> {
  // expected-note @+1 {{derivative requested here}}
  %ys, %xs_bar = ad.vjp @scaled(%xs) seed(%xs) : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %xs_bar : tensor<3xf64>
}

// -----

// What runs once, memory that a block has for itself, memory that nothing writes to, and assertions do no
// harm; neither does anything to forward mode.
func.func @harmless(%x: f64, %m: memref<?xindex>, %table: tensor<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %n, %m[%c0] : memref<?xindex>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f64) {
    %some = arith.cmpi sgt, %n, %c0 : index
    cf.assert %some, "no iterations"
    %own = memref.alloca() : memref<1xindex>
    memref.store %i, %own[%c0] : memref<1xindex>
    %place = memref.load %own[%c0] : memref<1xindex>
    %factor = tensor.extract %table[%place] : tensor<?xf64>
    %w = arith.mulf %v, %factor : f64
    scf.yield %w : f64
  }
  return %y : f64
}

func.func @gradient(%x: f64, %m: memref<?xindex>, %table: tensor<?xf64>, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @harmless(%x, %m, %table, %n) seed(%one) {wrt = array<i64: 0>}
      : (f64, memref<?xindex>, tensor<?xf64>, index), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

// Parallel insertions into an array that iterations share are no memory.
func.func private @halves(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %none = tensor.empty(%n) : tensor<?xf64>
  %all = scf.forall (%i) in (%n) shared_outs(%out = %none) -> (tensor<?xf64>) {
    %half = arith.constant 0.5 : f64
    %e = tensor.extract %x[%i] : tensor<?xf64>
    %h = arith.mulf %e, %half : f64
    %one = tensor.from_elements %h : tensor<1xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %out[%i] [1] [1] : tensor<1xf64> into tensor<?xf64>
    }
  }
  return %all : tensor<?xf64>
}

func.func @called(%x: tensor<?xf64>, %n: index, %m: memref<index>) -> tensor<?xf64> {
  memref.store %n, %m[] : memref<index>
  %all = func.call @halves(%x, %n) : (tensor<?xf64>, index) -> tensor<?xf64>
  return %all : tensor<?xf64>
}

func.func @gradient(%x: tensor<?xf64>, %n: index, %m: memref<index>, %seed: tensor<?xf64>) -> tensor<?xf64> {
  %y, %x_bar = ad.vjp @called(%x, %n, %m) seed(%seed) {wrt = array<i64: 0>}
      : (tensor<?xf64>, index, memref<index>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %x_bar : tensor<?xf64>
}

// -----

func.func @counted(%x: f64, %m: memref<?xindex>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f64) {
    memref.store %i, %m[%c0] : memref<?xindex>
    %w = math.sin %v : f64
    scf.yield %w : f64
  }
  return %y : f64
}

func.func @tangent(%x: f64, %m: memref<?xindex>, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @counted(%x, %m, %n) seed(%one) {wrt = array<i64: 0>}
      : (f64, memref<?xindex>, index), (f64) -> (f64, f64)
  return %y_dot : f64
}
