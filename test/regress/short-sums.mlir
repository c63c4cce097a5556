// Gradients with respect to f16 and bf16 are summed in f32, and rounded once: of 4096 ones, added one at a time in f16, 2048
// would come (USERS no. 20), and 256 in bf16. What was rounded on the way to a sum, or to what was wider before, is not.
// RUN: %python %S/../bench/Inputs/random_npy.py %t.npy '<f4' '(4096,)' 1 1
// RUN: ad-opt run %s --entry=bias_gradient --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=product_gradient --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=table_gradient --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=scale_gradient --input=%t.npy | FileCheck %s
// RUN: ad-opt run %s --entry=steps_gradient --input=4096 | FileCheck %s
// RUN: ad-opt run %s --entry=bias_gradient --input=%t.npy --target=gpu-emulate | FileCheck %s
// RUN: ad-opt run %s --entry=steps_gradient --input=4096 --target=gpu-emulate | FileCheck %s
// RUN: ad-opt check %s --entry=product --input=%t.npy --input=0.5
// RUN: ad-opt %s --ad-optimize | FileCheck %s --check-prefix=IR
// CHECK: 4096

#row = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

func.func @bias(%x: tensor<?xf32>, %b: tensor<bf16>) -> tensor<?xf32> {
  %y = linalg.generic {indexing_maps = [#row, #none, #row], iterator_types = ["parallel"]}
      ins(%x, %b : tensor<?xf32>, tensor<bf16>) outs(%x : tensor<?xf32>) {
  ^bb0(%x_i: f32, %b_i: bf16, %_: f32):
    %w = arith.extf %b_i : bf16 to f32
    %s = arith.addf %x_i, %w : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @bias_gradient(%seed: tensor<?xf32>) -> f32 {
  %b = arith.constant dense<0.5> : tensor<bf16>
  %y, %g = ad.vjp @bias(%seed, %b) seed(%seed) {wrt = array<i64: 1>} : (tensor<?xf32>, tensor<bf16>), (tensor<?xf32>) -> (tensor<?xf32>, tensor<bf16>)
  %v = tensor.extract %g[] : tensor<bf16>
  %r = arith.extf %v : bf16 to f32
  return %r : f32
}

// The usual mixed precision: what is f16 in the product is f32 for who trains it, and so is its gradient, unrounded.
func.func @product(%x: tensor<?xf32>, %w: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %x16 = arith.truncf %x : tensor<?xf32> to tensor<?xf16>
  %w16 = arith.truncf %w : f32 to f16
  %z = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%z : tensor<f32>) -> tensor<f32>
  %y = linalg.generic {indexing_maps = [#row, #none], iterator_types = ["reduction"]} ins(%x16 : tensor<?xf16>) outs(%f : tensor<f32>) {
  ^bb0(%x_i: f16, %sum: f32):
    %a = arith.extf %x_i : f16 to f32
    %b = arith.extf %w16 : f16 to f32
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %r = tensor.extract %y[] : tensor<f32>
  return %r : f32
}
// IR-LABEL: func.func @product_gradient(
// IR: linalg.generic {{.*}} outs(%{{.*}} : tensor<f32>)
// IR-NOT: arith.truncf
// IR: return
func.func @product_gradient(%x: tensor<?xf32>) -> f32 {
  %one = arith.constant 1.0 : f32
  %w = arith.constant 0.5 : f32
  %y, %g = ad.vjp @product(%x, %w) seed(%one) {wrt = array<i64: 1>} : (tensor<?xf32>, f32), (f32) -> (f32, f32)
  return %g : f32
}

func.func @table(%table: tensor<1xf16>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map ins(%x : tensor<?xf32>) (%x_i: f32) -> tensor<?xf32> {
    %i32 = arith.fptosi %x_i : f32 to i32
    %i = arith.index_cast %i32 : i32 to index
    %one = arith.constant 1 : index
    %k = arith.subi %i, %one : index
    %v = tensor.extract %table[%k] : tensor<1xf16>
    %w = arith.extf %v : f16 to f32
    soac.yield %w : f32
  }
  return %y : tensor<?xf32>
}
func.func @table_gradient(%x: tensor<?xf32>) -> f32 {
  %table = arith.constant dense<0.5> : tensor<1xf16>
  %zero = arith.constant 0 : index
  %y, %g = ad.vjp @table(%table, %x) seed(%x) {wrt = array<i64: 0>} : (tensor<1xf16>, tensor<?xf32>), (tensor<?xf32>) -> (tensor<?xf32>, tensor<1xf16>)
  %v = tensor.extract %g[%zero] : tensor<1xf16>
  %r = arith.extf %v : f16 to f32
  return %r : f32
}

func.func @scale(%x: tensor<?xf32>, %s: f16) -> tensor<?xf32> {
  %y = soac.map ins(%x : tensor<?xf32>) (%x_i: f32) -> tensor<?xf32> {
    %w = arith.extf %s : f16 to f32
    %p = arith.mulf %x_i, %w : f32
    soac.yield %p : f32
  }
  return %y : tensor<?xf32>
}
func.func @scale_gradient(%x: tensor<?xf32>) -> f32 {
  %s = arith.constant 0.5 : f16
  %y, %g = ad.vjp @scale(%x, %s) seed(%x) {wrt = array<i64: 1>} : (tensor<?xf32>, f16), (tensor<?xf32>) -> (tensor<?xf32>, f16)
  %r = arith.extf %g : f16 to f32
  return %r : f32
}

func.func @steps(%w: f16, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f32 {
    %wide = arith.extf %w : f16 to f32
    %b = arith.addf %a, %wide : f32
    scf.yield %b : f32
  }
  return %r : f32
}
func.func @steps_gradient(%n: index) -> f32 {
  %one = arith.constant 1.0 : f32
  %w = arith.constant 0.5 : f16
  %y, %g = ad.vjp @steps(%w, %n) seed(%one) {wrt = array<i64: 0>} : (f16, index), (f32) -> (f32, f16)
  %r = arith.extf %g : f16 to f32
  return %r : f32
}
