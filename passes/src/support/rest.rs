//! Loops that take several iterations at once, and the loops that run what they leave.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};

use super::{
    builder::{Builder, CMP_SLE, same_value},
    combinator::constant_index,
};

/// Where a loop with steps of one ends if it takes `several` iterations at once, and how many it leaves.
pub fn end_of_several<'c>(
    b: &Builder<'c>,
    low: Val<'c>,
    high: Val<'c>,
    several: Val<'c>,
) -> (Val<'c>, Val<'c>) {
    let count = b.val("arith.subi", &[high, low], b.index_type());
    let left = b.val("arith.remsi", &[count, several], b.index_type());
    (b.val("arith.subi", &[high, left], b.index_type()), left)
}

/// Where a loop with steps of one ends if it takes `several` iterations at once, of which the last ones may
/// include some of those before: at its end if it has so many, else at its beginning.
pub fn end_of_overlapping<'c>(
    b: &Builder<'c>,
    low: Val<'c>,
    high: Val<'c>,
    several: Val<'c>,
) -> Val<'c> {
    let is_enough = b.compare(CMP_SLE, several, b.sub(high, low));
    b.select(is_enough, high, low)
}

/// Whether a loop runs what such a loop leaves: less than it takes at once.
pub fn is_rest(op: Op<'_>) -> bool {
    let is_end =
        |value: Option<Val<'_>>| value.zip(op.opnd(1)).is_some_and(|(a, b)| same_value(a, b));
    if let Some(low) = defined(op.opnd(0), "arith.select") {
        return is_end(low.opnd(1));
    }
    let Some(low) = defined(op.opnd(0), "arith.subi") else { return false };
    let is_to_end = is_end(low.opnd(0));
    let left = defined(low.opnd(1), "arith.remsi");
    is_to_end && left.and_then(|left| left.opnd(1)).is_some_and(|n| constant_index(n).is_some())
}

fn defined<'c>(value: Option<Val<'c>>, name: &str) -> Option<Op<'c>> {
    value?.defining_op().filter(|op| op.op_name() == name)
}
