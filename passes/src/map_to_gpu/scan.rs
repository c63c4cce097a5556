//! Scans.
//!
//! Long ones are made in chunks: one thread for each combines it, a block scans what all combine to, and one thread for
//! each chunk scans that. In the bodies of maps a block scans each row. The threads of a block do the same:
//!
//! ```text
//! forall thread t < BLOCK: sums[t] = all chunks of the subgroup up to that of t;  by shuffles
//! forall thread 0:         starts[k] = all chunks of the subgroups before that of number k
//! forall thread t < BLOCK: ys[chunk t] = scan that starts from starts[t / LANES] and sums[t - 1]
//! ```
//! With `reverse` the chunks are counted from the end of the row.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val};
use melior::ir::ValueLike;

use super::{
    BLOCK, Mapped, one_kernel,
    reduce::{Combine, of_threads},
    shared::Shared,
    subgroup::{LANES, STEPS, from_before, has_shuffles},
};
use crate::{
    parallelize::{
        chunk::{Chunk, Parts, Piece, forall_on, inputs_and_rest, slice},
        group::Group,
        rows::width_of,
        scan::{TOTALS, Totals, in_chunks},
        size::Size,
    },
    support::{
        builder::{Builder, CMP_EQ, CMP_SGE},
        diag::Result,
        memory::bytes_of,
        region::clone_with,
    },
};

/// The most chunks of a scan of numbers: as many threads as a large GPU has at once are some times more, but each reads
/// places of its own, which are to stay near until it has read their neighbours.
const CHUNKS: i64 = 32768;
/// The same for arrays, of which each thread has one of its own.
const ARRAYS: i64 = 1024;
/// How many elements a chunk has at least, if there are as many.
const LEAST: i64 = 16;
/// The largest tuples of which a block has one for each of its threads in shared memory, in bytes.
const TUPLE: i64 = 128;

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
        (Size::Known(n), true) => Size::Known((n / LEAST).min(CHUNKS)),
        (Size::Value(width), true) => {
            let wanted = b.same("arith.ceildivsi", &[width, b.index(LEAST)]);
            Size::Value(b.same("arith.maxsi", &[wanted, b.index(1)])).at_most(b, CHUNKS)
        }
        (Size::Known(n), false) => Size::Known((n / LEAST).min(ARRAYS)),
        (Size::Value(_), false) => Size::Known(ARRAYS),
    };
    in_chunks(b, group, count, Totals::OnePerChunk)
}

/// A scan by a kernel of one block.
fn alone<'c>(b: &Builder<'c>, group: &Group<'c>) -> Mapped<'c> {
    let results = group.op.result_list();
    let width = width_of(b, group);
    let empty = |result: &Val<'c>| {
        let is_dynamic = result.r#type().shape().first() == Some(&DYNAMIC);
        b.empty(result.r#type(), &if is_dynamic { vec![width.value(b)] } else { vec![] })
    };
    let shared: Vec<_> = results.iter().map(empty).collect();
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
    let scan = group.op;
    let (inputs, neutrals) = inputs_and_rest(scan);
    let Some(body) = scan.body(0) else { return Ok(vec![]) };
    let own = Combine { body, neutrals: &neutrals, commutes: false };
    let [sums, starts] = [BLOCK, BLOCK / LANES].map(|count| Shared::new(b, count, &neutrals));
    let width = width_of(b, group);
    let threads = Size::Known(BLOCK);
    let combine = |b: &Builder<'c>, earlier: &[Val<'c>], later: &[Val<'c>]| {
        if group.is_reverse() { own.apply(b, later, earlier) } else { own.apply(b, earlier, later) }
    };
    forall_on(b, threads, &[], of_threads(b), |b, t, _| {
        let chunk = group.chunk(b, t, width, threads);
        let total = own.over(b, group, &inputs, chunk)?;
        let lane = b.same("arith.remui", &[t, b.index(LANES)]);
        let bounds = [b.index(0), b.index(STEPS), b.index(1)];
        let all = b.for_loop(bounds, &total, |b, k, all| {
            let distance = b.same("arith.shli", &[b.index(1), k]);
            let others: Vec<_> =
                all.iter().map(|&value| from_before(&b, value, distance)).collect();
            let is_there = b.compare(CMP_SGE, lane, distance);
            let both = combine(&b, &others, all);
            Ok(both.iter().zip(all).map(|(&both, &own)| b.select(is_there, both, own)).collect())
        })?;
        sums.write(b, t, &all.result_list());
        Ok(vec![])
    })?;
    forall_on(b, Size::Known(1), &[], of_threads(b), |b, _, _| {
        let bounds = [b.index(0), b.index(BLOCK / LANES), b.index(1)];
        b.for_loop(bounds, &neutrals, |b, k, before| {
            starts.write(&b, k, before);
            let last = b.add(b.mul(k, b.index(LANES)), b.index(LANES - 1));
            Ok(combine(&b, before, &sums.read(&b, last)))
        })?;
        Ok(vec![])
    })?;
    let shared: Vec<_> = rows.iter().map(|&(_, row)| row).collect();
    forall_on(b, threads, &shared, of_threads(b), |b, t, _| {
        let chunk = group.chunk(b, t, width, threads);
        let before = starts.read(b, b.same("arith.divui", &[t, b.index(LANES)]));
        let lane = b.same("arith.remui", &[t, b.index(LANES)]);
        let is_first = b.compare(CMP_EQ, lane, b.index(0));
        let types: Vec<_> = before.iter().map(|value| value.r#type()).collect();
        let start = b.if_else(is_first, &types, |b, is_first| {
            if is_first {
                return Ok(before.clone());
            }
            Ok(combine(&b, &before, &sums.read(&b, b.sub(t, b.index(1)))))
        })?;
        let mut parts = Parts::new(group, chunk).starting(vec![(scan, start.result_list())]);
        let operands = parts.operands(b, scan)?;
        let types: Vec<_> =
            scan.result_list().iter().map(|&result| parts.type_of(result)).collect();
        let made = clone_with(b, scan, &operands, &types).result_list();
        Ok(rows.iter().map(|&(k, _)| Piece::rows(made[k], chunk)).collect())
    })
}
