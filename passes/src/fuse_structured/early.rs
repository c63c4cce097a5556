//! What is made of the elements of a contraction comes right behind it, where one kernel can be made of both
//! (`lower-contractions-to-gpu`).

use std::collections::HashSet;

use ad_dialect::{
    ir::{Blk, BlkExt, Op, OpExt, ValExt},
    linalg::Structured,
};
use melior::{Context, ir::operation::OperationLike};

use crate::{
    lower::contractions_to_gpu::Contraction,
    support::{
        builder::Builder,
        region::{between, needed_after, sort_by_place},
        structured::makes_elements,
    },
};

/// Moves operations of a block.
pub fn move_all<'c>(context: &'c Context, block: Blk<'c>) {
    let mut followed = HashSet::new();
    for op in block.ops() {
        let Some(s) = Structured::of(op).filter(|_| makes_elements(op)) else { continue };
        let is_new = |init: Op<'c>| init.op_name() == "tensor.empty";
        let made = op.operand_list().into_iter().filter_map(|operand| operand.defining_op());
        let mut sums: Vec<_> = made
            .filter(|made| made.block() == Some(block) && Contraction::of(*made).is_some())
            .collect();
        sort_by_place(&mut sums);
        let Some(&last) = sums.last() else { continue };
        let starts_new = s.inits.iter().all(|init| init.defining_op().is_some_and(is_new));
        if !starts_new || !followed.insert(last.key()) {
            continue;
        }
        let Some(with) = needed(last, op) else { continue };
        let mut place = last;
        for op in with {
            op.detach();
            Builder::after(context, place, block).insert(op);
            place = op;
        }
    }
}

/// What has to come with an operation that is to be right behind another one, in order, and the operation itself: sizes, and
/// assertions on these; none if that is more. What is asserted of arrays that are made in between is not of this operation.
fn needed<'c>(first: Op<'c>, op: Op<'c>) -> Option<Vec<Op<'c>>> {
    let is_of_sizes = |it: &Op<'c>| {
        let name = it.op_name();
        name.starts_with("arith.") || matches!(name, "affine.apply" | "tensor.dim" | "tensor.empty")
    };
    let with = |target| {
        let (needed, _) = needed_after(first, target);
        needed.iter().all(is_of_sizes).then(|| [needed, vec![target]].concat())
    };
    let asserts = between(first, op).into_iter();
    let asserts = asserts.filter(|op| op.op_name() == "cf.assert").filter_map(with);
    let mut all: Vec<_> = asserts.flatten().chain(with(op)?).collect();
    let mut seen = HashSet::new();
    all.retain(|op| seen.insert(op.key()));
    sort_by_place(&mut all);
    Some(all)
}
