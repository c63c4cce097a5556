//! Elements that a subgroup goes over in tiles, in which neighbouring threads have neighbouring elements.
//!
//! A tile has `items * LANES` elements, each thread's own `LANES` apart, and begins at a multiple of that, whatever the
//! direction is in which tiles follow each other. A subgroup has a stretch of neighbouring tiles:
//!
//! ```text
//! total  for each tile: for j < items: combine x[j * LANES + lane] of all lanes;  then those of all j, one after another
//! scan   for each tile: for j < items: each lane combines what the lanes up to it have
//!                       for j < items: ys[j * LANES + lane] = running combined with that;
//!                                      running = running combined with what the last lane has
//! ```
//! The order of the elements stays, so that the operator need not commute. Behind the end of the array there are neutral
//! elements; of the element that is there in their place, the last one, nothing is kept.

use ad_dialect::ir::{DYNAMIC, OpExt, TyExt, Val, array_of};
use melior::ir::ValueLike;

use super::{
    reduce::Combine,
    rows::Elements,
    subgroup::{LANES, STEPS, from_before, from_behind, of_lane},
};
use crate::{
    parallelize::{
        chunk::{Chunk, Piece, every},
        group::Group,
        size::Size,
    },
    support::{
        builder::{Builder, CMP_EQ, CMP_SGE, CMP_SLE, CMP_SLT},
        diag::Result,
        memory::bytes_of,
    },
};

/// The elements of a tile that a thread has, at most, and their bytes.
const ITEMS: i64 = 4;
const BYTES: i64 = 64;

/// What is gone over.
pub struct Tiles<'a, 'c> {
    /// The operation, with the maps that make what it reads.
    pub group: &'a Group<'c>,
    pub operator: Combine<'a, 'c>,
    pub inputs: &'a [Val<'c>],
    /// The number of elements.
    pub width: Val<'c>,
    /// How many elements of a tile each thread has.
    items: i64,
}

/// A thread's part in a stretch of tiles, in the order in which these are gone over.
pub struct Stretch<'c> {
    tiles: Chunk<'c>,
    /// How many tiles there are in all.
    count: Size<'c>,
    /// The number of the thread in the order of the elements.
    lane: Val<'c>,
}

/// A thread's elements of a tile.
struct Tile<'c> {
    /// The number of the tile by where it is in the array.
    number: Val<'c>,
    /// Of each element, whether it is there, and where it is read.
    places: Vec<(Val<'c>, Val<'c>)>,
    tuples: Vec<Vec<Val<'c>>>,
}

/// What becomes of the scanned elements, given the index and the tuple.
pub type Finish<'a, 'c> = &'a dyn Fn(&Builder<'c>, Val<'c>, &[Val<'c>]) -> Vec<Val<'c>>;

impl<'a, 'c> Tiles<'a, 'c> {
    pub fn new(
        group: &'a Group<'c>,
        operator: Combine<'a, 'c>,
        inputs: &'a [Val<'c>],
        width: Val<'c>,
    ) -> Self {
        let bytes = operator.neutrals.iter().filter_map(|value| bytes_of(value.r#type()));
        let items = (BYTES / bytes.sum::<i64>().max(1)).clamp(1, ITEMS);
        Self { group, operator, inputs, width, items }
    }

    fn size(&self) -> i64 {
        self.items * LANES
    }

    /// How many tiles there are.
    pub fn count(&self, b: &Builder<'c>) -> Size<'c> {
        Size::of_value(self.width).divided_by(b, self.size())
    }

    /// The stretch of a number, of so many.
    pub fn stretch(
        &self,
        b: &Builder<'c>,
        [number, lane]: [Val<'c>; 2],
        stretches: Size<'c>,
    ) -> Stretch<'c> {
        let count = self.count(b);
        Stretch { tiles: Chunk::new(b, number, count, stretches), count, lane }
    }

    fn combine(&self, b: &Builder<'c>, earlier: &[Val<'c>], later: &[Val<'c>]) -> Vec<Val<'c>> {
        let (left, right) =
            if self.group.is_reverse() { (later, earlier) } else { (earlier, later) };
        self.operator.apply(b, left, right)
    }

    /// The elements that are in front of each other, combined one after another.
    pub fn combined(
        &self,
        b: &Builder<'c>,
        first: &[Val<'c>],
        others: &[Vec<Val<'c>>],
    ) -> Vec<Val<'c>> {
        others.iter().fold(first.to_vec(), |all, next| self.combine(b, &all, next))
    }

    /// What all elements of a stretch combine to, for the first thread of the subgroup.
    pub fn total(&self, b: &Builder<'c>, stretch: &Stretch<'c>) -> Result<Vec<Val<'c>>> {
        let [zero, one] = [b.index(0), b.index(1)];
        let bounds = [zero, stretch.tiles.size.value(b), one];
        let all = b.for_loop(bounds, self.operator.neutrals, |b, k, running| {
            let mut tuples = self.tile(&b, stretch, k).tuples;
            if !self.operator.commutes {
                tuples = self.of_all_lanes(&b, stretch, tuples)?;
            }
            Ok(self.combined(&b, running, &tuples))
        })?;
        if !self.operator.commutes {
            return Ok(all.result_list());
        }
        Ok(self.of_all_lanes(b, stretch, vec![all.result_list()])?.concat())
    }

    /// The scan of a stretch that starts from a tuple: what goes into each of some arrays.
    pub fn scan(
        &self,
        b: &Builder<'c>,
        stretch: &Stretch<'c>,
        start: &[Val<'c>],
        outs: &[Val<'c>],
        finish: Finish<'_, 'c>,
    ) -> Result<Vec<Piece<'c>>> {
        let own = self.own_rows(b, stretch);
        let parts: Vec<_> = outs.iter().map(|&out| every(b, out, own, LANES)).collect();
        let [zero, one] = [b.index(0), b.index(1)];
        let bounds = [zero, stretch.tiles.size.value(b), one];
        let made = b.for_loop(bounds, &[start, &parts].concat(), |b, k, carried| {
            let (running, parts) = carried.split_at(start.len());
            let tile = self.tile(&b, stretch, k);
            let (running, scanned) = self.scan_tile(&b, stretch, running, tile.tuples)?;
            let end = b.mul(b.add(tile.number, one), b.index(self.size()));
            let is_full = b.compare(CMP_SLE, end, self.width);
            let types: Vec<_> = parts.iter().map(|part| part.r#type()).collect();
            let stored = b.if_else(is_full, &types, |b, is_full| {
                let mut parts = parts.to_vec();
                for (j, (&(is_there, index), tuple)) in (0..).zip(tile.places.iter().zip(&scanned))
                {
                    let at = self.place_of(&b, stretch, k, j);
                    let put = |b: &Builder<'c>| {
                        let values = finish(b, index, tuple).into_iter().zip(&parts);
                        values.map(|(v, &part)| b.insert_element(v, part, &[at])).collect()
                    };
                    parts = if is_full {
                        put(&b)
                    } else {
                        let put = |b: Builder<'c>, is_there| {
                            Ok(if is_there { put(&b) } else { parts.clone() })
                        };
                        b.if_else(is_there, &types, put)?.result_list()
                    };
                }
                Ok(parts)
            })?;
            Ok([running, stored.result_list()].concat())
        })?;
        let parts = made.result_list().into_iter().skip(start.len());
        Ok(parts.map(|part| Piece { step: LANES, ..Piece::rows(part, own) }).collect())
    }

    /// The elements of the tile that comes after so many of a stretch.
    fn tile(&self, b: &Builder<'c>, stretch: &Stretch<'c>, k: Val<'c>) -> Tile<'c> {
        let number = b.add(stretch.tiles.offset, k);
        let number = if self.group.is_reverse() {
            b.sub(b.sub(stretch.count.value(b), b.index(1)), number)
        } else {
            number
        };
        let first = b.add(b.mul(number, b.index(self.size())), self.own_lane(b, stretch));
        let last = b.sub(self.width, b.index(1));
        let index = |j| b.add(first, b.index(LANES * self.place(j)));
        let place = |index| {
            let is_there = b.compare(CMP_SLT, index, self.width);
            (is_there, b.same("arith.minsi", &[index, last]))
        };
        let places: Vec<_> = (0..self.items).map(index).map(place).collect();
        let tuple = |&(is_there, at): &(Val<'c>, Val<'c>)| {
            let own = Elements::new(self.group, at).of(b, self.inputs);
            let pairs = own.into_iter().zip(self.operator.neutrals);
            pairs.map(|(own, &neutral)| b.select(is_there, own, neutral)).collect()
        };
        let tuples = places.iter().map(tuple).collect();
        Tile { number, places, tuples }
    }

    /// Which of a thread's elements of a tile comes there in the order of the elements.
    fn place(&self, j: i64) -> i64 {
        if self.group.is_reverse() { self.items - 1 - j } else { j }
    }

    /// The number of the thread by where its elements are.
    fn own_lane(&self, b: &Builder<'c>, stretch: &Stretch<'c>) -> Val<'c> {
        if self.group.is_reverse() { b.sub(b.index(LANES - 1), stretch.lane) } else { stretch.lane }
    }

    /// Where a thread's elements of a stretch are: the first one, and how many there are.
    fn own_rows(&self, b: &Builder<'c>, stretch: &Stretch<'c>) -> Chunk<'c> {
        let (tiles, size) = (stretch.tiles, b.index(self.size()));
        let end = b.add(tiles.offset, tiles.size.value(b));
        let [first, end] = if self.group.is_reverse() {
            let count = stretch.count.value(b);
            [b.sub(count, end), b.sub(count, tiles.offset)]
        } else {
            [tiles.offset, end]
        };
        let offset = b.add(b.mul(first, size), self.own_lane(b, stretch));
        let end = b.same("arith.minsi", &[b.mul(end, size), self.width]);
        let rest = Size::Value(end).minus(b, Size::Value(offset));
        Chunk { offset, size: rest.divided_by(b, LANES) }
    }

    /// Where among its elements of a stretch a thread has one of the tile that comes after `k` others.
    fn place_of(&self, b: &Builder<'c>, stretch: &Stretch<'c>, k: Val<'c>, j: i64) -> Val<'c> {
        let tile = if self.group.is_reverse() {
            b.sub(b.sub(stretch.tiles.size.value(b), b.index(1)), k)
        } else {
            k
        };
        b.add(b.mul(tile, b.index(self.items)), b.index(self.place(j)))
    }

    /// What each of some tuples combines to with those of all lanes behind, for the first lane.
    fn of_all_lanes(
        &self,
        b: &Builder<'c>,
        stretch: &Stretch<'c>,
        tuples: Vec<Vec<Val<'c>>>,
    ) -> Result<Vec<Vec<Val<'c>>>> {
        self.in_lanes(b, tuples, |b, distance, own| {
            let others = own.iter().map(|&value| from_behind(b, value, distance)).collect();
            let is_there = || b.compare(CMP_SLT, b.add(stretch.lane, distance), b.index(LANES));
            self.combine(b, own, &self.operator.operands(b, is_there, others))
        })
    }

    /// What each of some tuples combines to with those of all lanes before.
    fn of_lanes_before(
        &self,
        b: &Builder<'c>,
        stretch: &Stretch<'c>,
        tuples: Vec<Vec<Val<'c>>>,
    ) -> Result<Vec<Vec<Val<'c>>>> {
        self.in_lanes(b, tuples, |b, distance, own| {
            let others = own.iter().map(|&value| from_before(b, value, distance)).collect();
            let is_there = b.compare(CMP_SGE, stretch.lane, distance);
            let others = self.operator.operands(b, || is_there, others);
            let both = self.combine(b, &others, own).into_iter().zip(own);
            both.map(|(both, &own)| b.select(is_there, both, own)).collect()
        })
    }

    /// Does something to each of some tuples for distances between lanes that double.
    fn in_lanes(
        &self,
        b: &Builder<'c>,
        tuples: Vec<Vec<Val<'c>>>,
        step: impl Fn(&Builder<'c>, Val<'c>, &[Val<'c>]) -> Vec<Val<'c>>,
    ) -> Result<Vec<Vec<Val<'c>>>> {
        let width = self.operator.neutrals.len().max(1);
        let bounds = [b.index(0), b.index(STEPS), b.index(1)];
        let all = b.for_loop(bounds, &tuples.concat(), |b, k, all| {
            let distance = b.same("arith.shli", &[b.index(1), k]);
            Ok(all.chunks(width).flat_map(|own| step(&b, distance, own)).collect())
        })?;
        Ok(all.result_list().chunks(width).map(<[_]>::to_vec).collect())
    }

    /// The running tuple behind a tile, and the scanned elements of a thread.
    fn scan_tile(
        &self,
        b: &Builder<'c>,
        stretch: &Stretch<'c>,
        running: &[Val<'c>],
        tuples: Vec<Vec<Val<'c>>>,
    ) -> Result<(Vec<Val<'c>>, Vec<Vec<Val<'c>>>)> {
        let mut running = running.to_vec();
        let mut scanned = vec![];
        let is_first = b.compare(CMP_EQ, stretch.lane, b.index(0));
        for all in self.of_lanes_before(b, stretch, tuples)? {
            scanned.push(if self.group.op.attr("exclusive").is_some() {
                let before = all.iter().map(|&value| from_before(b, value, b.index(1))).collect();
                let before = self.operator.operands(b, || b.not(is_first), before);
                let both = self.combine(b, &running, &before).into_iter().zip(&running);
                both.map(|(both, &running)| b.select(is_first, running, both)).collect()
            } else {
                self.combine(b, &running, &all)
            });
            let last: Vec<_> = all.iter().map(|&value| of_lane(b, value, LANES - 1)).collect();
            running = self.combine(b, &running, &last);
        }
        Ok((running, scanned))
    }
}

/// What the first thread of a subgroup puts into a row of a shared array; the others put nothing anywhere.
pub fn by_first_lane<'c>(
    b: &Builder<'c>,
    shared: Val<'c>,
    value: Val<'c>,
    [number, lane]: [Val<'c>; 2],
) -> Result<Piece<'c>> {
    let is_first = b.compare(CMP_EQ, lane, b.index(0));
    let size = b.select(is_first, b.index(1), b.index(0));
    let chunk = Chunk { offset: number, size: Size::Value(size) };
    let row = every(b, shared, chunk, 1);
    let types = [array_of(DYNAMIC, shared.r#type().scalar())];
    let row = b.if_else(is_first, &types, |b, is_first| {
        Ok(vec![if is_first { b.insert_element(value, row, &[b.index(0)]) } else { row }])
    })?;
    Ok(Piece::rows(row.result_list()[0], chunk))
}
