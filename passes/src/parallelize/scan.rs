//! `soac.scan` in two passes.
//!
//! There is one chunk more than there are threads. First, one thread scans the first chunk while the others combine one
//! of the next chunks each; then the threads scan all chunks but the first, starting from what is before them. So every
//! element is combined at most twice, and n threads take 2 / (n + 1) of the time:
//!
//! ```text
//! pass 1     t = 0: ys[chunk 0] = scan xs[chunk 0]           t > 0: p[t] = reduce op e xs[chunk t]
//!            p[0] = the last of chunk 0;  q = scan op e p
//! pass 2     ys[chunk t + 1] = scan that starts from q[t]
//! ```
//!
//! With `reverse` the first chunk is the last one of the array. A component that no result depends on through the running
//! tuple is not scanned, as in `lower-soac-to-loops`.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, array_of};
use melior::ir::ValueLike;

use super::{
    Split,
    chunk::{Chunk, Group, Parts, Piece, forall, inputs_and_rest, per_chunk},
    rows::width_of,
    size::Size,
    work::work_of,
};
use crate::{
    lower::soac_to_loops::live_components,
    support::{
        builder::{Builder, CMP_EQ, CMP_SGT},
        diag::Result,
        region::{clone_with, copy_block},
    },
};

/// `soac.scan`.
pub fn scan<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Split<'c>> {
    let group = Some(Group::of(op)).filter(Group::has_operator)?;
    let (width, work) = (width_of(b, &group), work_of(b, &group));
    Some(Split { group, width, work, private: None, build: in_chunks })
}

/// The scan in one chunk more than `count`.
pub fn in_chunks<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
) -> Result<Option<Vec<Val<'c>>>> {
    let Some(scan) = Scan::new(b, group, count) else { return Ok(None) };
    let (started, totals) = scan.first_pass(b)?;
    let totals = scan.with_first_total(b, &started, &totals)?;
    // Chunks are in the order in which they are combined, operands in the order of the array.
    let before = b.scan(&totals, &scan.neutrals, &[], |b, pair| {
        let (left, right) = pair.split_at(totals.len());
        Ok(scan.combine(&b, left, right))
    })?;
    let scanned = scan.second_pass(b, &started, &before)?;
    // What is not scanned is not read, and may be anything.
    let mut results = scan.inputs.clone();
    for (&k, rows) in scan.live.iter().zip(scanned) {
        results[k] = rows;
    }
    Ok(Some(results))
}

struct Scan<'a, 'c> {
    group: &'a Group<'c>,
    count: Size<'c>,
    inputs: Vec<Val<'c>>,
    neutrals: Vec<Val<'c>>,
    /// The components that are scanned; of the others only what they combine to in later chunks counts.
    live: Vec<usize>,
    width: Size<'c>,
    exclusive: bool,
    reverse: bool,
}

impl<'a, 'c> Scan<'a, 'c> {
    fn new(b: &Builder<'c>, group: &'a Group<'c>, count: Size<'c>) -> Option<Self> {
        let (inputs, neutrals) = inputs_and_rest(group.op);
        let reverse = group.op.attr("reverse").is_some();
        let body = group.op.body(0)?;
        let arguments = body.arg_list();
        let (left, right) = arguments.split_at(neutrals.len());
        let live = live_components(group.op, body, if reverse { right } else { left });
        let width = width_of(b, group);
        let exclusive = group.op.attr("exclusive").is_some();
        Some(Self { group, count, inputs, neutrals, live, width, exclusive, reverse })
    }

    /// What is scanned earlier combined with what is scanned later.
    fn combine(&self, b: &Builder<'c>, earlier: &[Val<'c>], later: &[Val<'c>]) -> Vec<Val<'c>> {
        let pair = if self.reverse { [later, earlier].concat() } else { [earlier, later].concat() };
        self.group.op.body(0).map_or(vec![], |body| copy_block(b, body, &pair))
    }

    /// A chunk by its number in the order of the scan.
    fn chunk(&self, b: &Builder<'c>, number: Val<'c>) -> Chunk<'c> {
        let chunks = self.count.plus(b, Size::Known(1));
        let mut chunk = Chunk::new(b, number, self.width, chunks);
        if self.reverse {
            let rest = b.sub(self.width.value(b), chunk.offset);
            chunk.offset = b.sub(rest, chunk.size.value(b));
        }
        chunk
    }

    /// The results where they are in the first chunk, and what all chunks but the first and the last combine to.
    fn first_pass(&self, b: &Builder<'c>) -> Result<(Vec<Val<'c>>, Vec<Val<'c>>)> {
        let empty = |&k: &usize| {
            let (input, neutral) = (self.inputs[k], self.neutrals[k]);
            let is_dynamic = input.r#type().shape().first() == Some(&DYNAMIC);
            let mut sizes = if is_dynamic { vec![self.width.value(b)] } else { vec![] };
            sizes.extend(b.dynamic_dims(neutral));
            b.empty(input.r#type(), &sizes)
        };
        let mut shared: Vec<_> = self.live.iter().map(empty).collect();
        shared.extend(self.neutrals.iter().map(|&like| per_chunk(b, self.count, like)));
        let results = forall(b, self.count, &shared, |b, t, _| {
            let chunk = self.chunk(b, t);
            let zero = b.index(0);
            let is_first = b.compare(CMP_EQ, t, zero);
            let either = |yes, no| Size::Value(b.select(is_first, yes, no));
            let size = chunk.size.value(b);
            let first = Chunk { size: either(size, zero), ..chunk };
            let rest = Chunk { size: either(zero, size), ..chunk };
            let rows = self.scan_from(b, first, None)?;
            let parts = Parts::new(self.group, rest).of(b, &self.inputs)?;
            let totals = self.reduce(b, &parts)?;
            let rows = rows.into_iter().map(|rows| Piece::rows(rows, first));
            Ok(rows.chain(totals.into_iter().map(|total| Piece::row(b, total, t))).collect())
        })?;
        let (started, totals) = results.split_at(self.live.len());
        Ok((started.to_vec(), totals.to_vec()))
    }

    /// What some rows combine to.
    fn reduce(&self, b: &Builder<'c>, rows: &[Val<'c>]) -> Result<Vec<Val<'c>>> {
        b.deriving(self.group.op).reduce(rows, &self.neutrals, |b, pair| {
            Ok(self.group.op.body(0).map_or(vec![], |body| copy_block(&b, body, pair)))
        })
    }

    /// Puts what the first chunk combines to in its place.
    fn with_first_total(
        &self,
        b: &Builder<'c>,
        started: &[Val<'c>],
        totals: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let zero = b.index(0);
        let mut last = self.chunk(b, zero);
        if !self.reverse {
            last.offset = b.sub(last.size.value(b), b.index(1));
        }
        let is_there = b.compare(CMP_SGT, self.width.value(b), zero);
        last.size = Size::Value(b.select(is_there, b.index(1), zero));
        let mut total = self.neutrals.clone();
        for (&k, &rows) in self.live.iter().zip(started) {
            total[k] = b.guarded_element(is_there, rows, &[last.offset], |_| None)?;
        }
        if self.exclusive {
            let parts = Parts::new(self.group, last).of(b, &self.inputs)?;
            total = self.combine(b, &total, &self.reduce(b, &parts)?);
        }
        let places = total.into_iter().zip(totals);
        Ok(places.map(|(total, &totals)| b.insert_row(total, totals, zero)).collect())
    }

    fn second_pass(
        &self,
        b: &Builder<'c>,
        started: &[Val<'c>],
        before: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        forall(b, self.count, started, |b, t, _| {
            let chunk = self.chunk(b, b.add(t, b.index(1)));
            let before: Vec<_> = before.iter().map(|&before| b.row(before, t)).collect();
            let rows = self.scan_from(b, chunk, Some(&before))?;
            Ok(rows.into_iter().map(|rows| Piece::rows(rows, chunk)).collect())
        })
    }

    /// The live components of a scan of a chunk, starting from what is before it.
    fn scan_from(
        &self,
        b: &Builder<'c>,
        chunk: Chunk<'c>,
        before: Option<&[Val<'c>]>,
    ) -> Result<Vec<Val<'c>>> {
        let mut parts = Parts::new(self.group, chunk);
        let types: Vec<_> = self.inputs.iter().map(|&input| parts.type_of(input)).collect();
        let rows = parts.of(b, &self.inputs)?;
        let (rows, start) = match before {
            Some(before) if self.exclusive => (rows, before),
            Some(before) => (self.seeded(b, chunk, &rows, before)?, &self.neutrals[..]),
            None => (rows, &self.neutrals[..]),
        };
        let operands = [&rows[..], start].concat();
        let rows = clone_with(b, self.group.op, &operands, &types).result_list();
        Ok(self.live.iter().map(|&k| rows[k]).collect())
    }

    /// The rows with what is before them combined into the one that is scanned first.
    fn seeded(
        &self,
        b: &Builder<'c>,
        chunk: Chunk<'c>,
        rows: &[Val<'c>],
        before: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let size = chunk.size.value(b);
        let first = if self.reverse { b.sub(size, b.index(1)) } else { b.index(0) };
        let numbers = b.iota(size, chunk.size.in_type());
        let types: Vec<_> =
            rows.iter().map(|row| array_of(chunk.size.in_type(), row.r#type().row())).collect();
        b.map(&[&[numbers], rows].concat(), &[], &types, |b, arguments| {
            let (number, row) = (arguments[0], &arguments[1..]);
            let is_first = b.compare(CMP_EQ, number, first);
            let types: Vec<_> = row.iter().map(|value| value.r#type()).collect();
            let seeded = b.if_else(is_first, &types, |b, is_first| {
                Ok(if is_first { self.combine(&b, before, row) } else { row.to_vec() })
            })?;
            Ok(seeded.result_list())
        })
    }
}
