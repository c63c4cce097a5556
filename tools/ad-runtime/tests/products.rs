//! Products of complex and of short numbers are the sums that they say, in any layout and with more rows, columns and terms than
//! a block has; what is not part of the result stays.

use std::ops::{Add, Mul, Sub};

use half::{bf16, f16};

/// Sizes m, n, k.
const SIZES: [[usize; 3]; 5] = [[0, 3, 2], [3, 2, 0], [1, 1, 1], [5, 7, 3], [530, 515, 1030]];

/// Small whole numbers, of which all sums of up to a few thousand products are exact in f32.
fn number(i: usize, j: usize) -> f32 {
    ((i * 7 + j * 13 + i * j) % 5) as f32 - 2.0
}

/// A matrix of so many rows and columns with a place left empty behind each, by rows or by columns.
fn matrix<T: Copy>(
    [rows, columns]: [usize; 2],
    by_columns: bool,
    make: impl Fn(usize, usize) -> T,
) -> (Vec<T>, [isize; 2]) {
    let length = if by_columns { rows } else { columns } + 1;
    let lines = if by_columns { columns } else { rows };
    let place = |at: usize| (at / length, at % length);
    let data = (0..lines * length).map(place).map(|(line, at)| {
        let [i, j] = if by_columns { [at, line] } else { [line, at] };
        make(i, j)
    });
    let length = length.cast_signed();
    (data.collect(), if by_columns { [1, length] } else { [length, 1] })
}

/// Sizes, then for each matrix the address of the first element and both strides.
#[rustfmt::skip]
type Callee<A, B, C> = unsafe extern "C" fn(
    usize, usize, usize, *const A, isize, isize, *const B, isize, isize, *mut C, isize, isize,
);

/// Where the factors of a product are.
type Term = [[usize; 2]; 2];

/// Compares what a callee adds to elements with the sums, for all sizes and layouts.
#[allow(unsafe_code)]
fn check<A: Copy, B: Copy, C: Copy>(
    callee: Callee<A, B, C>,
    (left, right): (impl Fn(usize, usize) -> A, impl Fn(usize, usize) -> B),
    start: impl Fn(usize, usize) -> C,
    is_sum: impl Fn(C, C, &[Term]) -> bool,
) {
    for sizes @ [m, n, k] in SIZES {
        for layouts in 0..8 {
            let by_columns = [1, 2, 4].map(|bit| layouts & bit != 0);
            let (a, [a_m, a_k]) = matrix([m, k], by_columns[0], &left);
            let (b, [b_k, b_n]) = matrix([k, n], by_columns[1], &right);
            let (before, [c_m, c_n]) = matrix([m, n], by_columns[2], &start);
            let mut c = before.clone();
            let (pa, pb, pc) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
            // SAFETY: the matrices have these sizes and strides.
            unsafe { callee(m, n, k, pa, a_m, a_k, pb, b_k, b_n, pc, c_m, c_n) };
            let line = c_m.max(c_n).unsigned_abs();
            for (place, (after, before)) in c.iter().zip(&before).enumerate() {
                let (across, along) = (place / line, place % line);
                let [i, j] = if by_columns[2] { [along, across] } else { [across, along] };
                let is_gap = along == line - 1;
                // A few elements of large matrices.
                if !is_gap && m > 100 && (i + 3 * j) % 257 != 0 {
                    continue;
                }
                let terms = (0..if is_gap { 0 } else { k }).map(|l| [[i, l], [l, j]]);
                let terms: Vec<_> = terms.collect();
                assert!(is_sum(*after, *before, &terms), "{sizes:?}, {by_columns:?}: {i}, {j}");
            }
        }
    }
}

/// A sum of products.
fn sum(terms: &[Term]) -> f32 {
    terms.iter().map(|[a, b]| number(a[0], a[1]) * number(b[0], b[1])).sum()
}

fn half(i: usize, j: usize) -> f16 {
    f16::from_f32(number(i, j))
}

fn brain(i: usize, j: usize) -> bf16 {
    bf16::from_f32(number(i, j))
}

#[test]
fn short_numbers() {
    let is_sum = |after: f32, before: f32, terms: &[Term]| after == before + sum(terms);
    check(ad_runtime::ad_gemm_f16_f16_f32, (half, half), number, is_sum);
    check(ad_runtime::ad_gemm_f32_f16_f32, (number, half), number, is_sum);
    check(ad_runtime::ad_gemm_bf16_f32_f32, (brain, number), number, is_sum);
}

#[test]
fn short_results_are_rounded_once() {
    check(ad_runtime::ad_gemm_f16, (half, half), half, |after, before, terms| {
        after == f16::from_f32(before.to_f32() + sum(terms))
    });
    check(ad_runtime::ad_gemm_bf16, (brain, brain), brain, |after, before, terms| {
        after == bf16::from_f32(before.to_f32() + sum(terms))
    });
}

/// A complex number of small whole ones.
fn complex<T: From<f32>>(i: usize, j: usize) -> [T; 2] {
    [number(i, j).into(), number(j + 1, i).into()]
}

/// A number and a sum of products.
fn complex_sum<T>(start: [T; 2], terms: &[Term]) -> [T; 2]
where
    T: From<f32> + Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    terms.iter().fold(start, |[re, im], [a, b]| {
        let ([p, q], [r, s]) = (complex::<T>(a[0], a[1]), complex::<T>(b[0], b[1]));
        [re + p * r - q * s, im + p * s + q * r]
    })
}

#[test]
fn complex_numbers() {
    let factors = (complex::<f32>, complex::<f32>);
    check(ad_runtime::ad_gemm_complex_f32, factors, complex, |after, before, terms| {
        after == complex_sum(before, terms)
    });
    let factors = (complex::<f64>, complex::<f64>);
    check(ad_runtime::ad_gemm_complex_f64, factors, complex, |after, before, terms| {
        after == complex_sum(before, terms)
    });
}
