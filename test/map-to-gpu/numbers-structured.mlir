// Numbers that kernels make are read by the threads of structured operations, too, whether these take them, find them outside
// or fill an array with them; a loop carries none of them. The host reads what it returns, and waits for nothing else.
// RUN: ad-opt %s --pass-pipeline='builtin.module(symbol-dce,ad-optimize,ad-make-kernels)' | FileCheck %s
// RUN: %python %S/../bench/Inputs/random_npy.py %t.npy '<f8' '(50,)' 0 1
// DEFINE: %{entry} = taken
// DEFINE: %{both} = ad-opt run %s --entry=%{entry} --input=%t.npy > %t.cpu && \
// DEFINE:   ad-opt run %s --entry=%{entry} --input=%t.npy --target=gpu-emulate > %t.gpu && \
// DEFINE:   %python %S/../bench/Inputs/compare.py %t.cpu %t.gpu 1e-12
// RUN: %{both}
// REDEFINE: %{entry} = found
// RUN: %{both}
// REDEFINE: %{entry} = filled
// RUN: %{both}
// REDEFINE: %{entry} = steps
// RUN: %{both}

#row = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

func.func private @sum(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%x : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %s : f64
}

// CHECK-LABEL: func.func @taken(
// CHECK: scf.forall
// CHECK: %[[S:.*]] = scf.forall
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<?xf64>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tensor.extract %[[S]]
// CHECK: linalg.yield
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @taken(%x: tensor<?xf64>) -> tensor<?xf64> {
  %s = func.call @sum(%x) : (tensor<?xf64>) -> f64
  %r = linalg.generic {indexing_maps = [#row, #none, #row], iterator_types = ["parallel"]} ins(%x, %s : tensor<?xf64>, f64) outs(%x : tensor<?xf64>) {
  ^bb0(%a: f64, %b: f64, %_: f64):
    %c = arith.mulf %a, %b : f64
    linalg.yield %c : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @found(
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tensor.extract
// CHECK: math.sqrt
// CHECK: linalg.yield
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @found(%x: tensor<?xf64>) -> tensor<?xf64> {
  %s = func.call @sum(%x) : (tensor<?xf64>) -> f64
  %t = arith.addf %s, %s : f64
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<?xf64>) outs(%x : tensor<?xf64>) {
  ^bb0(%a: f64, %_: f64):
    %b = math.sqrt %a : f64
    %c = arith.mulf %b, %t : f64
    linalg.yield %c : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @filled(
// CHECK-NOT: linalg.fill
// CHECK-NOT: tensor.splat
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: tensor.extract
// CHECK-NOT: linalg.fill
// CHECK-NOT: tensor.splat
// CHECK: return
func.func @filled(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<3xf64>) {
  %s = func.call @sum(%x) : (tensor<?xf64>) -> f64
  %r = linalg.fill ins(%s : f64) outs(%x : tensor<?xf64>) -> tensor<?xf64>
  %t = tensor.splat %s : tensor<3xf64>
  return %r, %t : tensor<?xf64>, tensor<3xf64>
}

// The last number that is made is an array when the loop is done.
// CHECK-LABEL: func.func @steps(
// CHECK: scf.for {{.*}} -> (tensor<?xf64>, tensor<1xf64>)
// CHECK: return
func.func @steps(%x: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x, %s = %one) -> (tensor<?xf64>, f64) {
    %z = linalg.generic {indexing_maps = [#row, #none, #row], iterator_types = ["parallel"]} ins(%y, %s : tensor<?xf64>, f64) outs(%y : tensor<?xf64>) {
    ^bb0(%a: f64, %b: f64, %_: f64):
      %c = arith.divf %a, %b : f64
      linalg.yield %c : f64
    } -> tensor<?xf64>
    %t = func.call @sum(%z) : (tensor<?xf64>) -> f64
    scf.yield %z, %t : tensor<?xf64>, f64
  }
  return %r#0 : tensor<?xf64>
}
