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
//! Reading order: `shape` (what a contraction is), `kernel` (what a block does), `copies` (what it copies to shared
//! memory), `threads`, or `fragment` and `subgroup_mma` (who makes the elements of a tile, and how).

mod copies;
mod fragment;
mod kernel;
mod shape;
mod subgroup_mma;
mod threads;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};
use melior::{
    Context,
    ir::{Type, operation::OperationLike},
};

use crate::{
    lower::forall_to_gpu::{BLOCK, launch, when},
    parallelize::called_inside,
    support::{
        builder::{Builder, CMP_SGE, CMP_SGT, CMP_SLT},
        diag::{Result, error},
        memory::{allocate, load, store},
        symbol::name_of,
    },
};
use fragment::{FRAGMENTS, Fragment, padding};
use kernel::{Kernel, Parts};
use shape::{Contraction, Sizes};

/// The tile of a block of 256 threads.
#[derive(Clone, Copy)]
pub struct Tile {
    /// The number of rows, which is that of columns.
    pub side: i64,
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
const LARGE: Tile = Tile { side: 64, makers: Makers::Threads(4) };
/// Of one that would fill less than half of such a tile, either way.
const SMALL: Tile = Tile { side: 16, makers: Makers::Threads(1) };
const _: () = assert!(LARGE.side * LARGE.side == BLOCK * 4 * 4);
const _: () = assert!(SMALL.side * SMALL.side == BLOCK);

/// How much of the sum is in shared memory at a time.
pub const DEPTH: i64 = 16;
/// From so many rows, columns and summands on, a small tile is not mostly empty.
const FILLED: i64 = 8;
/// So many blocks keep all multiprocessors of a large GPU busy.
const BUSY: i64 = 512;
/// From so many summands on, a sum is split; no part is shorter than half of it.
const LONG: i64 = 128;
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
        let filled = [sizes.rows, sizes.columns, sizes.sum].map(|size| at_least(size, FILLED));
        let (_, blocks) = sizes.tiles(&b, SMALL);
        let few = b.compare(CMP_SLT, blocks, b.index(BUSY / 2));
        let both = all(&filled).zip(all(&[few, at_least(sizes.sum, LONG)]));
        let Some((is_filled, is_long)) = both else { return Ok(()) };
        let in_tiles = b.same("arith.ori", &[is_filled, is_long]);
        b.if_else(in_tiles, &[], |b, in_tiles| {
            if in_tiles {
                self.in_tiles(&b, &sizes, large)?;
            } else {
                self.op.detach();
                b.insert(self.op);
            }
            Ok(vec![])
        })?;
        Ok(())
    }

    /// Makes tiles, and adds up the parts of them if the sum is split.
    fn in_tiles(&self, b: &Builder<'c>, sizes: &Sizes<'c>, large: Tile) -> Result<()> {
        let is_large = [sizes.rows, sizes.columns]
            .map(|size| b.compare(CMP_SGT, size, b.index(large.side / 2)));
        let is_large = b.same("arith.andi", &is_large);
        let [(_, if_large), (_, if_small)] = [large, SMALL].map(|tile| sizes.tiles(b, tile));
        let (length, count) = split(b, sizes.sum, b.select(is_large, if_large, if_small));
        let is_split = b.compare(CMP_SGT, count, b.index(1));
        let outputs = sizes.outputs(b);
        let room = b.select(is_split, b.mul(count, outputs), b.index(0));
        let Some(r#type) = Type::parse(b.context(), &format!("memref<?x{}>", self.element)) else {
            return Ok(());
        };
        let array = allocate(b, "memref.alloc", r#type, &[room]);
        let parts = Parts { array, length, count, is_split };
        b.if_else(is_large, &[], |b, is_large| {
            let tile = if is_large { large } else { SMALL };
            Kernel { contraction: self, sizes, parts: &parts, tile }.launch(&b)?;
            Ok(vec![])
        })?;
        when(b, is_split, |b| self.add_parts(b, sizes, &parts))?;
        b.op("memref.dealloc", &[array], &[]);
        Ok(())
    }

    /// One thread for each element of the result adds its parts to it.
    fn add_parts(&self, b: &Builder<'c>, sizes: &Sizes<'c>, parts: &Parts<'c>) -> Result<()> {
        let outputs = sizes.outputs(b);
        let blocks = b.same("arith.ceildivsi", &[outputs, b.index(BLOCK)]);
        launch(b, [blocks, b.index(BLOCK)], &[], |b, block, thread, _| {
            let number = b.add(b.mul(block, b.index(BLOCK)), thread);
            when(b, b.compare(CMP_SLT, number, outputs), |b| {
                let at = self.place(b, sizes, sizes.indices(b, number));
                let old = load(b, self.arrays[2], &at);
                let bounds = [b.index(0), parts.count, b.index(1)];
                let sum = b.for_loop(bounds, &[old], |b, part, sum| {
                    let place = b.add(b.mul(part, outputs), number);
                    Ok(vec![self.add(&b, sum[0], load(&b, parts.array, &[place]))])
                })?;
                store(b, sum.result_list()[0], self.arrays[2], &at);
                Ok(())
            })
        })
    }
}

/// How many summands each part of a sum has, a multiple of `DEPTH`, and how many parts there are.
fn split<'c>(b: &Builder<'c>, sum: Val<'c>, blocks: Val<'c>) -> (Val<'c>, Val<'c>) {
    let (one, depth) = (b.index(1), b.index(DEPTH));
    let up = |x, y| b.same("arith.ceildivsi", &[x, y]);
    let most = |x, y| b.same("arith.maxsi", &[x, y]);
    let wanted = up(b.index(BUSY), most(blocks, one));
    let possible = b.same("arith.divui", &[sum, b.index(LONG / 2)]);
    let parts = b.same("arith.minsi", &[wanted, possible]);
    let parts = most(b.same("arith.minsi", &[parts, b.index(PARTS)]), one);
    let length = most(b.mul(up(up(sum, depth), parts), depth), depth);
    (length, most(up(sum, length), one))
}
