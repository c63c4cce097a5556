//! Sizes that are known by something else than the array itself.
//!
//! ```text
//! map (\x -> ... dim x ...) xss           =>  map (\x -> ... dim xss 1 ...) xss
//! dim (for (y = empty n : ...) { ... })   =>  n
//! ```
//! if no iteration changes the size. An array that was kept for its sizes alone is read by nothing then, and neither
//! stored nor carried.

use ad_dialect::ir::{Op, OpExt, Val};

use crate::support::{
    builder::Builder,
    combinator::constant_index,
    extent::{Extent, extent_of},
};

/// The size in place of a `tensor.dim`.
pub fn fold<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    if op.op_name() != "tensor.dim" {
        return None;
    }
    let (array, d) = (op.opnd(0)?, usize::try_from(constant_index(op.opnd(1)?)?).ok()?);
    let known = extent_of(array, d);
    (known != Extent::Dim(array, d)).then(|| known.value(b))
}
