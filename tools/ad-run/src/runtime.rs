//! The few functions besides the allocator that compiled code may call and that no system library has.

use std::ffi::c_void;

use half::bf16;

use crate::guard;

/// What compiled code links with.
pub fn symbols() -> Vec<(&'static str, *mut c_void)> {
    vec![
        ("ad_gemm_f32", ad_runtime::ad_gemm_f32 as *mut c_void),
        ("ad_gemm_f64", ad_runtime::ad_gemm_f64 as *mut c_void),
        ("__assert_fail", guard::assert_fail as *mut c_void),
        ("memrefCopy", memref_copy as *mut c_void),
        ("__truncsfbf2", truncsfbf2 as *mut c_void),
        ("__truncdfbf2", truncdfbf2 as *mut c_void),
    ]
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

/// Rounds to bfloat16, which comes back in the lowest bits of a float register.
extern "C" fn truncsfbf2(value: f32) -> f32 {
    f32::from_bits(bf16::from_f32(value).to_bits().into())
}

/// As `truncsfbf2`, with one rounding only.
extern "C" fn truncdfbf2(value: f64) -> f32 {
    f32::from_bits(bf16::from_f64(value).to_bits().into())
}

#[cfg(test)]
mod tests {
    use super::*;

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
