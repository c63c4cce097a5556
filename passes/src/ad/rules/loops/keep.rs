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
//! With a memory budget nothing is saved here, because memory is what is short.

use std::collections::HashSet;

use ad_dialect::{
    ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, OpKey, TyExt, Val, ValExt},
    linalg::{Expr, Structured},
};
use melior::ir::ValueLike;

use super::Parts;
use crate::{
    ad::vjp::Vjp,
    simplify::needed_values,
    support::{
        builder::Builder,
        combinator::input_count,
        extent::{Extent, extent_of},
        region::{erase_dead_ops, is_outside},
    },
};

/// Less work than this per element of the result is done again, if it is known.
const LITTLE: i64 = 8;

/// A result of an operation in the loop that is saved in every iteration.
pub struct Kept<'c> {
    /// What stands for it in the return loop.
    pub stand_in: Val<'c>,
    /// The result in the forward loop.
    pub result: Val<'c>,
    /// Its sizes, known in front of the loop.
    sizes: Vec<Extent<'c>>,
    /// Loop-carried values whose sizes it has.
    pub like: Vec<usize>,
}

impl<'c> Kept<'c> {
    /// Its dynamic sizes, in front of the loop.
    pub fn dynamic_sizes(&self, b: &Builder<'c>) -> Vec<Val<'c>> {
        let sizes = self.result.r#type().shape().into_iter().zip(&self.sizes);
        let dynamic = sizes.filter(|(size, _)| *size == DYNAMIC);
        dynamic.map(|(_, extent)| extent.value(b)).collect()
    }
}

/// The copies in a return loop of the operations of the body.
pub fn copies<'c>(vjp: &Vjp<'_, 'c>, body: Blk<'c>) -> Vec<Option<OpKey>> {
    body.body_ops().into_iter().map(|op| vjp.copy_of(op).map(|copy| copy.key())).collect()
}

/// Replaces by stand-ins what the return loop, whose dead operations are gone, had better read than
/// compute again.
pub fn keep<'c>(
    vjp: &Vjp<'_, 'c>,
    forward: Op<'c>,
    parts: &Parts<'c>,
    copies: &[Option<OpKey>],
    block: Blk<'c>,
) -> Vec<Kept<'c>> {
    let mut kept: Vec<Kept<'c>> = vec![];
    let ops = forward.body(0).map(|body| body.body_ops()).unwrap_or_default();
    let sources = parts.body.body_ops();
    if vjp.session.options.memory_budget.is_some() || ops.len() != sources.len() {
        return kept;
    }
    // Last first: what a later one was computed from may then be dead.
    for ((op, source), copy) in ops.into_iter().zip(sources).zip(copies).rev() {
        if op.op_name() != source.op_name() || !is_dear(op) {
            continue;
        }
        let stand_ins: HashSet<OpKey> =
            kept.iter().filter_map(|kept| Some(kept.stand_in.defining_op()?.key())).collect();
        let is_it =
            |other: &Op<'c>| Some(other.key()) == *copy && !stand_ins.contains(&other.key());
        let Some(copy) = block.body_ops().into_iter().find(is_it) else { continue };
        let ends = block.term().map(|end| end.operand_list()).unwrap_or_default();
        let needed = needed_values(block, &ends);
        let b = Builder::before(vjp.session.context(), copy, block);
        for (result, old) in op.result_list().into_iter().zip(copy.result_list()) {
            let is_read = old.users().iter().any(|user| user.op_name() != "tensor.dim");
            let Some((sizes, like)) = sizes(forward, result) else { continue };
            if is_read && needed.contains(&old.key()) {
                let name = "builtin.unrealized_conversion_cast";
                let stand_in = b.val(name, &[], old.r#type());
                old.replace_all_uses(stand_in);
                kept.push(Kept { stand_in, result, sizes, like });
            }
        }
        erase_dead_ops(block);
    }
    kept
}

/// Whether an operation does more for an element of its results than can be worth reading it.
fn is_dear(op: Op<'_>) -> bool {
    let name = op.op_name();
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

/// The sizes of a value in a loop, as they are known in front of it; and the positions of the
/// loop-carried values that must keep their shapes for that.
fn sizes<'c>(forward: Op<'c>, value: Val<'c>) -> Option<(Vec<Extent<'c>>, Vec<usize>)> {
    let (mut sizes, mut like) = (vec![], vec![]);
    for d in 0..value.r#type().shape().len() {
        sizes.push(match extent_of(value, d) {
            Extent::Dim(array, d) if !is_outside(forward, array) => {
                let body = forward.body(0)?;
                let is_carried = array.defining_op().is_none() && array.owner_block() == Some(body);
                let position = array.position().checked_sub(1).filter(|_| is_carried)?;
                like.push(position);
                extent_of(forward.opnd(3 + position)?, d)
            }
            Extent::Value(value) if !is_outside(forward, value) => return None,
            size => size,
        });
    }
    Some((sizes, like))
}
