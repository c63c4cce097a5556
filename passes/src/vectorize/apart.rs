//! Inner loops and branches that run once per lane, as they are.
//!
//! ```text
//! for j = ...                     for lane = 0 to W
//!   r[i, j] = x[i] * y[j]   ==>     for j = ...
//!                                     r[i + lane, j] = x[lane] * y[j]
//! ```
//! Where the lanes of an access are far apart in memory and the iterations of the inner loop are
//! next to each other, vectors along the inner loop are better, and LLVM makes them.
//!
//! A branch that differs between lanes and writes to memory can only run so. Its lanes take their turns in the order of
//! the iterations, so that they may write to the same places if nothing else of the loop accesses that memory. This is
//! how the cotangent of a maximum is added where the maximum is.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    emit::{Emitter, Lanes},
    plan::{Class, Facts},
};
use crate::support::{
    builder::Builder,
    diag::Result,
    memory,
    region::{ValueMap, clone_op, free_values, is_outside, reads},
};

/// Whether an inner loop or a branch may run once per lane: it yields nothing, and has no memory of its own.
pub fn may_run_apart<'c>(facts: &Facts<'c>, op: Op<'c>) -> bool {
    let mut is_simple = op.result_count() == 0;
    op.for_each(&mut |inner| {
        is_simple &= !matches!(inner.op_name(), "memref.alloc" | "memref.alloca");
    });
    let mut arrays = free_values(&op.blocks()).into_iter().filter(|&v| memory::is_array(v));
    is_simple && arrays.all(|array| !facts.is_private(array))
}

impl<'c> Facts<'c> {
    /// Whether a branch that differs between lanes may run once per lane, in turn with everything else of an iteration.
    pub(super) fn is_in_turn(&self, branch: Op<'c>) -> bool {
        branch.op_name() == "scf.if"
            && branch.opnd(0).is_some_and(|condition| self.class(condition) != Class::Same)
            && branch.block() == self.root.body(0)
            && !self.is_harmless_branch(branch)
            && may_run_apart(self, branch)
    }
}

impl<'c> Emitter<'_, 'c> {
    /// An inner loop, or a branch, lane by lane.
    pub(super) fn apart(&self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let bounds = [b.index(0), b.index(self.lanes as i64), b.index(1)];
        b.for_loop(bounds, &[], |inner, lane, _| {
            let mut map = ValueMap::new();
            for value in reads(op) {
                self.bind(&inner, value, lane, &mut map);
            }
            clone_op(&inner, op, &mut map);
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Binds the value of one lane. A view that differs between lanes has not been emitted.
    fn bind(&self, b: &Builder<'c>, value: Val<'c>, lane: Val<'c>, map: &mut ValueMap<'c>) {
        if map.contains_key(&value.key()) {
            return;
        }
        let view = value.defining_op().filter(|op| memory::is_view(op.op_name()));
        match (self.get(value), view) {
            (Some(lanes), _) => {
                map.insert(value.key(), self.lane_at(b, lanes, lane));
            }
            (None, Some(op)) if !is_outside(self.facts.root, value) => {
                for operand in op.operand_list() {
                    self.bind(b, operand, lane, map);
                }
                clone_op(b, op, map);
            }
            _ => {}
        }
    }

    /// The value of a lane whose number is known when the program runs.
    fn lane_at(&self, b: &Builder<'c>, value: Lanes<'c>, lane: Val<'c>) -> Val<'c> {
        match value {
            Lanes::Same(scalar) => scalar,
            Lanes::Next(first) => b.val("arith.addi", &[first, lane], first.r#type()),
            Lanes::Each(vector) => {
                let position = [("static_position", b.i64s_attr(&[DYNAMIC]))];
                let scalar = vector.r#type().scalar();
                b.val_with("vector.extract", &[vector, lane], scalar, &position)
            }
        }
    }
}
