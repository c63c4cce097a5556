//! `ad-simplify`: cleanup that differentiation relies on.
//!
//! What may be assumed: a sum with a zero gives back the other term, so the sign of
//! a zero is not kept (-0 + 0 is -0). A product with zero stays, because zero times
//! infinity is not zero, unless the operation's fast-math flags rule that out.
//!
//! Reading order: `zero` (arithmetic), `constant` (arrays with one value), `elements` (arrays that are written element
//! by element), `accumulate` (accumulators that start from zeros), `uniform` (those whose rows get one number each), `untouched`
//! (what no iteration has written yet), `start`
//! (structured sums that do), `carried` (sizes of what loops carry), `sizes` (those that
//! are known by something else), `branches` (those on one
//! condition), `twins` (what is handed on twice), `dead` (what nothing reads), `shared` and `invariant` (what an outer map computes for
//! every element alike).

mod accumulate;
mod branches;
mod carried;
pub mod constant;
mod dead;
mod elements;
mod invariant;
mod needed;
mod shared;
mod sizes;
pub mod start;
pub mod twins;
mod uniform;
mod untouched;
pub mod zero;

pub use branches::meet;
pub use invariant::read_instead;
pub use needed::Needed;

use ad_dialect::ir::{BlkExt, Op, OpExt, ValExt};
use melior::{Context, ir::operation::OperationLike};

use crate::support::{builder::Builder, diag::Result};

/// A chain of folds longer than this is left for the next run of the pass.
const ROUNDS: usize = 16;

/// More maps than this are not split.
const SPLITS: usize = 256;

/// Simplifies a module; returns how many operations were erased.
pub fn simplify<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut erased = 0;
    for _ in 0..ROUNDS {
        let mut changed = fold_all(context, module);
        while accumulate::take_over(context, module) {
            changed = true;
        }
        changed |= uniform::narrow(context, module)?;
        changed |= carried::narrow(context, module);
        changed |= branches::meet(context, module);
        changed |= twins::unify(module);
        changed |= dead::drop_components(context, module);
        changed |= dead::drop_operands(context, module);
        let gone = erase_dead(module);
        erased += gone;
        if !changed && gone == 0 {
            break;
        }
    }
    for _ in 0..SPLITS {
        if !shared::split_one(context, module) && !invariant::split_one(context, module) {
            break;
        }
        erased += erase_dead(module);
    }
    Ok(erased)
}

/// Folds every operation once. Nothing is erased, so that the handles stay valid.
fn fold_all<'c>(context: &'c Context, module: Op<'c>) -> bool {
    let mut all = vec![];
    module.for_each(&mut |op| all.push(op));
    let mut changed = false;
    for op in all {
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block);
        let is_used = op.result_list().iter().any(|result| !result.users().is_empty());
        if !is_used {
            continue;
        }
        let folded = zero::fold(&b, op)
            .or_else(|| constant::fold(&b, op))
            .or_else(|| elements::fold(&b, op))
            .or_else(|| start::fold(&b, op))
            .or_else(|| sizes::fold(&b, op))
            .or_else(|| untouched::fold(&b, op));
        if let (Some(value), Some(result)) = (folded, op.res(0)) {
            result.replace_all_uses(value);
            changed = true;
        } else {
            changed |= constant::read_directly(&b, op) || dead::fold_reduce(op);
        }
    }
    changed
}

/// Erases the operations that nothing reads; returns how many.
fn erase_dead(module: Op<'_>) -> u64 {
    let mut erased = 0;
    for block in module.blocks() {
        for op in block.ops().into_iter().rev() {
            if op.is_dead() {
                op.erase();
                erased += 1;
            } else {
                erased += erase_dead(op);
            }
        }
    }
    erased
}
