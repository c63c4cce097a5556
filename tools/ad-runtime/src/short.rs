//! Products of matrices of f16 and bf16: blocks of the factors become f32, in which the sums are made; what a product adds to
//! an element of the result is rounded to its type once.

use half::{bf16, f16, slice::HalfFloatSliceExt};

use crate::Matrix;

/// How many rows, columns and terms are f32 at a time: three blocks of a megabyte.
const BLOCK: usize = 512;

/// A number of which there is an f32.
pub trait Number: Copy {
    fn widen(from: &[Self], to: &mut [f32]);
    /// The sum of itself and a number.
    fn plus(self, term: f32) -> Self;
}

impl Number for f32 {
    fn widen(from: &[Self], to: &mut [f32]) {
        to.copy_from_slice(from);
    }

    fn plus(self, term: f32) -> Self {
        self + term
    }
}

macro_rules! short {
    ($number:ty) => {
        impl Number for $number {
            fn widen(from: &[Self], to: &mut [f32]) {
                from.convert_to_f32_slice(to);
            }

            fn plus(self, term: f32) -> Self {
                Self::from_f32(self.to_f32() + term)
            }
        }
    };
}

short!(f16);
short!(bf16);

/// C += A B, with m rows, n columns and k terms.
///
/// # Safety
///
/// All elements that sizes and strides lead to are there, and the result overlaps neither factor.
#[allow(unsafe_code)]
pub unsafe fn gemm<A: Number, B: Number, C: Number>(
    [m, n, k]: [usize; 3],
    a: &Matrix<*const A>,
    b: &Matrix<*const B>,
    c: &Matrix<*mut C>,
) {
    let (mut left, mut right) = (Panel::default(), Panel::default());
    let mut sums = vec![];
    for (i, rows) in blocks(m) {
        for (j, columns) in blocks(n) {
            sums.clear();
            sums.resize(rows * columns, 0.0);
            for (l, terms) in blocks(k) {
                // SAFETY: the blocks are within the matrices; the panels and the sums have as many elements.
                unsafe {
                    left.read(a, [i, l], [rows, terms]);
                    right.read(b, [l, j], [terms, columns]);
                    let ([a_m, a_k], [b_k, b_n]) = (left.strides, right.strides);
                    let (a, b, width) =
                        (left.data.as_ptr(), right.data.as_ptr(), columns.cast_signed());
                    let sums = sums.as_mut_ptr();
                    matrixmultiply::sgemm(
                        rows, terms, columns, 1.0, a, a_m, a_k, b, b_k, b_n, 1.0, sums, width, 1,
                    );
                }
            }
            for (at, sum) in sums.iter().enumerate() {
                // SAFETY: the block is within the result, which nothing else refers to.
                unsafe {
                    let element =
                        c.first.offset(offset(c.strides, [i + at / columns, j + at % columns]));
                    *element = (*element).plus(*sum);
                }
            }
        }
    }
}

/// Where blocks of so many rows, columns or terms begin, and how many they have.
fn blocks(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..size).step_by(BLOCK).map(move |at| (at, BLOCK.min(size - at)))
}

fn offset(strides: [isize; 2], [i, j]: [usize; 2]) -> isize {
    i.cast_signed() * strides[0] + j.cast_signed() * strides[1]
}

/// A block of a factor in f32, without gaps, with its rows or its columns one behind the other as the factor has them.
#[derive(Default)]
struct Panel {
    data: Vec<f32>,
    strides: [isize; 2],
}

impl Panel {
    /// # Safety
    ///
    /// The block of so many rows and columns is within the factor.
    #[allow(unsafe_code)]
    unsafe fn read<F: Number>(
        &mut self,
        from: &Matrix<*const F>,
        [i, j]: [usize; 2],
        [rows, columns]: [usize; 2],
    ) {
        self.data.resize(rows * columns, 0.0);
        let by_columns = from.strides[0] == 1;
        let (lines, length) = if by_columns { (columns, rows) } else { (rows, columns) };
        let line = length.cast_signed();
        self.strides = if by_columns { [1, line] } else { [line, 1] };
        let along = from.strides[usize::from(!by_columns)];
        for (number, to) in self.data.chunks_exact_mut(length).enumerate().take(lines) {
            let at = if by_columns { [i, j + number] } else { [i + number, j] };
            // SAFETY: see above; elements that follow each other are a slice.
            unsafe {
                let first = from.first.offset(offset(from.strides, at));
                if along == 1 {
                    F::widen(std::slice::from_raw_parts(first, length), to);
                    continue;
                }
                for (place, element) in to.iter_mut().enumerate() {
                    let element_there = *first.offset(place.cast_signed() * along);
                    F::widen(&[element_there], std::slice::from_mut(element));
                }
            }
        }
    }
}
