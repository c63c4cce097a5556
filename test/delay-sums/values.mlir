// Derivatives of recurrent networks for their weights, which are products behind the loops of the way back: against forward
// mode and differences, for any number of steps, and on an emulated GPU as on the CPU (F49, F61).
//
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// DEFINE: %{steps} = 4
// DEFINE: %{entry} = network
// DEFINE: %{target} =
// DEFINE: %{call} = %s --entry=%{entry} --input=%t.W.npy --input=%t.U.npy --input=%t.xs.npy --input=%t.h.npy
// DEFINE: %{make} = %{random} %t.W.npy '<f8' '(3,5)' -1 1 1 && %{random} %t.U.npy '<f8' '(5,5)' -1 1 2 && \
// DEFINE:           %{random} %t.xs.npy '<f8' '(%{steps},2,3)' -1 1 3 && %{random} %t.h.npy '<f8' '(2,5)' -1 1 4
// RUN: %{make}
// RUN: ad-opt check %{call}
// RUN: ad-opt check %{call} --engine=interpreter
// REDEFINE: %{entry} = backwards
// RUN: ad-opt check %{call}
// REDEFINE: %{entry} = twice
// RUN: ad-opt check %{call}
// REDEFINE: %{entry} = network
// REDEFINE: %{steps} = 1
// RUN: %{make}
// RUN: ad-opt check %{call}
// REDEFINE: %{entry} = twice
// RUN: ad-opt check %{call}
// REDEFINE: %{steps} = 0
// RUN: %{make}
// RUN: ad-opt check %{call}
// REDEFINE: %{entry} = network
// RUN: ad-opt check %{call}
//
// Both sums are behind the loop of the way back.
// RUN: ad-opt %s --ad-optimize | FileCheck %s
// CHECK-LABEL: func.func @gradient
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: scf.yield
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: scf.for
// CHECK: return
//
// REDEFINE: %{entry} = gradient
// REDEFINE: %{steps} = 33
// RUN: %{make}
// RUN: ad-opt run %{call} > %t.cpu
// RUN: ad-opt run %{call} --target=gpu-emulate > %t.gpu
// RUN: %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-13

// h = tanh(x W + h U) for each x; the products with W are made for all x at a time.
func.func @network(%W: tensor<?x?xf64>, %U: tensor<?x?xf64>, %xs: tensor<?x?x?xf64>,
                   %h0: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?x?xf64>
  %zs = func.call @inputs(%W, %xs) : (tensor<?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %end = scf.for %t = %c0 to %n step %c1 iter_args(%h = %h0) -> (tensor<?x?xf64>) {
    %next = func.call @step(%zs, %U, %h, %t)
        : (tensor<?x?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index) -> tensor<?x?xf64>
    scf.yield %next : tensor<?x?xf64>
  }
  return %end : tensor<?x?xf64>
}

// From the last x to the first.
func.func @backwards(%W: tensor<?x?xf64>, %U: tensor<?x?xf64>, %xs: tensor<?x?x?xf64>,
                     %h0: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?x?x?xf64>
  %last = arith.subi %n, %c1 : index
  %zs = func.call @inputs(%W, %xs) : (tensor<?x?xf64>, tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%h = %h0) -> (tensor<?x?xf64>) {
    %t = arith.subi %last, %i : index
    %next = func.call @step(%zs, %U, %h, %t)
        : (tensor<?x?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, index) -> tensor<?x?xf64>
    scf.yield %next : tensor<?x?xf64>
  }
  return %end : tensor<?x?xf64>
}

func.func private @inputs(%W: tensor<?x?xf64>, %xs: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %xs, %c0 : tensor<?x?x?xf64>
  %b = tensor.dim %xs, %c1 : tensor<?x?x?xf64>
  %m = tensor.dim %W, %c1 : tensor<?x?xf64>
  %empty = tensor.empty(%n, %b, %m) : tensor<?x?x?xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %zs = linalg.generic {
      indexing_maps = [affine_map<(t, i, j, k) -> (t, i, k)>, affine_map<(t, i, j, k) -> (k, j)>,
                       affine_map<(t, i, j, k) -> (t, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%xs, %W : tensor<?x?x?xf64>, tensor<?x?xf64>) outs(%zeros : tensor<?x?x?xf64>) {
  ^bb0(%x: f64, %w: f64, %old: f64):
    %xw = arith.mulf %x, %w : f64
    %more = arith.addf %old, %xw : f64
    linalg.yield %more : f64
  } -> tensor<?x?x?xf64>
  return %zs : tensor<?x?x?xf64>
}

func.func private @step(%zs: tensor<?x?x?xf64>, %U: tensor<?x?xf64>, %h: tensor<?x?xf64>,
                        %t: index) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %zs, %c1 : tensor<?x?x?xf64>
  %m = tensor.dim %zs, %c2 : tensor<?x?x?xf64>
  %xW = tensor.extract_slice %zs[%t, 0, 0] [1, %b, %m] [1, 1, 1]
      : tensor<?x?x?xf64> to tensor<?x?xf64>
  %z = linalg.matmul ins(%h, %U : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%xW : tensor<?x?xf64>) -> tensor<?x?xf64>
  %next = math.tanh %z : tensor<?x?xf64>
  return %next : tensor<?x?xf64>
}

func.func @gradient(%W: tensor<?x?xf64>, %U: tensor<?x?xf64>, %xs: tensor<?x?x?xf64>,
                    %h0: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>) {
  %h, %Wb, %Ub, %xb = ad.vjp @network(%W, %U, %xs, %h0) seed(%h0) {wrt = array<i64: 0, 1, 2>}
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>)
  return %Wb, %Ub, %xb : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>
}

// Second order: a derivative for the weights is differentiated.
func.func @twice(%W: tensor<?x?xf64>, %U: tensor<?x?xf64>, %xs: tensor<?x?x?xf64>,
                 %h0: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %Wb, %Ub, %xb = func.call @gradient(%W, %U, %xs, %h0)
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>, tensor<?x?xf64>)
      -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?x?xf64>)
  return %Wb, %Ub : tensor<?x?xf64>, tensor<?x?xf64>
}
