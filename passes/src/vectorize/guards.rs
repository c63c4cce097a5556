//! Branches that read elements if they are there.
//!
//! ```text
//! if i < n                               j = select(i < n, i, 0)
//!   ... x[i], of n elements ...   ==>    ... x[j] ..., in all lanes
//! else                                   select(i < n, ..., ...)
//!   ...
//! ```
//! Lanes in which there is no such element read the first one, and what they make of it is not used. So there must be a
//! first one: where an array has no elements, the loop over vectors has no iterations, and the loop as it was has all.
//! This is how the gradient of a histogram reads what belongs to the bin of a value.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, int_of};

use super::plan::{Class, Facts};
use crate::support::{
    builder::CMP_ULT, combinator::divides_integers, memory, place::Sum, region::is_outside,
};

/// What a branch is taken for: an index that is less than a size.
#[derive(Clone, Copy)]
pub struct Guard<'c> {
    /// The index, of which each iteration has its own.
    pub index: Val<'c>,
    /// The size, which is known in front of the loop.
    pub size: Val<'c>,
}

impl<'c> Facts<'c> {
    /// What a branch is taken for, if all lanes can run its first side with the index of another element.
    pub fn guard(&self, branch: Op<'c>) -> Option<Guard<'c>> {
        let comparison = branch.opnd(0)?.defining_op()?;
        let is_less = comparison.op_name() == "arith.cmpi"
            && comparison.attr("predicate").and_then(int_of) == Some(CMP_ULT);
        let guard = Guard { index: comparison.opnd(0)?, size: comparison.opnd(1)? };
        let is_each = self.class(guard.index) == Class::Each && is_outside(self.root, guard.size);
        let side = branch.body(0)?;
        (is_less && is_each && self.reads(&guard, side)).then_some(guard)
    }

    /// Whether a block, or one in it, reads, and this at the index in arrays of that size only, and is harmless otherwise.
    fn reads(&self, guard: &Guard<'c>, block: Blk<'c>) -> bool {
        let mut reads = false;
        let is_fit = block.body_ops().into_iter().all(|op| match op.op_name() {
            "memref.load" => {
                reads = true;
                self.is_in_range(guard, op)
            }
            name => {
                op.blocks().is_empty()
                    && !divides_integers(name)
                    && (name.starts_with("arith.") || name.starts_with("math."))
            }
        });
        reads && is_fit
    }

    /// Whether a load is of the element that a guard is for.
    fn is_in_range(&self, guard: &Guard<'c>, load: Op<'c>) -> bool {
        let [array, at] = load.operand_list()[..] else { return false };
        is_outside(self.root, array)
            && at.key() == guard.index.key()
            && Sum::of_size(array, 0) == Sum::of(guard.size)
            && memory::rank(array) == 1
    }

    /// The sizes that must not be 0 for the loop to run on vectors.
    pub fn guarded_sizes(&self) -> Vec<Val<'c>> {
        let mut sizes: Vec<Val<'c>> = vec![];
        self.root.for_each(&mut |op| {
            let guard = if op.op_name() == "scf.if" { self.guard(op) } else { None };
            if let Some(Guard { size, .. }) = guard
                && sizes.iter().all(|other| other.key() != size.key())
            {
                sizes.push(size);
            }
        });
        sizes
    }
}
