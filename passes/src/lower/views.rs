//! Slices and reshapes that upstream refuses or gets wrong, in other words.
//!
//! * A slice that can only be empty, because it begins at or behind the end of a dimension of
//!   static size: verifiers refuse such offsets, whatever the size of the slice; a slice of a
//!   cast array is accepted until the cast is folded away.
//! * A slice that drops some of several dimensions of size one: bufferisation may drop others than
//!   the verifier of its result thinks, when the strides tell them apart.
//! * A reshape of the same type with dynamic sizes: `eliminate-empty-tensors` has its operand computed in its place,
//!   as if the sizes were the same, too.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i32_array, i64_array, tensor_type};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    combinator::{slice_sizes, strip_casts},
};

/// Replaces every such operation of a module.
pub fn replace_all<'c>(context: &'c Context, module: Op<'c>) {
    let mut views = vec![];
    module.for_each(&mut |op| {
        if matches!(op.op_name(), "tensor.extract_slice" | "tensor.insert_slice" | "tensor.reshape")
        {
            views.push(op);
        }
    });
    for view in views {
        if view.op_name() == "tensor.reshape" {
            flatten_first(context, view);
            continue;
        }
        let other = empty(context, view).or_else(|| of_full_rank(context, view));
        if let (Some(other), Some(result)) = (other, view.res(0)) {
            result.replace_all_uses(other);
            view.erase();
        }
    }
}

/// Has an operation reshape a list of the elements, if the type does not change.
fn flatten_first<'c>(context: &'c Context, reshape: Op<'c>) -> Option<()> {
    let (array, result, block) = (reshape.opnd(0)?, reshape.res(0)?, reshape.block()?);
    let (full, rank) = (array.r#type(), array.r#type().shape().len());
    if full != result.r#type() || rank < 2 || !full.shape().contains(&DYNAMIC) {
        return None;
    }
    let b = Builder::before(context, reshape, block).deriving(reshape);
    let list = b.collapse(array, &[(0..rank).collect()], tensor_type(&[DYNAMIC], full.scalar()));
    reshape.set_operand(0, list);
    Some(())
}

/// What an empty slice is, or what an array is after an empty insertion.
fn empty<'c>(context: &'c Context, slice: Op<'c>) -> Option<Val<'c>> {
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

/// A slice of ambiguous shape as one that drops no dimension.
fn of_full_rank<'c>(context: &'c Context, slice: Op<'c>) -> Option<Val<'c>> {
    let is_insertion = slice.op_name() == "tensor.insert_slice";
    let result = slice.res(0)?;
    let part = if is_insertion { slice.opnd(0)? } else { result };
    let [offsets, sizes, strides] = ["static_offsets", "static_sizes", "static_strides"]
        .map(|name| slice.attr(name).and_then(i64_array).unwrap_or_default());
    let groups = groups_of_kept(&sizes, &part.r#type().shape())?;
    let b = Builder::before(context, slice, slice.block()?).deriving(slice);
    let full = tensor_type(&sizes, part.r#type().scalar());
    let segments = slice.attr("operandSegmentSizes").and_then(i32_array)?;
    let statics = [offsets, sizes, strides];
    let mut operands = slice.operand_list();
    Some(if is_insertion {
        operands[0] = b.expand(part, &groups, full, &slice_sizes(slice)?);
        b.slice_op("tensor.insert_slice", &operands, result.r#type(), &statics, &segments)
    } else {
        let whole = b.slice_op("tensor.extract_slice", &operands, full, &statics, &segments);
        b.collapse(whole, &groups, result.r#type())
    })
}

/// The dimensions of a slice that make each dimension of a smaller shape, if one of several
/// dimensions of size one is dropped: each is the first that it may be.
pub fn groups_of_kept(sizes: &[i64], shape: &[i64]) -> Option<Vec<Vec<usize>>> {
    if shape.len() == sizes.len() || !shape.contains(&1) {
        return None;
    }
    let mut groups: Vec<Vec<usize>> = vec![];
    let mut group = vec![];
    for (d, size) in sizes.iter().enumerate() {
        group.push(d);
        if shape.get(groups.len()) == Some(size) {
            groups.push(std::mem::take(&mut group));
        }
    }
    groups.last_mut()?.extend(group);
    (groups.len() == shape.len()).then_some(groups)
}
