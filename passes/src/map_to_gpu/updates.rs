//! Histograms and scatters: one thread for each value.
//!
//! Where the operator of a histogram is one that memory has, every thread updates its bin (`bins`). Extrema with their places
//! have a file of their own (`places`). Any other histogram is made in chunks, each of which has bins of its own, as by
//! `ad-parallelize`, which are then combined for each bin.
//!
//! A scatter leaves the last of several values for one place. So the threads first agree, for each place, on the
//! greatest number of a value for it, and then that one writes:
//!
//! ```text
//! forall i: last[is[i]] = -1;  forall i: last[is[i]] max= i;  forall i: if last[is[i]] = i then ys[is[i]] = vs[i]
//! ```
//! The first two alone are the scatter of `iota`, which reverse mode makes; where places are distinct, or all values one,
//! the last one is enough.

use ad_dialect::ir::{Blk, DYNAMIC, OpExt, TyExt, Val, ValExt, array_of, tensor_type};
use melior::ir::{Type, ValueLike};

use super::{
    Mapped,
    atomic::{
        buffer, contents, empty_buffer, is_atomic, kinds, plain_buffer, plain_contents, store,
        stored_as, update,
    },
    bins::Bins,
    distribute::{BLOCKS, THREADS, decide},
    places,
    rows::Elements,
};
use crate::{
    lower::forall_to_gpu::when,
    parallelize::{
        group::Group,
        private::{hist_in_chunks, hists_of_chunks},
        rows::width_of,
    },
    support::{
        atomic::{ASSIGN, Kind, MAX_INTEGER},
        builder::{Builder, CMP_EQ, CMP_SGE},
        chunk::{forall, per_chunk},
        diag::Result,
        region::copy_block,
        size::Size,
        update::{Update, is_iota},
    },
};

/// The number of chunks that have bins of their own, where bins have several dimensions.
const CHUNKS: i64 = 32;
/// The most chunks, and how many values each has at least, where bins have one dimension.
const MOST: i64 = 4096;
const PER_CHUNK: i64 = 128;
/// How many times more elements the bins of all chunks may have than there are values.
const TIMES: i64 = 2;
/// From so many chunks on, a block combines what they have for a bin.
const BY_BLOCK: i64 = 64;

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
    match &its.at[..] {
        _ if !group.has_operator() || !its.neutrals.iter().all(is_scalar) => Ok(None),
        [_] => in_parts(b, group, &its),
        _ => hist_in_chunks(b, group, Size::Known(CHUNKS), per_chunk),
    }
}

/// A histogram by any operator: a thread makes that of each chunk, in order, and a block or a thread combines what these have
/// for each bin. There are as many chunks as keep what they have in the size of what there is.
fn in_parts<'c>(b: &Builder<'c>, group: &Group<'c>, its: &Update<'c>) -> Mapped<'c> {
    let (Some(body), dest) = (group.op.body(0), its.dests[0]) else { return Ok(None) };
    let (width, size) = (width_of(b, group).value(b), b.dim(dest, 0));
    let divide = |x: Val<'c>, y: Val<'c>| b.same("arith.divui", &[x, y]);
    let some = |x: Val<'c>| b.same("arith.maxsi", &[x, b.index(1)]);
    let smaller = |x: Val<'c>, y: Val<'c>| b.same("arith.minsi", &[x, y]);
    let fits = divide(b.mul(width, b.index(TIMES)), some(size));
    let wanted = smaller(divide(width, b.index(PER_CHUNK)), b.index(MOST));
    let least = b.same("arith.maxsi", &[smaller(wanted, fits), b.index(CHUNKS)]);
    let count = Size::Value(some(smaller(least, width)));
    let parts = hists_of_chunks(b, group, count, per_chunk)?;
    let types: Vec<_> = its.dests.iter().map(|dest| dest.r#type()).collect();
    let many = b.compare(CMP_SGE, count.value(b), b.index(BY_BLOCK));
    let made = b.if_else(many, &types, |b, many| {
        let made = combined(&b, its, body, &parts, count)?;
        decide(b.context(), &made, if many { BLOCKS } else { THREADS });
        Ok(made)
    })?;
    Ok(Some(made.result_list()))
}

/// What the chunks of a histogram have for each bin, combined, behind what there was.
fn combined<'c>(
    b: &Builder<'c>,
    its: &Update<'c>,
    body: Blk<'c>,
    parts: &[Val<'c>],
    count: Size<'c>,
) -> Result<Vec<Val<'c>>> {
    let dest = its.dests[0];
    let bins = b.iota(b.dim(dest, 0), dest.r#type().shape()[0]);
    let types: Vec<_> = its.dests.iter().map(|dest| dest.r#type()).collect();
    b.map(&[&[bins], &its.dests[..]].concat(), &[], &types, |b, row| {
        let numbers = b.iota(count.value(&b), DYNAMIC);
        let types: Vec<_> = its.neutrals.iter().map(|e| array_of(DYNAMIC, e.r#type())).collect();
        let columns = b.map(&[numbers], &[], &types, |b, number| {
            Ok(parts.iter().map(|&part| b.extract(part, &[number[0], row[0]])).collect())
        })?;
        let operator = |b: Builder<'c>, both: &[Val<'c>]| Ok(copy_block(&b, body, both));
        let all = b.reduce(&columns, &its.neutrals, operator)?;
        Ok(copy_block(&b, body, &[&row[1..], &all].concat()))
    })
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
    let to_all = |b: &Builder<'c>, at: &[Val<'c>], values: &[Val<'c>], write: Write<'c>| {
        let mut pairs = buffers.iter().zip(values);
        pairs.try_for_each(|(&buffer, &value)| write(b, buffer, at, value))
    };
    if its.has_distinct_places() {
        each(b, group, &its, |b, at, values, _| to_all(b, at, values, store))?;
    } else if its.inputs.iter().all(|&values| is_one_number(b, values)) {
        let assign: Write<'c> = |b, buffer, at, value| update(b, ASSIGN, buffer, at, value);
        each(b, group, &its, |b, at, values, _| to_all(b, at, values, assign))?;
    } else if let ([numbers], [last]) = (&its.inputs[..], &buffers[..])
        && is_iota(*numbers)
        && is_in_memory(b, numbers.r#type().scalar())
    {
        find_last(b, group, &its, *last, numbers.r#type().scalar())?;
    } else {
        let Some(i64) = Type::parse(b.context(), "i64") else { return Ok(None) };
        let shape = &its.dests[0].r#type().shape()[..its.at.len()];
        let sizes = (0..its.at.len()).filter(|&d| shape[d] == DYNAMIC);
        let sizes: Vec<_> = sizes.map(|d| b.dim(its.dests[0], d)).collect();
        let Some(last) = empty_buffer(b, tensor_type(shape, i64), &sizes) else { return Ok(None) };
        find_last(b, group, &its, last, i64)?;
        each(b, group, &its, |b, at, values, i| {
            let winner = b.val("memref.load", &[&[last], at].concat(), i64);
            let wins = b.compare(CMP_EQ, winner, b.index_as(i, i64));
            when(b, wins, |b| to_all(b, at, values, store))
        })?;
    }
    let all = buffers.iter().zip(&its.dests);
    Ok(Some(all.map(|(&buffer, dest)| plain_contents(b, buffer, dest.r#type())).collect()))
}

/// What writes a value to some place of a buffer.
type Write<'c> = fn(&Builder<'c>, Val<'c>, &[Val<'c>], Val<'c>) -> Result<()>;

/// Whether memory has updates of elements of a type as they are.
fn is_in_memory<'c>(b: &Builder<'c>, element: Type<'c>) -> bool {
    stored_as(b, element) == Some(element)
}

/// Whether all values of an array are one, and threads may write it to the same place.
fn is_one_number<'c>(b: &Builder<'c>, values: Val<'c>) -> bool {
    let is_copies = values.defining_op().is_some_and(|op| op.op_name() == "soac.replicate");
    is_copies && is_in_memory(b, values.r#type().scalar())
}

/// For every place of an update, the greatest number of a value for it.
fn find_last<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    its: &Update<'c>,
    last: Val<'c>,
    number: Type<'c>,
) -> Result<()> {
    each(b, group, its, |b, at, _, _| {
        update(b, ASSIGN, last, at, b.index_as(b.index(-1), number))
    })?;
    each(b, group, its, |b, at, _, i| update(b, MAX_INTEGER, last, at, b.index_as(i, number)))
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
