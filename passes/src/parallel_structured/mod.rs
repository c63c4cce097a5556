//! `ad-parallel-structured`: structured operations on tensors whose iterations depend on each other, in forms for kernels.
//!
//! ```text
//! x'[i + a] += y'[i] * w[a]         =>   x'[i] += z[i + a] * v[a]         z is y' between zeros, v is w backwards
//! s += x[i]                         =>   s + reduce (+) (map (\i -> x[i]) ..)
//! ```
//! The first is the derivative of a convolution: neighbouring iterations add to the same element, so that they would have to
//! run one after the other. In the second form each element is a sum by itself, of what reaches it (`gather`). Sums and
//! other reductions that are no products of matrices become those of `soac`, of which there are parallel ones, also where an
//! iteration adds several terms (`regroup`). Reductions of what reductions of rows give are flat ones (`flatten`).
//!
//! It is for kernels alone: on one core, the first forms do less.

mod collapse;
mod flatten;
mod gather;
mod regroup;

use ad_dialect::ir::{Op, OpExt};
use melior::{Context, ir::operation::OperationLike};

use crate::{
    lower::{
        contractions_to_gpu::Contraction,
        forall_to_gpu::{for_each_on_host, is_outermost},
    },
    raise::linalg::{is_reduction, structured},
    support::{builder::Builder, diag::Result, region::replace},
};

/// Runs the pass; returns how many operations got another form.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    for_each_on_host(module, &mut |op| {
        let is_one = op.op_name().starts_with("linalg.") && op.result_count() > 0;
        found.extend((is_one && is_outermost(op)).then_some(op));
    });
    let mut changed = 0;
    for op in found {
        regroup::regroup(context, op);
        changed += u64::from(change(context, op)?);
    }
    let mut sums = vec![];
    for_each_on_host(module, &mut |op| {
        sums.extend((op.op_name() == "soac.reduce" && is_outermost(op)).then_some(op));
    });
    for op in sums {
        changed += u64::from(flatten::flatten(context, op)?);
    }
    Ok(changed)
}

/// Gives an operation another form, if there is a better one.
fn change<'c>(context: &'c Context, op: Op<'c>) -> Result<bool> {
    let Some(block) = op.block() else { return Ok(false) };
    let b = Builder::before(context, op, block).with_location(op.location());
    let made = if op.result_count() == 1 { gather::gather(&b, op)? } else { None };
    let Some(made) = made else {
        return reduce(&b, op);
    };
    replace(op, &made.result_list());
    let b = Builder::before(context, made, block).with_location(made.location());
    reduce(&b, made)?;
    Ok(true)
}

/// Makes an operation that combines many elements reductions, if it is no product of matrices.
fn reduce<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<bool> {
    if !is_reduction(op) || Contraction::of(op).is_some() {
        return Ok(false);
    }
    let (mut op, mut slices) = (op, vec![]);
    if let Some(collapsed) = collapse::collapse(b, op)? {
        replace(op, &collapsed.values);
        (op, slices) = (collapsed.op, collapsed.slices);
    }
    let b = Builder::before(b.context(), op, b.block()).with_location(b.location());
    let Some(values) = structured(&b, op)? else { return Ok(false) };
    replace(op, &values);
    collapse::read_slices(b.context(), &slices);
    Ok(true)
}
