//! Scans.
//!
//! Subgroups go over stretches of the array in tiles (`tiles`): one for each stretch combines it, a block scans what all
//! combine to, and one for each stretch scans that. In the bodies of maps a block scans each row. Its subgroups do the
//! same:
//!
//! ```text
//! forall thread t < BLOCK: sums[t / LANES] = all of the stretch of number t / LANES
//! forall thread t < BLOCK: ys[own of t] = scan of the stretch, which starts from sums[0] .. sums[t / LANES - 1] combined
//! ```
//! With `reverse` the stretches are counted from the end of the row.
//!
//! A map that is all that reads the results is computed where they are, so that they are not stored:
//!
//! ```text
//! zs = map f ys ws; ys = scan op e xs  ==>  zs[own of t] = f of the scan of the stretch and of ws[own of t]
//! ```
//!
//! Scans of arrays are made in chunks, each by one thread.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    BLOCK, Mapped,
    distribute::BLOCKS,
    nest::{is_simple, with_maps},
    one_kernel,
    reduce::{Combine, commutes, of_threads},
    rows::Elements,
    shared::Shared,
    subgroup::{LANES, has_shuffles},
    tiles::{Tiles, by_first_lane},
};
use crate::{
    lower::{forall_to_gpu::when, soac_to_loops::only_reader},
    parallelize::{
        chunk::{Chunk, Piece, forall, forall_on, inputs_and_rest, per_chunk, slice},
        group::Group,
        rows::width_of,
        scan::{TOTALS, Totals, in_chunks},
        size::Size,
    },
    support::{
        builder::{Builder, CMP_EQ},
        combinator::input_count,
        diag::Result,
        memory::bytes_of,
        region::copy_block,
    },
};

/// The most stretches of a scan of numbers: as many subgroups as a large GPU has at once, or half of that.
const STRETCHES: i64 = 4096;
/// How many tiles a stretch has at least, if there are as many.
const TILES: i64 = 2;
/// The most chunks of a scan of arrays, of which each thread has one of its own.
const ARRAYS: i64 = 1024;
/// How many elements a chunk has at least, if there are as many.
const LEAST: i64 = 16;
/// The largest tuples of which a block has one for each of its threads in registers, in bytes.
const TUPLE: i64 = 128;
/// The subgroups of a block.
const SUBGROUPS: i64 = BLOCK / LANES;

/// Whether an operation is a scan of numbers that a block can make.
pub fn is_scalar_scan(op: Op<'_>) -> bool {
    if op.op_name() != "soac.scan" {
        return false;
    }
    let neutrals = inputs_and_rest(op).1;
    let bytes: Option<i64> = neutrals.iter().map(|value| bytes_of(value.r#type())).sum();
    let is_number =
        |value: &Val<'_>| value.r#type().as_tensor().is_none() && has_shuffles(value.r#type());
    neutrals.iter().all(is_number)
        && bytes.is_some_and(|bytes| bytes <= TUPLE)
        && Group::only(op).has_operator()
}

/// `soac.scan`.
pub fn scan<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    if !group.has_operator() {
        return Ok(None);
    }
    let is_total = group.op.attr(TOTALS).is_some();
    let count = match (width_of(b, group), is_scalar_scan(group.op)) {
        // One thread does it.
        (Size::Known(n), _) if n <= LEAST => return Ok(None),
        (Size::Known(n), true) if n <= BLOCK * LEAST => return alone(b, group),
        (_, true) if is_total => return alone(b, group),
        (_, true) => return in_stretches(b, group, None),
        (Size::Known(n), false) => Size::Known((n / LEAST).min(ARRAYS)),
        (Size::Value(_), false) => Size::Known(ARRAYS),
    };
    in_chunks(b, group, count, Totals::OnePerChunk)
}

/// The scan that runs in the kernel of a map, with the maps in front of it: the map, or what is computed for it, is all
/// that reads the results.
pub fn read_by<'c>(reader: &Group<'c>) -> Option<Group<'c>> {
    let map = reader.op;
    let block = map.block()?;
    let is_flat = |op: &Op<'c>| {
        op.result_list().iter().all(|result| result.r#type().shape().len() == 1)
            && op.body(0).is_some_and(|body| body.body_ops().into_iter().all(is_simple))
    };
    let is_plain = input_count(map) == map.operand_count() && map.attr(BLOCKS).is_none();
    let readers = [&reader.maps[..], &[map]].concat();
    if map.op_name() != "soac.map" || !is_plain || !readers.iter().all(is_flat) {
        return None;
    }
    let is_read_here = |scan: &Op<'c>| {
        let found = only_reader(*scan, block);
        found.is_some_and(|found| readers.iter().any(|reader| reader.key() == found.key()))
    };
    let makers = readers.iter().flat_map(OpExt::operand_list).filter_map(|v| v.defining_op());
    let mut scans = makers.filter(|op| is_scalar_scan(*op) && op.attr(TOTALS).is_none());
    let scan = scans.find(is_read_here)?;
    let is_short = |input: Val<'c>| (0..=BLOCK * LEAST).contains(&input.r#type().shape()[0]);
    let group = with_maps(scan);
    let is_long = !inputs_and_rest(scan).0.into_iter().any(is_short) && !group.has_empty();
    is_long.then_some(group)
}

/// Such a map, with the scan in its kernel.
pub fn with_reader<'c>(b: &Builder<'c>, scan: &Group<'c>, reader: &Group<'c>) -> Mapped<'c> {
    in_stretches(b, scan, Some(reader))
}

/// A scan of numbers, or a map that reads one, by two kernels, with a scan of what stretches combine to between them.
fn in_stretches<'c>(b: &Builder<'c>, group: &Group<'c>, reader: Option<&Group<'c>>) -> Mapped<'c> {
    let (inputs, neutrals) = inputs_and_rest(group.op);
    let width = width_of(b, group).value(b);
    let Some(tiles) = tiles(group, &inputs, &neutrals, width) else { return Ok(None) };
    let some = tiles.count(b).divided_by(b, TILES).at_most(b, STRETCHES);
    let count = match some {
        Size::Known(_) => some,
        Size::Value(some) => Size::Value(b.same("arith.maxsi", &[some, b.index(1)])),
    };
    let threads = count.times(b, Size::Known(LANES));
    let shared: Vec<_> = neutrals.iter().map(|&like| per_chunk(b, count, like)).collect();
    let totals = forall(b, threads, &shared, |b, t, shared| {
        let own = b.divide(t, b.index(LANES));
        let total = tiles.total(b, &tiles.stretch(b, own, count))?.into_iter().zip(shared);
        total.map(|(value, &shared)| by_first_lane(b, shared, value, own)).collect()
    })?;
    // Stretches are in the order in which they are combined, operands in the order of the array.
    let before = b.scan(&totals, &neutrals, &["exclusive", TOTALS], |b, pair| {
        let (earlier, later) = pair.split_at(totals.len());
        Ok(tiles.combined(&b, earlier, &[later.to_vec()]))
    })?;
    let results = reader.map_or(group.op, |reader| reader.op).result_list();
    let read: Vec<_> = (0..results.len()).filter(|&k| !results[k].users().is_empty()).collect();
    let shared: Vec<_> = read.iter().map(|&k| empty(b, results[k], width)).collect();
    let ends = |b: &Builder<'c>, index, tuple: &[Val<'c>]| {
        let Some((map, body)) = reader.and_then(|map| Some((map, map.op.body(0)?))) else {
            return picked(tuple, &read);
        };
        let elements = Elements::new(map, index).knowing(group.op, tuple);
        let elements = { elements }.of(b, &map.op.operand_list());
        picked(&copy_block(b, body, &elements), &read)
    };
    let rows = forall(b, threads, &shared, |b, t, shared| {
        let [number, lane] = b.divide(t, b.index(LANES));
        let stretch = tiles.stretch(b, [number, lane], count);
        let start: Vec<_> = before.iter().map(|&before| b.row(before, number)).collect();
        tiles.scan(b, &stretch, &start, shared, &ends)
    })?;
    // What is not read may be anything.
    let mut rows = { read }.into_iter().zip(rows).collect::<HashMap<_, _>>();
    let row = |(k, &result)| rows.remove(&k).unwrap_or_else(|| empty(b, result, width));
    Ok(Some(results.iter().enumerate().map(row).collect()))
}

fn tiles<'a, 'c>(
    group: &'a Group<'c>,
    inputs: &'a [Val<'c>],
    neutrals: &'a [Val<'c>],
    width: Val<'c>,
) -> Option<Tiles<'a, 'c>> {
    let body = group.op.body(0)?;
    let operator = Combine { body, neutrals, commutes: commutes(group.op, body) };
    Some(Tiles::new(group, operator, inputs, width))
}

/// Some of the values, by their numbers.
fn picked<'c>(values: &[Val<'c>], numbers: &[usize]) -> Vec<Val<'c>> {
    numbers.iter().filter_map(|&k| values.get(k).copied()).collect()
}

/// An uninitialised array for a result of numbers.
fn empty<'c>(b: &Builder<'c>, result: Val<'c>, width: Val<'c>) -> Val<'c> {
    let is_dynamic = result.r#type().shape().first() == Some(&DYNAMIC);
    b.empty(result.r#type(), &[width][..usize::from(is_dynamic)])
}

/// A scan by a kernel of one block.
fn alone<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let results = group.op.result_list();
    let width = width_of(b, group);
    let shared: Vec<_> = results.iter().map(|&r| empty(b, r, width.value(b))).collect();
    let made = forall_on(b, Size::Known(1), &shared, one_kernel(b), |b, zero, shared| {
        let all = Chunk { offset: zero, size: width };
        let rows = shared.iter().map(|&array| slice(b, array, &[0], all)).enumerate();
        let rows = by_block(b, group, &rows.collect::<Vec<_>>())?;
        Ok(rows.into_iter().map(|row| Piece::rows(row, all)).collect())
    })?;
    Ok(Some(made))
}

/// The scan by the threads of a block: what is in each of some rows when a result is there, by its number.
pub fn by_block<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    rows: &[(usize, Val<'c>)],
) -> Result<Vec<Val<'c>>> {
    let (inputs, neutrals) = inputs_and_rest(group.op);
    let width = width_of(b, group).value(b);
    let Some(tiles) = tiles(group, &inputs, &neutrals, width) else { return Ok(vec![]) };
    let sums = Shared::new(b, SUBGROUPS, &neutrals);
    let threads = Size::Known(BLOCK);
    let stretch = |b: &Builder<'c>, own| tiles.stretch(b, own, Size::Known(SUBGROUPS));
    forall_on(b, threads, &[], of_threads(b), |b, t, _| {
        let [number, lane] = b.divide(t, b.index(LANES));
        let total = tiles.total(b, &stretch(b, [number, lane]))?;
        when(b, b.compare(CMP_EQ, lane, b.index(0)), |b| {
            sums.write(b, number, &total);
            Ok(())
        })?;
        Ok(vec![])
    })?;
    let (numbers, shared): (Vec<_>, Vec<_>) = rows.iter().copied().unzip();
    forall_on(b, threads, &shared, of_threads(b), |b, t, shared| {
        let [number, lane] = b.divide(t, b.index(LANES));
        let start = b.for_loop([b.index(0), number, b.index(1)], &neutrals, |b, k, before| {
            Ok(tiles.combined(&b, before, &[sums.read(&b, k)]))
        })?;
        let finish = |_: &Builder<'c>, _, tuple: &[Val<'c>]| picked(tuple, &numbers);
        tiles.scan(b, &stretch(b, [number, lane]), &start.result_list(), shared, &finish)
    })
}
