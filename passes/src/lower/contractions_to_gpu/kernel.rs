//! What a block does: a tile of the result, or of a part of its sums.
//!
//! ```text
//! c = what the sums begin with;  x, y = elements of the first tiles
//! for k from the block's first summand by DEPTH:             -- once for tiles that have all summands, then for any
//!   shared[stage] = x, y;  barrier             -- everybody sees what is written, and nobody reads the other stage any longer
//!   x, y = elements of the tile after that, or after several     -- on their way while sums are made
//!   c += what shared[stage] makes;  stage = the other one
//! result[tile] or part[tile] = c
//! ```
//! What `c` is, and how it is made, is said by `threads` and `subgroup_mma`.

use ad_dialect::ir::{OpExt, Val};
use melior::ir::ValueLike;

use super::{
    consumer::Consumer,
    copies::{Copies, Side, in_shared},
    epilogue::Epilogue,
    shape::{Contraction, Indices, Sizes},
    spread::Spread,
    tile::{DEPTH, Makers, Tile},
};
use crate::{
    lower::forall_to_gpu::{BLOCK, launch},
    support::{
        builder::{Builder, CMP_SLE, CMP_SLT},
        diag::Result,
        memory::load,
    },
};

/// The parts of sums.
pub struct Parts<'a, 'c> {
    /// The buffer of what they are, by part, then as `Sizes::number` counts.
    pub array: Val<'c>,
    /// How many summands there are in each.
    pub length: Val<'c>,
    /// How many there are.
    pub count: Val<'c>,
    /// Whether there are several.
    pub is_split: Val<'c>,
    /// What whole sums begin with.
    pub start: Start<'c>,
    /// What is made of whole sums.
    pub epilogue: Option<&'a Epilogue<'c>>,
    /// The loop that reads several sums at a time, which there is where sums are not split.
    pub consumer: Option<&'a Consumer<'c>>,
}

/// What sums begin with.
#[derive(Clone, Copy)]
pub enum Start<'c> {
    /// One number.
    Number(Val<'c>),
    /// What is in the place of each in an array: the result, or what it would be a copy of.
    Array(Val<'c>),
}

impl<'c> Start<'c> {
    /// The number for the sum of a place.
    pub fn at(self, b: &Builder<'c>, place: &[Val<'c>]) -> Val<'c> {
        match self {
            Self::Number(number) => number,
            Self::Array(array) => load(b, array, place),
        }
    }
}

/// Where a thread is.
pub struct Thread<'c> {
    /// Its number in the block.
    pub number: Val<'c>,
    pub batch: Val<'c>,
    pub part: Val<'c>,
    /// The first row and column of the tile.
    pub first: [Val<'c>; 2],
}

impl<'c> Thread<'c> {
    /// That of a thread, where there are so many tiles below and beside each other.
    fn new(
        b: &Builder<'c>,
        tiles: [Val<'c>; 2],
        batch: Val<'c>,
        tile: Tile,
        [block, number]: [Val<'c>; 2],
    ) -> Self {
        let [rest, column] = b.divide(block, tiles[1]);
        let [rest, row] = b.divide(rest, tiles[0]);
        let [part, batch] = b.divide(rest, batch);
        let [rows, columns] = tile.sides.map(|side| b.index(side));
        let first = [b.mul(row, rows), b.mul(column, columns)];
        Self { number, batch, part, first }
    }
}

/// Summands in shared memory.
pub struct Summands<'c> {
    /// The number of the first.
    pub first: Val<'c>,
    /// How many there are before the end; nothing if they are as many as a tile has.
    pub left: Option<Val<'c>>,
    /// The stage in which they are: how many summands are in those in front of it.
    pub stage: Val<'c>,
}

/// The kernel that makes the tiles.
pub struct Kernel<'a, 'c> {
    pub contraction: &'a Contraction<'c>,
    pub sizes: &'a Sizes<'c>,
    pub parts: &'a Parts<'a, 'c>,
    pub tile: Tile,
}

impl<'c> Kernel<'_, 'c> {
    /// Launches a block for each tile and part.
    pub fn launch(&self, b: &Builder<'c>) -> Result<()> {
        let (tiles, count) = self.sizes.tiles(b, self.tile);
        let grid = b.mul(count, self.parts.count);
        let side = |number| in_shared(b, self.contraction, self.tile, number);
        let (Some(rows), Some(columns)) = (side(0), side(1)) else { return Ok(()) };
        let shared = [rows, columns];
        launch(b, [grid, b.index(BLOCK)], &shared, |b, block, thread, shared| {
            let thread = Thread::new(b, tiles, self.sizes.batch, self.tile, [block, thread]);
            match self.tile.makers {
                Makers::Threads(own) => self.by_threads(b, &thread, own, shared),
                Makers::Subgroups(fragment) => self.by_subgroups(b, &thread, fragment, shared),
            }
        })
    }

    /// Whether the result has an element, and it is within the border, if there is one. Branches that need it ask, so that no
    /// register keeps the answer from one to the other.
    pub fn is_inside(&self, b: &Builder<'c>, at: Indices<'c>) -> Val<'c> {
        let sizes = [(at.row, self.sizes.rows), (at.column, self.sizes.columns)];
        let [is_row, is_column] = sizes.map(|(i, size)| b.compare(CMP_SLT, i, size));
        let is_inside = b.same("arith.andi", &[is_row, is_column]);
        let is_within = self.contraction.is_within(b, at);
        is_within.map_or(is_inside, |it| b.same("arith.andi", &[is_inside, it]))
    }

    /// Whether the result has all elements of a tile; nothing if there is a border between some of them.
    pub fn has_all(&self, b: &Builder<'c>, thread: &Thread<'c>) -> Option<Val<'c>> {
        let ends = [0, 1].map(|d| b.add(thread.first[d], b.index(self.tile.sides[d])));
        let sizes = [self.sizes.rows, self.sizes.columns];
        let [rows, columns] = [0, 1].map(|d| b.compare(CMP_SLE, ends[d], sizes[d]));
        (!self.contraction.has_border()).then(|| b.same("arith.andi", &[rows, columns]))
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

    /// Goes over the summands of the block's part. `add` gets the tiles of both sides in shared memory, which of their summands
    /// are to be added, and what is carried from tile to tile.
    pub fn over_summands(
        &self,
        b: &Builder<'c>,
        thread: &Thread<'c>,
        shared: &[Val<'c>],
        start: Vec<Val<'c>>,
        add: impl Fn(&Builder<'c>, &[Copies<'_, 'c>], Summands<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let Self { contraction, sizes, parts, tile } = self;
        let sides = [(&contraction.rows, sizes.rows), (&contraction.columns, sizes.columns)];
        let sides = [0, 1].map(|number| {
            let (loops, size) = sides[number];
            Side { number, loops, size, first: thread.first[number] }
        });
        let spreads = Spread::of_both(b, contraction, *tile, &sides);
        let copies = sides.iter().zip(spreads).zip(shared).map(|((side, spread), &shared)| {
            let numbers = [thread.number, thread.batch, shared];
            Copies::new(b, contraction, sizes, *tile, side, spread, numbers)
        });
        let copies: Vec<_> = copies.collect();
        let first = b.mul(thread.part, parts.length);
        let end = b.same("arith.minsi", &[b.add(first, parts.length), sizes.sum]);
        let end = self.end(b, thread, first, end);
        let rounds = Rounds { kernel: self, copies, end, sums: start.len(), add };
        rounds.run(b, first, start)
    }
}

/// The rounds of a block over the summands of its part: tiles of both sides, and what is made of them.
struct Rounds<'a, 'c, Add> {
    kernel: &'a Kernel<'a, 'c>,
    copies: Vec<Copies<'a, 'c>>,
    /// Where the part ends.
    end: Val<'c>,
    /// How many sums a thread carries.
    sums: usize,
    add: Add,
}

impl<'c, Add> Rounds<'_, 'c, Add>
where
    Add: Fn(&Builder<'c>, &[Copies<'_, 'c>], Summands<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
{
    /// All rounds from a summand on: those whose tiles have all summands and are read several elements at once, with as many
    /// tiles on their way as can be, then the others.
    fn run(&self, b: &Builder<'c>, first: Val<'c>, start: Vec<Val<'c>>) -> Result<Vec<Val<'c>>> {
        let (mut state, mut next) = ([start, vec![b.index(0)]].concat(), first);
        let ahead = self.kernel.tile.ahead(self.kernel.contraction);
        let least = ahead.last().copied().unwrap_or(1);
        if let Some(is_wide) = self.copies.iter().find_map(|copies| copies.spread.is_wide) {
            let ends = self.copies.iter().filter_map(|copies| copies.first_end);
            let end = ends.fold(self.end, |end, own| b.same("arith.minsi", &[end, own]));
            let end = b.same("arith.maxsi", &[b.select(is_wide, end, first), first]);
            for &ahead in ahead {
                let step = b.index(ahead as i64 * DEPTH);
                let rest = b.same("arith.remui", &[b.sub(end, next), step]);
                let before = std::mem::replace(&mut next, b.sub(end, rest));
                state = self.stretch(b, [before, next], state, (ahead, true))?;
            }
        }
        let mut sums = self.stretch(b, [next, self.end], state, (least, false))?;
        sums.truncate(self.sums);
        Ok(sums)
    }

    /// The rounds of a stretch of summands, if there are any, of so many tiles each that have all summands or not. Each reads
    /// what the next one adds. Gets and gives the sums and the stage of the next tile.
    fn stretch(
        &self,
        b: &Builder<'c>,
        [first, end]: [Val<'c>; 2],
        state: Vec<Val<'c>>,
        (ahead, has_all): (usize, bool),
    ) -> Result<Vec<Val<'c>>> {
        let types: Vec<_> = state.iter().map(|value| value.r#type()).collect();
        let is_any = b.compare(CMP_SLT, first, end);
        let made = b.if_else(is_any, &types, |b, is_any| {
            if !is_any {
                return Ok(state.clone());
            }
            let mut carried = state.clone();
            for number in 0..ahead as i64 {
                let tile = b.add(first, b.index(number * DEPTH));
                carried.extend(self.read(&b, tile, has_all)?);
            }
            let range = [first, end, b.index(ahead as i64 * DEPTH)];
            let all = b.for_loop(range, &carried, |b, summand, carried| {
                let (state, values) = carried.split_at(self.sums + 1);
                self.round(&b, [summand, end], state, values, (ahead, has_all))
            })?;
            Ok(all.result_list()[..state.len()].to_vec())
        })?;
        Ok(made.result_list())
    }

    /// What a thread copies of a tile, which has all summands or not.
    fn read(&self, b: &Builder<'c>, first: Val<'c>, has_all: bool) -> Result<Vec<Val<'c>>> {
        let mut values = vec![];
        for copies in &self.copies {
            values.extend(match has_all {
                true => copies.read_all(b, self.kernel.sizes, first),
                false => copies.read(b, self.kernel.sizes, first, self.end)?,
            });
        }
        Ok(values)
    }

    /// A round, of which a thread has read `values`: makes what is carried to the next one, of which it reads.
    fn round(
        &self,
        b: &Builder<'c>,
        [summand, end]: [Val<'c>; 2],
        state: &[Val<'c>],
        values: &[Val<'c>],
        (ahead, has_all): (usize, bool),
    ) -> Result<Vec<Val<'c>>> {
        let has_stages = self.kernel.tile.stages(self.kernel.contraction) > 1;
        let depth = b.index(DEPTH);
        let Some((&stage, sums)) = state.split_last() else { return Ok(vec![]) };
        let (mut sums, mut stage, mut read) = (sums.to_vec(), stage, vec![]);
        let after = b.add(summand, b.index(ahead as i64 * DEPTH));
        for (number, own) in values.chunks(values.len() / ahead).enumerate() {
            let before = b.index(number as i64 * DEPTH);
            let [first, next] = [summand, after].map(|round| b.add(round, before));
            if !has_stages {
                b.op("gpu.barrier", &[], &[]);
            }
            let mut left = own;
            for copies in &self.copies {
                let (of_side, others) = left.split_at(copies.count());
                copies.write(b, stage, of_side, [first, self.end], has_all);
                left = others;
            }
            b.op("gpu.barrier", &[], &[]);
            read.extend(match has_all {
                true => self.read_if(b, b.compare(CMP_SLT, after, end), next, own)?,
                false => self.read(b, next, false)?,
            });
            let left = || b.same("arith.minsi", &[b.sub(self.end, first), depth]);
            let left = (!has_all).then(left);
            sums = (self.add)(b, &self.copies, Summands { first, left, stage }, &sums)?;
            if has_stages {
                stage = b.sub(depth, stage);
            }
        }
        Ok([sums, vec![stage], read].concat())
    }

    /// What a thread copies of a tile with all summands if there is one, or what it had.
    fn read_if(
        &self,
        b: &Builder<'c>,
        is_there: Val<'c>,
        first: Val<'c>,
        old: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let types: Vec<_> = old.iter().map(|value| value.r#type()).collect();
        let read = b.if_else(is_there, &types, |b, is_there| match is_there {
            true => self.read(&b, first, true),
            false => Ok(old.to_vec()),
        })?;
        Ok(read.result_list())
    }
}
