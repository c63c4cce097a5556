//! Branches on one condition meet, so that upstream canonicalisation makes one of them.
//!
//! ```text
//! x = if c then f else g;  a;  b;  y = if c then h b else k   =>  b;  x = if ...;  y = if ...;  a
//! ```
//! where `b`, all that the second branch needs of what is between, does not need `x`. A return sweep
//! runs the taken branch again; what it computes again is then shared. Nothing comes in front of an assertion, which may
//! be what makes it safe.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, ValExt};
use melior::Context;

use crate::support::region::{is_of_values, move_before, needed_between};

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
    let is_next = || first.next().is_some_and(|next| next.key() == second.key());
    let Some(needed) = needed_between(first, second).filter(|_| !is_next()) else { return false };
    let overtaken = if needed.is_empty() { first.next() } else { Some(first) };
    if !needed.iter().chain([&second]).all(|op| is_of_values(*op)) || assert(overtaken, second) {
        return false;
    }
    for op in &needed {
        move_before(context, block, *op, first);
    }
    // All that is between may have been needed.
    if let Some(behind) = first.next().filter(|_| !is_next()) {
        move_before(context, block, second, behind);
    }
    true
}

/// Whether the operations of a block from one to another may assert something, themselves or by a call.
fn assert<'c>(first: Option<Op<'c>>, last: Op<'c>) -> bool {
    let asserts = |op: Op<'c>| {
        let mut found = false;
        op.for_each(&mut |inner| {
            found |= matches!(inner.op_name(), "cf.assert" | "func.call" | "func.call_indirect");
        });
        found
    };
    let all = std::iter::successors(first, |op| op.next());
    all.take_while(|op| op.key() != last.key()).any(asserts)
}
