// Values of every type go from C to the program and back, in code for this processor and for any; headers are C and C++.
// RUN: rm -rf %t && mkdir %t
// RUN: ad-opt compile %s --prefix=t_ -o %t/types.so
// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/types.h
// RUN: cc -std=c99 -Wall -Wextra -Werror -pedantic -I%t %S/Inputs/types.c %t/types.so -Wl,-rpath,%t -o %t/native
// RUN: %t/native | FileCheck %s --check-prefix=C
// RUN: not --crash %t/native big 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: ad-opt compile %s --prefix=t_ --cpu=generic -o %t/types.o
// RUN: cc -std=c99 -I%t %S/Inputs/types.c %t/types.o -lm -o %t/generic
// RUN: %t/generic | FileCheck %s --check-prefix=C
// RUN: c++ -x c++ -fsyntax-only -std=c++11 -Wall -Wextra -Werror -pedantic %t/types.h

// C: scalars 0.5 1.5 3c00 3f80 1 -8 -16 -32 -64 64 1+2i 3-4i
// C: returned 1-2i 0 1 -128 4049 3f81 bf80 1 3c00
// C: overwrite 1 | 2 | 2 2 3
// C: mixed 3 2 | 2 1 | 1 4 2 5 3 6 | 1 1 3
// C: four 4
// MEMORY: ad-opt: Cannot allocate memory

// HEADER:      typedef struct {
// HEADER-NEXT:   double re, im;
// HEADER-NEXT: } ad_c128;
// HEADER:      ad_bool_0d ad_bool_0d_view(const bool *data) {
// HEADER:        array.strides[1] = 1;
// HEADER-NEXT:   array.strides[0] = array.strides[1] * size1;

// HEADER:      /* @scalars(a: f64, {{.*}}, w: complex<f64>) -> (f64, {{.*}}, complex<f64>) */
// HEADER-NEXT: void t_scalars(
// HEADER-NEXT:     double a,
// HEADER-NEXT:     float b,
// HEADER-NEXT:     uint16_t h,
// HEADER-NEXT:     uint16_t bf,
// HEADER-NEXT:     bool p,
// HEADER-NEXT:     int8_t i8,
// HEADER-NEXT:     int16_t s,
// HEADER-NEXT:     int32_t i,
// HEADER-NEXT:     int64_t l,
// HEADER-NEXT:     int64_t n,
// HEADER-NEXT:     const ad_c64 *z,
// HEADER-NEXT:     const ad_c128 *w,
// HEADER-NEXT:     double *result0,
// HEADER:          ad_c128 *result11);
func.func @scalars(%a: f64, %b: f32, %h: f16, %bf: bf16, %p: i1, %i8: i8, %s: i16, %i: i32, %l: i64, %n: index,
                   %z: complex<f32>, %w: complex<f64>)
    -> (f64, f32, f16, bf16, i1, i8, i16, i32, i64, index, complex<f32>, complex<f64>) {
  return %a, %b, %h, %bf, %p, %i8, %s, %i, %l, %n, %z, %w
    : f64, f32, f16, bf16, i1, i8, i16, i32, i64, index, complex<f32>, complex<f64>
}

// HEADER: bool t_not(bool p);
func.func @not(%p: i1) -> i1 {
  %true = arith.constant true
  %0 = arith.xori %p, %true : i1
  return %0 : i1
}

// HEADER: void t_conj(const ad_c64 *z, ad_c64 *result);
func.func @conj(%z: complex<f32>) -> complex<f32> {
  %0 = complex.conj %z : complex<f32>
  return %0 : complex<f32>
}

// HEADER: int8_t t_neg8(int8_t x);
func.func @neg8(%x: i8) -> i8 {
  %c0 = arith.constant 0 : i8
  %0 = arith.subi %c0, %x : i8
  return %0 : i8
}

// HEADER: uint16_t t_bfloat_f32(float x);
func.func @bfloat_f32(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}
func.func @bfloat_f64(%x: f64) -> bf16 {
  %0 = arith.truncf %x : f64 to bf16
  return %0 : bf16
}
func.func @half(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}
func.func @zero() -> f64 {
  %0 = arith.constant 0.0 : f64
  return %0 : f64
}

// Tensors of the caller are not written to; buffers are.
// HEADER: void t_overwrite(const ad_f64_1d *x, const ad_f64_1d *m, ad_f64_1d *result);
func.func @overwrite(%x: tensor<?xf64>, %m: memref<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] : tensor<?xf64>
  %1 = arith.addf %0, %0 : f64
  memref.store %1, %m[%c0] : memref<?xf64>
  %2 = tensor.insert %1 into %x[%c0] : tensor<?xf64>
  return %2 : tensor<?xf64>
}

// HEADER: /* @mixed(x: tensor<2x?xf32>, t: tensor<i1>) -> (tensor<?x2xf32>, i1, tensor<i1>, index) */
func.func @mixed(%x: tensor<2x?xf32>, %t: tensor<i1>) -> (tensor<?x2xf32>, i1, tensor<i1>, index) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf32>
  %e = tensor.empty(%n) : tensor<?x2xf32>
  %y = linalg.transpose ins(%x : tensor<2x?xf32>) outs(%e : tensor<?x2xf32>) permutation = [1, 0]
  %b = tensor.extract %t[] : tensor<i1>
  return %y, %b, %t, %n : tensor<?x2xf32>, i1, tensor<i1>, index
}

// HEADER: void t_nothing(void);
func.func @nothing() {
  return
}

// HEADER: void t_four(ad_f64_1d *result);
func.func @four() -> tensor<4xf64> {
  %0 = arith.constant dense<4.0> : tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @big(%n: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %0 = tensor.splat %one[%n] : tensor<?xf64>
  return %0 : tensor<?xf64>
}
