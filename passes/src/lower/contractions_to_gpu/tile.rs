//! The tiles that blocks make, and which of them they make, by the sizes.

use ad_dialect::ir::Val;
use melior::ir::{Type, ValueLike};

use super::{
    bands::Bands,
    fragment::{Fragment, padding},
    shape::{Contraction, Sizes},
    subgroup_mma,
};
use crate::{
    lower::{forall_to_gpu::BLOCK, private_buffers::SHARED},
    support::{
        builder::{Builder, CMP_SGT},
        memory::bytes_of,
    },
};

/// The tile of a block of 256 threads.
#[derive(Clone, Copy)]
pub struct Tile {
    /// The numbers of rows and of columns.
    pub sides: [i64; 2],
    /// Who makes it.
    pub makers: Makers,
    /// How many rows and columns there have to be more than, so that enough of it is filled.
    filled: [i64; 2],
    /// How many blocks that make such tiles a multiprocessor runs at a time, by the registers and threads that they need.
    at_once: i64,
}

/// Who makes the elements of a tile.
#[derive(Clone, Copy)]
pub enum Makers {
    /// Threads, each so many rows and columns.
    Threads([i64; 2]),
    /// Subgroups, each some fragments.
    Subgroups(Fragment),
}

/// Of a product of large matrices of numbers of 4 bytes or fewer: each element that is read from shared memory is used 8
/// times, so that a multiprocessor multiplies for as long as it reads. (It reads 128 bytes while it multiplies 128 numbers.)
const HUGE: Tile = Tile::new([128, 128], [8, 8], [64, 64], 1);
/// Of one that has too few of these tiles.
const BIG: Tile = Tile::new([128, 64], [8, 4], [64, 32], 1);
/// Of one that has too few of these, too, or of numbers of 8 bytes.
const LARGE: Tile = Tile::new([64, 64], [4, 4], [32, 32], 2);
/// Of one that has no more rows than a quarter of the columns of such a tile, or no more columns.
const WIDE: Tile = Tile::new([32, 128], [4, 4], [16, 32], 2);
/// See `WIDE`.
const TALL: Tile = Tile::new([128, 32], [4, 4], [32, 16], 2);
/// Of one that has few of both.
const MEDIUM: Tile = Tile::new([32, 32], [2, 2], [16, 16], 4);
/// Of one that would fill little of all of these.
pub const SMALL: Tile = Tile::new([16, 16], [1, 1], [0, 0], 8);

/// How much of the sum is in shared memory at a time.
pub const DEPTH: i64 = 16;
/// The most bytes that a thread reads or writes at a time.
pub const WIDEST: i64 = 16;
/// So many rows or columns of a thread are side by side, for they are read from shared memory at once. Between such groups
/// are those of the other threads: what threads read at a time lies side by side.
const GROUP: i64 = 4;
/// How many multiprocessors a large GPU has.
const MULTIPROCESSORS: i64 = 132;
/// Of so many summands at least are the parts of which there are more than run at a time: they take so much longer than
/// writing and adding them. A part of half the length of `LONG` is worth a block that would have nothing to do.
const DEEP: i64 = 1024;
/// How many parts there may be of those for each place of a block.
const ROUNDS: i64 = 4;
/// From so many summands on, a sum is split; no part is shorter than half of it.
pub const LONG: i64 = 128;
/// The most parts of a sum: one thread adds those of an element.
const PARTS: i64 = 128;

impl Tile {
    /// A tile that threads make, each so many rows and columns.
    const fn new(sides: [i64; 2], own: [i64; 2], filled: [i64; 2], at_once: i64) -> Self {
        assert!(sides[0] * sides[1] == BLOCK * own[0] * own[1]);
        Self { sides, makers: Makers::Threads(own), filled, at_once }
    }

    /// The tiles for a contraction but for `SMALL`, from the largest to the smallest.
    fn all(contraction: &Contraction<'_>, fragment: Option<Fragment>) -> Vec<Self> {
        let sides = [0, 1].map(|number| contraction.side(number).r#type());
        let is_narrow = |number: &Type<'_>| bytes_of(*number).is_some_and(|bytes| bytes <= 4);
        let are_narrow = is_narrow(&contraction.element) && sides.iter().all(is_narrow);
        let tiles = [HUGE, BIG, LARGE, WIDE, TALL, MEDIUM].into_iter();
        let tiles = tiles.filter(|tile| are_narrow || !tile.is_larger());
        let bands = contraction.bands;
        let tiles = tiles.map(|tile| fragment.map_or(tile, |fragment| tile.of(fragment, bands)));
        tiles.filter(|tile| bands.is_none_or(|bands| bands.are_in(*tile))).collect()
    }

    /// The same tile, made of fragments if subgroups can share it.
    fn of(self, fragment: Fragment, bands: Option<Bands>) -> Self {
        let is_shared = subgroup_mma::subgroups(self.sides, fragment, bands).is_some();
        let makers = if is_shared { Makers::Subgroups(fragment) } else { self.makers };
        Self { makers, ..self }
    }

    /// Whether it has more elements than `LARGE`.
    fn is_larger(self) -> bool {
        self.sides[0] * self.sides[1] > LARGE.sides[0] * LARGE.sides[1]
    }

    /// Whether a contraction has the rows and columns for it. Larger ones are worth it where smaller ones were more than one
    /// for each multiprocessor.
    fn fits<'c>(self, b: &Builder<'c>, sizes: &Sizes<'c>) -> Val<'c> {
        let both = |x, y| b.same("arith.andi", &[x, y]);
        let is_filled = |size, side: usize| b.compare(CMP_SGT, size, b.index(self.filled[side]));
        let is_filled = both(is_filled(sizes.rows, 0), is_filled(sizes.columns, 1));
        if !self.is_larger() {
            return is_filled;
        }
        let deep = if self.is_of_fragments() && self.sides == BIG.sides { 2 * LONG } else { DEEP };
        let parts = b.same("arith.divui", &[sizes.sum, b.index(deep)]);
        let parts = b.same("arith.maxsi", &[parts, b.index(1)]);
        let blocks = b.mul(sizes.tiles(b, self).1, parts);
        both(is_filled, b.compare(CMP_SGT, blocks, b.index(MULTIPROCESSORS / 2)))
    }

    /// Of the rows, 0, or columns, 1, that one thread of several makes: how far the first one of the next thread is away, and
    /// how far each is behind its first one.
    pub fn places(self, side: usize, own: i64) -> (i64, Vec<i64>) {
        let group = own.min(GROUP);
        let apart = group * (self.sides[side] / own);
        (group, (0..own).map(|i| i / group * apart + i % group).collect())
    }

    /// The type of the elements of rows, 0, or columns, 1, in shared memory.
    pub fn held<'c>(self, contraction: &Contraction<'c>, side: usize) -> Type<'c> {
        match self.makers {
            Makers::Subgroups(fragment) if fragment.widens => contraction.element,
            _ => contraction.side(side).r#type(),
        }
    }

    /// Whether shared memory has the summands of a row or column side by side, as memory may have them: fragments are read in
    /// either order, and threads write what they read side by side.
    pub fn has_sums_in_lines(self, is_along_sum: bool) -> bool {
        self.is_of_fragments() && is_along_sum
    }

    /// How many lines the rows, 0, or columns, 1, of so many tiles have in shared memory, and how long these are: the summands of
    /// one tile behind those of the other. They are longer than what is in them, so that those who write, or read, along a column use
    /// other banks, and begin at multiples of 16 bytes.
    pub fn lines(self, contraction: &Contraction<'_>, side: usize, stages: i64) -> [i64; 2] {
        let element = self.held(contraction, side);
        let has_sums = self.has_sums_in_lines(contraction.is_along_sum(side));
        let padding = match self.makers {
            Makers::Threads(_) => 4.max(WIDEST / bytes_of(element).unwrap_or(WIDEST)),
            Makers::Subgroups(_) => padding(element, has_sums),
        };
        let [own, summands] = [self.sides[side], stages * DEPTH];
        let [lines, length] = if has_sums { [own, summands] } else { [summands, own] };
        [lines, length + padding]
    }

    /// How many tiles of both factors are in shared memory at a time: two, if there is room, so that one is written while others
    /// still read the one before.
    pub fn stages(self, contraction: &Contraction<'_>) -> i64 {
        let of_side = |side: usize| {
            let [lines, length] = self.lines(contraction, side, 2);
            lines * length * bytes_of(self.held(contraction, side)).unwrap_or(SHARED)
        };
        if of_side(0) + of_side(1) <= SHARED { 2 } else { 1 }
    }

    /// How many tiles of both factors are on their way from memory at a time, while there are as many to be read: tensor cores are
    /// done with one of numbers of 4 bytes before the next one is there, and threads with one of `BIG`, of which a multiprocessor
    /// makes one at a time. (Larger ones take threads longer, and for others there are no registers left.) It is 1, or even, so that
    /// each is in the same stage in every round of the loop.
    pub fn ahead(self, contraction: &Contraction<'_>) -> &'static [usize] {
        let is_narrow = bytes_of(contraction.element).is_some_and(|bytes| bytes <= 4);
        match self.makers {
            _ if !is_narrow => &[1],
            Makers::Subgroups(_) if self.sides == BIG.sides => &[4, 1],
            Makers::Subgroups(_) if self.sides == HUGE.sides => &[2, 1],
            Makers::Subgroups(_) if self.sides == LARGE.sides => &[2],
            Makers::Threads(_) if self.sides == BIG.sides => &[2],
            _ => &[1],
        }
    }

    /// Whether it is worth more code to make it faster: the smallest ones are of results that are made in no time.
    pub fn is_long(self) -> bool {
        self.sides[0] * self.sides[1] > MEDIUM.sides[0] * MEDIUM.sides[1]
    }

    /// Whether it is made of fragments, which are added whole.
    pub fn is_of_fragments(self) -> bool {
        matches!(self.makers, Makers::Subgroups(_))
    }

    /// An element of a factor as it is in shared memory.
    pub fn held_as<'c>(self, b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
        match self.makers {
            Makers::Threads(_) => value,
            Makers::Subgroups(fragment) => fragment.read_as(b, value),
        }
    }
}

/// A tile, and whether it is worth it.
pub struct Choice<'c> {
    pub tile: Tile,
    pub fits: Val<'c>,
}

impl<'c> Choice<'c> {
    /// From the largest to the smallest.
    pub fn all(
        b: &Builder<'c>,
        contraction: &Contraction<'c>,
        fragment: Option<Fragment>,
        sizes: &Sizes<'c>,
    ) -> Vec<Self> {
        let tiles = Tile::all(contraction, fragment).into_iter();
        tiles.map(|tile| Self { tile, fits: tile.fits(b, sizes) }).collect()
    }

    /// Some value of the first tile that fits.
    fn of_first(b: &Builder<'c>, all: &[Self], value: impl Fn(Tile) -> Val<'c>) -> Val<'c> {
        let others = value(SMALL);
        all.iter().rev().fold(others, |others, it| b.select(it.fits, value(it.tile), others))
    }
}

/// How many summands each part of a sum has, a multiple of `DEPTH`, and how many parts there are, by how many blocks each
/// has and how many run at a time: as many as run together, or, of long ones, a few times as many, so that the last ones to
/// run leave little idle.
pub fn split<'c>(b: &Builder<'c>, sizes: &Sizes<'c>, choices: &[Choice<'c>]) -> (Val<'c>, Val<'c>) {
    let (sum, one, depth) = (sizes.sum, b.index(1), b.index(DEPTH));
    let up = |x, y| b.same("arith.ceildivsi", &[x, y]);
    let down = |x, y| b.same("arith.divui", &[x, y]);
    let most = |x, y| b.same("arith.maxsi", &[x, y]);
    let least = |x, y| b.same("arith.minsi", &[x, y]);
    let blocks = most(Choice::of_first(b, choices, |tile| sizes.tiles(b, tile).1), one);
    let at_once = Choice::of_first(b, choices, |tile| b.index(MULTIPROCESSORS * tile.at_once));
    let together = least(down(at_once, blocks), down(sum, b.index(LONG / 2)));
    let in_rounds = least(down(b.mul(at_once, b.index(ROUNDS)), blocks), down(sum, b.index(DEEP)));
    let parts = most(least(most(together, in_rounds), b.index(PARTS)), one);
    let length = most(b.mul(up(up(sum, depth), parts), depth), depth);
    (length, most(up(sum, length), one))
}
