//! What comes behind a contraction, and is run by whoever has its sums: an epilogue, or the loop that is its consumer.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::shape::Contraction;
use crate::{
    make_in_place::uses::{accesses_of_all, writes_all},
    support::{
        extent::Extent,
        memory::{base, is_any_view, is_pure},
        position::is_own_index,
        region::{beside, between, is_within, move_before},
        slice::Slice,
    },
};

/// What comes behind a contraction, but for what can stand in front of it as well.
pub fn following(contraction: Op<'_>) -> Option<Op<'_>> {
    std::iter::successors(contraction.next(), |op| op.next()).find(|op| !is_passed(*op))
}

/// Moves what is between a contraction and an operation that follows it in front of the contraction.
pub fn clear_way<'c>(context: &'c Context, contraction: Op<'c>, follower: Op<'c>) {
    let Some(block) = follower.block() else { return };
    for op in between(contraction, follower) {
        move_before(context, block, op, contraction);
    }
}

/// Whether an operation can stand in front of a contraction as well as behind it.
fn is_passed(op: Op<'_>) -> bool {
    let passes_all = |block: Blk<'_>| block.body_ops().into_iter().all(is_passed);
    match op.op_name() {
        "affine.apply" | "cf.assert" => true,
        "scf.if" => op.blocks().into_iter().all(passes_all),
        name => is_pure(op) || is_any_view(name),
    }
}

/// Whether somebody but what follows a contraction reads its sums: another operation behind it, or another iteration of the
/// loop around them, which does not begin anew. `start` is what the sums begin with.
pub fn others_read<'c>(
    contraction: &Contraction<'c>,
    follower: Op<'c>,
    start: Option<Op<'c>>,
) -> bool {
    let sums = contraction.result();
    let Some(alloc) = base(sums).defining_op().filter(|op| op.op_name() == "memref.alloc") else {
        return true;
    };
    let own: Vec<_> = [Some(contraction.op), start].into_iter().flatten().collect();
    let is_other = |op: &Op<'c>| {
        let is_end = matches!(op.op_name(), "bufferization.dealloc" | "memref.dealloc");
        let is_own = own.iter().any(|known| known.key() == op.key());
        !is_end && !is_own && !is_within(*op, follower)
    };
    let Some(accesses) = accesses_of_all(alloc) else { return true };
    let others: Vec<_> = accesses.into_iter().filter(is_other).collect();
    let is_before = |around: Op<'c>| {
        let beside = |op: &Op<'c>| beside(*op, around.block());
        others.iter().all(|op| beside(op).is_some_and(|op| op.is_before(around)))
    };
    let Some(here) = beside(contraction.op, alloc.block()) else { return true };
    let is_once = here.key() == contraction.op.key() || is_own_part(here, contraction.op, sums);
    let is_anew = || is_before(contraction.op) && begins_anew(&others, contraction.op, sums);
    !(others.is_empty() || is_once && is_before(here) || is_anew())
}

/// Whether the first one of some accesses to an array in a block, in front of an operation in it, writes all of it.
fn begins_anew<'c>(accesses: &[Op<'c>], op: Op<'c>, array: Val<'c>) -> bool {
    let ops = op.block().map(|block| block.ops()).unwrap_or_default();
    let first = ops.into_iter().find(|op| accesses.iter().any(|access| is_within(*access, *op)));
    first.is_some_and(|op| writes_all(op, array))
}

/// Whether an operation in the body of a loop accesses a part of an array that no other iteration has.
fn is_own_part<'c>(around: Op<'c>, op: Op<'c>, part: Val<'c>) -> bool {
    let iv =
        around.body(0).filter(|body| around.op_name() == "scf.for" && op.block() == Some(*body));
    let number = iv.and_then(|body| body.arg_list().first().copied());
    let slice = part.defining_op().filter(|op| op.op_name() == "memref.subview");
    let slice = slice.and_then(|view| Slice::of(view, 1, |value| value));
    number.zip(slice).is_some_and(|(number, slice)| {
        let [offset, size, _] = slice.entries(0);
        let at = match offset {
            Extent::Value(at) => at,
            _ => return false,
        };
        matches!(size, Extent::Known(1)) && is_own_index(at, number, around)
    })
}
