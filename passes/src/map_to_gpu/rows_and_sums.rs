//! Rows that a block makes and reduces, in one kernel, where the body of a map does both:
//!
//! ```text
//! yss, ss = map (\xs -> let ys = map f xs in ys, reduce op e (map g ys)) xss
//!         ==>
//! yss, ss = if there are rows enough, or they are short:  as it is, with one block for each xs (`blocks`)
//!           else:  yss = map (map f) xss;  ss = map (\ys -> reduce op e (map g ys)) yss
//! ```
//! That is one launch in place of two, and the reduction does not ask memory for the rows. But a row has no more threads
//! than a block: a few long rows would leave most of the processor idle, which a thread for each element does not. Nor do
//! blocks make elements that take long, in loops: in shorter rows than a block has threads, the others have none.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    BLOCK,
    distribute::{BLOCKS, Distribution, Kind, Segment, decide, least_for_block, unique},
    nest::{Nest, is_simple, width_inside, with_maps_and},
    reduce::is_in_any_order,
};
use crate::{
    lower::soac_to_loops::reads_by_row,
    support::{builder::Builder, diag::Result, region::beside, size::Size},
};

/// From so many rows on, blocks that make one each fill a large GPU: four for each of its multiprocessors.
const MANY: i64 = 512;
/// Up to so many elements, a thread makes a few one after another in the time of a launch.
const SHORT: i64 = 4 * BLOCK;

/// Makes one nest of a segment of rows and the next one, of reductions; returns whether it did.
pub fn make<'c>(
    b: &Builder<'c>,
    all: &mut Distribution<'_, 'c>,
    [rows, sums]: [&Segment<'c>; 2],
    segments: &[Segment<'c>],
) -> Result<bool> {
    let Some(map) = map_of(all.nest, rows, sums) else { return Ok(false) };
    let Some(condition) = is_worth_it(b, all.nest, map) else { return Ok(false) };
    let others = segments.iter().filter(|segment| !std::ptr::eq(*segment, sums));
    let mut needed: HashSet<_> = others.flat_map(|other| &other.stored).map(ValExt::key).collect();
    needed.extend(all.nest.ends().iter().map(ValExt::key));
    let joint = joint(map, [rows, sums], |out| needed.contains(&out.key()));
    let arrays = match condition {
        Size::Known(_) => by_blocks(b, all.clone(), &joint)?,
        Size::Value(condition) => {
            let types: Vec<_> = joint.outs.iter().map(|&out| all.nest.rows_of(0, out)).collect();
            let made = b.if_else(condition, &types, |b, holds| {
                let mut all = all.clone();
                if holds {
                    return by_blocks(&b, all, &joint);
                }
                all.add(&b, rows)?;
                all.add(&b, sums)?;
                Ok(arrays_of(&all, &joint))
            })?;
            made.result_list()
        }
    };
    all.made.extend(joint.outs.iter().map(ValExt::key).zip(arrays));
    Ok(true)
}

/// The map of rows whose elements one of the reductions behind it reads, in any order, and nothing else with it.
fn map_of<'c>(nest: &Nest<'c>, rows: &Segment<'c>, sums: &Segment<'c>) -> Option<Op<'c>> {
    let [map] = rows.ops[..] else { return None };
    if (rows.kind, sums.kind) != (Kind::Rows, Kind::Sums) || nest.makes_arrays() {
        return None;
    }
    let results = map.result_list();
    let is_vector = |result: &Val<'c>| result.r#type().shape().len() == 1;
    let reads = |op: &Op<'c>| {
        with_maps_and(*op, Some(map)).maps.iter().any(|inner| inner.key() == map.key())
    };
    let mut readers = sums.ops.iter().copied().filter(reads);
    let (reader, others) = (readers.next()?, readers.next());
    let reads_elements = |user: Op<'c>| {
        let place = beside(user, map.block()).filter(|op| sums.copied.contains(&op.key()));
        place.is_none_or(|op| op.key() == user.key() && reads_by_row(user, &results))
    };
    let mut users = results.iter().flat_map(|result| result.users());
    let fits = results.iter().all(is_vector)
        && map.body(0).is_some_and(|body| body.body_ops().into_iter().all(is_simple))
        && others.is_none()
        && is_in_any_order(reader)
        && users.all(reads_elements);
    fits.then_some(map)
}

/// Whether blocks make the rows of a map as fast as threads would: a condition, or none if they do not.
fn is_worth_it<'c>(b: &Builder<'c>, nest: &Nest<'c>, map: Op<'c>) -> Option<Size<'c>> {
    let widths = nest.widths(b).into_iter();
    let rows = widths.fold(Size::Known(1), |product, width| product.times(b, width));
    let width = Size::of_extent(b, width_inside(map)?);
    let is_long = width.at_least(b, least_for_block(b, rows, width))?;
    let most = match rows.at_least(b, Size::Known(MANY)) {
        None => Size::Known(SHORT),
        Some(Size::Known(_)) => return Some(is_long),
        Some(Size::Value(many)) => Size::Value(b.select(many, width.value(b), b.index(SHORT))),
    };
    Some(is_long.and(b, most.at_least(b, width)?))
}

/// The segment that makes what two of them make, as far as others need it.
fn joint<'c>(
    map: Op<'c>,
    [rows, sums]: [&Segment<'c>; 2],
    is_needed: impl Fn(&Val<'c>) -> bool,
) -> Segment<'c> {
    let is_own = |value: &Val<'c>| value.defining_op().is_some_and(|op| op.key() == map.key());
    let outs = rows.outs.iter().copied().filter(is_needed).chain(sums.outs.iter().copied());
    let stored = rows.stored.iter().chain(sums.stored.iter().filter(|value| !is_own(value)));
    let copied: HashSet<OpKey> = rows.copied.union(&sums.copied).copied().collect();
    Segment {
        kind: Kind::Sums,
        ops: [&rows.ops[..], &sums.ops].concat(),
        outs: unique(outs),
        stored: unique(stored.copied()),
        copied,
    }
}

/// The rows of what a segment makes, with a block for each iteration.
fn by_blocks<'c>(
    b: &Builder<'c>,
    mut all: Distribution<'_, 'c>,
    joint: &Segment<'c>,
) -> Result<Vec<Val<'c>>> {
    all.add(b, joint)?;
    let arrays = arrays_of(&all, joint);
    decide(b.context(), &arrays, BLOCKS);
    Ok(arrays)
}

fn arrays_of<'c>(all: &Distribution<'_, 'c>, segment: &Segment<'c>) -> Vec<Val<'c>> {
    segment.outs.iter().filter_map(|out| all.made.get(&out.key()).copied()).collect()
}
