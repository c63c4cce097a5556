//! The few functions besides the allocator that compiled code may call and that no system library has.

use std::ffi::c_void;

use ad_check::program::FloatKind;
use half::{bf16, f16};

use crate::guard;

/// What compiled code links with.
pub fn symbols() -> Vec<(&'static str, *mut c_void)> {
    let mut symbols = ad_runtime::callees();
    symbols.extend([
        ("__assert_fail", guard::assert_fail as *mut c_void),
        ("memrefCopy", memref_copy as *mut c_void),
        ("__truncsfbf2", truncsfbf2 as *mut c_void),
        ("__truncdfbf2", truncdfbf2 as *mut c_void),
    ]);
    symbols
}

/// A memref as MLIR passes one of any rank: the descriptor is two pointers, an offset, sizes and strides.
#[repr(C)]
struct Unranked {
    rank: i64,
    descriptor: *const i64,
}

/// What a descriptor says.
struct View<'a> {
    start: *mut u8,
    sizes: &'a [i64],
    strides: &'a [i64],
}

impl View<'_> {
    /// # Safety
    ///
    /// The memref is valid, with elements of `size` bytes.
    unsafe fn new(memref: &Unranked, size: i64) -> Self {
        let rank = memref.rank as usize;
        // SAFETY: a descriptor of this rank has 3 + 2 * rank words, the second of which points at its elements.
        unsafe {
            let words = std::slice::from_raw_parts(memref.descriptor, 3 + 2 * rank);
            let start = (words[1] as *mut u8).offset((words[2] * size) as isize);
            Self { start, sizes: &words[3..3 + rank], strides: &words[3 + rank..] }
        }
    }
}

/// Copies elements between memrefs of the same sizes and different strides.
extern "C" fn memref_copy(size: i64, source: *const Unranked, target: *const Unranked) {
    // SAFETY: compiled code passes valid memrefs of the same rank and sizes that do not overlap in part.
    unsafe {
        let (source, target) = (View::new(&*source, size), View::new(&*target, size));
        if !source.sizes.contains(&0) {
            copy(size, &source, source.start, &target, target.start, 0);
        }
    }
}

/// # Safety
///
/// From the dimension on, both views have as many elements as they say at the two places.
unsafe fn copy(
    size: i64,
    from: &View,
    source: *const u8,
    to: &View,
    target: *mut u8,
    depth: usize,
) {
    let dense = |view: &View| {
        let mut expected = 1;
        (depth..view.sizes.len()).rev().all(|d| {
            let fits = view.sizes[d] == 1 || view.strides[d] == expected;
            expected *= view.sizes[d];
            fits
        })
    };
    let rank = from.sizes.len();
    if depth == rank || (dense(from) && dense(to)) {
        let count: i64 = from.sizes[depth..].iter().product();
        // SAFETY: the elements lie side by side in both.
        unsafe { std::ptr::copy(source, target, (count * size) as usize) };
        return;
    }
    for i in 0..from.sizes[depth] {
        // SAFETY: `i` is within the size of the dimension.
        unsafe {
            let source = source.offset((i * from.strides[depth] * size) as isize);
            let target = target.offset((i * to.strides[depth] * size) as isize);
            copy(size, from, source, to, target, depth + 1);
        }
    }
}

/// The nearest half. `half` looks at the upper half of an f64 only, or rounds twice.
pub fn f16_of(value: f64) -> f16 {
    f16::from_f64(FloatKind::F16.round(value))
}

/// The nearest bfloat16.
pub fn bf16_of(value: f64) -> bf16 {
    bf16::from_f64(FloatKind::Bf16.round(value))
}

/// Rounds to bfloat16, which comes back in the lowest bits of a float register.
extern "C" fn truncsfbf2(value: f32) -> f32 {
    f32::from_bits(bf16::from_f32(value).to_bits().into())
}

/// As `truncsfbf2`, with one rounding only.
extern "C" fn truncdfbf2(value: f64) -> f32 {
    f32::from_bits(bf16_of(value).to_bits().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_once() {
        // 2^-8 is half of the last place of 1 in bfloat16; what is beyond it is below the upper half of an f64.
        assert_eq!(bf16_of(1.003_906_25 + 1e-12).to_f64(), 1.007_812_5);
        assert_eq!(bf16_of(1.003_906_25).to_f64(), 1.0);
        assert_eq!(bf16_of(-0.791_015_949_835_030_7).to_f64(), -0.792_968_75);
        assert_eq!(bf16_of(1e39).to_f64(), f64::INFINITY);
        assert!(bf16_of(f64::NAN).is_nan() && f16_of(f64::NAN).is_nan());
        // The same for halves: 2^-11; and a double rounding by way of f32.
        assert_eq!(f16_of(1.000_488_281_25 + 1e-12).to_f64(), 1.000_976_562_5);
        assert_eq!(f16_of(1.000_488_281_25).to_f64(), 1.0);
        assert_eq!(f16_of(65520.0).to_f64(), f64::INFINITY);
    }

    #[test]
    fn copies_between_layouts() {
        let source: Vec<f64> = (0..6).map(f64::from).collect();
        let mut target = vec![0.0f64; 6];
        // The transpose of a 2 x 3 array into a dense 3 x 2 one.
        let from = [0, source.as_ptr() as i64, 0, 3, 2, 1, 3];
        let to = [0, target.as_mut_ptr() as i64, 0, 3, 2, 2, 1];
        memref_copy(
            8,
            &Unranked { rank: 2, descriptor: from.as_ptr() },
            &Unranked { rank: 2, descriptor: to.as_ptr() },
        );
        assert_eq!(target, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    }
}
