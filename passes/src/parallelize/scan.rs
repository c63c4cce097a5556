//! `soac.scan` in two passes.
//!
//! The threads combine all chunks but the last one, each a piece of every chunk; then they scan the chunks, each of
//! which starts from what is before it. A scan that a cheap map or reduction reads row by row runs in the loop of the
//! reader, as on one thread, so that nothing is stored between the two:
//!
//! ```text
//! pass 1     p[i] = reduce op e xs[piece i], of all chunks but the last;   q = scan op e p
//! pass 2     ys[chunk t] = scan that starts from q at the end of chunk t - 1
//! ```
//!
//! Lowering starts a scan from its neutral element, so that what is before a chunk takes the place of that.
//! With `reverse` the chunks are counted from the end of the array. A piece is combined in some parts side by side, which
//! do not wait for each other as the steps of one part do.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Attribute, ValueLike};

use super::{Split, group::Group, parts::Parts, rows::width_of, work::work_of};
use crate::support::{
    builder::{Builder, CMP_EQ},
    chunk::{Chunk, Piece, forall, per_chunk},
    combinator::inputs_and_rest,
    diag::Result,
    region::{clone_with, copy_block},
    size::Size,
};

/// The pieces of a chunk, at most.
const PIECES: i64 = 8;
/// The parts of a piece that are combined side by side, at most.
const PARTS: i64 = 4;
/// Operations that keep a core busy while it waits for the one before.
const BUSY: i64 = 24;

/// How what is before the chunks is found.
#[derive(Clone, Copy)]
pub enum Totals {
    /// By few threads, between which the chunks are divided.
    Shared,
    /// By as many threads as there are chunks; their scan gets the attribute `TOTALS`.
    OnePerChunk,
}

/// The attribute of a scan of what chunks combine to.
pub const TOTALS: &str = "totals";

/// `soac.scan`.
pub fn scan<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Split<'c>> {
    let group = Some(Group::of(op)).filter(Group::has_operator)?;
    let (width, work) = (width_of(b, &group), work_of(b, &group));
    Some(Split { group, width, work, private: None, build: build_scan })
}

fn build_scan<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
) -> Result<Option<Vec<Val<'c>>>> {
    in_chunks(b, group, count, Totals::Shared)
}

/// The scan in so many chunks.
pub fn in_chunks<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    count: Size<'c>,
    totals: Totals,
) -> Result<Option<Vec<Val<'c>>>> {
    let scan = group.op;
    let (_, neutrals) = inputs_and_rest(scan);
    let starts = Starts::new(b, group, count, totals)?;
    let width = width_of(b, group);
    let results = scan.result_list();
    let read: Vec<_> = (0..results.len()).filter(|&k| !results[k].users().is_empty()).collect();
    let empty = |&k: &usize| {
        let is_dynamic = results[k].r#type().shape().first() == Some(&DYNAMIC);
        let mut sizes = if is_dynamic { vec![width.value(b)] } else { vec![] };
        sizes.extend(b.dynamic_dims(neutrals[k]));
        b.empty(results[k].r#type(), &sizes)
    };
    let shared: Vec<_> = read.iter().map(empty).collect();
    let rows = forall(b, count, &shared, |b, t, _| {
        let chunk = group.chunk(b, t, width, count);
        let mut parts = Parts::new(group, chunk).starting(starts.at(b, t)?);
        let operands = parts.operands(b, scan)?;
        let types: Vec<_> = results.iter().map(|&result| parts.type_of(result)).collect();
        let rows = clone_with(b, scan, &operands, &types).result_list();
        Ok(read.iter().map(|&k| Piece::rows(rows[k], chunk)).collect())
    })?;
    // What is not read may be anything, but not what the group makes, which is gone then.
    let mut rows = rows.into_iter();
    let value = |k| if read.contains(&k) { rows.next() } else { Some(empty(&k)) };
    Ok((0..results.len()).map(value).collect())
}

/// What is before each chunk, for the scans that run in its loop.
pub struct Starts<'c> {
    pieces: Size<'c>,
    scans: Vec<Scan<'c>>,
}

struct Scan<'c> {
    op: Op<'c>,
    inputs: Vec<Val<'c>>,
    neutrals: Vec<Val<'c>>,
    /// What all pieces up to each one combine to.
    before: Vec<Val<'c>>,
}

impl<'c> Starts<'c> {
    /// The first pass of all scans of a group.
    pub fn new(
        b: &Builder<'c>,
        group: &Group<'c>,
        count: Size<'c>,
        totals: Totals,
    ) -> Result<Self> {
        let scan = |op| {
            let (inputs, neutrals) = inputs_and_rest(op);
            Scan { op, inputs, neutrals, before: vec![] }
        };
        let mut scans: Vec<_> = group.scans().into_iter().map(scan).collect();
        let pieces = match totals {
            Totals::Shared => count.at_most(b, PIECES),
            Totals::OnePerChunk => Size::Known(1),
        };
        if scans.is_empty() {
            return Ok(Self { pieces, scans });
        }
        let number = count.minus_one(b).times(b, pieces);
        let neutrals = scans.iter().flat_map(|scan| &scan.neutrals);
        let shared: Vec<_> = neutrals.map(|&like| per_chunk(b, number, like)).collect();
        let width = width_of(b, group);
        let mut found = forall(b, number, &shared, |b, i, _| {
            let piece = piece(b, group, i, pieces, (width, count));
            let mut all = vec![];
            for scan in &scans {
                let parts = match totals {
                    Totals::Shared => scan.parts(group),
                    Totals::OnePerChunk => 1,
                };
                all.extend(scan.total(b, group, piece, parts)?);
            }
            Ok(all.into_iter().map(|total| Piece::row(b, total, i)).collect())
        })?;
        for scan in &mut scans {
            let rest = found.split_off(scan.neutrals.len().min(found.len()));
            // Pieces are in the order in which they are combined, operands in the order of the array.
            scan.before = b.scan(&found, &scan.neutrals, &[], |b, pair| {
                let (left, right) = pair.split_at(found.len());
                Ok(scan.combine(&b, group, left, right))
            })?;
            if let Some(op) = scan.before.first().and_then(|before| before.defining_op())
                && matches!(totals, Totals::OnePerChunk)
            {
                op.set_attr(b.context(), TOTALS, Attribute::unit(b.context()));
            }
            found = rest;
        }
        Ok(Self { pieces, scans })
    }

    /// What each scan starts from in a chunk.
    pub fn at(&self, b: &Builder<'c>, t: Val<'c>) -> Result<Vec<(Op<'c>, Vec<Val<'c>>)>> {
        let start = |scan: &Scan<'c>| {
            let types: Vec<_> = scan.neutrals.iter().map(|v| v.r#type()).collect();
            let is_first = b.compare(CMP_EQ, t, b.index(0));
            let start = b.if_else(is_first, &types, |b, is_first| {
                if is_first {
                    return Ok(scan.neutrals.clone());
                }
                let last = b.sub(b.mul(t, self.pieces.value(&b)), b.index(1));
                Ok(scan.before.iter().map(|&before| b.row(before, last)).collect())
            })?;
            Ok((scan.op, start.result_list()))
        };
        self.scans.iter().map(start).collect()
    }
}

/// A piece of a chunk by its number.
fn piece<'c>(
    b: &Builder<'c>,
    group: &Group<'c>,
    i: Val<'c>,
    pieces: Size<'c>,
    (width, count): (Size<'c>, Size<'c>),
) -> Chunk<'c> {
    if let Size::Known(1) = pieces {
        return group.chunk(b, i, width, count);
    }
    let pair = [i, pieces.value(b)];
    let chunk = group.chunk(b, b.same("arith.divui", &pair), width, count);
    let piece = group.chunk(b, b.same("arith.remui", &pair), chunk.size, pieces);
    Chunk { offset: b.add(chunk.offset, piece.offset), ..piece }
}

impl<'c> Scan<'c> {
    /// What is scanned earlier combined with what is scanned later.
    fn combine(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        earlier: &[Val<'c>],
        later: &[Val<'c>],
    ) -> Vec<Val<'c>> {
        let pair =
            if group.is_reverse() { [later, earlier].concat() } else { [earlier, later].concat() };
        self.apply(b, &pair)
    }

    fn apply(&self, b: &Builder<'c>, pair: &[Val<'c>]) -> Vec<Val<'c>> {
        self.op.body(0).map_or(vec![], |body| copy_block(b, body, pair))
    }

    /// How many parts of a piece are worth combining side by side.
    fn parts(&self, group: &Group<'c>) -> i64 {
        let is_scalar = |value: &Val<'c>| value.r#type().as_tensor().is_none();
        let size = |op: Op<'c>| op.body(0).map_or(0, |body| body.body_ops().len() as i64);
        let maps = group.maps_of(self.op);
        let all = maps.into_iter().map(size).sum::<i64>() + size(self.op);
        if self.neutrals.iter().all(is_scalar) { (BUSY / all.max(1)).clamp(1, PARTS) } else { 1 }
    }

    /// What some rows combine to.
    fn total(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        rows: Chunk<'c>,
        parts: i64,
    ) -> Result<Vec<Val<'c>>> {
        if parts == 1 {
            return self.reduce(b, group, &[rows]);
        }
        let pair = [rows.size.value(b), b.index(parts)];
        let size = b.same("arith.divui", &pair);
        let at = |b: &Builder<'c>, k: i64| b.add(rows.offset, b.mul(b.index(k), size));
        let slices: Vec<_> =
            (0..parts).map(|k| Chunk { offset: at(b, k), size: Size::Value(size) }).collect();
        let rest = Chunk { offset: at(b, parts), size: Size::Value(b.same("arith.remui", &pair)) };
        let mut totals = self.reduce(b, group, &slices)?;
        totals.extend(self.reduce(b, group, &[rest])?);
        let totals: Vec<_> = totals.chunks(self.neutrals.len()).map(<[_]>::to_vec).collect();
        let all = totals.into_iter().reduce(|sum, next| self.apply(b, &[sum, next].concat()));
        Ok(all.unwrap_or_default())
    }

    /// What the rows of each of some slices of one size combine to.
    fn reduce(
        &self,
        b: &Builder<'c>,
        group: &Group<'c>,
        slices: &[Chunk<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let mut rows = vec![];
        for &slice in slices {
            rows.extend(Parts::new(group, slice).of(b, &self.inputs)?);
        }
        let starts = self.neutrals.repeat(slices.len());
        b.deriving(self.op).reduce(&rows, &starts, |b, pair| {
            let (left, right) = pair.split_at(starts.len());
            let width = self.neutrals.len();
            let pairs = left.chunks(width).zip(right.chunks(width));
            Ok(pairs.flat_map(|(left, right)| self.apply(&b, &[left, right].concat())).collect())
        })
    }
}
