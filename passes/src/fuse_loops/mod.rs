//! `ad-fuse-loops`: neighbouring loops over the same rows become one.
//!
//! ```text
//! for j < n:  t[j] = f a[j]                   for j < n:
//! for j < n:  b[i, j] = b[i, j] + t[j]   ==>    x = f a[j]
//! copy t to c[k, ..]                            b[i, j] = b[i, j] + x;  c[k, j] = x
//! ```
//! What combinators leave as arrays is read again by loops of its own: sums of cotangents, slices that are
//! updated, rows of tapes, and the copies that bufferisation adds. Where rows are short, each of these loops
//! costs as much as what it does. So loops over one dimension, and copies, fills and structured operations
//! of rows, join an earlier one that accesses one of their elements in the same iteration, if no
//! iteration accesses what others write to (`join.rs`, `support/place.rs`).
//!
//! What a joint loop writes and reads again need not go through memory (`forward.rs`), a loop around it
//! need not carry a new buffer in each iteration (`carry.rs`), and buffers that nobody reads are gone
//! (`dead.rs`).
//!
//! Run it on buffers before they are hoisted, and before `ad-vectorize`.

pub mod access;
mod carry;
mod dead;
mod forward;
mod join;
mod own;
mod rows;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt};
use melior::Context;

use crate::support::{builder::same_value, region::blocks_of};
use join::Row;

/// How many loops back one may join another.
const REACH: usize = 8;

/// Runs the pass, on all loops or on those in the iterations of parallel ones; returns how many loops joined others.
pub fn run<'c>(context: &'c Context, module: Op<'c>, in_kernels: bool) -> u64 {
    erase_idle_copies(module);
    let blocks = blocks_of(module, in_kernels);
    let joined = blocks.into_iter().rev().map(|block| in_block(context, block)).sum();
    dead::erase_unread(module);
    joined
}

/// Joins the loops of a block, and then those in joint ones; returns how many.
fn in_block<'c>(context: &'c Context, block: Blk<'c>) -> u64 {
    let mut rows: Vec<Row<'c>> = vec![];
    let mut joined = 0;
    for mut row in block.body_ops().into_iter().filter_map(Row::of) {
        // A joint loop may share with others than its parts did.
        while let Some((i, joint)) = partner(context, &rows, &row) {
            rows.remove(i);
            row = joint;
            joined += 1;
        }
        let behind = rows.iter().position(|other| row.op.is_before(other.op));
        rows.insert(behind.unwrap_or(rows.len()), row);
    }
    for joint in rows.iter().filter(|row| row.is_joint) {
        forward::in_loop(joint.op);
        if let Some(body) = joint.op.body(0).filter(|_| !access::is_simple(joint.op)) {
            own::in_loop(context, joint.op);
            joined += in_block(context, body);
        }
    }
    carry::in_block(block);
    joined
}

/// The nearest of the loops that can join with another one, and both as one.
fn partner<'c>(context: &'c Context, rows: &[Row<'c>], row: &Row<'c>) -> Option<(usize, Row<'c>)> {
    let near = (rows.len().saturating_sub(REACH)..rows.len()).rev();
    let mut joints = near.map(|i| match rows[i].op.is_before(row.op) {
        true => Some((i, rows[i].join(context, row)?)),
        false => Some((i, row.join(context, &rows[i])?)),
    });
    joints.find_map(|joint| joint)
}

/// Erases copies of buffers to themselves.
fn erase_idle_copies(module: Op<'_>) {
    let mut idle = vec![];
    module.for_each(&mut |op| {
        let is_idle = || op.opnd(0).zip(op.opnd(1)).is_some_and(|(a, b)| same_value(a, b));
        if op.op_name() == "memref.copy" && is_idle() {
            idle.push(op);
        }
    });
    idle.iter().for_each(OpExt::erase);
}
