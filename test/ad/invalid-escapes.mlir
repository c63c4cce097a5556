// A derivative that leaves a function by a way that nothing follows is an error, not zero: by memory in a function that is
// called, by one of several results, by a pointer, by what a region captures.
// RUN: ad-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --ad-differentiate

memref.global "private" @value : memref<f64> = dense<0.0>

func.func private @put(%x: f64) {
  %m = memref.get_global @value : memref<f64>
  memref.store %x, %m[] : memref<f64>
  return
}

func.func @by_global(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op has no jvp rule: the function may hand on what it is given in memory, or is not known; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  func.call @put(%x) : (f64) -> ()
  %m = memref.get_global @value : memref<f64>
  %y = memref.load %m[] : memref<f64>
  return %y : f64
}

func.func @tangent(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %y, %y_dot = ad.jvp @by_global(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %y_dot : f64
}

// -----

func.func private @put(f64)
func.func private @get() -> f64

func.func @by_unknown(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op has no vjp rule: the function may hand on what it is given in memory, or is not known}}
  func.call @put(%x) : (f64) -> ()
  %y = func.call @get() : () -> f64
  return %y : f64
}

func.func @gradient(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %y, %x_bar = ad.vjp @by_unknown(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

func.func private @two(%x: f64) -> (i64, f64) {
  %bits = arith.bitcast %x : f64 to i64
  return %bits, %x : i64, f64
}

func.func @by_bits(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op has no vjp rule: the function interprets the bits of a float as another type}}
  %bits, %unused = func.call @two(%x) : (f64) -> (i64, f64)
  %y = arith.bitcast %bits : i64 to f64
  return %y : f64
}

func.func @gradient(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %y, %x_bar = ad.vjp @by_bits(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

func.func @by_other_result(%x: f64) -> f64 {
  // expected-error @+1 {{'other.two' op has no vjp rule}}
  %opaque, %unused = "other.two"(%x) : (f64) -> (!other.value, f64)
  %y = "other.get"(%opaque) : (!other.value) -> f64
  return %y : f64
}

func.func @gradient(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %y, %x_bar = ad.vjp @by_other_result(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

func.func @by_pointer(%x: f64) -> f64 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0.0 : f64) : f64
  %p = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
  llvm.store %zero, %p : f64, !llvm.ptr
  // expected-error @+1 {{'llvm.atomicrmw' op has no vjp rule}}
  %old = llvm.atomicrmw fadd %p, %x monotonic : !llvm.ptr, f64
  %y = llvm.load %p : !llvm.ptr -> f64
  return %y : f64
}

func.func @gradient(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %y, %x_bar = ad.vjp @by_pointer(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

func.func @by_capture(%x: f64) -> f64 {
  // expected-error @+1 {{'async.execute' op has no vjp rule}}
  %token, %later = async.execute -> !async.value<f64> {
    // expected-error @+1 {{'async.yield' op has no vjp rule}}
    async.yield %x : f64
  }
  %y = async.await %later : !async.value<f64>
  return %y : f64
}

func.func @gradient(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %y, %x_bar = ad.vjp @by_capture(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

// -----

// What is only counted, printed or kept where nothing reads it has no part in the derivative.
memref.global "private" @count : memref<i64> = dense<0>

func.func private @counted(%x: f64) {
  %zero = arith.constant 0.0 : f64
  %m = memref.get_global @count : memref<i64>
  %n = memref.load %m[] : memref<i64>
  %is_more = arith.cmpf ogt, %x, %zero : f64
  %more = arith.extui %is_more : i1 to i64
  %sum = arith.addi %n, %more : i64
  memref.store %sum, %m[] : memref<i64>
  return
}

func.func private @print(f64)

func.func private @keep(%x: f64, %m: memref<f64>) {
  memref.store %x, %m[] : memref<f64>
  return
}

func.func @watched(%x: f64) -> f64 {
  func.call @counted(%x) : (f64) -> ()
  %m = memref.alloca() : memref<f64>
  func.call @keep(%x, %m) : (f64, memref<f64>) -> ()
  %shown = ad.stop_gradient %x : f64
  func.call @print(%shown) : (f64) -> ()
  return %x : f64
}

func.func @gradient(%x: f64) -> f64 {
  %y, %x_bar = ad.vjp @watched(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %x_bar : f64
}

func.func @tangent(%x: f64) -> f64 {
  %y, %y_dot = ad.jvp @watched(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %y_dot : f64
}
