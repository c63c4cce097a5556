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
//! A map or a reduction that reads the results before anything else does is computed where they are, so that they are stored
//! for others only. The subgroups of a reduction combine what they have of their stretches, then one block combines that:
//!
//! ```text
//! zs = map f ys ws; ys = scan op e xs  ==>  zs[own of t] = f of the scan of the stretch and of ws[own of t]
//! s = reduce o z ys ws                 ==>  ps[t / LANES] = the scan of the stretch and its part of ws, combined by o
//!                                           s = reduce o z ps
//! ```
//!
//! Scans of arrays are made in chunks, each by one thread.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    BLOCK, Mapped,
    carried::precedes,
    distribute::BLOCKS,
    has,
    nest::{is_simple, with_maps},
    one_kernel,
    reduce::{Combine, commutes, is_for_lanes, operator_of},
    rows::Elements,
    shared::Shared,
    subgroup::{LANES, has_shuffles},
    tiles::{Finish, Tiles, by_first_lane},
};
use crate::{
    lower::forall_to_gpu::{of_threads, when},
    parallelize::{
        group::Group,
        rows::width_of,
        scan::{TOTALS, Totals, in_chunks},
    },
    support::{
        builder::{Builder, CMP_EQ},
        chunk::{Chunk, Piece, forall, forall_on, per_chunk, slice},
        combinator::{input_count, inputs_and_rest},
        diag::Result,
        memory::bytes_of,
        region::copy_block,
        size::Size,
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
    are_in_registers(&inputs_and_rest(op).1) && Group::only(op).has_operator()
}

/// Whether a block has a tuple for each of its threads in registers, of numbers that threads can hand to each other.
pub fn are_in_registers(tuple: &[Val<'_>]) -> bool {
    let bytes: Option<i64> = tuple.iter().map(|value| bytes_of(value.r#type())).sum();
    let is_number =
        |value: &Val<'_>| value.r#type().as_tensor().is_none() && has_shuffles(value.r#type());
    tuple.iter().all(is_number) && bytes.is_some_and(|bytes| bytes <= TUPLE)
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
        (_, true) => {
            let read = read_results(group.op);
            let made = in_stretches(b, group, &read, None)?;
            let width = width_of(b, group).value(b);
            return Ok(made.map(|(made, _)| all_results(b, group.op, &read, made, width)));
        }
        (Size::Known(n), false) => Size::Known((n / LEAST).min(ARRAYS)),
        (Size::Value(_), false) => Size::Known(ARRAYS),
    };
    in_chunks(b, group, count, Totals::OnePerChunk)
}

/// A scan that runs in the kernel of an operation that reads it.
pub struct Inner<'c> {
    /// The scan, with the maps in front of it.
    pub group: Group<'c>,
    /// The results that others read, too, by their numbers.
    others: Vec<usize>,
}

/// The scan that runs in the kernel of a map or a reduction, with the maps in front of it: what else reads the results comes
/// later.
pub fn read_by<'c>(reader: &Group<'c>) -> Option<Inner<'c>> {
    let op = reader.op;
    let is_flat = |op: Op<'c>| op.result_list().iter().all(|r| r.r#type().shape().len() == 1);
    let suits = match op.op_name() {
        "soac.map" => {
            let is_plain = input_count(op) == op.operand_count() && op.attr(BLOCKS).is_none();
            is_plain && is_flat(op)
        }
        "soac.reduce" => is_for_lanes(op),
        _ => false,
    };
    let readers = [&reader.maps[..], &[op]].concat();
    let has_simple =
        |op: &Op<'c>| op.body(0).is_some_and(|body| body.body_ops().into_iter().all(is_simple));
    if !suits || !reader.maps.iter().copied().all(is_flat) || !readers.iter().all(has_simple) {
        return None;
    }
    // The readers that go with the operation, because nothing else reads what they make.
    let mut own: HashSet<_> = [op.key()].into();
    let is_own = |own: &HashSet<OpKey>, user: &Op<'c>| own.contains(&user.key());
    for map in reader.maps.iter().rev() {
        let mut users = map.result_list().into_iter().flat_map(|result| result.users());
        if users.all(|user| is_own(&own, &user)) {
            own.insert(map.key());
        }
    }
    let is_read_here = |scan: &Op<'c>| {
        let mut users = scan.result_list().into_iter().flat_map(|result| result.users());
        let is_pure = !has(*scan, |op| op.op_name().starts_with("memref."));
        let is_beside = scan.block() == op.block() && is_pure && scan.attr(TOTALS).is_none();
        is_beside && users.all(|user| is_own(&own, &user) || precedes(op, user))
    };
    let makers = readers.iter().flat_map(OpExt::operand_list).filter_map(|v| v.defining_op());
    let scan = { makers }.find(|op| is_scalar_scan(*op) && is_read_here(op))?;
    let is_short = |input: Val<'c>| (0..=BLOCK * LEAST).contains(&input.r#type().shape()[0]);
    let group = with_maps(scan);
    if inputs_and_rest(scan).0.into_iter().any(is_short) || group.has_empty() {
        return None;
    }
    let has_others = |&k: &usize| {
        let users = scan.res(k).map(|result| result.users()).unwrap_or_default();
        !users.iter().all(|user| is_own(&own, user))
    };
    let others = (0..scan.result_count()).filter(has_others).collect();
    Some(Inner { group, others })
}

/// Such a map or reduction, with the scan in its kernel.
pub fn with_reader<'c>(b: &Builder<'c>, scan: &Inner<'c>, group: &Group<'c>) -> Mapped<'c> {
    let op = group.op;
    let neutrals = inputs_and_rest(op).1;
    let reduction = op.body(0).filter(|_| op.op_name() == "soac.reduce");
    let (operator, found) = match reduction {
        None => (None, None),
        Some(body) => {
            let (operator, found) = operator_of(b, op, body, &neutrals)?;
            (Some(operator), found)
        }
    };
    let stored = if operator.is_some() { vec![] } else { read_results(op) };
    let reader = Reader { group, stored, operator };
    let made = in_stretches(b, &scan.group, &scan.others, Some(&reader))?;
    found.iter().for_each(OpExt::erase);
    let Some((arrays, made)) = made else { return Ok(None) };
    for (&k, array) in scan.others.iter().zip(arrays) {
        if let Some(result) = scan.group.op.res(k) {
            result.replace_all_uses(array);
        }
    }
    Ok(Some(made))
}

/// What reads a scan in its kernel.
struct Reader<'a, 'c> {
    /// A map or a reduction, with the maps in front of it.
    group: &'a Group<'c>,
    /// The results of the map that are stored, by their numbers.
    stored: Vec<usize>,
    /// The operator of the reduction.
    operator: Option<Combine<'a, 'c>>,
}

impl<'c> Reader<'_, 'c> {
    /// What is stored, or combined, where the element of the scan is known.
    fn of(
        &self,
        b: &Builder<'c>,
        scan: Op<'c>,
        index: Val<'c>,
        element: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let op = self.group.op;
        let elements = Elements::new(self.group, index).knowing(scan, element);
        let elements = { elements }.of(b, &inputs_and_rest(op).0);
        match op.body(0).filter(|_| self.operator.is_none()) {
            Some(body) => picked(&copy_block(b, body, &elements), &self.stored),
            None => elements,
        }
    }

    /// The results, given what the kernel made for so many stretches.
    fn results(
        &self,
        b: &Builder<'c>,
        made: Vec<Val<'c>>,
        width: Val<'c>,
        count: Size<'c>,
    ) -> Result<Vec<Val<'c>>> {
        match self.operator {
            Some(operator) => operator.of_parts(b, self.group.op, &made, count),
            None => Ok(all_results(b, self.group.op, &self.stored, made, width)),
        }
    }
}

/// Some results of a scan of numbers, by their numbers, and those of an operation that reads it, by two kernels, with a scan
/// of what stretches combine to between them.
fn in_stretches<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    kept: &[usize],
    reader: Option<&Reader<'_, 'c>>,
) -> Result<Option<(Vec<Val<'c>>, Vec<Val<'c>>)>> {
    let (inputs, neutrals) = inputs_and_rest(group.op);
    let width = width_of(b, group).value(b);
    let Some(tiles) = tiles(group, &inputs, &neutrals, width) else { return Ok(None) };
    let some = tiles.count(b).divided_by(b, TILES).at_most(b, STRETCHES);
    let count = match some {
        Size::Known(_) => some,
        Size::Value(some) => Size::Value(b.same("arith.maxsi", &[some, b.index(1)])),
    };
    let before = before_stretches(b, &tiles, count)?;
    let of = |b: &Builder<'c>, index, element: &[Val<'c>]| {
        let of_reader = reader.map(|reader| reader.of(b, group.op, index, element));
        [picked(element, kept), of_reader.unwrap_or_default()].concat()
    };
    let finish = Finish { of: &of, sums: reader.and_then(|reader| reader.operator) };
    let mut stored = picked(&group.op.result_list(), kept);
    if let Some(reader) = reader {
        stored.extend(picked(&reader.group.op.result_list(), &reader.stored));
    }
    let mut shared: Vec<_> = stored.iter().map(|&result| empty(b, result, width)).collect();
    let like = finish.sums.map_or(&[][..], |operator| operator.neutrals);
    shared.extend(like.iter().map(|&like| per_chunk(b, count, like)));
    let threads = count.times(b, Size::Known(LANES));
    let mut made = forall(b, threads, &shared, |b, t, shared| {
        let [number, lane] = b.divide(t, b.index(LANES));
        let stretch = tiles.stretch(b, [number, lane], count);
        let start: Vec<_> = before.iter().map(|&before| b.row(before, number)).collect();
        let (rows, parts) = shared.split_at(stored.len());
        let (mut rows, sums) = tiles.scan(b, &stretch, &start, rows, &finish)?;
        let place = [tiles.place_of_stretch(b, number, count), lane];
        for (sum, &part) in sums.into_iter().zip(parts) {
            rows.push(by_first_lane(b, part, sum, place)?);
        }
        Ok(rows)
    })?;
    let of_reader = made.split_off(kept.len());
    let results = reader.map(|reader| reader.results(b, of_reader, width, count));
    Ok(Some((made, results.transpose()?.unwrap_or_default())))
}

/// What is before each of so many stretches, combined.
fn before_stretches<'c>(
    b: &Builder<'c>,
    tiles: &Tiles<'_, 'c>,
    count: Size<'c>,
) -> Result<Vec<Val<'c>>> {
    let neutrals = tiles.ordered.operator.neutrals;
    let shared: Vec<_> = neutrals.iter().map(|&like| per_chunk(b, count, like)).collect();
    let threads = count.times(b, Size::Known(LANES));
    let totals = forall(b, threads, &shared, |b, t, shared| {
        let own = b.divide(t, b.index(LANES));
        let total = tiles.total(b, &tiles.stretch(b, own, count))?.into_iter().zip(shared);
        total.map(|(value, &shared)| by_first_lane(b, shared, value, own)).collect()
    })?;
    // Stretches are in the order in which they are combined, operands in the order of the array.
    b.scan(&totals, neutrals, &["exclusive", TOTALS], |b, pair| {
        let (earlier, later) = pair.split_at(totals.len());
        Ok(tiles.ordered.combine(&b, earlier, later))
    })
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

/// The results that are read, by their numbers.
fn read_results(op: Op<'_>) -> Vec<usize> {
    let results = op.result_list();
    (0..results.len()).filter(|&k| !results[k].users().is_empty()).collect()
}

/// All results, given those that are read. What is not read may be anything.
fn all_results<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    read: &[usize],
    made: Vec<Val<'c>>,
    width: Val<'c>,
) -> Vec<Val<'c>> {
    let mut made: HashMap<_, _> = read.iter().copied().zip(made).collect();
    let results = op.result_list().into_iter().enumerate();
    results.map(|(k, result)| made.remove(&k).unwrap_or_else(|| empty(b, result, width))).collect()
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
            Ok(tiles.ordered.combine(&b, before, &sums.read(&b, k)))
        })?;
        let of = |_: &Builder<'c>, _, tuple: &[Val<'c>]| picked(tuple, &numbers);
        let finish = Finish { of: &of, sums: None };
        let stretch = stretch(b, [number, lane]);
        Ok(tiles.scan(b, &stretch, &start.result_list(), shared, &finish)?.0)
    })
}
