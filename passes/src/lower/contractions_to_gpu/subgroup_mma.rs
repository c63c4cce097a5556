//! Tiles that subgroups make of fragments, each a product of small matrices that all threads of a subgroup compute
//! together: what a GPU has tensor cores for.
//!
//! ```text
//! c = fragments of zeros
//! for each tile of summands:
//!   for kk < DEPTH by a fragment's depth:  c += shared[kk.., own rows] * shared[kk.., own columns]
//! for each fragment:  barrier of the subgroup;  shared = c;  barrier;  result += shared, or part = shared
//! ```
//! Behind the end of a sum, or its border, there are zeros in shared memory, so that fragments need no bounds; what lies
//! outside of the result is not written. Who has which element of a fragment is not known here: elements go through shared
//! memory.
//!
//! Sums run in another order than in loops, and the hardware may round products and sums once.

use ad_dialect::ir::{OpExt, Val};
use melior::ir::ValueLike;

use super::{
    copies::Copies,
    fragment::{Fragment, Part},
    kernel::{Element, Kernel, Thread},
    shape::Indices,
    tile::{DEPTH, Tile, WIDEST},
};
use crate::{
    lower::{
        forall_to_gpu::{BLOCK, LANES},
        subgroups_to_nvvm::barrier,
    },
    support::{
        builder::{Builder, CMP_SLT},
        diag::{Result, internal_error},
        memory::{bytes_of, element, load, store},
    },
};

/// How many subgroups of a block there are.
pub const COUNT: i64 = BLOCK / LANES;

/// How many of them are above and beside each other in a tile, so that each has whole fragments, and reads as few rows and
/// columns as that allows.
pub fn subgroups(sides: [i64; 2], fragment: Fragment) -> Option<[i64; 2]> {
    let own = |numbers: [i64; 2]| [0, 1].map(|d| sides[d] / numbers[d]);
    let fits =
        |numbers: &[i64; 2]| (0..2).all(|d| sides[d] % (numbers[d] * fragment.sizes[d]) == 0);
    let all = (1..=COUNT).filter(|above| COUNT % above == 0).map(|above| [above, COUNT / above]);
    all.filter(fits).min_by_key(|&numbers| own(numbers).iter().sum::<i64>())
}

/// What a subgroup has.
struct Subgroup<'c> {
    /// What its part of the tile is made of.
    fragment: Fragment,
    /// How many of them are above and beside each other.
    counts: [i64; 2],
    /// The number of the thread in it.
    lane: Val<'c>,
    /// How many sums that lie side by side a thread deals with at once.
    run: i64,
    /// Its first row and column in the tile.
    first: [Val<'c>; 2],
    /// Where its fragment is in shared memory.
    shared: Val<'c>,
    row: Val<'c>,
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
        let [tiles @ .., own] = shared else { return Err(failed()) };
        let subgroup = Subgroup::new(b, thread, self.tile, fragment, *own).ok_or_else(failed)?;
        let zeros = subgroup.zeros(b).ok_or_else(failed)?;
        let start = vec![zeros; (subgroup.counts[0] * subgroup.counts[1]) as usize];
        let sums = self.over_summands(b, thread, tiles, start, |b, copies, summands, sums| {
            let [rows, columns] = copies else { return Err(failed()) };
            let Some((side, offset)) = self.contraction.end_of_sum() else {
                return subgroup.add(b, [rows, columns], summands.row, sums).ok_or_else(failed);
            };
            // Subgroups whose rows or columns have no summand of the tile leave it out.
            let own = subgroup.counts[side] * fragment.sizes[side];
            let first = b.add(thread.first[side], subgroup.first[side]);
            let end = b.add(first, b.index(own - 1 + offset));
            let has_some = b.compare(CMP_SLT, summands.first, end);
            let types: Vec<_> = sums.iter().map(|sum| sum.r#type()).collect();
            let added = b.if_else(has_some, &types, |b, has_some| match has_some {
                true => subgroup.add(&b, [rows, columns], summands.row, sums).ok_or_else(failed),
                false => Ok(sums.to_vec()),
            })?;
            Ok(added.result_list())
        })?;
        let run = subgroup.run as usize;
        let fragments = (0..sums.len() as i64).map(|number| {
            let place = |at| self.element(b, thread, &subgroup, number, at);
            subgroup.places(b).into_iter().map(place).collect::<Vec<_>>()
        });
        let fragments: Vec<_> = fragments.collect();
        // What the sums of a fragment begin with is on its way while those of the one before are dealt with.
        let start = |number: usize| match fragments.get(number) {
            Some(elements) => self.start(b, thread, elements, run),
            None => Ok(vec![]),
        };
        let mut next = start(0)?;
        for (number, &sum) in sums.iter().enumerate() {
            let start = std::mem::replace(&mut next, start(number + 1)?);
            barrier(b);
            Fragment::store(b, sum, subgroup.shared, [subgroup.row, b.index(0)]);
            barrier(b);
            let sums = start.into_iter().zip(subgroup.places(b));
            let add = |(start, at)| self.contraction.body.add(b, start, subgroup.load(b, at));
            let sums: Vec<_> = sums.map(add).collect();
            self.finish(b, thread, &fragments[number], &sums, run)?;
        }
        Ok(())
    }

    /// The element of the result at a place of the fragment with a number; fragments beside each other are counted first.
    fn element(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        subgroup: &Subgroup<'c>,
        number: i64,
        at: [Val<'c>; 2],
    ) -> Element<'c> {
        let [_, beside] = subgroup.counts;
        let numbers = [number / beside, number % beside];
        let [row, column] = [0, 1].map(|d| {
            let before = b.index(numbers[d] * subgroup.fragment.sizes[d]);
            let first = b.add(b.add(thread.first[d], subgroup.first[d]), before);
            b.add(first, at[d])
        });
        Element::new(b, self, Indices { batch: thread.batch, row, column })
    }
}

impl<'c> Subgroup<'c> {
    fn new(
        b: &Builder<'c>,
        thread: &Thread<'c>,
        tile: Tile,
        fragment: Fragment,
        shared: Val<'c>,
    ) -> Option<Self> {
        let subgroups = subgroups(tile.sides, fragment)?;
        let own = [0, 1].map(|d| tile.sides[d] / subgroups[d]);
        let counts = [0, 1].map(|d| own[d] / fragment.sizes[d]);
        let [number, lane] = b.divide(thread.number, b.index(LANES));
        let place = b.divide(number, b.index(subgroups[1]));
        let first = [0, 1].map(|d| b.mul(place[d], b.index(own[d])));
        let row = b.mul(number, b.index(fragment.sizes[0]));
        let run = WIDEST / bytes_of(element(shared)?)?;
        Some(Self { fragment, counts, lane, run, first, shared, row })
    }

    /// The rows and columns of the elements of a fragment of sums that this thread deals with in shared memory: several of
    /// them each time lie side by side.
    fn places(&self, b: &Builder<'c>) -> Vec<[Val<'c>; 2]> {
        let [rows, columns, _] = self.fragment.sizes;
        let first = b.mul(self.lane, b.index(self.run));
        let firsts = (0..rows * columns).step_by((LANES * self.run) as usize);
        let run = |i| {
            let [row, column] = b.divide(b.add(first, b.index(i)), b.index(columns));
            (0..self.run).map(move |own| [row, b.add(column, b.index(own))])
        };
        firsts.flat_map(run).collect()
    }

    /// A fragment of zeros. (There is an operation for constants, but not of f64.)
    fn zeros(&self, b: &Builder<'c>) -> Option<Val<'c>> {
        let zero = b.zero_scalar(element(self.shared)?);
        for [row, column] in self.places(b) {
            store(b, zero, self.shared, &[b.add(self.row, row), column]);
        }
        barrier(b);
        self.fragment.load(b, Part::Sums, self.shared, [self.row, b.index(0)])
    }

    /// Adds what a tile of both factors, from a row of shared memory on, makes to the fragments of sums.
    fn add(
        &self,
        b: &Builder<'c>,
        copies: [&Copies<'_, 'c>; 2],
        from: Val<'c>,
        sums: &[Val<'c>],
    ) -> Option<Vec<Val<'c>>> {
        let (fragment, [above, beside]) = (self.fragment, self.counts);
        let [_, _, depth] = fragment.sizes;
        let mut sums = sums.to_vec();
        for summand in (0..DEPTH).step_by(depth as usize).map(|i| b.index(i)) {
            let row = b.add(from, summand);
            let read = |part, d: usize, count| -> Option<Vec<_>> {
                let first = b.add(self.first[d], copies[d].shift(b, summand));
                let place = |i| b.add(first, b.index(i * fragment.sizes[d]));
                let read = |i| fragment.load(b, part, copies[d].shared, [row, place(i)]);
                (0..count).map(read).collect()
            };
            let (rows, columns) = (read(Part::Rows, 0, above)?, read(Part::Columns, 1, beside)?);
            let pairs = rows.iter().flat_map(|&x| columns.iter().map(move |&y| [x, y]));
            for ([x, y], total) in pairs.zip(&mut sums) {
                *total = Fragment::add_product(b, [x, y], *total);
            }
        }
        Some(sums)
    }

    /// An element of the fragment in shared memory.
    fn load(&self, b: &Builder<'c>, [row, column]: [Val<'c>; 2]) -> Val<'c> {
        load(b, self.shared, &[b.add(self.row, row), column])
    }
}
