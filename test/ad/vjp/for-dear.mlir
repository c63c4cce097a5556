// What dear functions give in the maps of a loop is saved, and what inner loops save for their return
// loops; but not if memory is short, or if it would be larger than what the loop saves anyway.
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// RUN: ad-opt %s --pass-pipeline='builtin.module(inline,ad-differentiate{memory-budget=1000000000000},inline,canonicalize,cse,symbol-dce)' \
// RUN:   | FileCheck %s --check-prefix=BUDGET

// CHECK-LABEL: func.func @single_gradient(
// CHECK: scf.for
// CHECK: %[[BOTH:.*]]:2 = soac.map
// CHECK: math.tanh
// CHECK: tensor.insert_slice %[[BOTH]]#1 into
// CHECK: scf.for
// CHECK-NOT: math.tanh
// CHECK: return

// BUDGET-LABEL: func.func @single_gradient(
// BUDGET-COUNT-2: scf.for
// BUDGET: math.tanh
// BUDGET: return

// The forward loops and the return loops: nothing is executed again.
// CHECK-LABEL: func.func @layers_gradient(
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-2: math.tanh
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: math.tanh
// CHECK-NOT: scf.for
// CHECK: return

// BUDGET-LABEL: func.func @layers_gradient(
// BUDGET: scf.for
// BUDGET: scf.for
// BUDGET: scf.for
// BUDGET: scf.for
// BUDGET: math.tanh
// BUDGET: scf.for
// BUDGET: return

// CHECK-LABEL: func.func @scalar_gradient(
// CHECK: scf.for
// CHECK: math.tanh
// CHECK: scf.for
// CHECK: math.tanh
// CHECK: return

func.func @single_gradient(%x: tensor<9xf32>, %bar: tensor<9xf32>) -> tensor<9xf32> {
  %r:2 = ad.vjp @single(%x) seed(%bar) : (tensor<9xf32>), (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
  return %r#1 : tensor<9xf32>
}

func.func @layers_gradient(%n: index, %x: tensor<?xf64>, %w: tensor<?x?xf64>, %s0: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r:3 = ad.vjp @layers(%n, %x, %w, %s0) seed(%x, %w) {wrt = array<i64: 2>}
      : (index, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?xf64>, tensor<?x?xf64>)
      -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#2 : tensor<?x?xf64>
}

func.func @scalar_gradient(%n: index, %s0: f64, %x: tensor<?xf64>, %bar: f64) -> tensor<?xf64> {
  %r:2 = ad.vjp @scalar(%n, %s0, %x) seed(%bar) {wrt = array<i64: 2>} : (index, f64, tensor<?xf64>), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

func.func private @single(%x: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x) -> tensor<9xf32> {
    %new = soac.map ins(%h, %x : tensor<9xf32>, tensor<9xf32>) (%a: f32, %b: f32) -> tensor<9xf32> {
      %t = math.tanh %a : f32
      %u = arith.mulf %t, %b : f32
      soac.yield %u : f32
    }
    scf.yield %new : tensor<9xf32>
  }
  return %h : tensor<9xf32>
}

// Every layer updates its row of the state, and hands on what it makes.
func.func private @layers(%n: index, %x: tensor<?xf64>, %w: tensor<?x?xf64>, %s0: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y, %s = scf.for %t = %c0 to %n step %c1 iter_args(%y = %x, %s = %s0) -> (tensor<?xf64>, tensor<?x?xf64>) {
    %z = soac.map ins(%y, %x : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %rows = tensor.dim %w, %c0 : tensor<?x?xf64>
    %width = tensor.dim %z, %c0 : tensor<?xf64>
    %top, %next = scf.for %i = %c0 to %rows step %c1 iter_args(%in = %z, %r = %s) -> (tensor<?xf64>, tensor<?x?xf64>) {
      %wi = tensor.extract_slice %w[%i, 0] [1, %width] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %ri = tensor.extract_slice %r[%i, 0] [1, %width] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
      %out, %cell = soac.map ins(%in, %wi, %ri : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
          (%a: f64, %b: f64, %c: f64) -> (tensor<?xf64>, tensor<?xf64>) {
        %ab = arith.mulf %a, %b : f64
        %g = math.tanh %ab : f64
        %gc = arith.mulf %g, %c : f64
        %new = arith.addf %gc, %a : f64
        %u = math.tanh %new : f64
        %o = arith.mulf %u, %g : f64
        soac.yield %o, %new : f64, f64
      }
      %r_1 = tensor.insert_slice %cell into %r[%i, 0] [1, %width] [1, 1] : tensor<?xf64> into tensor<?x?xf64>
      scf.yield %out, %r_1 : tensor<?xf64>, tensor<?x?xf64>
    }
    scf.yield %top, %next : tensor<?xf64>, tensor<?x?xf64>
  }
  return %y, %s : tensor<?xf64>, tensor<?x?xf64>
}

// The loop carries a number only.
func.func private @scalar(%n: index, %s0: f64, %x: tensor<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %t = %c0 to %n step %c1 iter_args(%s = %s0) -> f64 {
    %e = soac.map ins(%x : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
      %as = arith.mulf %a, %s : f64
      %e = math.tanh %as : f64
      soac.yield %e : f64
    }
    %next = func.call @sum(%e) : (tensor<?xf64>) -> f64
    scf.yield %next : f64
  }
  return %s : f64
}

func.func private @sum(%v: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%v : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}
