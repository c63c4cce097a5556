//! `ad-vectorize`: several iterations of a loop at once.
//!
//! ```text
//! for i = a to b                        for i = a to a + (b - a) / W * W step W
//!   t = alloc : memref<?xf64>             t = alloc : memref<?xvector<Wxf64>>
//!   for j = ...                   ==>     for j = ...
//!     t[j] = l[j] * x[i]                    t[j] = broadcast(l[j]) * x[i .. i + W]
//!   ...                                   ...
//!                                       for i = the rest, as before
//! ```
//!
//! LLVM vectorises innermost loops that walk through memory. This pass does it where that is not
//! what pays: a loop around others, whose inner loops are short, triangular or walk with a stride,
//! or a loop over records, with branches. It takes a loop if its iterations write to places of their
//! own, or only add to others where sums may be computed in any order; if all branches and inner
//! loops run alike in all iterations, but for branches that are cheap to evaluate on both sides, of which one may
//! read what an index is tested to be in; and
//! if an estimate of the work says that it pays. Of a nest of such loops it takes the one that gains
//! most for each register. Where a body calls functions, or a vector fills several registers, or, with AVX-512,
//! where a loop along rows accesses many of them, the rest is one more iteration on vectors, of which it uses
//! some lanes; so LLVM gets such loops only where it has no vectors with masks. Where a vector fills several registers, it has no more of them then than are needed,
//! and only the last one has a mask. Where a body has loops, and may run twice without harm, the last vector
//! overlaps the one before.
//!
//! Run it on buffers before they are hoisted: what is allocated in a loop belongs to one iteration.

mod accesses;
mod apart;
mod carried;
mod classes;
pub mod cost;
mod emit;
pub mod expand;
mod guards;
mod inner;
mod legal;
mod masked;
mod order;
mod places;
mod plan;
mod records;
mod rows;
mod tiles;
mod transpose;

use ad_dialect::ir::{Op, OpExt, ValExt};
use melior::{Context, ir::operation::OperationLike};

use crate::{
    lower::vector_math::InstructionSet,
    support::{builder::Builder, diag::Result, region::is_within},
};
use plan::Plan;

/// How many times as fast a loop must be by the estimate.
const GAIN: f64 = 1.3;

/// Runs the pass for an instruction set; returns how many loops were vectorised.
pub fn run<'c>(context: &'c Context, module: Op<'c>, set: &str) -> Result<u64> {
    let set = InstructionSet::by_name(module, set)?;
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.for" {
            found.push(op);
        }
    });
    let mut plans: Vec<_> = found.into_iter().filter_map(|op| judge(context, op, set)).collect();
    plans.sort_by(|a, b| b.gain_per_register.total_cmp(&a.gain_per_register));
    let (mut taken, mut replaced): (Vec<Plan<'c>>, Vec<_>) = Default::default();
    for plan in plans {
        if taken.iter().any(|other| overlap(other.original, plan.original)) {
            plan.copy.erase();
            continue;
        }
        replaced.extend(emit::replace(context, &plan)?.map(|totals| (plan.original, totals)));
        taken.push(plan);
    }
    // Only now, because the plans for other loops may know what a loop returned.
    for (original, totals) in replaced {
        for (old, total) in original.result_list().into_iter().zip(totals) {
            old.replace_all_uses(total);
        }
        original.erase();
    }
    Ok(taken.len() as u64)
}

/// The plan for a loop if it can be vectorised and that pays.
///
/// The plan is about a copy, in which everything on arrays is a loop.
fn judge<'c>(context: &'c Context, op: Op<'c>, set: InstructionSet) -> Option<Plan<'c>> {
    if !plan::may_run_at_once(op) {
        return None;
    }
    let copy = op.clone_detached();
    Builder::before(context, op, op.block()?).insert(copy);
    let plan = expand::all(context, copy).and_then(|()| Plan::of(op, copy, set));
    match plan {
        Some(plan) if plan.gain > GAIN => Some(plan),
        _ => {
            copy.erase();
            None
        }
    }
}

/// Whether one of two operations is in the other.
fn overlap(a: Op<'_>, b: Op<'_>) -> bool {
    is_within(a, b) || is_within(b, a)
}
