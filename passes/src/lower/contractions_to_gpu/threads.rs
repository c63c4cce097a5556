//! Tiles whose elements are in the registers of threads, each some rows and columns of them.
//!
//! ```text
//! c = result or 0
//! for each tile of summands:
//!   for kk below their number, in order:  c += f(own rows of shared[kk], own columns of shared[kk])
//! result or part = c
//! ```
//! Behind a border of the sum nothing is added: what is before the border of all of a thread's rows needs no mask.
//!
//! Where the sum is not split, it begins with what is in the result and runs in order, as in loops: the values are the
//! same, bit by bit.

use ad_dialect::ir::{OpExt, Val};
use melior::ir::ValueLike;

use super::{
    copies::Copies,
    kernel::{Kernel, Summands, Thread},
    shape::{Contraction, Indices, in_order},
    tile::DEPTH,
};
use crate::support::{
    builder::{Builder, CMP_SGE, CMP_SLT},
    diag::Result,
    memory::load,
};

/// How many terms a thread adds between two tests whether a tile has more.
const UNROLLED: i64 = 256;

/// The tiles in shared memory, as a thread uses them.
struct InShared<'a, 'c> {
    copies: &'a [Copies<'a, 'c>],
    /// The thread's first row and column in them.
    own: [Val<'c>; 2],
    /// The stage of shared memory that they are in.
    stage: Val<'c>,
    /// How far each of its rows and columns is behind these.
    places: &'a [Vec<i64>; 2],
    /// What is the same for all summands of each of its elements.
    fixed: &'a [Vec<Val<'c>>],
}

impl<'c> Kernel<'_, 'c> {
    /// Makes a tile, of which each thread has so many rows and columns.
    pub fn by_threads(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        counts: [i64; 2],
        shared: &[Val<'c>],
    ) -> Result<()> {
        let number = b.divide(thread.number, b.index(self.tile.sides[1] / counts[1]));
        let [rows, columns] = [0, 1].map(|side| self.tile.places(side, counts[side]));
        let own = [b.mul(number[0], b.index(rows.0)), b.mul(number[1], b.index(columns.0))];
        let places = [rows.1, columns.1];
        let elements = self.elements(b, thread, own, &places);
        let start = self.start(b, thread, &elements, columns.0 as usize)?;
        let fixed = self.fixed(b, &elements)?;
        let sums = self.over_summands(b, thread, shared, start, |b, copies, summands, sums| {
            let Summands { first, left, stage } = summands;
            let tile = InShared { copies, own, stage, places: &places, fixed: &fixed };
            let Some((side, offset)) = self.contraction.end_of_sum() else {
                return match left {
                    Some(left) => self.add_up_whole(b, &tile, left, sums),
                    None => self.add_up_all(b, &tile, sums),
                };
            };
            let left = left.unwrap_or_else(|| b.index(DEPTH));
            let lowest = b.add(thread.first[side], own[side]);
            let end = b.sub(b.add(lowest, b.index(offset)), first);
            let within = |end| b.same("arith.minsi", &[end, left]);
            let whole = b.same("arith.maxsi", &[within(end), b.index(0)]);
            let highest = places[side].last().copied().unwrap_or_default();
            let all = within(b.add(end, b.index(highest)));
            let sums = self.add_up(b, &tile, [b.index(0), whole], sums, None)?;
            self.add_up(b, &tile, [whole, all], &sums, Some((side, end)))
        })?;
        if let Some((consumer, bands)) = self.parts.consumer.zip(self.contraction.bands) {
            let all: Vec<_> = (0..elements.len()).collect();
            let groups: Vec<_> = all.chunks(bands.count as usize).map(<[_]>::to_vec).collect();
            return self.consume(b, consumer, &groups, &elements, &sums);
        }
        self.finish(b, thread, &elements, &sums, columns.0 as usize)
    }

    /// The elements of a thread, by row.
    fn elements(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        own: [Val<'c>; 2],
        places: &[Vec<i64>; 2],
    ) -> Vec<Indices<'c>> {
        let along = |side: usize| -> Vec<_> {
            let start = b.add(thread.first[side], own[side]);
            places[side].iter().map(|&i| b.add(start, b.index(i))).collect()
        };
        let (rows, columns) = (along(0), along(1));
        let places = rows.iter().flat_map(|&row| columns.iter().map(move |&column| (row, column)));
        let at = |(row, column)| Indices { batch: thread.batch, row, column };
        places.map(at).collect()
    }

    /// What is the same for all summands of each element; anything where there is no element.
    fn fixed(&self, b: &Builder<'c>, elements: &[Indices<'c>]) -> Result<Vec<Vec<Val<'c>>>> {
        let Contraction { body, arrays, loops, .. } = self.contraction;
        let types: Vec<_> = body.fixed.iter().map(|value| value.r#type()).collect();
        let of_element = |&at: &Indices<'c>| {
            if types.is_empty() {
                return Ok(vec![]);
            }
            let made = b.if_else(self.is_inside(b, at), &types, |b, is_inside| {
                if !is_inside {
                    return Ok(types.iter().map(|&scalar| b.zero_scalar(scalar)).collect());
                }
                let indices = self.contraction.indices(&b, self.sizes, at);
                let make = |&value: &Val<'c>| {
                    let inputs = body.inputs_of(value).into_iter();
                    let load = |i: usize| (i, load(&b, arrays[i], &in_order(&loops[i], &indices)));
                    body.make(&b, value, inputs.map(load))
                };
                Ok(body.fixed.iter().map(make).collect())
            })?;
            Ok(made.result_list())
        };
        elements.iter().map(of_element).collect()
    }

    /// Adds what all summands of the tiles in shared memory make, in a loop that is unrolled: what is read for a summand is
    /// on its way while others are added.
    fn add_up_all(
        &self,
        b: &Builder<'c>,
        tile: &InShared<'_, 'c>,
        sums: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let together = (UNROLLED / sums.len() as i64).clamp(1, DEPTH);
        let [start, end, step] = [0, DEPTH, together].map(|i| b.index(i));
        let all = b.for_loop([start, end, step], sums, |b, first, sums| {
            let numbers = (0..together).map(|i| b.add(first, b.index(i)));
            let add = |sums: Vec<_>, number| self.add_one(&b, tile, number, &sums, None);
            Ok(numbers.fold(sums.to_vec(), add))
        })?;
        Ok(all.result_list())
    }

    /// Adds what all summands of the tiles in shared memory make that are before the end. A tile that is full has a loop of
    /// its own, which may be unrolled because its length is known.
    fn add_up_whole(
        &self,
        b: &Builder<'c>,
        tile: &InShared<'_, 'c>,
        left: Val<'c>,
        sums: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let depth = b.index(DEPTH);
        let is_full = b.compare(CMP_SGE, left, depth);
        let types: Vec<_> = sums.iter().map(|sum| sum.r#type()).collect();
        let all = b.if_else(is_full, &types, |b, is_full| {
            let end = if is_full { depth } else { left };
            self.add_up(&b, tile, [b.index(0), end], sums, None)
        })?;
        Ok(all.result_list())
    }

    /// Adds what some summands of the tiles in shared memory make; those behind the border of a row or column, which
    /// begins with so many for the first of the thread, are left out.
    fn add_up(
        &self,
        b: &Builder<'c>,
        tile: &InShared<'_, 'c>,
        [from, to]: [Val<'c>; 2],
        sums: &[Val<'c>],
        border: Option<(usize, Val<'c>)>,
    ) -> Result<Vec<Val<'c>>> {
        let all = b.for_loop([from, to, b.index(1)], sums, |b, number, sums| {
            Ok(self.add_one(&b, tile, number, sums, border))
        })?;
        Ok(all.result_list())
    }

    /// Adds what a summand of the tiles in shared memory makes.
    fn add_one(
        &self,
        b: &Builder<'c>,
        tile: &InShared<'_, 'c>,
        number: Val<'c>,
        sums: &[Val<'c>],
        border: Option<(usize, Val<'c>)>,
    ) -> Vec<Val<'c>> {
        let Contraction { body, element, .. } = self.contraction;
        let at = [tile.stage, number];
        let side = |i: usize| tile.copies[i].some(b, at, tile.own[i], &tile.places[i]);
        let (rows, columns) = (side(0), side(1));
        let is_within: Vec<_> = border.map_or_else(Vec::new, |(side, first)| {
            let end = |i| b.add(first, b.index(i));
            tile.places[side].iter().map(|&i| b.compare(CMP_SLT, number, end(i))).collect()
        });
        let sums = sums.iter().enumerate().map(|(position, &sum)| {
            let at = [position / columns.len(), position % columns.len()];
            let fixed = &tile.fixed[position];
            let term = self.contraction.term(b, [rows[at[0]], columns[at[1]]], fixed);
            let term = match border {
                Some((side, _)) => b.select(is_within[at[side]], term, b.zero_scalar(*element)),
                None => term,
            };
            body.add(b, sum, term)
        });
        sums.collect()
    }
}
