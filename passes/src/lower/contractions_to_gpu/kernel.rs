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
use melior::ir::ValueLike;

use super::{
    DEPTH, Tile,
    copies::{Copies, Side, in_shared},
    shape::{Contraction, Indices, Sizes, divide, in_order},
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
    /// What whole sums begin with, if it is not what is in the result.
    pub start: Option<Val<'c>>,
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
        let [rows, columns] = tile.sides.map(|side| b.index(side));
        let first = [b.mul(row, rows), b.mul(column, columns)];
        let own = divide(b, number, b.index(tile.sides[1] / tile.own));
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

/// The tiles that are in shared memory, as a thread uses them.
struct InShared<'a, 'c> {
    copies: &'a [Copies<'a, 'c>],
    thread: &'a Thread<'c>,
    fixed: &'a [Vec<Val<'c>>],
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
        let shared =
            [0, 1].map(|side| in_shared(b, self.contraction.side(side), self.tile.sides[side]));
        let [Some(rows), Some(columns)] = shared else { return Ok(()) };
        launch(b, [grid, b.index(BLOCK)], &[rows, columns], |b, block, thread, shared| {
            let thread = Thread::new(b, self.sizes, self.tile, [block, thread]);
            let elements = self.elements(b, &thread);
            let start = self.start(b, &elements)?;
            let fixed = self.fixed(b, &elements)?;
            let sums = self.sums(b, &thread, shared, start, &fixed)?;
            self.finish(b, &thread, &elements, &sums)
        })
    }

    /// What the sums begin with: the result, or zero for parts of them.
    fn start(&self, b: &Builder<'c>, elements: &[Element<'c>]) -> Result<Vec<Val<'c>>> {
        let is_whole = b.not(self.parts.is_split);
        let r#type = self.contraction.element;
        if let Some(start) = self.parts.start {
            let start = b.select(is_whole, start, b.zero_scalar(r#type));
            return Ok(vec![start; elements.len()]);
        }
        let mut start = vec![];
        for element in elements {
            let is_read = b.same("arith.andi", &[element.is_inside, is_whole]);
            let value = b.if_else(is_read, &[r#type], |b, is_read| {
                Ok(vec![match is_read {
                    true => load(&b, self.contraction.result(), &self.place(&b, element)),
                    false => b.zero_scalar(r#type),
                }])
            })?;
            start.extend(value.res(0));
        }
        Ok(start)
    }

    /// The elements of a thread; those behind the border are not the result's.
    fn elements(&self, b: &Builder<'c>, thread: &Thread<'c>) -> Vec<Element<'c>> {
        let mut elements = thread.elements(b, self.sizes, self.tile);
        for element in &mut elements {
            if let Some(is_within) = self.contraction.is_within(b, element.at) {
                element.is_inside = b.same("arith.andi", &[element.is_inside, is_within]);
            }
        }
        elements
    }

    /// What is the same for all summands of each element; anything where there is no element.
    fn fixed(&self, b: &Builder<'c>, elements: &[Element<'c>]) -> Result<Vec<Vec<Val<'c>>>> {
        let Contraction { body, arrays, loops, .. } = self.contraction;
        let types: Vec<_> = body.fixed.iter().map(|value| value.r#type()).collect();
        let of_element = |element: &Element<'c>| {
            if types.is_empty() {
                return Ok(vec![]);
            }
            let made = b.if_else(element.is_inside, &types, |b, is_inside| {
                if !is_inside {
                    return Ok(types.iter().map(|&scalar| b.zero_scalar(scalar)).collect());
                }
                let indices = self.contraction.indices(&b, self.sizes, element.at);
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
        fixed: &[Vec<Val<'c>>],
    ) -> Result<Vec<Val<'c>>> {
        let Self { contraction, sizes, parts, tile } = self;
        let sides = [(&contraction.rows, sizes.rows), (&contraction.columns, sizes.columns)];
        let mut copies = vec![];
        for (number, (loops, size)) in sides.into_iter().enumerate() {
            let side = Side { number, loops, size, first: thread.first[number] };
            let numbers = [thread.number, thread.batch, shared[number]];
            copies.push(Copies::new(b, contraction, sizes, tile.sides[number], &side, numbers));
        }
        let first = b.mul(thread.part, parts.length);
        let end = b.same("arith.minsi", &[b.add(first, parts.length), sizes.sum]);
        let end = self.end(b, thread, first, end);
        let count = start.len();
        let mut carried = start;
        for copies in &copies {
            carried.extend(copies.read(b, sizes, first, end)?);
        }
        let depth = b.index(DEPTH);
        let all = b.for_loop([first, end, depth], &carried, |b, summand, carried| {
            let (sums, read) = carried.split_at(count);
            b.op("gpu.barrier", &[], &[]);
            let (rows, columns) = read.split_at(copies[0].count());
            copies[0].write(&b, rows);
            copies[1].write(&b, columns);
            b.op("gpu.barrier", &[], &[]);
            let mut next = vec![];
            for copies in &copies {
                next.extend(copies.read(&b, sizes, b.add(summand, depth), end)?);
            }
            let left = b.same("arith.minsi", &[b.sub(end, summand), depth]);
            let tile = InShared { copies: &copies, thread, fixed };
            let sums = match contraction.end_of_sum() {
                None => self.add_up(&b, &tile, [b.index(0), left], sums, None)?,
                Some((side, offset)) => {
                    let lowest = b.add(thread.first[side], thread.own[side]);
                    let own = b.sub(b.add(lowest, b.index(offset)), summand);
                    let within = |end| b.same("arith.minsi", &[end, left]);
                    let whole = b.same("arith.maxsi", &[within(own), b.index(0)]);
                    let all = within(b.add(own, b.index(self.tile.own - 1)));
                    let sums = self.add_up(&b, &tile, [b.index(0), whole], sums, None)?;
                    self.add_up(&b, &tile, [whole, all], &sums, Some((side, own)))?
                }
            };
            Ok([sums, next].concat())
        })?;
        Ok(all.result_list().into_iter().take(count).collect())
    }

    /// Where the sum of a tile ends: not behind the border of all of its elements.
    fn end(&self, b: &Builder<'c>, thread: &Thread<'c>, first: Val<'c>, end: Val<'c>) -> Val<'c> {
        let contraction = self.contraction;
        let last = self.tile.sides.map(|side| b.index(side - 1));
        let end = match contraction.end_of_sum() {
            Some((side, offset)) => {
                let most = b.add(b.add(thread.first[side], last[side]), b.index(offset));
                b.same("arith.minsi", &[end, most])
            }
            None => end,
        };
        // If anything of the tile is within the border, it is this corner.
        let [row, column] = thread.first;
        let at = |row, column| Indices { batch: thread.batch, row, column };
        let corner = match contraction.rows_are_bound() {
            true => at(b.add(row, last[0]), column),
            false => at(row, b.add(column, last[1])),
        };
        match contraction.is_within(b, corner) {
            Some(is_within) => b.select(is_within, end, first),
            None => end,
        }
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
        let own = self.tile.own;
        let Contraction { body, element, .. } = self.contraction;
        let all = b.for_loop([from, to, b.index(1)], sums, |b, number, sums| {
            let side = |i: usize| tile.copies[i].neighbours(&b, number, tile.thread.own[i], own);
            let (rows, columns) = (side(0), side(1));
            let is_within: Vec<_> = border.map_or_else(Vec::new, |(_, first)| {
                let end = |i| b.add(first, b.index(i));
                (0..own).map(|i| b.compare(CMP_SLT, number, end(i))).collect()
            });
            let mut made = vec![];
            for (position, &sum) in sums.iter().enumerate() {
                let at = [position / own as usize, position % own as usize];
                let fixed = &tile.fixed[position];
                let term = self.contraction.term(&b, [rows[at[0]], columns[at[1]]], fixed);
                let term = match border {
                    Some((side, _)) => b.select(is_within[at[side]], term, b.zero_scalar(*element)),
                    None => term,
                };
                made.push(body.add(&b, sum, term));
            }
            Ok(made)
        })?;
        Ok(all.result_list())
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
                        store(&b, sum, self.contraction.result(), &self.place(&b, element));
                    }
                    Ok(vec![])
                })?;
                Ok(())
            })?;
        }
        Ok(())
    }
}
