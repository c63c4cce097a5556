//! What an iteration of `scf.while` hands to the next one is an array of its own.
//!
//! ```text
//! while (a = y) { .. } do { yield z }   =>   while (a = y) { .. } do { yield (copy z) }     -- z comes from outside
//! ```
//! Upstream's one-shot bufferisation (LLVM 22) does not see that the next iteration has that very array, and lets it write
//! there. So does what is yielded twice.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{BlockLike, TypeLike, ValueLike},
};

use super::{copy, may_write};
use crate::support::{
    combinator::start_of,
    region::{all_of, is_outside},
};

/// Copies what comes from elsewhere; returns how often.
pub fn copy_shared<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut count = 0;
    for op in all_of(module, "scf.while") {
        let Some(end) = op.body(1).and_then(|body| body.term()) else { continue };
        let mut taken = HashSet::new();
        for (i, value) in end.operand_list().into_iter().enumerate() {
            if value.r#type().as_tensor().is_none() {
                continue;
            }
            let origins = Origins::of(op, value);
            if origins.is_shared || !taken.is_disjoint(&origins.seen) {
                count += u64::from(copy(context, end, i).is_some());
            } else {
                taken.extend(origins.seen);
            }
        }
    }
    count
}

/// The arrays in an operation whose memory a value may have.
pub struct Origins<'c> {
    around: Op<'c>,
    pub seen: HashSet<ValueKey>,
    /// Whether one of them comes from outside of a loop.
    is_shared: bool,
}

impl<'c> Origins<'c> {
    pub fn of(around: Op<'c>, value: Val<'c>) -> Self {
        let mut origins = Self { around, seen: HashSet::new(), is_shared: false };
        origins.visit(value);
        origins
    }

    fn visit(&mut self, value: Val<'c>) {
        if is_outside(self.around, value) {
            self.is_shared = true;
            return;
        }
        if !self.seen.insert(value.key()) {
            return;
        }
        if let Some(origins) = origins_of(value) {
            return origins.into_iter().for_each(|origin| self.visit(origin));
        }
        let Some(op) = value.defining_op() else { return };
        let is_view = op.op_name() == "tensor.extract_slice";
        for (i, operand) in op.operand_list().into_iter().enumerate() {
            if operand.r#type().is_tensor() && (is_view && i == 0 || may_write(op, i)) {
                self.visit(operand);
            }
        }
        let ends = op.blocks().into_iter().flat_map(|block| block.ends());
        ends.filter(|end| end.r#type().is_tensor()).for_each(|end| self.visit(end));
    }
}

/// What an array is, or starts from, that a loop or a branch carries or has as a result.
fn origins_of<'c>(value: Val<'c>) -> Option<Vec<Val<'c>>> {
    let (op, position) = match value.defining_op() {
        Some(op) => (op, value.position()),
        None => (value.owner_block()?.parent_operation()?, value.position().checked_sub(1)?),
    };
    let start = match op.op_name() {
        "scf.for" => start_of(op, position),
        "scf.forall" if value.defining_op().is_some() => start_of(op, position),
        "scf.if" | "scf.index_switch" => None,
        _ => return None,
    };
    let ends = op.blocks().into_iter().filter_map(|block| block.term()?.opnd(position));
    Some(start.into_iter().chain(ends).collect())
}
