//! What an iteration of `scf.forall` inserts is still there when another insertion is made.
//!
//! ```text
//! forall i shared_outs (o = a, p = b) {        forall i shared_outs (o = a, p = b) {
//!   x = o[i]; y = p[i]                           x = copy o[i]; y = copy p[i]
//!   insert y into o[i], x into p[i]        =>    insert y into o[i], x into p[i]
//! }                                            }
//! ```
//! Upstream's one-shot bufferisation (LLVM 22) takes the insertions of an iteration for one moment, and makes copies of them
//! that follow each other. What is inserted is inserted in the order in which it is made, too: where
//! ```text
//! x = f;  y = insert 0 into x;   insert x into o[i], y into p[i]
//! ```
//! `eliminate-empty-tensors` has `x` made in the place where `y` goes, which is copied there behind `x`.

use std::cmp::Ordering;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::whiles::Origins;
use crate::support::{builder::Builder, region::all_of, slice::whole};

/// Orders insertions, and copies what may have the memory of an array that another one goes to; returns how often.
pub fn copy_overwritten<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut count = 0;
    for op in all_of(module, "scf.forall") {
        let Some(body) = op.body(0) else { continue };
        let Some(end) = body.term().and_then(|end| end.body(0)) else { continue };
        order(body, end);
        let insertions = end.ops();
        let goals: Vec<_> = insertions.iter().map(|insertion| insertion.opnd(1)).collect();
        for (i, insertion) in insertions.iter().enumerate() {
            let Some(source) = insertion.opnd(0) else { continue };
            let origins = Origins::of(op, source).seen;
            let mut others = (0..goals.len()).filter(|&j| j != i).filter_map(|j| goals[j]);
            if others.any(|goal| origins.contains(&goal.key())) {
                count += u64::from(copy_at_once(context, *insertion, source).is_some());
            }
        }
    }
    count
}

/// Makes the insertions at the end of a body in the order in which what they insert is made.
fn order<'c>(body: Blk<'c>, end: Blk<'c>) {
    let made = |insertion: &Op<'c>| {
        whole(insertion.opnd(0)?).defining_op().filter(|made| made.block() == Some(body))
    };
    let mut insertions = end.ops();
    insertions.sort_by(|one, other| match (made(one), made(other)) {
        (Some(one), Some(other)) if one.is_before(other) => Ordering::Less,
        (Some(one), Some(other)) if other.is_before(one) => Ordering::Greater,
        (one, other) => one.is_some().cmp(&other.is_some()),
    });
    for insertion in insertions {
        insertion.detach();
        end.push(insertion);
    }
}

/// Lets an insertion take a copy of what it inserts, made before that is written to.
fn copy_at_once<'c>(context: &'c Context, insertion: Op<'c>, source: Val<'c>) -> Option<()> {
    let made = source.defining_op()?;
    let b = Builder::after(context, made, made.block()?);
    insertion.set_operand(0, b.copy_of(source));
    Some(())
}
