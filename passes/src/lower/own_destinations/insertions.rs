//! What an iteration of `scf.forall` inserts is still there when another insertion is made.
//!
//! ```text
//! forall i shared_outs (o = a, p = b) {        forall i shared_outs (o = a, p = b) {
//!   x = o[i]; y = p[i]                           x = copy o[i]; y = copy p[i]
//!   insert y into o[i], x into p[i]        =>    insert y into o[i], x into p[i]
//! }                                            }
//! ```
//! Upstream's one-shot bufferisation (LLVM 22) takes the insertions of an iteration for one moment, and makes copies of them
//! that follow each other. So it is where what is inserted may have the memory of what another insertion inserts, as in
//! ```text
//! x = f;  y = insert 0 into x;   insert y into o[i], x into p[i]
//! ```
//! where `eliminate-empty-tensors` has `x` made in the place where `y` goes, which is copied there: the one that is made first is
//! inserted as a copy.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, ValueKey};
use melior::{Context, ir::operation::OperationLike};

use super::whiles::Origins;
use crate::support::{builder::Builder, region::all_of};

/// Copies what may have the memory of an array that another insertion goes to, or of what that inserts; returns how often.
pub fn copy_overwritten<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut count = 0;
    for op in all_of(module, "scf.forall") {
        let end = op.body(0).and_then(|body| body.term()?.body(0));
        let insertions = end.map(|end| end.ops()).unwrap_or_default();
        let all: Vec<_> =
            insertions.iter().filter_map(|insertion| Inserted::of(op, *insertion)).collect();
        for (i, one) in all.iter().enumerate() {
            let mut others = all.iter().enumerate().filter(|(j, _)| *j != i);
            let is_copied = others.any(|(j, other)| {
                one.origins.contains(&other.goal.key())
                    || one.is_before(other, i < j) && !one.origins.is_disjoint(&other.origins)
            });
            if is_copied && copy_at_once(context, one.insertion, one.source).is_some() {
                count += 1;
            }
        }
    }
    count
}

/// An insertion at the end of an iteration.
struct Inserted<'c> {
    insertion: Op<'c>,
    source: Val<'c>,
    /// The arrays whose memory the source may have.
    origins: HashSet<ValueKey>,
    goal: Val<'c>,
}

impl<'c> Inserted<'c> {
    fn of(around: Op<'c>, insertion: Op<'c>) -> Option<Self> {
        let (source, goal) = (insertion.opnd(0)?, insertion.opnd(1)?);
        Some(Self { insertion, source, origins: Origins::of(around, source).seen, goal })
    }

    /// Whether what one inserts is made before what another one does; if one operation makes both, the first one is.
    fn is_before(&self, other: &Self, is_first: bool) -> bool {
        match (self.source.defining_op(), other.source.defining_op()) {
            (Some(one), Some(other)) if one.key() != other.key() => one.is_before(other),
            _ => is_first,
        }
    }
}

/// Lets an insertion take a copy of what it inserts, made before that is written to.
fn copy_at_once<'c>(context: &'c Context, insertion: Op<'c>, source: Val<'c>) -> Option<()> {
    let made = source.defining_op()?;
    let b = Builder::after(context, made, made.block()?);
    insertion.set_operand(0, b.copy_of(source));
    Some(())
}
