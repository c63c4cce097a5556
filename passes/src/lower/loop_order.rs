//! `lower-loop-order`: loops of structured operations on buffers in an order that suits what they become.
//!
//! For kernels, the parallel ones come before the others:
//!
//! ```text
//! for k: parallel (i, j): c[i, j] += a[k, i] * b[k, j]     =>     parallel (i, j): for k: c[i, j] += a[k, i] * b[k, j]
//! ```
//! Upstream makes loops of them in their order: outside, a loop over terms would be one of launches.
//!
//! For processors, the loop that goes along the rows of most arrays comes last, so that vectors are neighbours in memory and
//! lines of the cache are used as a whole:
//!
//! ```text
//! for j: for i: y[j] += x[i] * a[i, j]     =>     for i: for j: y[j] += x[i] * a[i, j]
//! ```
//! Each element has the same terms in the same order as before.

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
    memory,
    region::{copy_block, replace},
    structured::renumber,
};

/// How many iterations the innermost loop should have, if others have more.
const SHORT: i64 = 8;

/// Runs the pass for processors, or for kernels that operations of the host become; returns how many operations got another
/// order.
pub fn lower<'c>(context: &'c Context, module: Op<'c>, along_rows: bool) -> Result<u64> {
    let mut found = vec![];
    let mut find = |op: Op<'c>| {
        let Some(s) = Structured::of(op) else { return };
        let order = if along_rows { order_along_rows(op, &s) } else { order_of_elements(&s) };
        found.extend(order.map(|order| (op, s, order)));
    };
    match along_rows {
        true => module.for_each(&mut find),
        false => for_each_on_host(module, &mut find),
    }
    let mut changed = 0;
    for (op, s, order) in found {
        let op = if op.op_name() == "linalg.generic" { op } else { as_generic(context, op, &s)? };
        changed += u64::from(reorder(context, op, &order).is_some());
    }
    Ok(changed)
}

/// The order in which the loop along the rows of most arrays is the last one, if it is not.
pub(super) fn order_along_rows<'c>(op: Op<'c>, s: &Structured<'c>) -> Option<Vec<usize>> {
    let operands = op.operand_list();
    let arrays = || operands.iter().zip(&s.maps).filter(|(operand, _)| memory::is_array(**operand));
    // Of large arrays, which have many dimensions, more than of others.
    let weight = |l: usize| -> usize {
        let along = arrays()
            .filter(|(array, map)| map.last() == Some(&Expr::Loop(l)) && memory::has_rows(**array));
        along.map(|(_, map)| map.len()).sum()
    };
    let size = |l: usize| {
        let dimension = |map: &Vec<Expr>| map.iter().position(|e| *e == Expr::Loop(l));
        arrays().find_map(|(&array, map)| memory::static_size(array, dimension(map)?))
    };
    let last = s.loops.checked_sub(1)?;
    let best = (0..last).max_by_key(|&l| weight(l)).filter(|&l| weight(l) > weight(last))?;
    let is_short = size(best).is_some_and(|n| n < SHORT && size(last).is_none_or(|m| m > n));
    let written = s.written();
    let keeps_terms = written[best] || written[best + 1..].iter().all(|&is_written| is_written);
    let others = (0..s.loops).filter(|&l| l != best);
    (keeps_terms && !is_short).then(|| others.chain([best]).collect())
}

/// The order in which loops over elements of results come before others, if they do not.
fn order_of_elements(s: &Structured<'_>) -> Option<Vec<usize>> {
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
fn reorder<'c>(context: &'c Context, op: Op<'c>, order: &[usize]) -> Option<()> {
    let s = Structured::of(op)?;
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
