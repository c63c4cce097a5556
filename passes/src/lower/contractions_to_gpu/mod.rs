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
//! Reading order: `body` (what is added), `shape` (what a contraction is), `tile` (which tiles there are, and which is taken),
//! `kernel` (what a block does), `copies` (what it copies to shared memory), `threads`, or `fragment` and `subgroup_mma` (who
//! makes the elements of a tile, and how), `elements` (where they come from and go), `epilogue` (what becomes of them),
//! `consumer` with `bands` (what becomes of several of a row), `follower` (what both are).

mod bands;
mod body;
mod consumer;
mod copies;
mod elements;
mod epilogue;
mod follower;
mod fragment;
mod kernel;
mod runs;
mod shape;
mod spread;
mod subgroup_mma;
mod threads;
mod tile;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Type, operation::OperationLike},
};

use crate::{
    lower::forall_to_gpu::{BLOCK, for_each_on_host, launch, when},
    support::{
        builder::{Builder, CMP_SGE, CMP_SGT, CMP_SLE, CMP_SLT, same_value},
        diag::{Result, error},
        fold::{fold_all, folded},
        memory::{Strided, allocate, base, is_any_view, is_array, load, store},
        region::is_within,
    },
};
use bands::{Bands, RUN};
use consumer::Consumer;
use epilogue::Epilogue;
use fragment::{FRAGMENTS, Fragment};
use kernel::{Kernel, Parts, Start};
pub use shape::Contraction;
use shape::Sizes;
use tile::{Choice, LONG, SMALL, Tile, split};

/// How many parts of a sum are read before the first of them is waited for: so many at a time, as long as there are.
const TOGETHER: [i64; 3] = [4, 2, 1];

/// From so many rows, columns and summands on, a small tile is worth it: neighbours in memory are read together, though
/// most of the tile may be empty.
const FILLED: [i64; 3] = [4, 4, 8];
/// Fewer small tiles than this leave some of them idle.
const FEW: i64 = 256;

/// Runs the pass; returns how many contractions are made in tiles, and of how many of these large tiles are made on tensor
/// cores. `list` has, separated by commas, what tensor cores are used for.
pub fn run<'c>(context: &'c Context, module: Op<'c>, list: &str) -> Result<(u64, u64)> {
    let wanted = fragments(module, list)?;
    let mut found = vec![];
    for_each_on_host(module, &mut |op| found.extend(Contraction::of(op)));
    let mut on_tensor_cores = 0;
    // The last one first, which then sees what the sums of those before it begin with.
    for contraction in found.iter().rev() {
        let fragment = Fragment::of(contraction, &wanted);
        on_tensor_cores += u64::from(fragment.is_some());
        contraction.lower(context, fragment)?;
    }
    // Kernels are made of this before anybody else folds it.
    let mut host = vec![];
    for_each_on_host(module, &mut |op| host.push(op));
    fold_all(context, &host);
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

/// Makes something instead of operations if a condition holds; otherwise they are run. Whether they are gone.
fn instead_of<'c>(
    b: &Builder<'c>,
    ops: &[Op<'c>],
    condition: Val<'c>,
    make: &mut dyn FnMut(&Builder<'c>) -> Result<()>,
) -> Result<bool> {
    match folded(condition) {
        Some(0) => {}
        Some(_) => {
            make(b)?;
            ops.iter().for_each(OpExt::erase);
        }
        None => {
            b.if_else(condition, &[], |b, holds| {
                if holds {
                    make(&b)?;
                } else {
                    for op in ops {
                        op.detach();
                        b.insert(*op);
                    }
                }
                Ok(vec![])
            })?;
        }
    }
    Ok(folded(condition).is_some_and(|known| known != 0))
}

impl<'c> Contraction<'c> {
    /// Makes tiles of which whoever has the sums runs the iterations of the loop that reads them, if there is such a loop, and
    /// if sizes allow it; whether nothing else is left.
    fn with_consumer(&self, context: &'c Context, fragment: Option<Fragment>) -> Result<bool> {
        let (first, start) = self.start().unzip();
        let Some(block) = self.op.block() else { return Ok(false) };
        let b = Builder::before(context, self.op, block).with_location(self.op.location());
        let Some(consumer) = Consumer::of(&b, self, first) else { return Ok(false) };
        consumer.clear_way(context, self.op);
        let bands = Bands { count: consumer.bands, run: fragment.map_or(1, |_| RUN) };
        let plan = || {
            let (contraction, sizes) = self.on_views(&b)?;
            let start = start.unwrap_or(Start::Array(self.result()));
            let holds = consumer.fits(&b, self, &sizes, bands, start)?;
            Some((contraction.in_bands(&b, &sizes, bands, start)?, holds))
        };
        let Some(((mut contraction, sizes, start), holds)) = plan() else { return Ok(false) };
        let choices = Choice::all(&b, &contraction, fragment, &sizes);
        let (length, count) = split(&b, &sizes, &choices);
        let is_whole = b.compare(CMP_SLE, count, b.index(1));
        let Some((last, others)) = choices.split_last() else { return Ok(false) };
        let any = choices.iter().map(|it| it.fits).reduce(|x, y| b.same("arith.ori", &[x, y]));
        let all = [holds, is_whole].into_iter().chain(any);
        let Some(holds) = all.reduce(|x, y| b.same("arith.andi", &[x, y])) else {
            return Ok(false);
        };
        let replaced: Vec<_> = first.into_iter().chain([self.op, consumer.op]).collect();
        let mut tiles = |b: &Builder<'c>| {
            contraction.tabulate(b, &sizes)?;
            let array = contraction.result();
            let (is_split, consumer) = (b.truth(false), Some(&consumer));
            let parts = Parts { array, length, count, is_split, start, epilogue: None, consumer };
            contraction.launch(b, &sizes, &parts, (others, last.tile))?;
            contraction.forget(b);
            Ok(())
        };
        instead_of(&b, &replaced, holds, &mut tiles)
    }

    /// Chooses between tiles and a thread for each element, which the operation as it is becomes.
    fn lower(&self, context: &'c Context, fragment: Option<Fragment>) -> Result<()> {
        if self.with_consumer(context, fragment)? {
            return Ok(());
        }
        let Some(block) = self.op.block() else { return Ok(()) };
        let b = Builder::before(context, self.op, block).with_location(self.op.location());
        let (first, start) = self.start().unzip();
        let epilogue = Epilogue::of(self, first);
        if let Some(epilogue) = &epilogue {
            epilogue.clear_way(context, self.op);
        }
        let Some((mut contraction, sizes)) = self.on_views(&b) else { return Ok(()) };
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
        let start = start.unwrap_or(Start::Array(self.result()));
        let last = epilogue.as_ref().map(|epilogue| epilogue.op);
        let replaced: Vec<_> = first.into_iter().chain([self.op]).chain(last).collect();
        let mut tiles = |b: &Builder<'c>| {
            contraction.tabulate(b, &sizes)?;
            contraction.in_tiles(b, &sizes, fragment, (start, epilogue.as_ref()))?;
            contraction.forget(b);
            Ok(())
        };
        instead_of(&b, &replaced, in_tiles, &mut tiles).map(|_| ())
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

    /// Notes for each summand of a sum over several loops where its elements are, so that nobody has to divide for that.
    fn tabulate(&mut self, b: &Builder<'c>, sizes: &Sizes<'c>) -> Result<()> {
        if self.sum.len() < 2 {
            return Ok(());
        }
        let Some(r#type) = Type::parse(b.context(), "memref<?xindex>") else { return Ok(()) };
        let inputs = self.arrays.len() - 1;
        let is_read = |i: &usize| self.loops[*i].iter().any(|l| self.sum.contains(l));
        let read: Vec<_> = (0..inputs).filter(is_read).collect();
        let tables: Vec<_> =
            read.iter().map(|_| allocate(b, "memref.alloc", r#type, &[sizes.sum])).collect();
        let blocks = b.same("arith.ceildivsi", &[sizes.sum, b.index(BLOCK)]);
        launch(b, [blocks, b.index(BLOCK)], &[], |b, block, thread, _| {
            let number = b.add(b.mul(block, b.index(BLOCK)), thread);
            when(b, b.compare(CMP_SLT, number, sizes.sum), |b| {
                let indices = sizes.apart(b, &self.sum, number);
                for (&input, &table) in read.iter().zip(&tables) {
                    let Some(strided) = Strided::of(b, self.arrays[input]) else { continue };
                    let own = self.loops[input].iter().zip(&strided.strides);
                    let steps = own.filter_map(|(l, &stride)| {
                        let (_, index) = indices.iter().find(|(own, _)| own == l)?;
                        Some(b.mul(*index, stride))
                    });
                    let offset = steps.reduce(|x, y| b.add(x, y));
                    store(b, offset.unwrap_or_else(|| b.index(0)), table, &[number]);
                }
                Ok(())
            })
        })?;
        self.offsets = vec![None; inputs];
        for (input, table) in read.into_iter().zip(tables) {
            self.offsets[input] = Some(table);
        }
        Ok(())
    }

    /// Frees what `tabulate` has made.
    fn forget(&self, b: &Builder<'c>) {
        for &table in self.offsets.iter().flatten() {
            b.op("memref.dealloc", &[table], &[]);
        }
    }

    /// Makes tiles, and adds up the parts of them if the sum is split.
    fn in_tiles(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        fragment: Option<Fragment>,
        (start, epilogue): (Start<'c>, Option<&Epilogue<'c>>),
    ) -> Result<()> {
        let choices = Choice::all(b, self, fragment, sizes);
        let (length, count) = split(b, sizes, &choices);
        let is_split = b.compare(CMP_SGT, count, b.index(1));
        let outputs = sizes.outputs(b);
        let room = b.select(is_split, b.mul(count, outputs), b.index(0));
        let Some(r#type) = Type::parse(b.context(), &format!("memref<?x{}>", self.element)) else {
            return Ok(());
        };
        let array = allocate(b, "memref.alloc", r#type, &[room]);
        let parts = Parts { array, length, count, is_split, start, epilogue, consumer: None };
        self.launch(b, sizes, &parts, (&choices, SMALL))?;
        when(b, is_split, |b| self.add_parts(b, sizes, &parts))?;
        b.op("memref.dealloc", &[array], &[]);
        Ok(())
    }

    /// Launches the kernel of the first tile that fits, or of others.
    fn launch(
        &self,
        b: &Builder<'c>,
        sizes: &Sizes<'c>,
        parts: &Parts<'_, 'c>,
        (choices, otherwise): (&[Choice<'c>], Tile),
    ) -> Result<()> {
        let Some((choice, others)) = choices.split_first() else {
            return Kernel { contraction: self, sizes, parts, tile: otherwise }.launch(b);
        };
        let side = |b: &Builder<'c>, fits| match fits {
            true => Kernel { contraction: self, sizes, parts, tile: choice.tile }.launch(b),
            false => self.launch(b, sizes, parts, (others, otherwise)),
        };
        // Nobody has to make, and to remove, kernels of tiles that are not taken.
        match folded(choice.fits) {
            Some(known) => side(b, known != 0)?,
            None => {
                b.if_else(choice.fits, &[], |b, fits| side(&b, fits).map(|()| vec![]))?;
            }
        }
        Ok(())
    }

    /// One thread for each element of the result adds its parts to it, in order.
    fn add_parts(&self, b: &Builder<'c>, sizes: &Sizes<'c>, parts: &Parts<'_, 'c>) -> Result<()> {
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
                let (mut sum, mut first) = (parts.start.at(b, &at), b.index(0));
                for together in TOGETHER {
                    let rest = b.same("arith.remui", &[parts.count, b.index(together)]);
                    let end = b.sub(parts.count, rest);
                    let all =
                        b.for_loop([first, end, b.index(together)], &[sum], |b, part, sum| {
                            let part = |i| b.mul(b.add(part, b.index(i)), outputs);
                            let read = |i| load(&b, parts.array, &[b.add(part(i), number)]);
                            let read: Vec<_> = (0..together).map(read).collect();
                            Ok(vec![
                                read.into_iter().fold(sum[0], |sum, x| self.body.add(&b, sum, x)),
                            ])
                        })?;
                    (sum, first) = (all.result_list()[0], end);
                }
                match parts.epilogue {
                    Some(epilogue) => epilogue.apply(b, &at, sum),
                    None => store(b, sum, self.result(), &at),
                }
                Ok(())
            })
        })
    }
}
