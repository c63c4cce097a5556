//! Histograms whose bins belong to iterations: one of the indices is the number of the iteration.
//!
//! ```text
//! hist at(ks, iota n) ins(vs) into(a)  =>  forall t: a[.., chunk t] = hist at(ks[chunk t], iota) ins(vs[chunk t])
//!                                                                        into(a[.., chunk t])
//! ```
//! So the cotangents of maxima of rows or columns are added. Nothing is shared, and no thread needs arrays of its own.

use ad_dialect::ir::{OpExt, Val};
use melior::ir::ValueLike;

use super::{group::Group, parts::Parts, rows::width_of};
use crate::support::{
    builder::Builder,
    chunk::{Chunk, Piece, forall, operand, slice},
    combinator::is_iota,
    diag::Result,
    extent::extent_of,
    region::clone_with,
    size::Size,
    update::Update,
};

/// The dimension of the bins along which each iteration has its own.
pub fn own_dimension(group: &Group<'_>) -> Option<usize> {
    let update = Update::of(group.op);
    (0..update.at.len()).find(|&d| {
        let width = extent_of(update.at[d], 0);
        is_iota(update.at[d]) && update.dests.iter().all(|&dest| extent_of(dest, d) == width)
    })
}

/// Every thread updates the bins of its chunk.
pub fn build<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
) -> Result<Option<Vec<Val<'c>>>> {
    let Some(d) = own_dimension(group) else { return Ok(None) };
    let update = Update::of(group.op);
    let width = width_of(b, group);
    let results = forall(b, count, &update.dests, |b, t, shared| {
        let chunk = Chunk::new(b, t, width, count);
        let mut parts = Parts::new(group, chunk);
        let mut operands = parts.of(b, &update.read())?;
        operands[d] = b.val("soac.iota", &operand(b, chunk.size), parts.type_of(update.at[d]));
        let dests: Vec<_> = shared.iter().map(|&dest| slice(b, dest, &[d], chunk)).collect();
        let types: Vec<_> = dests.iter().map(|dest| dest.r#type()).collect();
        operands.extend([&dests[..], &update.neutrals].concat());
        let own = clone_with(b, group.op, &operands, &types).result_list();
        Ok(own.into_iter().map(|value| Piece { value, along: d, chunk, step: 1 }).collect())
    })?;
    Ok(Some(results))
}
