//! What an iteration of `scf.forall` inserts is still there when another insertion is made.
//!
//! ```text
//! forall i shared_outs (o = a, p = b) {        forall i shared_outs (o = a, p = b) {
//!   x = o[i]; y = p[i]                           x = copy o[i]; y = copy p[i]
//!   insert y into o[i], x into p[i]        =>    insert y into o[i], x into p[i]
//! }                                            }
//! ```
//! Upstream's one-shot bufferisation (LLVM 22) takes the insertions of an iteration for one moment, and makes copies of them
//! that follow each other.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::whiles::Origins;
use crate::support::{builder::Builder, region::all_of};

/// Copies what may have the memory of an array that another insertion goes to; returns how often.
pub fn copy_overwritten<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut count = 0;
    for op in all_of(module, "scf.forall") {
        let end = op.body(0).and_then(|body| body.term()?.body(0));
        let insertions = end.map(|end| end.ops()).unwrap_or_default();
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

/// Lets an insertion take a copy of what it inserts, made before that is written to.
fn copy_at_once<'c>(context: &'c Context, insertion: Op<'c>, source: Val<'c>) -> Option<()> {
    let made = source.defining_op()?;
    let b = Builder::after(context, made, made.block()?);
    insertion.set_operand(0, b.copy_of(source));
    Some(())
}
