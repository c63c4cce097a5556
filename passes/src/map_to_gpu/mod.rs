//! `ad-map-to-gpu`: the outermost parallel operations of a program become the iterations of kernels.
//!
//! A kernel is an outermost `scf.forall` over tensors. Its iterations are threads, or, where there is another
//! `scf.forall` inside of it with the mapping `#gpu.thread<linear_dim_0>`, blocks of `BLOCK` threads:
//!
//! ```text
//! ys = map f xs       ys = forall i < n: ys[i] = f xs[i]
//! yss = map (map f) xss  yss = forall i < n, j < m: yss[i, j] = f xss[i, j]
//! s = reduce op e xs  ps = forall block b < blocks:
//!                            forall thread t < BLOCK: x = reduce op e of every (blocks * BLOCK)th element
//!                                                     own[t / 32] = the xs of threads t .. t + 31 combined, if 32 | t
//!                            ps[b] = reduce op e own
//!                     s  = the same with one block of ps
//! ```
//!
//! Maps inside of maps have a thread for each row of all of them (`nest`). Where a map is not wide enough, its body is
//! taken apart first (`distribute`). What is inside of an iteration then stays sequential. What several iterations update
//! is a buffer from here on, and an update is atomic.
//!
//! Products of matrices are not mapped: `lower-contractions-to-gpu` makes kernels of them when all is in buffers.
//!
//! What cannot be distributed, such as a reduction by a product of matrices, is a kernel of one thread (`alone`).
//!
//! Reading order: `late_sums` and `columns` (reductions of arrays), `distribute`, `slices`, `branches`, `part`, `inner` and
//! `rows_and_sums`, `long_rows`, `nest` (maps), `lanes`, `rows` (what an element of an array is), `reduce` with `first_index`, `subgroup` and `shared`, `ordered`, `tiles`,
//! `scan`, `blocks`, `accumulators`, `own_updates` and `private_updates`, `updates` (histograms and scatters), `bins`, `places`, `generate` (arrays that are given by a
//! rule), `insertions`, `carried` (buffers that loops update), `scalars` (numbers that kernels make for kernels).

mod accumulators;
mod alone;
pub mod atomic;
mod bins;
mod blocks;
mod branches;
mod carried;
mod columns;
mod distribute;
mod first_index;
mod generate;
mod inner;
mod insertions;
mod lanes;
mod late_sums;
mod long_rows;
mod nest;
mod ordered;
mod own_updates;
mod part;
mod places;
mod private_updates;
mod reduce;
mod rows;
mod rows_and_sums;
mod scalars;
mod scan;
mod shared;
mod slices;
mod subgroup;
mod tiles;
mod updates;

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::{Context, ir::ValueLike};

pub use self::nest::FEW;
use self::slices::is_large;
use crate::{
    lower::{
        buffers_to_device::UNCHANGED,
        forall_to_gpu::{BLOCK, kernels, one_kernel},
    },
    parallelize::group::Group,
    support::{
        builder::Builder,
        diag::Result,
        memory::is_only_read,
        region::{control_blocks, replace},
        symbol::{called_inside, mark_argument, name_of},
    },
};

/// Runs the pass; returns how many operations were mapped.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let sequential = called_inside(module);
    let mut pass = MapToGpu { context, gone: HashSet::new(), mapped: 0 };
    for function in module.blocks().into_iter().flat_map(|block| block.ops()) {
        let name = name_of(function).unwrap_or_default();
        if function.op_name() != "func.func" || sequential.contains(&name) {
            continue;
        }
        for (position, argument) in
            function.body(0).map(|body| body.arg_list()).unwrap_or_default().iter().enumerate()
        {
            if argument.r#type().as_tensor().is_some() || is_only_read(*argument) {
                mark_argument(context, function, position, UNCHANGED);
            }
        }
        let mut accumulators = vec![];
        for block in function.blocks() {
            late_sums::delay(context, block)?;
            accumulators::become_buffers(context, block, &mut accumulators)?;
            distribute::run(context, block)?;
            // What one kind of operation becomes may have operations of other kinds between its kernels.
            let mut before = None;
            while before != Some(pass.mapped) {
                before = Some(pass.mapped);
                pass.gone.clear();
                pass.block(block)?;
            }
        }
        own_updates::make(context, function);
        private_updates::make(context, &accumulators)?;
        carried::share(context, function);
        scalars::keep(context, function)?;
    }
    Ok(pass.mapped)
}

/// Whether an operation in control flow is one of some.
fn has<'c>(op: Op<'c>, is_one: impl Fn(Op<'c>) -> bool) -> bool {
    let mut found = false;
    op.for_each(&mut |inner| found |= is_one(inner));
    found
}

/// Whether an operation is a kernel, has some, or becomes one by another pass: structured operations on more than a few
/// elements.
fn has_threads(op: Op<'_>) -> bool {
    match op.op_name() {
        "scf.forall" | "func.call" | "func.call_indirect" => true,
        name => {
            let is_structured = name.starts_with("linalg.") && !op.blocks().is_empty();
            is_structured && (op.res(0).is_none() || is_large(op))
        }
    }
}

/// Whether this pass may make a kernel of an operation.
fn may_be_mapped(op: Op<'_>) -> bool {
    op.op_name().starts_with("soac.") || op.op_name() == "tensor.generate"
}

/// The state of the pass.
struct MapToGpu<'c> {
    context: &'c Context,
    /// Operations that were merged into their reader.
    gone: HashSet<OpKey>,
    mapped: u64,
}

/// What the results of an operation are now; none if it cannot be mapped.
type Mapped<'c> = Result<Option<Vec<Val<'c>>>>;

impl<'c> MapToGpu<'c> {
    /// Readers come before what they read, so that a map is found by its reader first.
    fn block(&mut self, block: Blk<'c>) -> Result<()> {
        for op in block.body_ops().into_iter().rev() {
            if self.gone.contains(&op.key()) || self.op(op, block)? {
                continue;
            }
            if self.insertion(op, block)? {
                continue;
            }
            let inner = control_blocks(op);
            if inner.is_empty() {
                continue;
            }
            // Loops in a loop are one kernel, not one for each iteration.
            if has(op, |inner| has_threads(inner) || may_be_mapped(inner)) {
                inner.into_iter().try_for_each(|inner| self.block(inner))?;
            }
            self.sequential(op, block)?;
        }
        Ok(())
    }

    /// Lets one thread insert what depends on kernels.
    fn insertion(&mut self, op: Op<'c>, block: Blk<'c>) -> Result<bool> {
        let b = Builder::before(self.context, op, block);
        let Some(values) = insertions::kernel(&b, op)? else { return Ok(false) };
        replace(op, &values);
        self.mapped += 1;
        Ok(true)
    }

    /// Lets one thread execute control flow that makes arrays without anything parallel inside.
    fn sequential(&mut self, op: Op<'c>, block: Blk<'c>) -> Result<()> {
        let makes_arrays = op.result_list().iter().any(|r| r.r#type().as_tensor().is_some());
        if !makes_arrays || has(op, has_threads) || insertions::is_insertion(op) {
            return Ok(());
        }
        let b = Builder::before(self.context, op, block);
        let Some(values) = alone::alone(&b, &Group::only(op))? else { return Ok(()) };
        replace(op, &values);
        self.mapped += 1;
        Ok(())
    }

    /// Makes kernels of the operation if that is possible.
    fn op(&mut self, op: Op<'c>, block: Blk<'c>) -> Result<bool> {
        let b = Builder::before(self.context, op, block);
        let group = match op.op_name() {
            "soac.map" | "soac.reduce" | "soac.scan" => nest::with_maps(op),
            "soac.hist" | "soac.scatter" => carried::with_maps(op),
            "tensor.generate" | "soac.iota" | "soac.replicate" => Group::only(op),
            _ => return Ok(false),
        };
        if group.has_empty() {
            return Ok(false);
        }
        let scan = scan::read_by(&group);
        let several = match (op.op_name(), &scan) {
            ("soac.map", _) if op.attr(distribute::BLOCKS).is_some() => {
                blocks::rows(&b, group.clone())?
            }
            ("soac.map", _) if op.attr(distribute::LANES).is_some() => {
                lanes::rows(&b, group.clone())?
            }
            (_, Some(scan)) => scan::with_reader(&b, scan, &group)?,
            ("soac.map", _) => nest::map(&b, group.clone())?,
            ("soac.reduce", _) => reduce::reduce(&b, &group)?,
            ("soac.scan", _) => scan::scan(&b, &group)?,
            ("soac.hist", _) => updates::hist(&b, &group)?,
            ("soac.scatter", _) => updates::scatter(&b, &group)?,
            _ => generate::generate(&b, op)?,
        };
        let mapped = match several {
            None if op.op_name().starts_with("soac.") && op.body(0).is_some() => {
                alone::alone(&b, &group)?
            }
            _ => several,
        };
        let Some(values) = mapped else { return Ok(false) };
        replace(op, &values);
        self.mapped += 1;
        let scans = scan.iter().map(|scan| &scan.group);
        let scans = scans.flat_map(|scan| [&scan.op].into_iter().chain(scan.maps.iter().rev()));
        for made in group.maps.iter().rev().chain(scans) {
            // Others may make what is in several kernels, too.
            if made.result_list().iter().all(|result| result.users().is_empty()) {
                self.gone.insert(made.key());
                made.erase();
            }
        }
        Ok(true)
    }
}
