//! Drops slices that can only be empty, because they begin at or behind the end of a
//! dimension of static size.
//!
//! Upstream's verifiers refuse such offsets, whatever the size of the slice; a slice of a
//! cast array is accepted until the cast is folded away.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i64_array};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    combinator::{slice_sizes, strip_casts},
};

/// Replaces every such slice of a module.
pub fn drop_all<'c>(context: &'c Context, module: Op<'c>) {
    let mut slices = vec![];
    module.for_each(&mut |op| {
        if matches!(op.op_name(), "tensor.extract_slice" | "tensor.insert_slice") {
            slices.push(op);
        }
    });
    for slice in slices {
        if let (Some(other), Some(result)) = (replacement(context, slice), slice.res(0)) {
            result.replace_all_uses(other);
            slice.erase();
        }
    }
}

/// What an empty slice is, or what an array is after an empty insertion.
fn replacement<'c>(context: &'c Context, slice: Op<'c>) -> Option<Val<'c>> {
    let (is_insertion, result) = (slice.op_name() == "tensor.insert_slice", slice.res(0)?);
    let array = slice.opnd(usize::from(is_insertion))?;
    let offsets = slice.attr("static_offsets").and_then(i64_array)?;
    let shape = strip_casts(array).r#type().shape();
    let is_behind = |(&size, &offset): (&i64, &i64)| size != DYNAMIC && offset >= size;
    if !shape.iter().zip(&offsets).any(is_behind) {
        return None;
    }
    if is_insertion {
        return Some(array);
    }
    let b = Builder::before(context, slice, slice.block()?).deriving(slice);
    Some(b.empty(result.r#type(), &slice_sizes(slice)?))
}
