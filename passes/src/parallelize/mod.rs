//! `ad-parallelize`: the outermost parallel operations of a program run in chunks on several cores.
//!
//! Each operation becomes an `scf.forall` with one iteration per thread, which runs the operation itself on a slice
//! of its inputs and inserts what it computes into shared results:
//!
//! ```text
//! ys = map f xs       ys = forall t: ys[chunk t] = map f xs[chunk t]
//! s = reduce op e xs  ps = forall t: ps[t] = reduce op e xs[chunk t];  s = reduce op e ps
//! ```
//!
//! Reading order: `parts` (slices, and maps that run in the loop of their only reader), `work` (how
//! much an operation has to do; in `typical`, of sizes that change inside of it), then one file per kind of operation: `rows` (maps, elementwise operations, reductions; in
//! `overwrite`, where their results lie in the place of an input),
//! `private` (histograms and accumulators, of which every thread has its own), `own_bins` (histograms that have no need
//! of that), `scan`, `structured` (`linalg`, and in `joined` several of them in one loop); and `whole`
//! (loops in which nothing is large).
//!
//! What is inside of a parallel operation stays sequential, so that there are never more threads than asked for; the
//! boundaries of chunks depend on sizes and on the number of threads alone, so that results do not change from run to
//! run. Nothing is atomic: what threads share is read only, or written at different places.

pub(crate) mod group;
mod joined;
mod overwrite;
mod own_bins;
pub(crate) mod parts;
pub(crate) mod private;
pub(crate) mod rows;
pub(crate) mod scan;
mod structured;
mod typical;
mod whole;
mod work;

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt};
use melior::{Context, ir::ValueLike};

use crate::{
    lower::soac_to_loops::repeat_cheap_maps,
    support::{
        builder::Builder,
        diag::Result,
        region::{ValueMap, clone_op, control_blocks, renamed},
        size::Size,
        symbol::{called_inside, name_of},
    },
};

use group::Group;

/// What to split for.
#[derive(Clone, Copy)]
pub struct Options {
    /// The number of threads; with one, nothing changes.
    pub threads: i64,
    /// The number of scalar operations from which on starting threads pays.
    pub min_work: i64,
}

/// Runs the pass; returns how many operations were split.
pub fn run<'c>(context: &'c Context, module: Op<'c>, options: Options) -> Result<u64> {
    if options.threads < 2 {
        return Ok(0);
    }
    let sequential = called_inside(module);
    let mut pass = Parallelize { context, options, gone: HashSet::new(), large: vec![], split: 0 };
    for function in module.blocks().into_iter().flat_map(|block| block.ops()) {
        let name = name_of(function).unwrap_or_default();
        if function.op_name() == "func.func" && !sequential.contains(&name) {
            function.blocks().into_iter().try_for_each(|block| pass.block(block))?;
        }
    }
    Ok(pass.split)
}

/// The state of the pass.
struct Parallelize<'c> {
    context: &'c Context,
    options: Options,
    /// Operations that were merged into their reader.
    gone: HashSet<OpKey>,
    /// Where what was split in the outermost loop at hand is large.
    large: Vec<Size<'c>>,
    split: u64,
}

/// How an operation is split: what is asked of its sizes, and what is built where they are large enough.
pub(crate) struct Split<'c> {
    /// The operation, and the maps that run in its loop.
    group: Group<'c>,
    /// The number of iterations that can be distributed.
    width: Size<'c>,
    /// The number of scalar operations.
    work: Size<'c>,
    /// The number of elements of the arrays of which every thread gets its own, if it does.
    private: Option<Size<'c>>,
    /// Builds the parallel form, and returns its results.
    build: Build,
}

/// Builds the parallel form of an operation for a number of chunks.
pub(crate) type Build =
    for<'c> fn(&Builder<'c>, &Group<'c>, Size<'c>) -> Result<Option<Vec<Val<'c>>>>;

impl<'c> Parallelize<'c> {
    /// Readers come before what they read, so that a map is found by its reader first.
    fn block(&mut self, block: Blk<'c>) -> Result<()> {
        repeat_cheap_maps(self.context, block);
        let all = block.body_ops();
        for run in joined::runs(block) {
            let Some(&last) = run.last() else { continue };
            let b = Builder::before(self.context, last, block);
            let split = joined::split(&b, &run);
            self.split(&b, last, split)?;
        }
        for op in all.into_iter().rev() {
            if self.gone.contains(&op.key()) || self.op(op, block)? {
                continue;
            }
            match op.op_name() {
                "scf.for" | "scf.while" if !is_in_loop(op) => self.outermost_loop(op, block)?,
                _ => control_blocks(op).into_iter().try_for_each(|inner| self.block(inner))?,
            }
        }
        Ok(())
    }

    fn outermost_loop(&mut self, op: Op<'c>, block: Blk<'c>) -> Result<()> {
        let b = Builder::before(self.context, op, block);
        let before = op.clone_detached();
        self.large.clear();
        op.blocks().into_iter().try_for_each(|inner| self.block(inner))?;
        let conditions = self.large.drain(..).map(|large| match large {
            Size::Known(_) => None,
            Size::Value(condition) => Some(condition),
        });
        match conditions.collect::<Option<Vec<_>>>() {
            Some(conditions) if !conditions.is_empty() => {
                whole::choose(&b, op, before, &conditions)
            }
            _ => {
                before.erase();
                Ok(())
            }
        }
    }

    /// Splits the operation if that is possible and may pay.
    fn op(&mut self, op: Op<'c>, block: Blk<'c>) -> Result<bool> {
        let b = Builder::before(self.context, op, block);
        let split = match op.op_name() {
            "soac.map" => rows::map(&b, op),
            "soac.reduce" => rows::reduce(&b, op),
            "soac.scan" => scan::scan(&b, op),
            "soac.hist" => private::hist(&b, op),
            "soac.with_acc" => private::with_acc(&b, op),
            name if name.starts_with("linalg.") => structured::structured(&b, op),
            _ => rows::elementwise(&b, op),
        };
        self.split(&b, op, split)
    }

    /// Splits what may pay; `op` is what the outcome is in front of.
    fn split(&mut self, b: &Builder<'c>, op: Op<'c>, split: Option<Split<'c>>) -> Result<bool> {
        let Some(split) = split.filter(|split| !split.group.has_empty()) else { return Ok(false) };
        let Some(large) = self.is_large(b, &split) else { return Ok(false) };
        let threads = Size::Known(self.options.threads);
        let values = match large {
            Size::Known(_) => (split.build)(b, &split.group, threads)?,
            // One chunk costs little, and buffers know nothing of it; arrays of its own would cost much, and so would two
            // passes, or one chunk after the other in a loop.
            Size::Value(is_large)
                if split.private.is_none() && !split.group.has_scan() && !is_in_loop(op) =>
            {
                let count = b.select(is_large, threads.value(b), b.index(1));
                (split.build)(b, &split.group, Size::Value(count))?
            }
            Size::Value(is_large) => {
                let types: Vec<_> = split.group.results().iter().map(|r| r.r#type()).collect();
                let branch = b.if_else(is_large, &types, |b, is_large| {
                    let parallel =
                        if is_large { (split.build)(&b, &split.group, threads)? } else { None };
                    Ok(parallel.unwrap_or_else(|| copy(&b, &split.group)))
                })?;
                Some(branch.result_list())
            }
        };
        let Some(values) = values else { return Ok(false) };
        self.large.push(large);
        for (old, new) in split.group.results().into_iter().zip(values) {
            old.replace_all_uses(new);
        }
        let all = split.group.maps.iter().chain([&split.group.op]).chain(&split.group.riders);
        for op in all.rev() {
            self.gone.insert(op.key());
            op.erase();
        }
        self.split += 1;
        Ok(true)
    }

    /// Whether it pays to start threads: none if it never does, known if it always does.
    fn is_large(&self, b: &Builder<'c>, split: &Split<'c>) -> Option<Size<'c>> {
        let Options { threads, min_work } = self.options;
        // Each thread fills its own arrays, and they are added up: that must be little work beside the rest.
        const SHARE: i64 = 4;
        let wide = split.width.at_least(b, Size::Known(threads))?;
        // The threads of a scan start twice, and its first pass is work that one thread does not have: the more so the more
        // numbers a step has. It has two, where it composes functions of one number.
        let numbers = split.group.scans().iter().map(|scan| scan.result_list().len()).max();
        let passes = 1 + numbers.unwrap_or(0).div_ceil(2) as i64;
        let long = split.work.at_least(b, Size::Known(min_work.saturating_mul(passes)))?;
        let Some(private) = split.private else { return Some(wide.and(b, long)) };
        let copies = private.times(b, Size::Known(SHARE * threads));
        let worthwhile = split.work.at_least(b, copies)?;
        Some(wide.and(b, long).and(b, worthwhile))
    }
}

/// Whether an operation runs several times.
fn is_in_loop(op: Op<'_>) -> bool {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    around.any(|op| matches!(op.op_name(), "scf.for" | "scf.while"))
}

/// The operation as it is, with what runs in its loop.
fn copy<'c>(b: &Builder<'c>, group: &Group<'c>) -> Vec<Val<'c>> {
    let mut map = ValueMap::new();
    for op in group.maps.iter().chain([&group.op]).chain(&group.riders) {
        clone_op(b, *op, &mut map);
    }
    group.results().into_iter().map(|result| renamed(&map, result)).collect()
}
