//! What compiled programs call besides the C library: the callees of `lower-contractions`. Each is named after the type of
//! its elements, or, where they differ, after those of both factors and of the result.

mod short;

use std::ffi::c_void;

use half::{bf16, f16};
use matrixmultiply::{dgemm, sgemm};

/// A matrix in memory: its first element, and the strides of rows and columns, in elements.
struct Matrix<P> {
    first: P,
    strides: [isize; 2],
}

/// Real and imaginary parts, which are matrices with strides twice as large.
macro_rules! parts {
    ($complex:ty, $part:ty) => {
        impl<T> Matrix<$complex> {
            fn parts(&self) -> [Matrix<$part>; 2] {
                let first: $part = self.first.cast();
                let strides = self.strides.map(|stride| 2 * stride);
                [0, 1].map(|part| Matrix { first: first.wrapping_add(part), strides })
            }
        }
    };
}

parts!(*const [T; 2], *const T);
parts!(*mut [T; 2], *mut T);

/// Defines callees: C += A B, with sizes, addresses of first elements, and strides in elements.
macro_rules! gemm {
    ($($name:ident: $left:ty, $right:ty, $result:ty, $product:expr;)*) => {
        $(
            /// Adds a product of matrices, of m x k and k x n elements, to another.
            ///
            /// # Safety
            ///
            /// All elements that sizes and strides lead to are there, and the result overlaps neither factor.
            #[allow(unsafe_code)]
            #[allow(clippy::too_many_arguments)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                m: usize,
                n: usize,
                k: usize,
                a: *const $left,
                a_m: isize,
                a_k: isize,
                b: *const $right,
                b_k: isize,
                b_n: isize,
                c: *mut $result,
                c_m: isize,
                c_n: isize,
            ) {
                let a = Matrix { first: a, strides: [a_m, a_k] };
                let b = Matrix { first: b, strides: [b_k, b_n] };
                let c = Matrix { first: c, strides: [c_m, c_n] };
                // SAFETY: see above.
                unsafe { $product([m, n, k], &a, &b, &c) }
            }
        )*

        /// The callees, by name.
        pub fn callees() -> Vec<(&'static str, *mut c_void)> {
            vec![$((stringify!($name), $name as *mut c_void)),*]
        }
    };
}

/// A function of the library that multiplies matrices of real numbers.
macro_rules! real {
    ($function:path) => {
        |sizes: [usize; 3], a: &Matrix<_>, b: &Matrix<_>, c: &Matrix<_>| {
            real!($function, 1.0, sizes, a, b, c)
        }
    };
    ($function:path, $factor:expr, $sizes:expr, $a:expr, $b:expr, $c:expr) => {{
        let ([m, n, k], a, b, c) = ($sizes, $a, $b, $c);
        let ([a_m, a_k], [b_k, b_n], [c_m, c_n]) = (a.strides, b.strides, c.strides);
        let (a, b, c) = (a.first, b.first, c.first);
        $function(m, k, n, $factor, a, a_m, a_k, b, b_k, b_n, 1.0, c, c_m, c_n)
    }};
}

/// Four products of real and imaginary parts. The library's own function for complex numbers takes five times as long.
macro_rules! complex {
    ($function:path, $part:ty) => {
        |sizes: [usize; 3],
         a: &Matrix<*const [$part; 2]>,
         b: &Matrix<*const [$part; 2]>,
         c: &Matrix<*mut [$part; 2]>| {
            for [i, j] in [[0, 0], [1, 1], [0, 1], [1, 0]] {
                let factor = if i + j == 2 { -1.0 } else { 1.0 };
                let (a, b, c) = (&a.parts()[i], &b.parts()[j], &c.parts()[(i + j) % 2]);
                real!($function, factor, sizes, a, b, c);
            }
        }
    };
}

gemm! {
    ad_gemm_f32: f32, f32, f32, real!(sgemm);
    ad_gemm_f64: f64, f64, f64, real!(dgemm);
    ad_gemm_complex_f32: [f32; 2], [f32; 2], [f32; 2], complex!(sgemm, f32);
    ad_gemm_complex_f64: [f64; 2], [f64; 2], [f64; 2], complex!(dgemm, f64);
    ad_gemm_f16: f16, f16, f16, short::gemm;
    ad_gemm_bf16: bf16, bf16, bf16, short::gemm;
    ad_gemm_f16_f16_f32: f16, f16, f32, short::gemm;
    ad_gemm_f32_f16_f32: f32, f16, f32, short::gemm;
    ad_gemm_f16_f32_f32: f16, f32, f32, short::gemm;
    ad_gemm_bf16_bf16_f32: bf16, bf16, f32, short::gemm;
    ad_gemm_f32_bf16_f32: f32, bf16, f32, short::gemm;
    ad_gemm_bf16_f32_f32: bf16, f32, f32, short::gemm;
}
