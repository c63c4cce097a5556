// Products of complex numbers are as products of their parts, and those of f16 and bf16 as those of the same numbers in f32:
// with more terms than the callee has at a time, with none, and on an emulated GPU.
//
// DEFINE: %{random} = %python %S/../bench/Inputs/random_npy.py
// DEFINE: %{compare} = %python %S/../bench/Inputs/compare.py
// DEFINE: %{entries} =
// DEFINE: %{sizes} =
// DEFINE: %{tolerance} = 1e-13
// DEFINE: %{options} =
// DEFINE: %{inputs} = --input=%t.a.npy --input=%t.b.npy
// DEFINE: %{both} = %{random} %t.a.npy '<f8' '(%{sizes})' -1 1 1 && %{random} %t.b.npy '<f8' '(%{sizes})' -1 1 2 && \
// DEFINE:           ad-opt run %s --entry=%{entries}_alone %{inputs} > %t.alone && \
// DEFINE:           ad-opt run %s --entry=%{entries} %{inputs} %{options} > %t.own && %{compare} %t.alone %t.own %{tolerance}
//
// REDEFINE: %{entries} = complex
// REDEFINE: %{sizes} = 61,70
// RUN: %{both}
// REDEFINE: %{sizes} = 1,9
// RUN: %{both}
// REDEFINE: %{options} = --target=gpu-emulate
// REDEFINE: %{sizes} = 61,70
// RUN: %{both}
// REDEFINE: %{sizes} = 700,9
// RUN: %{both}
// REDEFINE: %{options} =
//
// REDEFINE: %{entries} = half
// REDEFINE: %{tolerance} = 1e-6
// REDEFINE: %{sizes} = 1030,21
// RUN: %{both}
// REDEFINE: %{sizes} = 9,70
// RUN: %{both}
// REDEFINE: %{entries} = brain
// RUN: %{both}
// REDEFINE: %{entries} = mixed
// RUN: %{both}
// REDEFINE: %{sizes} = 1030,21
// RUN: %{both}
// REDEFINE: %{options} = --target=gpu-emulate
// REDEFINE: %{sizes} = 61,70
// RUN: %{both}
//
// No rows, and no terms.
// RUN: %python %S/../driver/Inputs/npy.py %t.none.npy '<f8' '(0,3)'
// RUN: ad-opt run %s --entry=complex --input=%t.none.npy --input=%t.none.npy | FileCheck %s --check-prefix=NONE
// RUN: ad-opt run %s --entry=half --input=%t.none.npy --input=%t.none.npy | FileCheck %s --check-prefix=NONE
// NONE:      {{\[\[}}0.0, 0.0, 0.0],
// NONE-NEXT: [0.0, 0.0, 0.0],
// NONE-NEXT: [0.0, 0.0, 0.0]]
//
// Sums of f16 are made in f32, and rounded once: one at a time, 2048 ones would be the most.
// RUN: %{random} %t.ones.npy '<f8' '(3000,2)' 1 1
// RUN: ad-opt run %s --entry=counts --input=%t.ones.npy | FileCheck %s --check-prefix=ONES
// ONES:      {{\[\[}}3000.0, 3000.0],
// ONES-NEXT: [3000.0, 3000.0]]
//
// What is called.
// RUN: ad-opt %s --convert-elementwise-to-linalg --one-shot-bufferize="bufferize-function-boundaries" --lower-contractions | FileCheck %s
// CHECK-LABEL: func.func @complex(
// CHECK:         call @ad_gemm_complex_f64(
// CHECK-LABEL: func.func @half(
// CHECK:         call @ad_gemm_f16_f16_f32(
// CHECK-LABEL: func.func @brain(
// CHECK:         call @ad_gemm_bf16_bf16_f32(
// CHECK-LABEL: func.func @mixed(
// CHECK:         call @ad_gemm_f32_f16_f32(
// CHECK-LABEL: func.func @counts(
// CHECK:         call @ad_gemm_f16(

#of_a = affine_map<(i, j, k) -> (k, i)>
#of_b = affine_map<(i, j, k) -> (k, j)>
#of_c = affine_map<(i, j, k) -> (i, j)>
#here = affine_map<(i, j) -> (i, j)>

// The real and imaginary parts of (a + 2b i)^T (b - a i), in one matrix.
func.func @complex(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %k = tensor.dim %a, %c0 : tensor<?x?xf64>
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %made = tensor.empty(%k, %n) : tensor<?x?xcomplex<f64>>
  %x = linalg.generic {indexing_maps = [#here, #here, #here], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%made : tensor<?x?xcomplex<f64>>) {
  ^bb0(%p: f64, %q: f64, %_: complex<f64>):
    %im = arith.mulf %q, %two : f64
    %z = complex.create %p, %im : complex<f64>
    linalg.yield %z : complex<f64>
  } -> tensor<?x?xcomplex<f64>>
  %y = linalg.generic {indexing_maps = [#here, #here, #here], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%made : tensor<?x?xcomplex<f64>>) {
  ^bb0(%p: f64, %q: f64, %_: complex<f64>):
    %im = arith.negf %p : f64
    %z = complex.create %q, %im : complex<f64>
    linalg.yield %z : complex<f64>
  } -> tensor<?x?xcomplex<f64>>
  %empty = tensor.empty(%n, %n) : tensor<?x?xcomplex<f64>>
  %start = linalg.fill ins(%zero : complex<f64>) outs(%empty : tensor<?x?xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  %product = linalg.generic {indexing_maps = [#of_a, #of_b, #of_c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x?xcomplex<f64>>, tensor<?x?xcomplex<f64>>) outs(%start : tensor<?x?xcomplex<f64>>) {
  ^bb0(%p: complex<f64>, %q: complex<f64>, %s: complex<f64>):
    %pq = complex.mul %p, %q : complex<f64>
    %t = complex.add %s, %pq : complex<f64>
    linalg.yield %t : complex<f64>
  } -> tensor<?x?xcomplex<f64>>
  %parts = tensor.empty(%n, %n) : tensor<?x?xf64>
  %sum = linalg.generic {indexing_maps = [#here, #here], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<?x?xcomplex<f64>>) outs(%parts : tensor<?x?xf64>) {
  ^bb0(%z: complex<f64>, %_: f64):
    %re = complex.re %z : complex<f64>
    %im = complex.im %z : complex<f64>
    %three = arith.constant 3.0 : f64
    %more = arith.mulf %im, %three : f64
    %both = arith.addf %re, %more : f64
    linalg.yield %both : f64
  } -> tensor<?x?xf64>
  return %sum : tensor<?x?xf64>
}

// The same of the parts: re = a^T b + 2 b^T a, and im = 2 b^T b - a^T a.
func.func @complex_alone(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %empty = tensor.empty(%n, %n) : tensor<?x?xf64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %sum = linalg.generic {indexing_maps = [#of_a, #of_a, #of_b, #of_b, #of_c],
                         iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %a, %b : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) outs(%start : tensor<?x?xf64>) {
  ^bb0(%a_i: f64, %b_i: f64, %a_j: f64, %b_j: f64, %s: f64):
    %two = arith.constant 2.0 : f64
    %three = arith.constant 3.0 : f64
    %ab = arith.mulf %a_i, %b_j : f64
    %ba = arith.mulf %b_i, %a_j : f64
    %ba2 = arith.mulf %ba, %two : f64
    %re = arith.addf %ab, %ba2 : f64
    %bb = arith.mulf %b_i, %b_j : f64
    %bb2 = arith.mulf %bb, %two : f64
    %aa = arith.mulf %a_i, %a_j : f64
    %im = arith.subf %bb2, %aa : f64
    %im3 = arith.mulf %im, %three : f64
    %both = arith.addf %re, %im3 : f64
    %t = arith.addf %s, %both : f64
    linalg.yield %t : f64
  } -> tensor<?x?xf64>
  return %sum : tensor<?x?xf64>
}

func.func @half(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %x = arith.truncf %a : tensor<?x?xf64> to tensor<?x?xf16>
  %y = arith.truncf %b : tensor<?x?xf64> to tensor<?x?xf16>
  %empty = tensor.empty(%n, %n) : tensor<?x?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %product = linalg.generic {indexing_maps = [#of_a, #of_b, #of_c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x?xf16>, tensor<?x?xf16>) outs(%start : tensor<?x?xf32>) {
  ^bb0(%p: f16, %q: f16, %s: f32):
    %wp = arith.extf %p : f16 to f32
    %wq = arith.extf %q : f16 to f32
    %pq = arith.mulf %wp, %wq : f32
    %t = arith.addf %s, %pq : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %product : tensor<?x?xf32>
}

func.func @half_alone(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %x = arith.truncf %a : tensor<?x?xf64> to tensor<?x?xf16>
  %y = arith.truncf %b : tensor<?x?xf64> to tensor<?x?xf16>
  %wx = arith.extf %x : tensor<?x?xf16> to tensor<?x?xf32>
  %wy = arith.extf %y : tensor<?x?xf16> to tensor<?x?xf32>
  %empty = tensor.empty(%n, %n) : tensor<?x?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %product = linalg.generic {indexing_maps = [#of_a, #of_b, #of_c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%wx, %wy : tensor<?x?xf32>, tensor<?x?xf32>) outs(%start : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %pq = arith.mulf %p, %q : f32
    %t = arith.addf %s, %pq : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %product : tensor<?x?xf32>
}

func.func @brain(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %x = arith.truncf %a : tensor<?x?xf64> to tensor<?x?xbf16>
  %y = arith.truncf %b : tensor<?x?xf64> to tensor<?x?xbf16>
  %empty = tensor.empty(%n, %n) : tensor<?x?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %product = linalg.generic {indexing_maps = [#of_a, #of_b, #of_c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%start : tensor<?x?xf32>) {
  ^bb0(%p: bf16, %q: bf16, %s: f32):
    %wp = arith.extf %p : bf16 to f32
    %wq = arith.extf %q : bf16 to f32
    %pq = arith.mulf %wp, %wq : f32
    %t = arith.addf %s, %pq : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %product : tensor<?x?xf32>
}

func.func @brain_alone(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %x = arith.truncf %a : tensor<?x?xf64> to tensor<?x?xbf16>
  %y = arith.truncf %b : tensor<?x?xf64> to tensor<?x?xbf16>
  %wx = arith.extf %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %wy = arith.extf %y : tensor<?x?xbf16> to tensor<?x?xf32>
  %empty = tensor.empty(%n, %n) : tensor<?x?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %product = linalg.generic {indexing_maps = [#of_a, #of_b, #of_c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%wx, %wy : tensor<?x?xf32>, tensor<?x?xf32>) outs(%start : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %pq = arith.mulf %p, %q : f32
    %t = arith.addf %s, %pq : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %product : tensor<?x?xf32>
}

func.func @mixed(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %x = arith.truncf %a : tensor<?x?xf64> to tensor<?x?xf32>
  %y = arith.truncf %b : tensor<?x?xf64> to tensor<?x?xf16>
  %empty = tensor.empty(%n, %n) : tensor<?x?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %product = linalg.generic {indexing_maps = [#of_a, #of_b, #of_c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf16>) outs(%start : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f16, %s: f32):
    %wq = arith.extf %q : f16 to f32
    %pq = arith.mulf %p, %wq : f32
    %t = arith.addf %s, %pq : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %product : tensor<?x?xf32>
}

func.func @mixed_alone(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %x = arith.truncf %a : tensor<?x?xf64> to tensor<?x?xf32>
  %y = arith.truncf %b : tensor<?x?xf64> to tensor<?x?xf16>
  %wy = arith.extf %y : tensor<?x?xf16> to tensor<?x?xf32>
  %empty = tensor.empty(%n, %n) : tensor<?x?xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %product = linalg.generic {indexing_maps = [#of_a, #of_b, #of_c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %wy : tensor<?x?xf32>, tensor<?x?xf32>) outs(%start : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %pq = arith.mulf %p, %q : f32
    %t = arith.addf %s, %pq : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %product : tensor<?x?xf32>
}

func.func @counts(%a: tensor<?x?xf64>) -> tensor<?x?xf16> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  %n = tensor.dim %a, %c1 : tensor<?x?xf64>
  %x = arith.truncf %a : tensor<?x?xf64> to tensor<?x?xf16>
  %empty = tensor.empty(%n, %n) : tensor<?x?xf16>
  %start = linalg.fill ins(%zero : f16) outs(%empty : tensor<?x?xf16>) -> tensor<?x?xf16>
  %product = linalg.generic {indexing_maps = [#of_a, #of_b, #of_c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<?x?xf16>, tensor<?x?xf16>) outs(%start : tensor<?x?xf16>) {
  ^bb0(%p: f16, %q: f16, %s: f16):
    %pq = arith.mulf %p, %q : f16
    %t = arith.addf %s, %pq : f16
    linalg.yield %t : f16
  } -> tensor<?x?xf16>
  return %product : tensor<?x?xf16>
}
