//! `lower-loop-order`: the parallel loops of generic operations on buffers come before the others.
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
use melior::{Context, ir::attribute::ArrayAttribute};

use super::forall_to_gpu::for_each_on_host;
use crate::support::structured::renumber;

/// Runs the pass; returns how many operations got another order.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut changed = 0;
    for_each_on_host(module, &mut |op| changed += u64::from(reorder(context, op).is_some()));
    changed
}

fn reorder<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let s = Structured::of(op).filter(|_| op.op_name() == "linalg.generic")?;
    let kinds = ArrayAttribute::try_from(op.attr("iterator_types")?).ok()?;
    let kinds: Vec<_> = (0..s.loops).map(|l| kinds.element(l).ok()).collect::<Option<_>>()?;
    let is_parallel = |l: &usize| kinds[*l].to_string().contains("parallel");
    let (parallel, others): (Vec<_>, Vec<_>) = (0..s.loops).partition(is_parallel);
    let order = [parallel, others].concat();
    if order.is_sorted() {
        return None;
    }
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
