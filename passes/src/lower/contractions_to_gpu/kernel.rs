//! What a block does: a tile of the result, or of a part of its sums.
//!
//! ```text
//! c = result[tile] or 0;  x, y = elements of the first tiles
//! for k from the block's first summand by DEPTH:
//!   barrier;  shared = x, y;  barrier          -- nobody reads any longer; everybody sees what is written
//!   x, y = elements of the next tiles          -- on their way while the sums are made
//!   for kk < DEPTH, in order:  c += f(shared)
//! result[tile] or part[tile] = c
//! ```
//! Where the sum is not split, it begins with what is in the result and runs in order, as in loops: the values are the
//! same, bit by bit.

use ad_dialect::ir::{OpExt, Val};

use super::{
    DEPTH, Tile,
    copies::{Copies, Side, in_shared},
    shape::{Contraction, Indices, Sizes, divide},
};
use crate::{
    lower::forall_to_gpu::{BLOCK, launch, when},
    support::{
        builder::{Builder, CMP_SLT},
        diag::Result,
        memory::{load, store},
    },
};

/// The parts of sums.
pub struct Parts<'c> {
    /// The buffer of what they are, by part, then as `Sizes::number` counts.
    pub array: Val<'c>,
    /// How many summands there are in each.
    pub length: Val<'c>,
    /// How many there are.
    pub count: Val<'c>,
    /// Whether there are several.
    pub is_split: Val<'c>,
}

/// What a thread has of the tile of its block.
struct Thread<'c> {
    number: Val<'c>,
    batch: Val<'c>,
    part: Val<'c>,
    /// The first row and column of the tile.
    first: [Val<'c>; 2],
    /// The thread's first row and column in the tile.
    own: [Val<'c>; 2],
}

impl<'c> Thread<'c> {
    fn new(b: &Builder<'c>, sizes: &Sizes<'c>, tile: Tile, [block, number]: [Val<'c>; 2]) -> Self {
        let ([rows, columns], _) = sizes.tiles(b, tile);
        let [rest, column] = divide(b, block, columns);
        let [rest, row] = divide(b, rest, rows);
        let [part, batch] = divide(b, rest, sizes.batch);
        let first = [row, column].map(|tiles| b.mul(tiles, b.index(tile.side)));
        let own = divide(b, number, b.index(tile.side / tile.own));
        let own = own.map(|threads| b.mul(threads, b.index(tile.own)));
        Self { number, batch, part, first, own }
    }

    /// Where each element of the thread is, by row, and whether the result has it.
    fn elements(&self, b: &Builder<'c>, sizes: &Sizes<'c>, tile: Tile) -> Vec<Element<'c>> {
        let along = |side: usize, size: Val<'c>| -> Vec<_> {
            let start = b.add(self.first[side], self.own[side]);
            let index = |i| {
                let index = b.add(start, b.index(i));
                (index, b.compare(CMP_SLT, index, size))
            };
            (0..tile.own).map(index).collect()
        };
        let (rows, columns) = (along(0, sizes.rows), along(1, sizes.columns));
        let of_row = |&(row, is_row): &(Val<'c>, Val<'c>)| -> Vec<_> {
            let element = |&(column, is_column): &(Val<'c>, Val<'c>)| Element {
                at: Indices { batch: self.batch, row, column },
                is_inside: b.same("arith.andi", &[is_row, is_column]),
            };
            columns.iter().map(element).collect()
        };
        rows.iter().flat_map(of_row).collect()
    }
}

/// An element of a thread.
struct Element<'c> {
    at: Indices<'c>,
    is_inside: Val<'c>,
}

/// The kernel that makes the tiles.
pub struct Kernel<'a, 'c> {
    pub contraction: &'a Contraction<'c>,
    pub sizes: &'a Sizes<'c>,
    pub parts: &'a Parts<'c>,
    pub tile: Tile,
}

impl<'c> Kernel<'_, 'c> {
    /// Launches a block for each tile and part.
    pub fn launch(&self, b: &Builder<'c>) -> Result<()> {
        let (_, tiles) = self.sizes.tiles(b, self.tile);
        let grid = b.mul(tiles, self.parts.count);
        let Contraction { factors, arrays, .. } = self.contraction;
        let shared = factors.map(|i| in_shared(b, arrays[i], self.tile));
        let [Some(rows), Some(columns)] = shared else { return Ok(()) };
        launch(b, [grid, b.index(BLOCK)], &[rows, columns], |b, block, thread, shared| {
            let thread = Thread::new(b, self.sizes, self.tile, [block, thread]);
            let elements = thread.elements(b, self.sizes, self.tile);
            let start = self.start(b, &elements)?;
            let sums = self.sums(b, &thread, shared, start)?;
            self.finish(b, &thread, &elements, &sums)
        })
    }

    /// What the sums begin with: the result, or zero for parts of them.
    fn start(&self, b: &Builder<'c>, elements: &[Element<'c>]) -> Result<Vec<Val<'c>>> {
        let is_whole = b.not(self.parts.is_split);
        let r#type = self.contraction.element;
        let mut start = vec![];
        for element in elements {
            let is_read = b.same("arith.andi", &[element.is_inside, is_whole]);
            let value = b.if_else(is_read, &[r#type], |b, is_read| {
                Ok(vec![match is_read {
                    true => load(&b, self.contraction.arrays[2], &self.place(&b, element)),
                    false => b.zero_scalar(r#type),
                }])
            })?;
            start.extend(value.res(0));
        }
        Ok(start)
    }

    /// The indices of an element in the result.
    fn place(&self, b: &Builder<'c>, element: &Element<'c>) -> Vec<Val<'c>> {
        self.contraction.place(b, self.sizes, element.at)
    }

    /// The sums of a thread, from what they begin with on.
    fn sums(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        shared: &[Val<'c>],
        start: Vec<Val<'c>>,
    ) -> Result<Vec<Val<'c>>> {
        let Self { contraction, sizes, parts, tile } = self;
        let sides = [(&contraction.rows, sizes.rows), (&contraction.columns, sizes.columns)];
        let mut copies = vec![];
        for (factor, (loops, size)) in sides.into_iter().enumerate() {
            let side = Side { factor, loops, size, first: thread.first[factor] };
            let numbers = [thread.number, thread.batch, shared[factor]];
            copies.push(Copies::new(b, contraction, sizes, *tile, &side, numbers));
        }
        let first = b.mul(thread.part, parts.length);
        let end = b.same("arith.minsi", &[b.add(first, parts.length), sizes.sum]);
        let count = start.len();
        let mut carried = start;
        for copies in &copies {
            carried.extend(copies.read(b, sizes, first, end)?);
        }
        let depth = b.index(DEPTH);
        let all = b.for_loop([first, end, depth], &carried, |b, summand, carried| {
            let (sums, read) = carried.split_at(count);
            b.op("gpu.barrier", &[], &[]);
            for (copies, values) in copies.iter().zip(read.chunks(read.len() / 2)) {
                copies.write(&b, values);
            }
            b.op("gpu.barrier", &[], &[]);
            let mut next = vec![];
            for copies in &copies {
                next.extend(copies.read(&b, sizes, b.add(summand, depth), end)?);
            }
            let left = b.same("arith.minsi", &[b.sub(end, summand), depth]);
            let bounds = [b.index(0), left, b.index(1)];
            let sums = b.for_loop(bounds, sums, |b, number, sums| {
                let side = |i: usize| copies[i].neighbours(&b, number, thread.own[i], tile.own);
                let (rows, columns) = (side(0), side(1));
                let pairs = rows.iter().flat_map(|&x| columns.iter().map(move |&y| [x, y]));
                Ok(pairs.zip(sums).map(|(pair, &sum)| contraction.apply(&b, pair, sum)).collect())
            })?;
            Ok([sums.result_list(), next].concat())
        })?;
        Ok(all.result_list().into_iter().take(count).collect())
    }

    /// Writes the sums of a thread, or the parts of them.
    fn finish(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        elements: &[Element<'c>],
        sums: &[Val<'c>],
    ) -> Result<()> {
        for (element, &sum) in elements.iter().zip(sums) {
            when(b, element.is_inside, |b| {
                b.if_else(self.parts.is_split, &[], |b, is_split| {
                    if is_split {
                        let before = b.mul(thread.part, self.sizes.outputs(&b));
                        let place = b.add(before, self.sizes.number(&b, &element.at));
                        store(&b, sum, self.parts.array, &[place]);
                    } else {
                        store(&b, sum, self.contraction.arrays[2], &self.place(&b, element));
                    }
                    Ok(vec![])
                })?;
                Ok(())
            })?;
        }
        Ok(())
    }
}
