//! How the elements of a tile are spread over the threads that copy them, so that each reads several at once.
//!
//! Neighbours are counted along the dimension that comes last in memory: along the sum, or along rows or columns. Where
//! what a thread is to read at once begins at a multiple of its length, its elements lie side by side. Elsewhere they are as
//! far apart as there are threads along the dimension, so that these read neighbours:
//!
//! ```text
//! wide:    0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3        the threads of 16 elements
//! narrow:  0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3
//! ```

use ad_dialect::ir::Val;

use super::{
    copies::Side,
    runs::most_lanes,
    shape::Contraction,
    tile::{DEPTH, Tile},
};
use crate::{
    lower::forall_to_gpu::BLOCK,
    support::{
        builder::{Builder, CMP_SLE},
        memory::{are_aligned, bytes_of, element, has_lines, rank, strides},
    },
};

/// How elements of one side are spread.
#[derive(Clone)]
pub struct Spread<'c> {
    /// Whether neighbours are counted along the sum.
    pub is_along_sum: bool,
    /// The extent of the tile along the dimension in which neighbours are counted.
    fast: i64,
    /// How many elements a thread may read at once.
    pub lanes: i64,
    /// Whether it does, which is so for both sides or for none; nothing if it is one element.
    pub is_wide: Option<Val<'c>>,
    /// Whether neighbours lie side by side in memory in runs only, in one of which a thread's elements are in any case.
    is_in_runs: bool,
}

impl<'c> Spread<'c> {
    /// Those of both sides.
    pub fn of_both(
        b: &Builder<'c>,
        contraction: &Contraction<'c>,
        tile: Tile,
        sides: &[Side<'_, 'c>; 2],
    ) -> [Self; 2] {
        let spreads = sides.each_ref().map(|side| Self::new(b, contraction, tile, side));
        let all = spreads.iter().filter(|it| it.lanes > 1).filter_map(|it| it.is_wide);
        let is_wide = all.reduce(|x, y| b.same("arith.andi", &[x, y]));
        spreads.map(|spread| Self { is_wide: is_wide.filter(|_| spread.lanes > 1), ..spread })
    }

    fn new(
        b: &Builder<'c>,
        contraction: &Contraction<'c>,
        tile: Tile,
        side: &Side<'_, 'c>,
    ) -> Self {
        let inputs = contraction.body.inputs_of(contraction.side(side.number));
        let is_along_sum = contraction.is_along_sum(side.number);
        let fast = if is_along_sum { DEPTH } else { tile.sides[side.number] };
        let bands = contraction.bands.filter(|bands| side.number == 1 && bands.run > 1);
        let is_in_runs = bands.is_some() && !is_along_sum;
        let narrow = Self { is_along_sum, fast, lanes: 1, is_wide: None, is_in_runs };
        // With more inputs there are too few registers for what else a thread has on its way.
        let ([input], [sum]) = (&inputs[..], &contraction.sum[..]) else { return narrow };
        let (array, loops) = (contraction.arrays[*input], &contraction.loops[*input]);
        let along = if is_along_sum { &contraction.sum[..] } else { side.loops };
        let is_line =
            has_lines(array) && along.last() == loops.last() && (along.len() == 1 || is_in_runs);
        let Some(scalar) = element(array) else { return narrow };
        let lanes = (tile.sides[side.number] * DEPTH / BLOCK).min(most_lanes(scalar));
        let known = strides(array).unwrap_or_default();
        let outer = known.iter().rev().skip(1).flatten();
        let may_be_aligned = outer.into_iter().all(|stride| stride % lanes == 0);
        if !is_line || !loops.contains(sum) || !tile.is_long() || lanes < 2 || !may_be_aligned {
            return narrow;
        }
        let places = lines(b, rank(array));
        let Some(are_aligned) =
            are_aligned(b, array, &places, lanes * bytes_of(scalar).unwrap_or(1))
        else {
            return narrow;
        };
        let end = b.add(side.first, b.index(fast));
        let is_wide = match is_along_sum {
            true => are_aligned,
            false => b.same("arith.andi", &[are_aligned, b.compare(CMP_SLE, end, side.size)]),
        };
        Self { lanes, is_wide: Some(is_wide), ..narrow }
    }

    /// How many threads share a line.
    pub fn threads(&self) -> i64 {
        self.fast / self.lanes
    }

    /// Which elements of a line a thread has.
    pub fn places(&self, b: &Builder<'c>, thread: Val<'c>, is_wide: bool) -> Vec<Val<'c>> {
        let (lanes, threads) = (self.lanes, self.threads());
        let wide = |lane| b.add(b.mul(thread, b.index(lanes)), b.index(lane));
        let narrow = |lane| b.add(thread, b.index(lane * threads));
        (0..lanes).map(|lane| if is_wide { wide(lane) } else { narrow(lane) }).collect()
    }

    /// The same, in the way that is found when the kernel runs.
    pub fn found(&self, b: &Builder<'c>, thread: Val<'c>) -> Vec<Val<'c>> {
        let narrow = self.places(b, thread, self.is_in_runs);
        let Some(is_wide) = self.is_wide.filter(|_| !self.is_in_runs) else { return narrow };
        let pairs = self.places(b, thread, true).into_iter().zip(narrow);
        pairs.map(|(wide, narrow)| b.select(is_wide, wide, narrow)).collect()
    }
}

/// Where the first lines of a buffer begin: its first element, and the neighbours of that along all dimensions but the last.
fn lines<'c>(b: &Builder<'c>, rank: usize) -> Vec<Vec<Val<'c>>> {
    let place = |own| (0..rank).map(|d| b.index(i64::from(Some(d) == own))).collect();
    (0..rank - 1).map(Some).chain([None]).map(place).collect()
}
