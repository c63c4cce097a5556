//! Tiles whose elements are in the registers of threads, each some rows and columns of them.
//!
//! ```text
//! c = result or 0
//! for each tile of summands:
//!   for kk below their number, in order:  c += f(own rows of shared[kk], own columns of shared[kk])
//! result or part = c
//! ```
//! Where the sum is not split, it begins with what is in the result and runs in order, as in loops: the values are the
//! same, bit by bit.

use ad_dialect::ir::{OpExt, Val};

use super::{
    kernel::{Element, Kernel, Thread},
    shape::{Indices, divide},
};
use crate::support::{
    builder::{Builder, CMP_SLT},
    diag::Result,
};

impl<'c> Kernel<'_, 'c> {
    /// Makes a tile, of which each thread has so many rows and columns.
    pub fn by_threads(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        count: i64,
        shared: &[Val<'c>],
    ) -> Result<()> {
        let own = divide(b, thread.number, b.index(self.tile.side / count));
        let own = own.map(|threads| b.mul(threads, b.index(count)));
        let elements = self.elements(b, thread, own, count);
        let start = self.start(b, &elements)?;
        let sums = self.over_summands(b, thread, shared, start, |b, copies, left, sums| {
            let bounds = [b.index(0), left, b.index(1)];
            let sums = b.for_loop(bounds, sums, |b, number, sums| {
                let sides = copies.iter().zip(own);
                let mut sides = sides.map(|(side, own)| side.neighbours(&b, number, own, count));
                let (rows, columns) = (sides.next(), sides.next());
                let (rows, columns) = (rows.unwrap_or_default(), columns.unwrap_or_default());
                let pairs = rows.iter().flat_map(|&x| columns.iter().map(move |&y| [x, y]));
                let add = |(pair, &sum)| self.contraction.apply(&b, pair, sum);
                Ok(pairs.zip(sums).map(add).collect())
            })?;
            Ok(sums.result_list())
        })?;
        self.finish(b, thread, &elements, &sums)
    }

    /// Where each element of a thread is, by row, and whether the result has it.
    fn elements(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        own: [Val<'c>; 2],
        count: i64,
    ) -> Vec<Element<'c>> {
        let along = |side: usize, size: Val<'c>| -> Vec<_> {
            let start = b.add(thread.first[side], own[side]);
            let index = |i| {
                let index = b.add(start, b.index(i));
                (index, b.compare(CMP_SLT, index, size))
            };
            (0..count).map(index).collect()
        };
        let (rows, columns) = (along(0, self.sizes.rows), along(1, self.sizes.columns));
        let of_row = |&(row, is_row): &(Val<'c>, Val<'c>)| -> Vec<_> {
            let element = |&(column, is_column): &(Val<'c>, Val<'c>)| Element {
                at: Indices { batch: thread.batch, row, column },
                is_inside: b.same("arith.andi", &[is_row, is_column]),
            };
            columns.iter().map(element).collect()
        };
        rows.iter().flat_map(of_row).collect()
    }
}
