//! `lower-contractions-to-gpu`: contractions of buffers become kernels whose blocks make tiles of the result.
//!
//! ```text
//! C[b.., m.., n..] += f(A[b.., m.., k..], B[b.., k.., n..])     -- the indices of each in any order
//! ```
//!
//! A thread for each element of `C` reads a row of `A` and a column of `B`, so that each element of both is read from
//! memory once for each column and row of `C`. A block that makes a tile of `C` copies tiles of `A` and `B` to shared
//! memory, and a thread makes a small tile of it in registers ([FUT 6.1]):
//!
//! ```text
//! for each block: s, i, j                                -- part of the sum, rows and columns of a tile
//!   c = thread's part of the tile of C
//!   for k in part s of the sum, by DEPTH:
//!     As = A[rows of i, k ..];  Bs = B[k .., columns of j]        -- all threads, each some elements
//!     for kk < DEPTH:  c += f(own rows of As[kk], own columns of Bs[kk])
//!   C[tile] = c
//! ```
//!
//! Where there are too few tiles for all multiprocessors and the sum is long, it is split: tiles of the parts go to a
//! buffer of their own, and a second kernel adds them up in order, so that results are the same each time.
//!
//! How large the tiles are, how many parts there are, and whether there is a thread for each element after all, is chosen
//! when the program runs, by the sizes.
//!
//! Where users ask for it, large tiles of products are made by tensor cores, a fragment at a time. Small tiles are not.
//!
//! Reading order: `body` (what is added), `shape` (what a contraction is), `kernel` (what a block does), `copies` (what it copies to shared
//! memory), `threads`, or `fragment` and `subgroup_mma` (who makes the elements of a tile, and how).

mod body;
mod copies;
mod fragment;
mod kernel;
mod shape;
mod subgroup_mma;
mod threads;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Type, operation::OperationLike},
};

use crate::{
    lower::forall_to_gpu::{BLOCK, launch, when},
    parallelize::called_inside,
    support::{
        builder::{Builder, CMP_SGE, CMP_SGT, CMP_SLT, same_value},
        diag::{Result, error},
        memory::{allocate, base, is_any_view, is_array, load, store},
        region::is_within,
        symbol::name_of,
    },
};
use fragment::{FRAGMENTS, Fragment, padding};
use kernel::{Kernel, Parts, Start};
pub use shape::Contraction;
use shape::Sizes;

/// The tile of a block of 256 threads.
#[derive(Clone, Copy)]
pub struct Tile {
    /// The numbers of rows and of columns.
    pub sides: [i64; 2],
    /// Who makes it.
    pub makers: Makers,
}

/// Who makes the elements of a tile.
#[derive(Clone, Copy)]
pub enum Makers {
    /// Threads, each so many rows and columns.
    Threads(i64),
    /// Subgroups, each some fragments.
    Subgroups(Fragment),
}

impl Tile {
    /// A tile that threads make, each so many rows and columns.
    const fn new(sides: [i64; 2], own: i64) -> Self {
        assert!(sides[0] * sides[1] == BLOCK * own * own);
        Self { sides, makers: Makers::Threads(own) }
    }

    /// How many blocks that make such tiles a large GPU runs at a time, by the registers and threads that they need.
    fn at_once(self) -> i64 {
        MULTIPROCESSORS
            * match self.makers {
                Makers::Threads(1) => 8,
                Makers::Threads(2) => 4,
                _ => 2,
            }
    }

    /// What rows in shared memory are longer by: those who write along a column use other banks, and rows still begin at
    /// multiples of 16 bytes.
    pub fn padding(self, element: Type<'_>) -> i64 {
        match self.makers {
            Makers::Threads(_) => 4,
            Makers::Subgroups(_) => padding(element),
        }
    }

    /// An element of a factor as it is in shared memory.
    pub fn in_shared<'c>(self, b: &Builder<'c>, value: Val<'c>) -> Val<'c> {
        match self.makers {
            Makers::Threads(_) => value,
            Makers::Subgroups(fragment) => fragment.rounded(b, value),
        }
    }
}

/// Of a product of large matrices: each element that is read from shared memory is used 4 times.
const LARGE: Tile = Tile::new([64, 64], 4);
/// Of one that has no more rows than a quarter of the columns of such a tile, or no more columns.
const WIDE: Tile = Tile::new([32, 128], 4);
/// See `WIDE`.
const TALL: Tile = Tile::new([128, 32], 4);
/// Of one that has few of both.
const MEDIUM: Tile = Tile::new([32, 32], 2);
/// Of one that would fill little of all of these.
const SMALL: Tile = Tile::new([16, 16], 1);

/// How much of the sum is in shared memory at a time.
pub const DEPTH: i64 = 16;
/// From so many rows, columns and summands on, a small tile is worth it: neighbours in memory are read together, though
/// most of the tile may be empty.
const FILLED: [i64; 3] = [4, 4, 8];
/// How many multiprocessors a large GPU has.
const MULTIPROCESSORS: i64 = 132;
/// Fewer small tiles than this leave some of them idle.
const FEW: i64 = 256;
/// From so many summands on, a sum is split; no part is shorter than half of it.
const LONG: i64 = 128;
/// Parts so long take so much longer than writing and adding them that there may be several for each place of a block.
const DEEP: i64 = 1024;
/// How many of them.
const ROUNDS: i64 = 4;
/// The most parts of a sum: one thread adds those of an element.
const PARTS: i64 = 128;

/// Runs the pass; returns how many contractions are made in tiles, and of how many of these large tiles are made on tensor
/// cores. `list` has, separated by commas, what tensor cores are used for.
pub fn run<'c>(context: &'c Context, module: Op<'c>, list: &str) -> Result<(u64, u64)> {
    let wanted = fragments(module, list)?;
    let inside = called_inside(module);
    let mut found = vec![];
    for function in module.blocks().into_iter().flat_map(|block| block.ops()) {
        let name = name_of(function).unwrap_or_default();
        if function.op_name() == "func.func" && !inside.contains(&name) {
            function.for_each(&mut |op| {
                found.extend(Contraction::of(op).filter(|_| is_on_host(op)));
            });
        }
    }
    let mut on_tensor_cores = 0;
    for contraction in &found {
        let fragment = Fragment::of(contraction, &wanted);
        on_tensor_cores += u64::from(fragment.is_some());
        let makers = fragment.map_or(LARGE.makers, Makers::Subgroups);
        contraction.lower(context, Tile { makers, ..LARGE })?;
    }
    Ok((found.len() as u64, on_tensor_cores))
}

/// What a list names.
fn fragments(module: Op<'_>, list: &str) -> Result<Vec<Fragment>> {
    let names = list.split(',').map(str::trim).filter(|name| !matches!(*name, "" | "none"));
    let find = |name| {
        let found = FRAGMENTS.iter().copied().find(|fragment| fragment.name == name);
        let known = || FRAGMENTS.map(|fragment| fragment.name).join(", ");
        let message = || format!("no tensor cores for '{name}'; there are {}", known());
        found.ok_or_else(|| error(module, &message()))
    };
    names.map(find).collect()
}

/// Whether the host decides what runs an operation: it is in no parallel loop.
fn is_on_host(op: Op<'_>) -> bool {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    !around.any(|op| matches!(op.op_name(), "scf.forall" | "scf.parallel" | "gpu.launch"))
}

impl<'c> Contraction<'c> {
    /// Chooses between tiles and a thread for each element, which the operation as it is becomes.
    fn lower(&self, context: &'c Context, large: Tile) -> Result<()> {
        let Some(block) = self.op.block() else { return Ok(()) };
        let b = Builder::before(context, self.op, block).with_location(self.op.location());
        let sizes = self.sizes(&b);
        let at_least = |size, least| b.compare(CMP_SGE, size, b.index(least));
        let all = |conditions: &[Val<'c>]| {
            conditions.iter().copied().reduce(|x, y| b.same("arith.andi", &[x, y]))
        };
        let filled = [sizes.rows, sizes.columns, sizes.sum].into_iter().zip(FILLED);
        let filled: Vec<_> = filled.map(|(size, least)| at_least(size, least)).collect();
        let (_, blocks) = sizes.tiles(&b, SMALL);
        let few = b.compare(CMP_SLT, blocks, b.index(FEW));
        let both = all(&filled).zip(all(&[few, at_least(sizes.sum, LONG)]));
        let Some((is_filled, is_long)) = both else { return Ok(()) };
        let in_tiles = b.same("arith.ori", &[is_filled, is_long]);
        let (first, start) = self.start().unzip();
        let start = start.unwrap_or(Start::Array(self.result()));
        b.if_else(in_tiles, &[], |b, in_tiles| {
            if in_tiles {
                self.in_tiles(&b, &sizes, large, start)?;
            } else {
                for op in first.into_iter().chain([self.op]) {
                    op.detach();
                    b.insert(op);
                }
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    /// What fills the result with a number right before, or copies an array to it, and what tiles begin with instead, so that
    /// nobody has to write it to memory. It stays where it is if some elements of the result are no sums.
    fn start(&self) -> Option<(Op<'c>, Start<'c>)> {
        let result = self.result();
        if self.has_border() {
            return None;
        }
        let before = |at: Op<'c>| {
            let ops = at.block().map(|block| block.ops()).unwrap_or_default();
            ops.into_iter().take_while(move |op| op.key() != at.key())
        };
        let starts = |op: Op<'c>| {
            let (from, to) = (op.opnd(0)?, op.opnd(1)?);
            let start = match op.op_name() {
                "linalg.fill" => Start::Number(from),
                "memref.copy" => Start::Array(from),
                _ => return None,
            };
            same_value(to, result).then_some((op, start))
        };
        // Whatever the result is a part of: nothing happens in between.
        let acts = |op: &Op<'c>| {
            let name = op.op_name();
            !(is_any_view(name) || name == "memref.dim" || name.starts_with("arith."))
        };
        let of_result =
            |array: &Val<'c>| is_array(*array) && base(*array).key() == base(result).key();
        let is_apart = self.op.operand_list().iter().filter(|array| of_result(array)).count() == 1;
        let last = before(self.op).filter(acts).last().filter(|_| is_apart);
        if let Some(found) = last.and_then(starts) {
            return Some(found);
        }
        if result.defining_op().is_none_or(|op| op.op_name() != "memref.alloc") {
            return None;
        }
        let users = result.users();
        // By another name it could be written to in between.
        let mut around = std::iter::successors(Some(self.op), |op| op.parent());
        let names = |user: &&Op<'c>| user.result_list().into_iter().any(is_array);
        let names: Vec<_> = users.iter().filter(names).collect();
        if around.any(|at| before(at).any(|op| names.iter().any(|user| is_within(**user, op)))) {
            return None;
        }
        let last = before(self.op).filter(|op| users.iter().any(|user| is_within(*user, *op)));
        // What was copied could have been written to in between.
        last.last().and_then(starts).filter(|(_, start)| matches!(start, Start::Number(_)))
    }

    /// Makes tiles, and adds up the parts of them if the sum is split.
    fn in_tiles(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        large: Tile,
        start: Start<'c>,
    ) -> Result<()> {
        let choices = Choice::all(b, sizes, large);
        let counts = |tile: Tile| [sizes.tiles(b, tile).1, b.index(tile.at_once())];
        let counts = choices.iter().rev().fold(counts(SMALL), |others, choice| {
            let own = counts(choice.tile);
            [0, 1].map(|i| b.select(choice.fits, own[i], others[i]))
        });
        let (length, count) = split(b, sizes.sum, counts);
        let is_split = b.compare(CMP_SGT, count, b.index(1));
        let outputs = sizes.outputs(b);
        let room = b.select(is_split, b.mul(count, outputs), b.index(0));
        let Some(r#type) = Type::parse(b.context(), &format!("memref<?x{}>", self.element)) else {
            return Ok(());
        };
        let array = allocate(b, "memref.alloc", r#type, &[room]);
        let parts = Parts { array, length, count, is_split, start };
        self.launch(b, sizes, &parts, &choices)?;
        when(b, is_split, |b| self.add_parts(b, sizes, &parts))?;
        b.op("memref.dealloc", &[array], &[]);
        Ok(())
    }

    /// Launches the kernel of the first tile that fits, or of small ones.
    fn launch(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        parts: &Parts<'c>,
        choices: &[Choice<'c>],
    ) -> Result<()> {
        let Some((choice, others)) = choices.split_first() else {
            return Kernel { contraction: self, sizes, parts, tile: SMALL }.launch(b);
        };
        b.if_else(choice.fits, &[], |b, fits| {
            if fits {
                Kernel { contraction: self, sizes, parts, tile: choice.tile }.launch(&b)?;
            } else {
                self.launch(&b, sizes, parts, others)?;
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    /// One thread for each element of the result adds its parts to it.
    fn add_parts(&self, b: &Builder<'c>, sizes: &Sizes<'c>, parts: &Parts<'c>) -> Result<()> {
        let outputs = sizes.outputs(b);
        let blocks = b.same("arith.ceildivsi", &[outputs, b.index(BLOCK)]);
        launch(b, [blocks, b.index(BLOCK)], &[], |b, block, thread, _| {
            let number = b.add(b.mul(block, b.index(BLOCK)), thread);
            let indices = sizes.indices(b, number);
            let is_inside = b.compare(CMP_SLT, number, outputs);
            let is_within = self.is_within(b, indices);
            let is_made = is_within.map_or(is_inside, |it| b.same("arith.andi", &[is_inside, it]));
            when(b, is_made, |b| {
                let at = self.place(b, sizes, indices);
                let old = parts.start.at(b, &at);
                let bounds = [b.index(0), parts.count, b.index(1)];
                let sum = b.for_loop(bounds, &[old], |b, part, sum| {
                    let place = b.add(b.mul(part, outputs), number);
                    Ok(vec![self.body.add(&b, sum[0], load(&b, parts.array, &[place]))])
                })?;
                store(b, sum.result_list()[0], self.result(), &at);
                Ok(())
            })
        })
    }
}

/// A tile, and whether enough of it would be filled.
struct Choice<'c> {
    tile: Tile,
    fits: Val<'c>,
}

impl<'c> Choice<'c> {
    /// From the largest to the smallest.
    fn all(b: &Builder<'c>, sizes: &Sizes<'c>, large: Tile) -> Vec<Self> {
        let choice = |tile: Tile| {
            let fills = |(size, side): (Val<'c>, i64)| b.compare(CMP_SGT, size, b.index(side / 2));
            let [rows, columns] = tile.sides.map(|side| side.min(LARGE.sides[0]));
            let fills = [(sizes.rows, rows), (sizes.columns, columns)].map(fills);
            Self { tile, fits: b.same("arith.andi", &fills) }
        };
        vec![choice(large), choice(WIDE), choice(TALL), choice(MEDIUM)]
    }
}

/// How many summands each part of a sum has, a multiple of `DEPTH`, and how many parts there are, given how many blocks each
/// has and how many run at a time: as many as run together, or, of long ones, a few times as many, so that the last ones to
/// run leave little idle.
fn split<'c>(b: &Builder<'c>, sum: Val<'c>, counts: [Val<'c>; 2]) -> (Val<'c>, Val<'c>) {
    let (one, depth) = (b.index(1), b.index(DEPTH));
    let up = |x, y| b.same("arith.ceildivsi", &[x, y]);
    let down = |x, y| b.same("arith.divui", &[x, y]);
    let most = |x, y| b.same("arith.maxsi", &[x, y]);
    let least = |x, y| b.same("arith.minsi", &[x, y]);
    let [blocks, at_once] = counts;
    let blocks = most(blocks, one);
    let together = least(down(at_once, blocks), down(sum, b.index(LONG / 2)));
    let in_rounds = least(down(b.mul(at_once, b.index(ROUNDS)), blocks), down(sum, b.index(DEEP)));
    let parts = most(least(most(together, in_rounds), b.index(PARTS)), one);
    let length = most(b.mul(up(up(sum, depth), parts), depth), depth);
    (length, most(up(sum, length), one))
}
