// Whatever cannot be differentiated is an error at the op, with a note at the
// request that asked for it; nothing is written.
// RUN: ad-opt %s --split-input-file --verify-diagnostics --ad-differentiate
// RUN: not ad-opt %s --split-input-file --ad-differentiate 2>/dev/null | FileCheck %s --allow-empty

// CHECK-NOT: func.func

// A float in memory: not lost, refused.
func.func private @buffer(%x: f64) -> f64 {
  %m = memref.alloc() : memref<f64>
  // expected-error @+1 {{'memref.atomic_rmw' op has no vjp rule; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %old1 = memref.atomic_rmw mulf %x, %m[] : (f64, memref<f64>) -> f64
  %y = memref.load %m[] : memref<f64>
  return %y : f64
}
func.func @unsupported(%x: f64, %s: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @buffer(%x) seed(%s) : (f64), (f64) -> (f64, f64)
  return
}

// -----

// An operation without rule.
func.func private @poly(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.exp' op has no jvp rule; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %0 = tosa.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @without_rule(%x: tensor<4xf32>) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.jvp @poly(%x) seed(%x) : (tensor<4xf32>), (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// A call of a function without body.
func.func private @external(f64) -> f64
func.func private @f(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op has no vjp rule: '@external' has no body; give it one, or the attribute 'custom_vjp', or mark its arguments with 'ad.stop_gradient'}}
  %y = func.call @external(%x) : (f64) -> f64
  return %y : f64
}
func.func @call_external(%x: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

// A request of a function without body.
func.func private @external(f64) -> f64
func.func @request_external(%x: f64) {
  // expected-error @+2 {{'ad.jvp' op has no jvp rule: '@external' has no body; give it one, or the attribute 'custom_jvp', or mark its arguments with 'ad.stop_gradient'}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.jvp @external(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

// A request of the function that contains it: derivatives are no values at run time (F63).
func.func @recursive_request(%x: f64) -> f64 {
  // expected-error @+2 {{'ad.vjp' op asks for the derivative of '@recursive_request', which contains the request itself}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @recursive_request(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

// Two functions that ask for each other.
func.func @a(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @b(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @b(%x: f64) -> f64 {
  // expected-error @+2 {{'ad.jvp' op asks for the derivative of '@a', which contains the request itself}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.jvp @a(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

// Recursion through a call and a request.
func.func @a(%x: f64) -> f64 {
  // expected-error @+1 {{'func.call' op asks for the derivative of '@b', which contains the request itself}}
  %r = func.call @b(%x) : (f64) -> f64
  return %r : f64
}
func.func @b(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @a(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

// The same, where the derivative that is asked for is being made already.
func.func @first(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @a(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func private @a(%x: f64) -> f64 {
  %r = func.call @b(%x) : (f64) -> f64
  return %r : f64
}
func.func private @b(%x: f64) -> f64 {
  // expected-error @+2 {{'ad.vjp' op asks for the derivative of '@a', which contains the request itself}}
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @a(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

// What never returns has no result to differentiate.
// expected-error @+1 {{'func.func' op has no vjp rule: it never returns}}
func.func private @f(%x: f64) -> f64 {
  cf.br ^a
^a:
  cf.br ^a
}
func.func @endless(%x: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

// Branches of which nobody knows what they hand on.
func.func private @f(%x: f64) -> f64 {
  // expected-error @+1 {{'llvm.br' op has no vjp rule: only branches of 'cf' are known}}
  llvm.br ^a(%x : f64)
^a(%y: f64):
  return %y : f64
}
func.func @unknown_branch(%x: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

// A promise that cannot hold.
func.func private @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{'scf.for' op promises no false dependencies for loop-carried value 0, which is not only updated in place by 'tensor.insert', 'tensor.insert_slice' and 'soac.scatter'}}
  %y = scf.for %i = %n to %n step %n iter_args(%a = %x) -> tensor<?xf64> {
    %b = arith.mulf %a, %a : tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  } {ad.no_false_dependencies = array<i1: true>}
  return %y : tensor<?xf64>
}
func.func @promise(%n: index, %x: tensor<?xf64>) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%n, %x) seed(%x) : (index, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

// Nested requests: the inner one fails, once.
func.func private @inner(%x: f64) -> f64 {
  %m = memref.alloc() : memref<f64>
  // expected-error @+1 {{'memref.atomic_rmw' op has no vjp rule; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %old2 = memref.atomic_rmw mulf %x, %m[] : (f64, memref<f64>) -> f64
  %y = memref.load %m[] : memref<f64>
  return %y : f64
}
func.func private @outer(%x: f64) -> f64 {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @inner(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @twice(%x: f64) {
  %r:2 = ad.jvp @outer(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

// One run reports every problem, in both modes.
func.func private @f(%x: f64, %y: f64) -> f64 {
  %m = memref.alloc() : memref<f64>
  // expected-error @+2 {{'memref.atomic_rmw' op has no vjp rule; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  // expected-error @+1 {{'memref.atomic_rmw' op has no jvp rule; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %old3 = memref.atomic_rmw mulf %x, %m[] : (f64, memref<f64>) -> f64
  %a = memref.load %m[] : memref<f64>
  %n = memref.alloc() : memref<f64>
  // expected-error @+1 {{'memref.atomic_rmw' op has no vjp rule; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %old4 = memref.atomic_rmw mulf %y, %n[] : (f64, memref<f64>) -> f64
  %b = memref.load %n[] : memref<f64>
  %c = arith.mulf %a, %b : f64
  return %c : f64
}
func.func @all_reported(%x: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:3 = ad.vjp @f(%x, %x) seed(%x) : (f64, f64), (f64) -> (f64, f64, f64)
  // expected-note @+1 {{derivative requested here}}
  %q:2 = ad.jvp @f(%x, %x) seed(%x) {wrt = array<i64: 0>} : (f64, f64), (f64) -> (f64, f64)
  return
}

// -----

// Inside an operator, which may be run again.
func.func private @f(%xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %y = soac.reduce ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    // expected-error @+1 {{'memref.alloc' op has no vjp rule: it is in the body of an operation that reverse mode runs again}}
    %m = memref.alloc() : memref<f64>
    // expected-error @+1 {{'memref.store' op has no vjp rule: it is in the body of an operation that reverse mode runs again}}
    memref.store %l, %m[] : memref<f64>
    // expected-error @+1 {{'memref.load' op has no vjp rule: it is in the body of an operation that reverse mode runs again}}
    %a = memref.load %m[] : memref<f64>
    %b = arith.addf %a, %r : f64
    soac.yield %b : f64
  }
  return %y : f64
}
func.func @in_operator(%xs: tensor<?xf64>, %bar: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%xs) seed(%bar) : (tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return
}

// -----

// A request that is in no function.
module {
  func.func private @f(%x: f64) -> f64 {
    return %x : f64
  }
  %x = arith.constant 1.0 : f64
  // expected-error @+1 {{'ad.vjp' op is not in a function of the module: move the request into a 'func.func' at its top}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
}

// -----

// A buffer of integers is not differentiable.
func.func private @f(%x: f64, %xs: memref<?xindex>) -> f64 {
  return %x : f64
}
func.func @memref_arg(%x: f64, %xs: memref<?xindex>, %s: f64) {
  // expected-error @+1 {{'ad.vjp' op 'wrt' position 1 has the non-differentiable type 'memref<?xindex>'}}
  %r:2 = ad.vjp @f(%x, %xs) seed(%s) {wrt = array<i64: 1>} : (f64, memref<?xindex>), (f64) -> (f64, memref<?xindex>)
  return
}

// -----

// A buffer has a shadow, which is given with the seeds.
func.func private @f(%x: f64, %xs: memref<?xf64>) -> f64 {
  return %x : f64
}
func.func @vjp_c3_shadow(%x: f64, %xs: memref<?xf64>, %s: f64) {
  // expected-error @+1 {{'ad.vjp' op has 1 seeds but needs 2}}
  %r = ad.vjp @f(%x, %xs) seed(%s) {wrt = array<i64: 1>} : (f64, memref<?xf64>), (f64) -> (f64)
  return
}

// -----

// Tensors must have a rank.
func.func private @f(%x: tensor<*xf64>) -> tensor<*xf64> {
  // expected-error @+1 {{has no vjp rule: the rank of a tensor is unknown; run 'ad-specialize' first, which infers it}}
  return %x : tensor<*xf64>
}
func.func @unranked(%x: tensor<*xf64>) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (tensor<*xf64>), (tensor<*xf64>) -> (tensor<*xf64>, tensor<*xf64>)
  return
}

// -----

// The remedy is named.
func.func @shuffle(%v: vector<4xf64>) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @swapped(%v) seed(%v) : (vector<4xf64>), (vector<4xf64>) -> (vector<4xf64>, vector<4xf64>)
  return
}
func.func private @swapped(%v: vector<4xf64>) -> vector<4xf64> {
  // expected-error @+1 {{'vector.shuffle' op has no vjp rule: write it with 'vector.to_elements' and 'vector.from_elements'; mark its operand with 'ad.stop_gradient' if no derivative is wanted}}
  %y = vector.shuffle %v, %v [1, 0, 3, 2] : vector<4xf64>, vector<4xf64>
  return %y : vector<4xf64>
}

// -----

// Reverse mode runs the body of a loop again, and would push again.
func.func private @f(%n: index, %x: f64) -> f64 {
  %t = ad.tape_create : !ad.tape<f64>
  scf.for %i = %n to %n step %n {
    // expected-error @+1 {{'ad.tape_push' op has no vjp rule: the tape is of another scope, and reverse mode runs scopes again; lower control flow to 'cf' first}}
    ad.tape_push %t, %x : !ad.tape<f64>
  }
  %y = ad.tape_pop %t : !ad.tape<f64>
  ad.tape_free %t : !ad.tape<f64>
  return %y : f64
}
func.func @tape_of_another_scope(%n: index, %x: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%n, %x) seed(%x) : (index, f64), (f64) -> (f64, f64)
  return
}

// -----

func.func private @f(%x: f64) -> f64 {
  // expected-error @+1 {{'ad.tape_create' op has no vjp rule: something is left on the tape that is never popped}}
  %t = ad.tape_create : !ad.tape<f64>
  ad.tape_push %t, %x : !ad.tape<f64>
  ad.tape_push %t, %x : !ad.tape<f64>
  %y = ad.tape_pop %t : !ad.tape<f64>
  ad.tape_free %t : !ad.tape<f64>
  return %y : f64
}
func.func @tape_with_more(%x: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

// A tape of each iteration, in several blocks of it.
func.func private @f(%x: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^head(%x, %zero : f64, index)
^head(%r: f64, %i: index):
  %t = ad.tape_create : !ad.tape<f64>
  ad.tape_push %t, %r : !ad.tape<f64>
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @+1 {{'ad.tape_pop' op has no vjp rule: the tape is of another scope}}
  %s = ad.tape_pop %t : !ad.tape<f64>
  // expected-error @+1 {{'ad.tape_free' op has no vjp rule: the tape is of another scope, and reverse mode runs scopes again; lower control flow to 'cf' first}}
  ad.tape_free %t : !ad.tape<f64>
  %i1 = arith.addi %i, %one : index
  cf.br ^head(%s, %i1 : f64, index)
^exit:
  return %r : f64
}
func.func @tape_of_another_iteration(%x: f64, %n: index) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x, %n) seed(%x) : (f64, index), (f64) -> (f64, f64)
  return
}

// -----

// Who knows what a function does with a tape.
func.func private @use(%t: !ad.tape<f64>) -> f64 {
  %y = ad.tape_pop %t : !ad.tape<f64>
  return %y : f64
}
func.func private @f(%x: f64) -> f64 {
  %t = ad.tape_create : !ad.tape<f64>
  ad.tape_push %t, %x : !ad.tape<f64>
  // expected-error @+1 {{'func.call' op has no jvp rule}}
  %y = func.call @use(%t) : (!ad.tape<f64>) -> f64
  ad.tape_free %t : !ad.tape<f64>
  return %y : f64
}
func.func @tape_of_a_call(%x: f64) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.jvp @f(%x) seed(%x) : (f64), (f64) -> (f64, f64)
  return
}

// -----

// A padding that takes elements away.
func.func private @cropped(%x: tensor<?xf64>, %v: f64) -> tensor<?xf64> {
  // expected-error @+1 {{'tensor.pad' op takes something away: use 'tensor.extract_slice' for that}}
  %p = tensor.pad %x low[-1] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f64
  } : tensor<?xf64> to tensor<?xf64>
  return %p : tensor<?xf64>
}
func.func @cropped_vjp(%x: tensor<?xf64>, %v: f64, %y_bar: tensor<?xf64>) -> tensor<?xf64> {
  %r:2 = ad.vjp @cropped(%x, %v) seed(%y_bar) {wrt = array<i64: 0>} : (tensor<?xf64>, f64), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// -----

// Blocks inside of what is no control flow.
func.func private @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = soac.map ins(%x : tensor<3xf64>) (%e: f64) -> tensor<3xf64> {
    // expected-error @+1 {{'scf.execute_region' op has no vjp rule: it has several blocks inside of an operation other than of 'scf'; use 'scf' there}}
    %s = scf.execute_region -> f64 {
      cf.br ^end(%e : f64)
    ^end(%r: f64):
      %sine = math.sin %r : f64
      scf.yield %sine : f64
    }
    soac.yield %s : f64
  }
  return %y : tensor<3xf64>
}
func.func @region_in_map(%x: tensor<3xf64>) {
  // expected-note @+1 {{derivative requested here}}
  %r:2 = ad.vjp @f(%x) seed(%x) : (tensor<3xf64>), (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return
}
