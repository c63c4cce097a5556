//! What compiled programs call besides the C library: `ad_gemm_f64` and `ad_gemm_f32`, the callees of
//! `lower-contractions`.

/// Defines a callee for an element type: C += A B, with sizes, addresses of first elements, and strides in elements.
macro_rules! gemm {
    ($name:ident, $element:ty, $library:path) => {
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
            a: *const $element,
            a_m: isize,
            a_k: isize,
            b: *const $element,
            b_k: isize,
            b_n: isize,
            c: *mut $element,
            c_m: isize,
            c_n: isize,
        ) {
            // SAFETY: see above.
            unsafe { $library(m, k, n, 1.0, a, a_m, a_k, b, b_k, b_n, 1.0, c, c_m, c_n) }
        }
    };
}

gemm!(ad_gemm_f32, f32, matrixmultiply::sgemm);
gemm!(ad_gemm_f64, f64, matrixmultiply::dgemm);
