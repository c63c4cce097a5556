//! Branches on one condition meet, so that upstream canonicalisation makes one of them.
//!
//! ```text
//! x = if c then f else g;  a;  b;  y = if c then h b else k   =>  b;  x = if ...;  y = if ...;  a
//! ```
//! where `b`, all that the second branch needs of what is between, does not need `x`. A return sweep
//! runs the taken branch again; what it computes again is then shared.

use std::collections::HashSet;

use ad_dialect::{
    capi::is_trivially_dead,
    ir::{Blk, BlkExt, Op, OpExt, OpKey, ValExt, ValueKey},
};
use melior::{
    Context,
    ir::{TypeLike, ValueLike},
};

use crate::support::region::{free_values, move_before};

/// Moves each branch of a module behind the one on the same condition in front of it, where nothing
/// stands against that; returns whether one was moved.
pub fn meet<'c>(context: &'c Context, module: Op<'c>) -> bool {
    let mut blocks = vec![];
    module.for_each(&mut |op| blocks.extend(op.blocks()));
    let mut moved = false;
    for block in blocks {
        let mut branches: Vec<Op<'c>> = vec![];
        for op in block.ops() {
            if op.op_name() != "scf.if" {
                continue;
            }
            let same = |first: &&Op<'c>| {
                let conditions = first.opnd(0).zip(op.opnd(0));
                conditions.is_some_and(|(x, y)| x.key() == y.key())
            };
            if let Some(first) = branches.iter().rev().find(same) {
                moved |= move_behind(context, block, *first, op);
            }
            branches.push(op);
        }
    }
    moved
}

/// Moves the second branch behind the first, and what it needs of what is between in front of it.
fn move_behind<'c>(context: &'c Context, block: Blk<'c>, first: Op<'c>, second: Op<'c>) -> bool {
    let ops = block.ops();
    let between: Vec<_> =
        ops.iter().filter(|op| first.is_before(**op) && op.is_before(second)).copied().collect();
    if between.is_empty() {
        return false;
    }
    let mut needed = HashSet::<OpKey>::new();
    let mut values = HashSet::<ValueKey>::new();
    let need = |op: Op<'c>, values: &mut HashSet<ValueKey>| {
        values.extend(op.operand_list().iter().chain(&free_values(&op.blocks())).map(ValExt::key));
    };
    need(second, &mut values);
    let gives = |op: Op<'c>, values: &HashSet<ValueKey>| {
        op.result_list().iter().any(|result| values.contains(&result.key()))
    };
    for &op in between.iter().rev() {
        if gives(op, &values) {
            needed.insert(op.key());
            need(op, &mut values);
        }
    }
    let early = || between.iter().filter(|op| needed.contains(&op.key()));
    if gives(first, &values) || !early().chain([&second]).all(|op| may_move(*op)) {
        return false;
    }
    for &op in early() {
        move_before(context, block, op, first);
    }
    if let Some(&behind) = between.iter().find(|op| !needed.contains(&op.key())) {
        move_before(context, block, second, behind);
    }
    true
}

/// Whether an operation does nothing but give results, and from values alone.
fn may_move(op: Op<'_>) -> bool {
    let mut is_of_values = true;
    op.for_each(&mut |inner| {
        let reads = inner.operand_list().iter().any(|operand| operand.r#type().is_mem_ref());
        is_of_values &= !reads;
    });
    is_of_values && is_trivially_dead(op)
}
