//! What costs much more than it is large is saved, and not computed again.
//!
//! ```text
//! loop (h) = (h0) for k = 0 .. n-1 do           loop (h_bar) = .. for k = n-1 .. 0 do
//!   z = W h                                       z = zs[k]
//!   zs[k] = z;  f z                               h_bar = W^T (f' z * h_bar)
//! ```
//! The return sweep executes the body again [FUT 4], which costs a constant factor. Where that is a
//! product of matrices, as in a recurrent network, the factor is nearly all of the time, and the tape
//! is no larger than those of the values that the loop carries. So of the operations in the
//! body, those that run over more dimensions than their results have are saved: their work grows
//! faster than their size. What is small for certain is computed again.
//!
//! What has no more dimensions than an array that the loop saves anyway may be saved where that only
//! pays by a constant factor: what dear functions give in maps (`raise/dear.rs`), and what an innermost
//! loop saves for its own return loop (`twin.rs`), so that it is not executed a third time.
//!
//! With a memory budget nothing is saved here, because memory is what is short.

use std::collections::HashSet;

use ad_dialect::{
    ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, OpKey, TyExt, Val, ValExt},
    linalg::{Expr, Structured},
};
use melior::ir::ValueLike;

use super::{size::Size, twin::Twins};
use crate::{
    ad::vjp::Vjp,
    raise::dear,
    simplify::Needed,
    support::{builder::Builder, combinator::input_count, region::erase_dead_ops},
};

/// Less work than this per element of the result is done again, if it is known.
const LITTLE: i64 = 8;

/// A result of an operation in the loop that is saved in every iteration.
pub struct Kept<'c> {
    /// What stands for it in the return loop.
    pub stand_in: Val<'c>,
    /// The result in the forward loop.
    pub result: Val<'c>,
    /// Its dynamic sizes.
    sizes: Vec<Size<'c>>,
    /// Loop-carried values whose sizes it has.
    pub like: Vec<usize>,
}

impl<'c> Kept<'c> {
    /// Its dynamic sizes, in front of the loop.
    pub fn dynamic_sizes(&self, b: &Builder<'c>) -> Vec<Val<'c>> {
        self.sizes.iter().map(|size| size.value(b)).collect()
    }
}

/// What a loop saves in every iteration, whatever is kept.
#[derive(Clone, Copy, Default)]
pub struct Room {
    /// How many dimensions the largest carried value has that is saved as a whole.
    pub rank: Option<usize>,
    /// Whether of some array only what is overwritten is saved.
    pub is_in_place: bool,
}

impl Room {
    /// Whether a value is no larger, by its number of dimensions, than what is saved anyhow.
    fn has(self, value: Val<'_>) -> bool {
        self.rank.is_some_and(|rank| value.r#type().shape().len() <= rank)
    }
}

/// Replaces by stand-ins what the return loop, whose dead operations are gone, had better read than
/// compute again.
pub fn keep<'c>(
    vjp: &mut Vjp<'_, 'c>,
    twins: &mut Twins<'c>,
    block: Blk<'c>,
    room: Room,
) -> Vec<Kept<'c>> {
    let mut kept: Vec<Kept<'c>> = vec![];
    if vjp.session.options.memory_budget.is_some() {
        return kept;
    }
    // Last first: what a later one was computed from may then be dead.
    for position in (0..twins.list.len()).rev() {
        let is_loop = twins.list[position].forward.op_name() == "scf.for";
        if !is_loop && !is_dear(twins.list[position].forward, room) {
            continue;
        }
        let stand_ins: HashSet<OpKey> =
            kept.iter().filter_map(|kept| Some(kept.stand_in.defining_op()?.key())).collect();
        let is_it = |other: &Op<'c>| {
            Some(other.key()) == twins.list[position].copy && !stand_ins.contains(&other.key())
        };
        let Some(copy) = block.body_ops().into_iter().find(is_it) else { continue };
        let ends = block.ends();
        let needed = Needed::at_end(block, &ends);
        let is_read = |value: &Val<'c>| {
            needed.has(*value) && value.users().iter().any(|user| user.op_name() != "tensor.dim")
        };
        let results = copy.result_list().into_iter().filter(is_read).collect::<Vec<_>>();
        if is_loop {
            let fits = !room.is_in_place && results.iter().all(|&result| room.has(result));
            if results.is_empty()
                || !fits
                || twins.save_tapes(vjp, position, copy, &results).is_none()
            {
                continue;
            }
        }
        let forward = twins.list[position].forward;
        let b = Builder::before(vjp.session.context(), copy, block);
        for old in results {
            let Some(result) = forward.res(old.position()) else { continue };
            let Some((sizes, like)) = Size::of(twins.root, result) else { continue };
            let stand_in = b.val("builtin.unrealized_conversion_cast", &[], old.r#type());
            old.replace_all_uses(stand_in);
            kept.push(Kept { stand_in, result, sizes, like });
        }
        erase_dead_ops(block);
    }
    kept
}

/// Whether an operation does more for an element of its results than can be worth reading it.
fn is_dear(op: Op<'_>, room: Room) -> bool {
    let name = op.op_name();
    if op.result_list().iter().any(|&result| room.has(result) && dear::is_dear(result)) {
        return true;
    }
    if !(["soac.map", "soac.reduce"].contains(&name) || name.starts_with("linalg.")) {
        return false;
    }
    let results = op.result_list();
    if results.iter().any(|result| result.r#type().is_acc()) {
        return false;
    }
    let rank = results.iter().map(|result| result.r#type().shape().len()).max();
    let size = results.iter().map(|result| static_size(*result)).max().flatten();
    let is_little = work(op).zip(size).is_some_and(|(work, size)| work < LITTLE * size);
    rank.is_some_and(|rank| depth(op) > rank) && !is_little
}

/// The number of elements, if it is known.
fn static_size(value: Val<'_>) -> Option<i64> {
    let shape = value.r#type().shape();
    shape.into_iter().try_fold(1_i64, |size, n| (n != DYNAMIC).then(|| size.saturating_mul(n)))
}

/// How many loops in each other an operation is.
fn depth(op: Op<'_>) -> usize {
    let inside = || inner_ops(op).into_iter().map(depth).max().unwrap_or(0);
    match op.op_name() {
        name if name.starts_with("linalg.") => Structured::of(op).map_or(0, |s| s.loops),
        "soac.map" | "soac.reduce" | "soac.scan" | "soac.hist" | "scf.for" => 1 + inside(),
        _ => inside(),
    }
}

/// How many scalar operations it takes, if that is known.
fn work(op: Op<'_>) -> Option<i64> {
    let inside =
        || inner_ops(op).into_iter().try_fold(0_i64, |sum, op| Some(sum.saturating_add(work(op)?)));
    let width = match op.op_name() {
        name if name.starts_with("linalg.") => return structured_work(op),
        "soac.map" | "soac.reduce" => {
            let inputs = op.operand_list().into_iter().take(input_count(op));
            let widths = inputs.map(|input| input.r#type().shape().first().copied());
            widths.flatten().find(|&width| width != DYNAMIC)?
        }
        _ if op.blocks().is_empty() => return Some(1),
        "scf.if" => 1,
        _ => return None,
    };
    Some(width.saturating_mul(inside()?))
}

/// How often a structured operation runs its body, if that is known.
fn structured_work(op: Op<'_>) -> Option<i64> {
    let s = Structured::of(op)?;
    let operands = op.operand_list();
    (0..s.loops).try_fold(1_i64, |work, l| {
        let mut sizes = operands.iter().zip(&s.maps).filter_map(|(operand, map)| {
            let d = map.iter().position(|index| *index == Expr::Loop(l))?;
            operand.r#type().shape().get(d).copied()
        });
        sizes.find(|&size| size != DYNAMIC).map(|size| work.saturating_mul(size))
    })
}

fn inner_ops(op: Op<'_>) -> Vec<Op<'_>> {
    op.blocks().into_iter().flat_map(|block| block.body_ops()).collect()
}
