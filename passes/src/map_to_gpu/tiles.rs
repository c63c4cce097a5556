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
use melior::ir::{Type, ValueLike};

use super::{
    ordered::Ordered,
    reduce::Combine,
    rows::Elements,
    subgroup::{LANES, from_before, of_lane},
};
use crate::{
    parallelize::group::Group,
    support::{
        builder::{Builder, CMP_EQ, CMP_SLE, CMP_SLT},
        chunk::{Chunk, Piece, every},
        diag::Result,
        memory::bytes_of,
        size::Size,
    },
};

/// The elements of a tile that a thread has, at most, and their bytes.
const ITEMS: i64 = 4;
const BYTES: i64 = 64;

/// What is gone over.
pub struct Tiles<'a, 'c> {
    /// The operation, with the maps that make what it reads.
    pub group: &'a Group<'c>,
    pub ordered: Ordered<'a, 'c>,
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
    /// Of each element, whether it is there, and its index.
    places: Vec<(Val<'c>, Val<'c>)>,
    tuples: Vec<Vec<Val<'c>>>,
}

/// What is made of an element, given the index and the tuple.
type Of<'a, 'c> = &'a dyn Fn(&Builder<'c>, Val<'c>, &[Val<'c>]) -> Vec<Val<'c>>;

/// What becomes of the scanned elements.
pub struct Finish<'a, 'c> {
    /// What goes into each of some arrays, and then what is to be combined.
    pub of: Of<'a, 'c>,
    /// What combines that, if anything.
    pub sums: Option<Combine<'a, 'c>>,
}

impl<'a, 'c> Tiles<'a, 'c> {
    pub fn new(
        group: &'a Group<'c>,
        operator: Combine<'a, 'c>,
        inputs: &'a [Val<'c>],
        width: Val<'c>,
    ) -> Self {
        let bytes = operator.neutrals.iter().filter_map(|value| bytes_of(value.r#type()));
        let items = (BYTES / bytes.sum::<i64>().max(1)).clamp(1, ITEMS);
        let ordered = Ordered { operator, is_reverse: group.is_reverse() };
        Self { group, ordered, inputs, width, items }
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

    /// Where a stretch, of so many, is in the order of the array.
    pub fn place_of_stretch(
        &self,
        b: &Builder<'c>,
        number: Val<'c>,
        stretches: Size<'c>,
    ) -> Val<'c> {
        if !self.group.is_reverse() {
            return number;
        }
        b.sub(b.sub(stretches.value(b), b.index(1)), number)
    }

    /// What all elements of a stretch combine to, for the first thread of the subgroup.
    pub fn total(&self, b: &Builder<'c>, stretch: &Stretch<'c>) -> Result<Vec<Val<'c>>> {
        let [zero, one] = [b.index(0), b.index(1)];
        let bounds = [zero, stretch.tiles.size.value(b), one];
        let all = b.for_loop(bounds, self.ordered.operator.neutrals, |b, k, running| {
            self.ordered.add(&b, stretch.lane, running, self.tile(&b, stretch, k).tuples)
        })?;
        self.ordered.all(b, stretch.lane, all.result_list())
    }

    /// The scan of a stretch that starts from a tuple: what goes into each of some arrays, and what the first thread has
    /// that all that is to be combined combines to.
    pub fn scan(
        &self,
        b: &Builder<'c>,
        stretch: &Stretch<'c>,
        start: &[Val<'c>],
        outs: &[Val<'c>],
        finish: &Finish<'_, 'c>,
    ) -> Result<(Vec<Piece<'c>>, Vec<Val<'c>>)> {
        let own = self.own_rows(b, stretch);
        let sums = finish.sums.map_or(&[][..], |operator| operator.neutrals);
        let sum = finish.sums.map(|operator| Ordered { operator, ..self.ordered });
        let parts: Vec<_> = outs.iter().map(|&out| every(b, out, own, LANES)).collect();
        let [zero, one] = [b.index(0), b.index(1)];
        let bounds = [zero, stretch.tiles.size.value(b), one];
        let made = b.for_loop(bounds, &[start, sums, &parts].concat(), |b, k, carried| {
            let (running, carried) = carried.split_at(start.len());
            let (sums, parts) = carried.split_at(sums.len());
            let tile = self.tile(&b, stretch, k);
            let (running, scanned) = self.scan_tile(&b, stretch, running, tile.tuples)?;
            let tile = Tile { tuples: scanned, ..tile };
            let mut made = self.finish_tile(&b, (stretch, k), &tile, parts, finish)?;
            let terms = made.split_off(parts.len());
            let sums = match sum {
                None => vec![],
                Some(sum) => {
                    let terms = terms.chunks(sums.len().max(1)).map(<[_]>::to_vec).collect();
                    sum.add(&b, stretch.lane, sums, terms)?
                }
            };
            Ok([running, sums, made].concat())
        })?;
        let mut made = made.result_list().split_off(start.len());
        let parts = made.split_off(sums.len());
        let sums = sum.map_or(Ok(vec![]), |sum| sum.all(b, stretch.lane, made))?;
        let piece = |part| Piece { step: LANES, ..Piece::rows(part, own) };
        Ok((parts.into_iter().map(piece).collect(), sums))
    }

    /// What becomes of the scanned elements of the tile that comes after `k` others: the parts of arrays with them, and
    /// what is to be combined, of each element.
    fn finish_tile(
        &self,
        b: &Builder<'c>,
        (stretch, k): (&Stretch<'c>, Val<'c>),
        tile: &Tile<'c>,
        parts: &[Val<'c>],
        finish: &Finish<'_, 'c>,
    ) -> Result<Vec<Val<'c>>> {
        let sums = finish.sums.map_or(&[][..], |operator| operator.neutrals);
        let type_of = |value: &Val<'c>| value.r#type();
        let types: Vec<Type<'c>> = parts.iter().chain(sums).map(type_of).collect();
        let all_types = [parts, &sums.repeat(tile.places.len())].concat();
        let all_types: Vec<_> = all_types.iter().map(type_of).collect();
        let end = b.mul(b.add(tile.number, b.index(1)), b.index(self.size()));
        let is_full = b.compare(CMP_SLE, end, self.width);
        let made = b.if_else(is_full, &all_types, |b, is_full| {
            let (mut parts, mut terms) = (parts.to_vec(), vec![]);
            for (j, (&(is_there, index), tuple)) in (0..).zip(tile.places.iter().zip(&tile.tuples))
            {
                let at = self.place_of(&b, stretch, k, j);
                let put = |b: &Builder<'c>| {
                    let mut values = (finish.of)(b, index, tuple);
                    let terms = values.split_off(parts.len());
                    let stored = values.into_iter().zip(&parts);
                    let stored = stored.map(|(value, &part)| b.insert_element(value, part, &[at]));
                    stored.chain(terms).collect::<Vec<_>>()
                };
                let mut made = if is_full {
                    put(&b)
                } else {
                    let put = |b: Builder<'c>, is_there| {
                        Ok(if is_there { put(&b) } else { [&parts, sums].concat() })
                    };
                    b.if_else(is_there, &types, put)?.result_list()
                };
                terms.extend(made.split_off(parts.len()));
                parts = made;
            }
            Ok([parts, terms].concat())
        })?;
        Ok(made.result_list())
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
        let place = |j| {
            let index = b.add(first, b.index(LANES * self.place(j)));
            (b.compare(CMP_SLT, index, self.width), index)
        };
        let places: Vec<_> = (0..self.items).map(place).collect();
        let tuple = |&(is_there, index): &(Val<'c>, Val<'c>)| {
            let at = b.same("arith.minsi", &[index, last]);
            let own = Elements::new(self.group, at).of(b, self.inputs);
            let pairs = own.into_iter().zip(self.ordered.operator.neutrals);
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
        for all in self.ordered.of_lanes_before(b, stretch.lane, tuples)? {
            scanned.push(if self.group.op.attr("exclusive").is_some() {
                let before = all.iter().map(|&value| from_before(b, value, b.index(1))).collect();
                let before = self.ordered.operator.operands(b, || b.not(is_first), before);
                let both = self.ordered.combine(b, &running, &before).into_iter().zip(&running);
                both.map(|(both, &running)| b.select(is_first, running, both)).collect()
            } else {
                self.ordered.combine(b, &running, &all)
            });
            let last: Vec<_> = all.iter().map(|&value| of_lane(b, value, LANES - 1)).collect();
            running = self.ordered.combine(b, &running, &last);
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
