//! `lower-forall-to-gpu`: outermost parallel loops over buffers become kernels.
//!
//! In order:
//!
//! 1. `copies`: copies of buffers become parallel loops, so that no kernel calls a function of the C library; `swaps`:
//!    updates that memory does not have become those that compare and swap.
//! 2. `kernels`: each outermost loop becomes a `gpu.launch`. The iterations are threads; those of a loop with other
//!    parallel loops inside of it that are mapped to `#gpu.thread<linear_dim_0>` are blocks, and what such a block
//!    allocates is shared memory.
//! 3. `rest`: what else touches memory becomes kernels of one thread, but for reads of single elements, so that no other
//!    memory than the device's is needed.
//!    `calls` says which calls are of functions that have kernels of their own.
//! 4. `masks`: vectors of truth values are passed as bytes.
//! 5. `tapes` says which tapes are on the device, and lowers what kernels do with them; what the host keeps of arrays is
//!    made buffers before.

mod calls;
mod copies;
mod kernels;
mod masks;
mod rest;
pub mod swaps;
mod tapes;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val};
use melior::{Context, ir::operation::OperationLike};

pub use kernels::{
    BLOCK, LANES, for_each_on_host, has_threads, hoist_local, is_of_threads, is_outermost, kernels,
    launch, of_threads, one_kernel, outermost_on_host, when,
};

use calls::Calls;

use crate::{
    lower::tapes::own,
    support::{
        bounds::{Bounds, of_parallel, trip_count},
        builder::Builder,
        combinator::constant_index,
        diag::{Result, internal_error},
        region::control_blocks,
        symbol::{called_inside, name_of},
    },
};

/// Lowers a module; returns how many kernels there are.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let inside = called_inside(module);
    let Some(top) = module.body(0) else { return Ok(0) };
    own(context, module)?;
    let functions = || top.ops().into_iter().filter(|op| op.op_name() == "func.func");
    for function in functions() {
        copies::become_loops(context, function);
        swaps::become_swaps(context, function, swaps::NOT_IN_KERNELS)?;
    }
    let calls = Calls::of(top, &inside);
    let mut launches = 0;
    for function in
        functions().filter(|op| !name_of(*op).is_some_and(|name| inside.contains(&name)))
    {
        for block in function.blocks() {
            launches += kernels::launch_all(context, block)?;
            launches += rest::launch_all(context, block, &calls)?;
        }
        masks::widen(context, function);
    }
    calls.tapes.lower(context, module, &inside)?;
    Ok(launches)
}

/// Whether an operation is a parallel loop without results.
pub fn is_parallel(op: Op<'_>) -> bool {
    matches!(op.op_name(), "scf.forall" | "scf.parallel") && op.result_count() == 0
}

/// The iterations of a parallel loop.
pub struct Space<'c> {
    /// By dimension: where it starts, where it ends, and its step.
    bounds: Vec<Bounds<'c>>,
    extents: Vec<Val<'c>>,
    /// How many there are.
    pub total: Val<'c>,
    /// What each of them does.
    pub body: Blk<'c>,
}

impl<'c> Space<'c> {
    /// That of a loop, counted by operations that the builder makes.
    pub fn of(b: &Builder<'c>, op: Op<'c>) -> Result<Self> {
        let Some((bounds, body)) = of_parallel(b, op).zip(op.body(0)) else {
            return Err(internal_error(op, "loop has no bounds"));
        };
        let extents: Vec<_> = bounds.iter().map(|&bounds| trip_count(b, &bounds)).collect();
        let product = extents.iter().copied().reduce(|x, y| b.mul(x, y));
        let total = product.unwrap_or_else(|| b.index(1));
        Ok(Self { bounds, extents, total, body })
    }

    /// The number of an iteration among all, in its body; none if they are not counted from 0, one after the other.
    pub fn number(&self, b: &Builder<'c>) -> Option<Val<'c>> {
        let is_plain = |&[start, _, step]: &Bounds<'c>| {
            constant_index(start) == Some(0) && constant_index(step) == Some(1)
        };
        if !self.bounds.iter().all(is_plain) {
            return None;
        }
        let own = self.body.arg_list().into_iter().zip(&self.extents);
        own.fold(None, |all, (own, &extent)| {
            Some(all.map_or(own, |all| b.add(b.mul(all, extent), own)))
        })
    }

    /// What an iteration calls its numbers, of which `linear` counts all, the last dimension fastest.
    pub fn indices(&self, b: &Builder<'c>, linear: Val<'c>) -> Vec<Val<'c>> {
        let mut rest = linear;
        let mut found = vec![];
        let dimensions = self.bounds.iter().zip(&self.extents).enumerate().rev();
        for (d, (&[start, _, step], &extent)) in dimensions {
            let number = if d == 0 { rest } else { b.same("arith.remui", &[rest, extent]) };
            if d > 0 {
                rest = b.same("arith.divui", &[rest, extent]);
            }
            found.push(b.add(start, b.mul(number, step)));
        }
        found.reverse();
        found
    }
}

/// Whether a parallel loop, or the kernel that it became, is inside of an operation.
fn has_parallel(op: Op<'_>) -> bool {
    let mut found = false;
    op.for_each(&mut |inner| found |= is_parallel(inner) || inner.op_name() == "gpu.launch");
    found
}

/// The blocks of an operation of control flow that runs on the host.
fn host_blocks<'c>(op: Op<'c>) -> Vec<Blk<'c>> {
    if op.op_name() == "memref.alloca_scope" { op.blocks() } else { control_blocks(op) }
}
