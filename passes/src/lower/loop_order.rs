//! `lower-loop-order`: the parallel loops of structured operations on buffers come before the others.
//!
//! ```text
//! for k: parallel (i, j): c[i, j] += a[k, i] * b[k, j]     =>     parallel (i, j): for k: c[i, j] += a[k, i] * b[k, j]
//! ```
//! Upstream makes loops of them in their order: outside, a loop over terms would be one of launches. Each element has the same
//! terms in the same order as before.

use ad_dialect::{
    ir::{Op, OpExt},
    linalg::{Expr, Structured, map_attribute},
};
use melior::{
    Context,
    ir::{attribute::ArrayAttribute, operation::OperationLike},
};

use super::forall_to_gpu::for_each_on_host;
use crate::support::{
    builder::Builder,
    diag::Result,
    region::{copy_block, replace},
    structured::renumber,
};

/// Runs the pass; returns how many operations got another order.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    for_each_on_host(module, &mut |op| {
        found.extend(Structured::of(op).filter(|s| order_of(s).is_some()).map(|s| (op, s)));
    });
    let mut changed = 0;
    for (op, s) in found {
        let op = if op.op_name() == "linalg.generic" { op } else { as_generic(context, op, &s)? };
        changed += u64::from(reorder(context, op).is_some());
    }
    Ok(changed)
}

/// The order in which loops over elements of results come before others, if they do not.
fn order_of(s: &Structured<'_>) -> Option<Vec<usize>> {
    let is_written = s.written();
    let (written, others): (Vec<_>, Vec<_>) = (0..s.loops).partition(|&l| is_written[l]);
    let order = [written, others].concat();
    (!order.is_sorted()).then_some(order)
}

/// A generic operation in place of another one.
fn as_generic<'c>(context: &'c Context, op: Op<'c>, s: &Structured<'c>) -> Result<Op<'c>> {
    let Some(block) = op.block() else { return Ok(op) };
    let b = Builder::before(context, op, block).with_location(op.location());
    let made = b.generic(&s.map_attributes, &s.written(), &s.inputs, &s.inits, |b, elements| {
        Ok(copy_block(&b, s.body, elements))
    })?;
    replace(op, &made.result_list());
    Ok(made)
}

/// Gives a generic operation this order.
fn reorder<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let s = Structured::of(op)?;
    let order = order_of(&s)?;
    let kinds = ArrayAttribute::try_from(op.attr("iterator_types")?).ok()?;
    let kinds: Vec<_> = (0..s.loops).map(|l| kinds.element(l).ok()).collect::<Option<_>>()?;
    let place = |l: usize| order.iter().position(|&old| old == l).unwrap_or(l);
    let moved = |map: &Vec<Expr>| {
        let index = |index: &Expr| index.with_loops(&|l| Expr::Loop(place(l)));
        map_attribute(context, s.loops, &map.iter().map(index).collect::<Vec<_>>())
    };
    let maps: Vec<_> = s.maps.iter().map(moved).collect::<Option<_>>()?;
    let kinds: Vec<_> = order.iter().map(|&l| kinds[l]).collect();
    op.set_attr(context, "indexing_maps", ArrayAttribute::new(context, &maps).into());
    op.set_attr(context, "iterator_types", ArrayAttribute::new(context, &kinds).into());
    renumber(context, op, &place);
    Some(())
}
