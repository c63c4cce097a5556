//! Inner loops along which every lane writes a row of its own.
//!
//! ```text
//! for j = ...                             for j = ... step W
//!   r[i, j, 0] = v0[j] in lane i            W vectors = v0[j], v1[j], v0[j + 1], ...
//!   r[i, j, 1] = v1[j] in lane i    ==>     r[i .. i + W, j .., ..] = the vectors' columns
//!                                           the next W vectors likewise
//! ```
//! One by one, each lane takes an extraction and a store. The numbers of several iterations that belong
//! to one lane are neighbours in memory: W vectors with W lanes are transposed, and a store takes W
//! numbers. A tile is written as soon as it is full, so that few vectors have to be kept.

use std::ops::Range;

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::{
    emit::{Emitter, Lanes, malformed},
    plan::{Class, Place},
    records::{RowKey, normal},
    rows::is_along,
    transpose::transpose,
};
use crate::support::{
    builder::Builder,
    combinator::constant_index,
    diag::Result,
    memory,
    roots::{Root, allocations},
};

/// How many operations an iteration may have, with those of short loops in it.
const LARGEST: usize = 80;

/// Rows that are written along an inner loop.
pub(super) struct Tile<'c> {
    stores: Vec<OpKey>,
    /// How many numbers each iteration writes to each row.
    width: usize,
    /// How many vectors have been computed.
    count: usize,
    /// The vectors that wait, in the order of their numbers in the rows.
    waiting: Vec<Option<Val<'c>>>,
    /// For each part of the rows that is written at once the place in each lane.
    at: Vec<Vec<Vec<Val<'c>>>>,
}

/// An operation of an inner loop, with the short loop that it may be in.
type Inside<'c> = (Op<'c>, Option<(Val<'c>, Range<i64>)>);

/// Stores to a row: how many numbers each iteration writes, and which of them are found.
struct Found<'c> {
    row: RowKey,
    width: i64,
    columns: Vec<i64>,
    stores: Vec<Op<'c>>,
}

impl<'c> Emitter<'_, 'c> {
    /// Finds the rows that an inner loop writes, if it has no loops but short ones; whether there are any.
    pub(super) fn find_tiles(&mut self, op: Op<'c>) -> bool {
        let Some(body) = inside(op).filter(|_| self.mask.is_none()) else { return false };
        let runs =
            |(_, short): &Inside<'c>| short.as_ref().map_or(1, |(_, range)| range.clone().count());
        if body.iter().map(runs).sum::<usize>() > LARGEST {
            return false;
        }
        let mut all: Vec<Found<'c>> = vec![];
        for found in body.iter().filter_map(|inner| self.find_store(op, inner)) {
            match all.iter_mut().find(|other| other.row == found.row) {
                Some(other) => {
                    other.columns.extend(found.columns);
                    other.stores.extend(found.stores);
                }
                None => all.push(found),
            }
        }
        for mut found in all {
            found.columns.sort();
            if found.columns.into_iter().eq(0..found.width) && is_alone(&found.stores, &body) {
                let width = found.width as usize;
                self.tiles.push(Tile {
                    stores: found.stores.iter().map(|op| op.key()).collect(),
                    width,
                    count: 0,
                    waiting: vec![None; width * self.register],
                    at: vec![vec![]; width],
                });
            }
        }
        !self.tiles.is_empty()
    }

    /// A store of floats of which each lane writes one to a row of its own.
    fn find_store(&self, op: Op<'c>, (store, short): &Inside<'c>) -> Option<Found<'c>> {
        let is_plain = store.op_name() == "memref.store"
            && self.facts.addition(*store).is_none()
            && !self.facts.records.has(*store);
        let operands = store.operand_list();
        let ([value, array], at) = operands.split_first_chunk().filter(|_| is_plain)?;
        if !value.r#type().is_float_type() || self.facts.is_private(*array) {
            return None;
        }
        let place = self.facts.place(*array, at)?;
        let is_each = self.facts.class_of_place(&place) == Class::Each;
        if !is_each || !memory::has_rows(place.array) {
            return None;
        }
        let numbers = || short.as_ref().map_or(0..1, |(_, range)| range.clone());
        let mut indices: Vec<_> = place.at.iter().map(normal).collect();
        let (width, columns) = if is_along(op, &place.at) {
            (1, numbers().map(|_| 0).collect())
        } else {
            let (terms, first) = indices.pop()?;
            let last = indices.len();
            let width = memory::static_size(place.array, last)?;
            let is_dense = memory::strides(place.array)?.get(last.checked_sub(1)?)? == &Some(width);
            let stride = match (&terms[..], short) {
                ([], _) => 0,
                ([(term, stride)], Some((number, _))) if *term == number.key() => *stride,
                _ => return None,
            };
            if !is_dense || !is_along(op, &place.at[..last]) {
                return None;
            }
            (width, numbers().map(|number| first + stride * number).collect())
        };
        Some(Found { row: (place.array.key(), indices), width, columns, stores: vec![*store] })
    }

    /// A loop in one of several iterations of an inner loop that writes rows, iteration by iteration.
    pub(super) fn short_loop(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let (body, range) = op.body(0).zip(numbers(op)).ok_or_else(|| malformed(op))?;
        let (arguments, ends) = (body.arg_list(), body.ends());
        let mut carried = self.as_carried(&b, op, &op.operand_list()[3..]);
        for number in range {
            self.set(arguments[0], Lanes::Same(b.index(number)));
            self.set_carried(op, &arguments[1..], &carried);
            self.block(b, body)?;
            carried = self.as_carried(&b, op, &ends);
        }
        self.set_carried(op, &op.result_list(), &carried);
        Ok(())
    }

    /// Keeps what the lanes write to their rows until there is enough of it, if that can wait.
    pub(super) fn add_to_tile(
        &mut self,
        b: &Builder<'c>,
        store: Op<'c>,
        place: &Place<'c>,
        value: Lanes<'c>,
    ) -> bool {
        let found = self.tiles.iter().position(|tile| tile.stores.contains(&store.key()));
        let Some(k) = found else { return false };
        let (side, width, count) = (self.register, self.tiles[k].width, self.tiles[k].count);
        let column = if width == 1 { 0 } else { self.column(place) };
        let number = count - count % width + column;
        let (part, vector) = (number / side, self.spread(b, value));
        let tile = &mut self.tiles[k];
        tile.waiting[number] = Some(vector);
        tile.count += 1;
        if number % side == 0 {
            let at = (0..self.lanes).map(|lane| self.indices(b, &place.at, lane)).collect();
            self.tiles[k].at[part] = at;
        }
        let waiting = &self.tiles[k].waiting[part * side..][..side];
        if let Some(vectors) = waiting.iter().copied().collect::<Option<Vec<_>>>() {
            let array = self.scalar(place.array);
            let rows = (0..self.lanes).step_by(side).flat_map(|lane| transpose(b, &vectors, lane));
            for (row, at) in rows.zip(&self.tiles[k].at[part]) {
                b.op("vector.store", &[&[row, array], &at[..]].concat(), &[]);
            }
        }
        true
    }

    /// The last index of a place, which is known.
    fn column(&self, place: &Place<'c>) -> usize {
        let Some(last) = place.at.last() else { return 0 };
        let term = |(value, stride): &(Val<'c>, i64)| {
            constant_index(self.scalar(*value)).unwrap_or_default() * stride
        };
        (last.constant + last.terms.iter().map(term).sum::<i64>()) as usize
    }
}

/// The operations of a loop without branches, and without loops but short ones.
fn inside<'c>(op: Op<'c>) -> Option<Vec<Inside<'c>>> {
    let mut all = vec![];
    for inner in op.body(0)?.body_ops() {
        match inner.blocks()[..] {
            [] => all.push((inner, None)),
            [body] if inner.op_name() == "scf.for" => {
                let short = (*body.arg_list().first()?, numbers(inner)?);
                for op in body.body_ops() {
                    op.blocks().is_empty().then(|| all.push((op, Some(short.clone()))))?;
                }
            }
            _ => return None,
        }
    }
    Some(all)
}

/// The numbers of the iterations of a loop, if they are known and follow each other.
fn numbers(op: Op<'_>) -> Option<Range<i64>> {
    let bound = |i: usize| op.opnd(i).and_then(constant_index);
    (bound(2)? == 1).then_some(bound(0)?..bound(1)?)
}

/// Whether nothing in a loop but some stores accesses the memory that they write to.
fn is_alone<'c>(stores: &[Op<'c>], body: &[Inside<'c>]) -> bool {
    let memory = |op: Op<'c>| match op.op_name() {
        "memref.load" => op.opnd(0).map(allocations),
        "memref.store" => op.opnd(1).map(allocations),
        _ => None,
    };
    let own = stores.first().and_then(|&store| memory(store)).unwrap_or_default();
    let is_store = |op: &Op<'c>| stores.iter().any(|store| store.key() == op.key());
    let mut others = body.iter().map(|(op, _)| *op).filter(|op| !is_store(op)).filter_map(memory);
    !own.contains(&Root::Unknown)
        && others.all(|other| !other.contains(&Root::Unknown) && other.is_disjoint(&own))
}
