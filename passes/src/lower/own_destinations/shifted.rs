//! What reads several other slices of an array than the one that its result goes to.
//!
//! ```text
//! l = u[0 .. n]; r = u[2 .. n + 2]                l = u[0 .. n]; r = u[2 .. n + 2]
//! m = l + r in empty                       =>     m = l + r in a new array
//! u[1 .. n + 1] = m                               u[1 .. n + 1] = m
//! ```
//! Otherwise `eliminate-empty-tensors` would have the result computed in its place, and each of the slices would be copied
//! before; so it is the result that is copied, once. Where one slice is read, or smaller ones, it is as it was.

use ad_dialect::{
    ir::{Op, OpExt, TyExt, Val, ValExt},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    combinator::{is_same_place, slice_sizes, start_of},
    region::{all_of, free_values, replace},
};

/// Gives such operations new arrays; returns how many.
pub fn make_elsewhere<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let insertions = all_of(module, "tensor.insert_slice").into_iter();
    insertions.filter(|&insertion| replace_destination(context, insertion).is_some()).count() as u64
}

/// Every `tensor.empty` has one writer by now.
fn replace_destination<'c>(context: &'c Context, insertion: Op<'c>) -> Option<()> {
    let source = insertion.opnd(0)?;
    let made = source.defining_op().filter(|op| op.block() == insertion.block())?;
    let place = source.position();
    let start =
        start_of(made, place).or_else(|| Structured::of(made)?.inits.get(place).copied())?;
    let empty = start.defining_op().filter(|op| op.op_name() == "tensor.empty")?;
    let mut read = made.operand_list();
    read.extend(free_values(&made.blocks()));
    if read.into_iter().filter(|value| is_shifted(*value, source, insertion)).count() < 2 {
        return None;
    }
    let b = Builder::before(context, empty, empty.block()?).with_location(empty.location());
    replace(empty, &[b.own_array(start.r#type(), &empty.operand_list())]);
    Some(())
}

/// Whether a value is a slice of what another one is inserted into, as large as that, and begins elsewhere.
fn is_shifted<'c>(value: Val<'c>, source: Val<'c>, insertion: Op<'c>) -> bool {
    let Some(slice) = value.defining_op().filter(|op| op.op_name() == "tensor.extract_slice")
    else {
        return false;
    };
    let is_same = |(a, b): (Val<'c>, Val<'c>)| same_value(a, b);
    let is_as_large = slice_sizes(slice).zip(slice_sizes(insertion)).is_some_and(|(own, goal)| {
        own.len() == goal.len() && own.into_iter().zip(goal).all(is_same)
    });
    let attribute = |name| slice.attr(name) == insertion.attr(name);
    value.r#type().shape() == source.r#type().shape()
        && slice.opnd(0).zip(insertion.opnd(1)).is_some_and(is_same)
        && is_as_large
        && ["static_sizes", "static_strides"].into_iter().all(attribute)
        && !is_same_place(slice, insertion)
}
