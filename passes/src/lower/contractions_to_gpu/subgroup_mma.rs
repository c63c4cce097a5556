//! Tiles that subgroups make of fragments, each a product of small matrices that all threads of a subgroup compute
//! together: what a GPU has tensor cores for.
//!
//! ```text
//! c = fragments of result or 0
//! for each tile of summands:
//!   for kk < DEPTH by a fragment's depth:  c += shared[kk.., own rows] * shared[kk.., own columns]
//! result or part = c
//! ```
//! Behind the end of a sum, or its border, there are zeros in shared memory, so that fragments need no bounds; what lies
//! outside of the result is not written. A thread reads and writes the elements that it has of a fragment: two of them lie
//! side by side, and those of four threads fill a sector of 32 bytes, or two.
//!
//! Sums run in another order than in loops, and the hardware may round products and sums once.

use ad_dialect::ir::{OpExt, Val};
use melior::ir::ValueLike;

use super::{
    bands::{Bands, RUN},
    copies::Copies,
    fragment::{Fragment, Part},
    kernel::{Kernel, Thread},
    shape::Indices,
    tile::{DEPTH, Tile},
};
use crate::{
    lower::forall_to_gpu::{BLOCK, LANES},
    support::{
        builder::{Builder, CMP_SLT},
        diag::{Result, internal_error},
    },
};

/// How many subgroups of a block there are.
const COUNT: i64 = BLOCK / LANES;

/// How many of them are above and beside each other in a tile, so that each has whole fragments, of the columns of all bands if
/// there are some, and reads as few rows and columns as that allows.
pub fn subgroups(sides: [i64; 2], fragment: Fragment, bands: Option<Bands>) -> Option<[i64; 2]> {
    let own = |numbers: [i64; 2]| [0, 1].map(|d| sides[d] / numbers[d]);
    let [rows, columns, _] = fragment.sizes;
    let least = [rows, bands.map_or(columns, |it| columns.max(it.count * it.run))];
    let fits = |numbers: &[i64; 2]| (0..2).all(|d| sides[d] % (numbers[d] * least[d]) == 0);
    let all = (1..=COUNT).filter(|above| COUNT % above == 0).map(|above| [above, COUNT / above]);
    all.filter(fits).min_by_key(|&numbers| own(numbers).iter().sum::<i64>())
}

/// How many elements that a thread has of a fragment of sums lie side by side in memory.
const TOGETHER: usize = 2;

/// What a subgroup has.
struct Subgroup<'c> {
    /// What its part of the tile is made of.
    fragment: Fragment,
    /// How many of them are above and beside each other.
    counts: [i64; 2],
    /// Its first row and column in the tile.
    first: [Val<'c>; 2],
    /// The number of the thread in it.
    lane: Val<'c>,
}

impl<'c> Kernel<'_, 'c> {
    /// Makes a tile, of which each subgroup has some fragments.
    pub fn by_subgroups(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        fragment: Fragment,
        shared: &[Val<'c>],
    ) -> Result<()> {
        let failed = || internal_error(self.contraction.op, "fragments have no type");
        let bands = self.contraction.bands;
        let subgroup = Subgroup::new(b, thread, self.tile, fragment, bands).ok_or_else(failed)?;
        let own = fragment.count();
        let count = own * (subgroup.counts[0] * subgroup.counts[1]) as usize;
        // What a border asks of each element would take registers over the loop.
        let is_late = self.contraction.has_border();
        let elements = || self.own_elements(b, thread, &subgroup).ok_or_else(failed);
        let start = match is_late {
            true => vec![b.zero_scalar(self.contraction.element); count],
            false => self.start(b, thread, &elements()?, TOGETHER)?,
        };
        let start = start.chunks(own).map(|elements| fragment.sums(b, elements));
        let start = start.collect::<Option<Vec<_>>>().ok_or_else(failed)?;
        let sums = self.over_summands(b, thread, shared, start, |b, copies, summands, sums| {
            let [rows, columns] = copies else { return Err(failed()) };
            let Some((side, offset)) = self.contraction.end_of_sum() else {
                return subgroup.add(b, [rows, columns], summands.stage, sums).ok_or_else(failed);
            };
            // Subgroups whose rows or columns have no summand of the tile leave it out.
            let own = subgroup.counts[side] * fragment.sizes[side];
            let first = b.add(thread.first[side], subgroup.first[side]);
            let end = b.add(first, b.index(own - 1 + offset));
            let has_some = b.compare(CMP_SLT, summands.first, end);
            let types: Vec<_> = sums.iter().map(|sum| sum.r#type()).collect();
            let added = b.if_else(has_some, &types, |b, has_some| match has_some {
                true => subgroup.add(&b, [rows, columns], summands.stage, sums).ok_or_else(failed),
                false => Ok(sums.to_vec()),
            })?;
            Ok(added.result_list())
        })?;
        if let Some((consumer, bands)) = self.parts.consumer.zip(bands) {
            let of_fragment = |&sum: &Val<'c>| fragment.elements(b, sum).ok_or_else(failed);
            let sums = sums.iter().map(of_fragment).collect::<Result<Vec<_>>>()?.concat();
            return self.consume(b, consumer, &subgroup.groups(bands), &elements()?, &sums);
        }
        for (elements, &sum) in elements()?.chunks(own).zip(&sums) {
            let mut sums = fragment.elements(b, sum).ok_or_else(failed)?;
            if is_late {
                let both = self.start(b, thread, elements, TOGETHER)?.into_iter().zip(sums);
                sums = both.map(|(x, y)| self.contraction.body.add(b, x, y)).collect();
            }
            self.finish(b, thread, elements, &sums, TOGETHER)?;
        }
        Ok(())
    }

    /// The elements of the result that a thread has, by fragment; fragments beside each other are counted first.
    fn own_elements(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        subgroup: &Subgroup<'c>,
    ) -> Option<Vec<Indices<'c>>> {
        let Subgroup { fragment, counts: [above, beside], first, lane } = subgroup;
        let places = fragment.places(b, *lane)?;
        let first = [0, 1].map(|d| b.add(thread.first[d], first[d]));
        let numbers = (0..*above).flat_map(|row| (0..*beside).map(move |column| [row, column]));
        let of_fragment = |numbers: [i64; 2]| {
            let before = [0, 1].map(|d| b.add(first[d], b.index(numbers[d] * fragment.sizes[d])));
            places.iter().map(|at| [0, 1].map(|d| b.add(before[d], at[d]))).collect::<Vec<_>>()
        };
        let at = |[row, column]: [Val<'c>; 2]| Indices { batch: thread.batch, row, column };
        Some(numbers.flat_map(of_fragment).map(at).collect())
    }
}

impl<'c> Subgroup<'c> {
    fn new(
        b: &Builder<'c>,
        thread: &Thread<'c>,
        tile: Tile,
        fragment: Fragment,
        bands: Option<Bands>,
    ) -> Option<Self> {
        let subgroups = subgroups(tile.sides, fragment, bands)?;
        let own = [0, 1].map(|d| tile.sides[d] / subgroups[d]);
        let counts = [0, 1].map(|d| own[d] / fragment.sizes[d]);
        let [number, lane] = b.divide(thread.number, b.index(LANES));
        let place = b.divide(number, b.index(subgroups[1]));
        let first = [0, 1].map(|d| b.mul(place[d], b.index(own[d])));
        Some(Self { fragment, counts, lane, first })
    }

    /// The numbers of a thread's elements, as `own_elements` counts them, of the same column of each band.
    fn groups(&self, bands: Bands) -> Vec<Vec<usize>> {
        let Self { fragment, counts: [above, beside], .. } = self;
        // A fragment has the columns of some runs, and a thread as many elements of each.
        let runs = fragment.sizes[1] / RUN;
        let (own, all) = (fragment.count() as i64 / runs, beside * runs / bands.count);
        let group = |row: i64, first: i64, element: i64| {
            let number = |band: i64| {
                let run = first * bands.count + band;
                ((row * beside + run / runs) * runs + run % runs) * own + element
            };
            (0..bands.count).map(|band| number(band) as usize).collect()
        };
        let rows = (0..*above).flat_map(|row| (0..all).map(move |first| (row, first)));
        let each = rows.flat_map(|(row, first)| (0..own).map(move |i| (row, first, i)));
        each.map(|(row, first, element)| group(row, first, element)).collect()
    }

    /// Adds what the tiles of both factors in a stage make to the fragments of sums.
    fn add(
        &self,
        b: &Builder<'c>,
        copies: [&Copies<'_, 'c>; 2],
        stage: Val<'c>,
        sums: &[Val<'c>],
    ) -> Option<Vec<Val<'c>>> {
        let (fragment, [above, beside]) = (self.fragment, self.counts);
        let [_, _, depth] = fragment.sizes;
        let has_sums = copies.map(Copies::has_sums_in_lines);
        let mut sums = sums.to_vec();
        for summand in (0..DEPTH).step_by(depth as usize).map(|i| b.index(i)) {
            let read = |part, d: usize, count| -> Option<Vec<_>> {
                let own = |i| b.add(self.first[d], b.index(i * fragment.sizes[d]));
                let place = |i| copies[d].place(b, stage, summand, own(i));
                let part = (part, has_sums[d]);
                (0..count).map(|i| fragment.load(b, part, copies[d].shared, place(i))).collect()
            };
            let (rows, columns) = (read(Part::Rows, 0, above)?, read(Part::Columns, 1, beside)?);
            let pairs = rows.iter().flat_map(|&x| columns.iter().map(move |&y| [x, y]));
            for ([x, y], total) in pairs.zip(&mut sums) {
                *total = Fragment::add_product(b, [x, y], has_sums, *total);
            }
        }
        Some(sums)
    }
}
