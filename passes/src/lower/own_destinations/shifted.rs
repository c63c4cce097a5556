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
    ir::{Op, OpExt, TyExt, Val, ValExt, ValueKey, i32_array, i64_array},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, same_value},
    region::{all_of, free_values},
};

/// Gives such operations new arrays; returns how many.
pub fn make_elsewhere<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let insertions = all_of(module, "tensor.insert_slice").into_iter();
    insertions.filter(|&insertion| replace_destination(context, insertion).is_some()).count() as u64
}

fn replace_destination<'c>(context: &'c Context, insertion: Op<'c>) -> Option<()> {
    let (source, goal) = (insertion.opnd(0)?, insertion.opnd(1)?);
    let made = source.defining_op().filter(|op| op.block() == insertion.block())?;
    let place = destination(made, source.position())?;
    let empty = made.opnd(place)?.defining_op().filter(|op| op.op_name() == "tensor.empty")?;
    let mut read = made.operand_list();
    read.extend(free_values(&made.blocks()));
    let own = Part::of(insertion, 2)?;
    let is_shifted = |value: &Val<'c>| {
        value.r#type().shape() == source.r#type().shape()
            && value.defining_op().is_some_and(|slice| {
                slice.op_name() == "tensor.extract_slice"
                    && slice.opnd(0).is_some_and(|of| same_value(of, goal))
                    && Part::of(slice, 1).is_some_and(|part| part.is_beside(&own))
            })
    };
    if read.iter().filter(|value| is_shifted(value)).count() < 2 {
        return None;
    }
    let b = Builder::before(context, made, made.block()?).with_location(empty.location());
    let sizes = empty.operand_list();
    let segments = [("operandSegmentSizes", b.i32s_attr(&[sizes.len() as i32, 0, 0]))];
    let name = "bufferization.alloc_tensor";
    let new = b.val_with(name, &sizes, source.r#type(), &segments);
    made.set_operand(place, new);
    Some(())
}

/// The operand that a result starts from.
fn destination(op: Op<'_>, result: usize) -> Option<usize> {
    match op.op_name() {
        "scf.for" => Some(3 + result),
        "scf.forall" => Some(op.operand_count() - op.result_count() + result),
        _ => Structured::of(op).map(|s| s.inputs.len() + result),
    }
}

/// A part of an array: where it begins, how large it is, and its steps, each as in the attribute, then as values.
struct Part([(Vec<i64>, Vec<ValueKey>); 3]);

impl Part {
    /// That of an operation whose operands from a number on say so.
    fn of(op: Op<'_>, first: usize) -> Option<Self> {
        let counts = op.attr("operandSegmentSizes").and_then(i32_array)?;
        let mut operands = op.operand_list().into_iter().skip(first);
        let mut list = |name: &str, k: usize| {
            let count = usize::try_from(*counts.get(first + k)?).ok()?;
            let values = operands.by_ref().take(count).map(|value| value.key()).collect();
            Some((op.attr(name).and_then(i64_array)?, values))
        };
        Some(Self([
            list("static_offsets", 0)?,
            list("static_sizes", 1)?,
            list("static_strides", 2)?,
        ]))
    }

    /// Whether it is as large as another one and begins elsewhere.
    fn is_beside(&self, other: &Self) -> bool {
        self.0[0] != other.0[0] && self.0[1..] == other.0[1..]
    }
}
