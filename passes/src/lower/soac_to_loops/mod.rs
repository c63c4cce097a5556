//! `lower-soac-to-loops`: combinators become sequential loops over tensors, and so do
//! those operations of `tensor` that upstream does not lower.
//!
//! The loops are in destination-passing style: a loop carries its result arrays
//! and inserts one row per iteration, so that one-shot bufferisation writes in
//! place. In order:
//!
//! 1. `accumulators`: accumulators become the arrays they accumulate into, and
//!    `soac.with_acc` goes away.
//! 2. `source`: reads of virtual arrays become scalars.
//! 3. `combinators`: each map and reduce, outermost first, becomes a loop. A map
//!    or scan that one other combinator reads is evaluated in the loop of its reader;
//!    `repeat` gives each reader of a cheap map a map of its own.
//!    `destinations` chooses where the results of a map lie, and `sizes` finds out how
//!    large a row is before the loop runs.
//!    `update` does the same for hist and scatter, `first_index` for reductions that find
//!    a position.
//! 4. `materialise`: virtual arrays that are still needed as arrays are stored.

mod accumulators;
mod combinators;
mod destinations;
mod first_index;
mod materialise;
mod repeat;
mod scan;
mod sizes;
mod source;
mod update;

pub use combinators::riders;
pub use first_index::decides;
pub use scan::is_cheap;
pub use source::{only_reader, readers_by_row, reads_by_row, runs_alone};

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, OpKey, TyExt, Val, ValueKey, is_public};
use melior::{
    Context,
    ir::{Attribute, ValueLike, attribute::ArrayAttribute},
};

use crate::{
    raise,
    support::{
        builder::Builder,
        combinator::input_count,
        diag::{Reported, Result},
        region::replace,
    },
};

/// Gives every reader of a cheap map of a block a copy of the map, as lowering does.
pub fn repeat_cheap_maps<'c>(context: &'c Context, block: Blk<'c>) {
    Lowering::new(context).repeat_cheap_maps(block);
}

/// Lowers a module; returns how many loops were created.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    raise::raise(context, module, &[raise::Purpose::Lowering])?;
    drop_stop_gradients(module);
    protect_arguments(context, module);
    accumulators::forget_null(context, module)?;
    accumulators::become_arrays(context, module);
    accumulators::inline_with_acc(module);
    source::read_virtual(context, module);
    let mut lowering = Lowering::new(context);
    for block in module.blocks() {
        lowering.block(block)?;
    }
    materialise::virtual_arrays(&mut lowering, module)?;
    Ok(lowering.loops)
}

/// The state of the pass.
struct Lowering<'c> {
    context: &'c Context,
    /// Loops created so far.
    loops: u64,
    /// Maps and scans that are evaluated in the loop of their only reader.
    deferred: HashSet<OpKey>,
    /// Combinators whose loops run scans.
    runners: HashSet<OpKey>,
    /// Reductions that have run in the loop of a map in front of them.
    done: HashSet<OpKey>,
    /// The results at the index at hand of scans that run in the loop at hand.
    running: HashMap<ValueKey, Val<'c>>,
    /// Arrays that a loop may overwrite while it reads them, because nothing
    /// reads them afterwards and they live in a buffer of their own.
    consumable: HashSet<ValueKey>,
}

impl<'c> Lowering<'c> {
    fn new(context: &'c Context) -> Self {
        Self {
            context,
            loops: 0,
            deferred: HashSet::new(),
            runners: HashSet::new(),
            done: HashSet::new(),
            running: HashMap::new(),
            consumable: HashSet::new(),
        }
    }

    /// Lowers everything in a block. Errors of sibling operations are all reported.
    fn block(&mut self, block: Blk<'c>) -> Result<()> {
        self.repeat_cheap_maps(block);
        let mut failure: Option<Reported> = None;
        for op in block.ops() {
            if let Err(reported) = self.op(op, block) {
                failure = Some(reported);
            }
        }
        failure.map_or(Ok(()), Err)
    }

    fn op(&mut self, op: Op<'c>, block: Blk<'c>) -> Result<()> {
        let b = Builder::before(self.context, op, block);
        // Not for an operation that comes to lie in the same place.
        let runs_scans = self.runners.remove(&op.key());
        match op.op_name() {
            "soac.map" if !runs_scans && self.may_defer(op, block) => {
                self.deferred.insert(op.key());
                Ok(())
            }
            "soac.map" => self.map(b, op),
            "soac.reduce" => self.reduce(b, op),
            "soac.scan" => match self.runner(op, block) {
                Some(reader) => {
                    self.runners.insert(reader.key());
                    self.deferred.insert(op.key());
                    Ok(())
                }
                None => self.scan(b, op),
            },
            "soac.hist" | "soac.scatter" => self.update(b, op),
            "soac.update_acc" => self.update_acc(b, op),
            "tensor.splat" => {
                materialise::splat(b, op);
                Ok(())
            }
            "tensor.from_elements" => {
                materialise::from_elements(b, op);
                Ok(())
            }
            "tensor.generate" => self.generate(b, op),
            _ => op.blocks().into_iter().try_for_each(|inner| self.block(inner)),
        }
    }

    /// `scf.for` from 0 up to `width`; the closure gets the iteration number and the
    /// carried values and returns the next ones. Then lowers the body.
    fn counted_loop(
        &mut self,
        b: Builder<'c>,
        width: Val<'c>,
        inits: &[Val<'c>],
        body: impl FnOnce(&mut Self, Builder<'c>, Val<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        self.loops += 1;
        let bounds = [b.index(0), width, b.index(1)];
        let op = b.for_loop(bounds, inits, |b, iv, carried| body(self, b, iv, carried))?;
        if let Some(block) = op.body(0) {
            self.block(block)?;
        }
        Ok(op.result_list())
    }
}

/// All operations inside with one of the names, outermost first.
fn collect<'c>(module: Op<'c>, names: &[&str]) -> Vec<Op<'c>> {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if names.contains(&op.op_name()) {
            found.push(op);
        }
    });
    found
}

fn drop_stop_gradients(module: Op<'_>) {
    for op in collect(module, &["ad.stop_gradient"]) {
        replace(op, &op.operand_list());
    }
}

/// Marks the tensor arguments of public functions as read-only: the caller's
/// arrays are values, so bufferisation must not write to them.
fn protect_arguments<'c>(context: &'c Context, module: Op<'c>) {
    for function in collect(module, &["func.func"]) {
        let Some(body) = function.body(0).filter(|_| is_public(function)) else { continue };
        let given = function.attr("arg_attrs").and_then(|all| ArrayAttribute::try_from(all).ok());
        let arguments = body.arg_list();
        let texts: Vec<_> = arguments
            .iter()
            .enumerate()
            .map(|(i, argument)| {
                let old = given.and_then(|all| all.element(i).ok()).map(|old| old.to_string());
                let old = old.unwrap_or_else(|| "{}".to_owned());
                let old = old.trim_start_matches('{').trim_end_matches('}');
                if argument.r#type().as_tensor().is_none() || old.contains("bufferization.") {
                    return format!("{{{old}}}");
                }
                let comma = if old.trim().is_empty() { "" } else { ", " };
                format!("{{{old}{comma}bufferization.writable = false}}")
            })
            .collect();
        if let Some(attribute) = Attribute::parse(context, &format!("[{}]", texts.join(", "))) {
            function.set_attr(context, "arg_attrs", attribute);
        }
    }
}

/// Whether a size in a type is known only at run time.
fn is_dynamic(size: i64) -> bool {
    size == DYNAMIC
}

/// The array with the row at `index` replaced, where `sizes` are those of the row
/// that its type does not say.
fn insert_row<'c>(
    b: &Builder<'c>,
    row: Val<'c>,
    array: Val<'c>,
    index: Val<'c>,
    sizes: &[Val<'c>],
) -> Val<'c> {
    let mut shape = array.r#type().shape();
    if shape.len() == 1 {
        return b.insert_element(row, array, &[index]);
    }
    let rank = shape.len();
    let mut offsets = vec![0; rank];
    if let (Some(offset), Some(size)) = (offsets.first_mut(), shape.first_mut()) {
        (*offset, *size) = (DYNAMIC, 1);
    }
    let operands = [&[row, array, index], sizes].concat();
    let segments = [1, 1, 1, sizes.len() as i32, 0];
    let statics = [offsets, shape, vec![1; rank]];
    b.slice_op("tensor.insert_slice", &operands, array.r#type(), &statics, &segments)
}
