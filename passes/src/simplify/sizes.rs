//! Sizes that are known by something else than the array itself.
//!
//! ```text
//! map (\x -> ... dim x ...) xss           =>  map (\x -> ... dim xss 1 ...) xss
//! dim (for (y = empty n : ...) { ... })   =>  n
//! ```
//! if no iteration changes the size. An array that was kept for its sizes alone is read by nothing then, and neither
//! stored nor carried. A slice that is as large as its array is the array.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, i64_array};
use melior::ir::ValueLike;

use crate::support::{
    builder::Builder,
    combinator::constant_index,
    extent::{Extent, extent_of},
};

/// The size in place of a `tensor.dim`, or the array in place of a slice.
pub fn fold<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    match op.op_name() {
        "tensor.dim" => {
            let (array, d) = (op.opnd(0)?, usize::try_from(constant_index(op.opnd(1)?)?).ok()?);
            let known = extent_of(array, d);
            (known != Extent::Dim(array, d)).then(|| known.value(b))
        }
        "tensor.extract_slice" => {
            let (array, slice) = (op.opnd(0)?, op.res(0)?);
            let statics = |name| op.attr(name).and_then(i64_array);
            let offsets = statics("static_offsets")?;
            let is_at_start = offsets.iter().all(|&offset| offset == 0);
            let is_dense = statics("static_strides")?.iter().all(|&stride| stride == 1);
            let is_whole = array.r#type() == slice.r#type()
                && array.r#type().shape().iter().enumerate().all(|(d, &size)| {
                    size != DYNAMIC || extent_of(array, d) == extent_of(slice, d)
                });
            (is_at_start && is_dense && is_whole).then_some(array)
        }
        _ => None,
    }
}
