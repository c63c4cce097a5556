//! Histograms and scatters: one thread for each value.
//!
//! Where the operator of a histogram is one that memory has, every thread updates its bin (`bins`). Extrema with their places
//! have a file of their own (`places`). Any other histogram is made in chunks, each of which has bins of its own, as by `ad-parallelize`.
//!
//! A scatter leaves the last of several values for one place. So the threads first agree, for each place, on the
//! greatest number of a value for it, and then that one writes:
//!
//! ```text
//! forall i: last[is[i]] = -1;  forall i: last[is[i]] max= i;  forall i: if last[is[i]] = i then ys[is[i]] = vs[i]
//! ```

use ad_dialect::ir::{DYNAMIC, TyExt, Val, tensor_type};
use melior::ir::{Type, ValueLike};

use super::{
    Mapped,
    atomic::{
        Kind, MAX_INTEGER, buffer, contents, empty_buffer, is_atomic, kinds, plain_buffer,
        plain_contents, store, update,
    },
    bins::Bins,
    places,
    rows::Elements,
};
use crate::{
    parallelize::{
        chunk::{forall, per_chunk},
        group::Group,
        private::hist_in_chunks,
        rows::width_of,
        size::Size,
    },
    support::{
        builder::{Builder, CMP_EQ},
        diag::Result,
        update::Update,
    },
};

/// The number of chunks that have bins of their own.
const CHUNKS: i64 = 32;

/// `soac.hist`.
pub fn hist<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let its = Update::of(group.op);
    if let Some(kinds) = kinds(group.op)
        && let Some(bins) = in_memory(b, group, &its, &kinds)?
    {
        return Ok(Some(bins));
    }
    if let Some(bins) = places::hist(b, group, &its)? {
        return Ok(Some(bins));
    }
    let is_scalar = |value: &Val<'c>| value.r#type().as_tensor().is_none();
    if group.has_operator() && its.neutrals.iter().all(is_scalar) {
        hist_in_chunks(b, group, Size::Known(CHUNKS), per_chunk)
    } else {
        Ok(None)
    }
}

/// A histogram whose operators memory has.
pub fn in_memory<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    its: &Update<'c>,
    kinds: &[Kind],
) -> Mapped<'c> {
    if !its.dests.iter().all(|dest| is_atomic(dest.r#type().scalar())) {
        return Ok(None);
    }
    let Some(buffers) = its.dests.iter().map(|&dest| buffer(b, dest)).collect::<Option<Vec<_>>>()
    else {
        return Ok(None);
    };
    let bins = Bins { group, its, kinds, buffers: &buffers };
    bins.make(b, |b| {
        each(b, group, its, |b, at, values, _| {
            for ((&kind, &buffer), value) in kinds.iter().zip(&buffers).zip(values) {
                update(b, kind, buffer, at, *value)?;
            }
            Ok(())
        })
    })?;
    let all = buffers.iter().zip(&its.dests);
    Ok(all.map(|(&buffer, dest)| contents(b, buffer, dest.r#type())).collect())
}

/// `soac.scatter`.
pub fn scatter<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let its = Update::of(group.op);
    let buffers = its.dests.iter().map(|&dest| plain_buffer(b, dest));
    let Some(buffers) = buffers.collect::<Option<Vec<_>>>() else { return Ok(None) };
    let dimensions = its.at.len();
    let shape = its.dests[0].r#type().shape();
    let Some(i64) = Type::parse(b.context(), "i64") else { return Ok(None) };
    let sizes: Vec<_> =
        (0..dimensions).filter(|&d| shape[d] == DYNAMIC).map(|d| b.dim(its.dests[0], d)).collect();
    let places = tensor_type(&shape[..dimensions], i64);
    let Some(last) = empty_buffer(b, places, &sizes) else { return Ok(None) };
    const ASSIGN: i64 = 3;
    each(b, group, &its, |b, at, _, _| {
        let none = b.val("arith.index_cast", &[b.index(-1)], i64);
        update(b, ASSIGN, last, at, none)
    })?;
    each(b, group, &its, |b, at, _, i| {
        update(b, MAX_INTEGER, last, at, b.val("arith.index_cast", &[i], i64))
    })?;
    each(b, group, &its, |b, at, values, i| {
        let winner = b.val("memref.load", &[&[last], at].concat(), i64);
        let wins = b.compare(CMP_EQ, winner, b.val("arith.index_cast", &[i], i64));
        b.if_else(wins, &[], |b, wins| {
            for (&buffer, &value) in buffers.iter().zip(values).filter(|_| wins) {
                store(&b, buffer, at, value)?;
            }
            Ok(vec![])
        })?;
        Ok(())
    })?;
    let all = buffers.iter().zip(&its.dests);
    Ok(Some(all.map(|(&buffer, dest)| plain_contents(b, buffer, dest.r#type())).collect()))
}

/// One thread for each value: the closure gets its place, which is in range, the values, and its number.
pub fn each<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    its: &Update<'c>,
    mut body: impl FnMut(&Builder<'c>, &[Val<'c>], &[Val<'c>], Val<'c>) -> Result<()>,
) -> Result<()> {
    forall(b, width_of(b, group), &[], |b, i, _| {
        let mut elements = Elements::new(group, i);
        let at = elements.of(b, &its.at);
        let (at, inside) = b.in_range(&at, its.dests[0]);
        b.if_else(inside, &[], |b, inside| {
            if inside {
                // What only this value needs is computed here.
                let values = Elements::new(group, i).of(&b, &its.inputs);
                body(&b, &at, &values, i)?;
            }
            Ok(vec![])
        })?;
        Ok(vec![])
    })?;
    Ok(())
}
