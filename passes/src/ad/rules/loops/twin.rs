//! The operations of a loop, and what they are in the return loop, which executes them again.
//!
//! An inner loop that is executed again fills tapes. To save those the forward loop runs the inner
//! loop with its tapes, too:
//!
//! ```text
//! for k                           for k, with all                  for k, with all
//!   s = for i, with s               s, t = for i, with s, t          s, t = for i, with s, t
//!                                     t[i] = s                         t[i] = s
//!                                   return loop reads t              all[k] = t
//!
//! the forward loop                the return loop                  the forward loop from now on
//! ```

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::size::Size;
use crate::{
    ad::vjp::Vjp,
    support::{
        builder::Builder,
        region::{ValueMap, clone_op, is_outside, reads, rename_operands},
    },
};

/// An operation of the body.
pub struct Twin<'c> {
    /// In the forward loop.
    pub forward: Op<'c>,
    /// In the return loop, if it has not been erased.
    pub copy: Option<OpKey>,
}

/// All operations of the body, in order.
pub struct Twins<'c> {
    /// The forward loop.
    pub root: Op<'c>,
    /// The operations.
    pub list: Vec<Twin<'c>>,
    /// The return loop.
    back: Option<Op<'c>>,
    /// What values of the return loop are in the forward loop.
    values: ValueMap<'c>,
}

impl<'c> Twins<'c> {
    /// The operations of a loop whose return loop has been built.
    pub fn new(vjp: &Vjp<'_, 'c>, root: Op<'c>, source: Blk<'c>) -> Self {
        let ops = root.body(0).map(|body| body.body_ops()).unwrap_or_default();
        let sources = source.body_ops();
        let is_same = ops.len() == sources.len();
        let both = ops
            .into_iter()
            .zip(sources)
            .filter(|(op, source)| is_same && op.op_name() == source.op_name());
        let list = both.map(|(forward, source)| Twin {
            forward,
            copy: vjp.copy_of(source).map(|copy| copy.key()),
        });
        Self { root, list: list.collect(), back: None, values: ValueMap::new() }
    }

    /// Looks up the values of the return loop, whose dead operations are gone, given with what
    /// stands for the loop-carried values.
    pub fn find_values(
        &mut self,
        induction: Val<'c>,
        (back, block): (Op<'c>, Blk<'c>),
        carried: impl Iterator<Item = (Val<'c>, usize)>,
    ) {
        let Some(arguments) = self.root.body(0).map(|body| body.arg_list()) else { return };
        let ops: HashMap<OpKey, Op<'c>> =
            block.body_ops().into_iter().map(|op| (op.key(), op)).collect();
        for twin in &self.list {
            let Some(copy) = twin.copy.and_then(|copy| ops.get(&copy)) else { continue };
            for (value, own) in copy.result_list().into_iter().zip(twin.forward.result_list()) {
                self.values.insert(value.key(), own);
            }
        }
        let carried = carried.filter_map(|(value, i)| Some((value, *arguments.get(i + 1)?)));
        self.values.extend(carried.map(|(value, own)| (value.key(), own)));
        let is_there = |op: &&Op<'c>| op.result_list().iter().any(|v| v.key() == induction.key());
        if ops.values().find(is_there).is_some() {
            self.values.insert(induction.key(), arguments[0]);
        }
        self.back = Some(back);
    }

    /// Lets the forward loop run an inner loop with the tapes that its copy in the return loop
    /// has, if it can save some of the results.
    pub fn save_tapes(
        &mut self,
        vjp: &mut Vjp<'_, 'c>,
        position: usize,
        copy: Op<'c>,
        results: &[Val<'c>],
    ) -> Option<()> {
        let old = self.list[position].forward;
        let read = reads(copy);
        let has_accs = read.iter().any(|value| value.r#type().is_acc());
        if !vjp.frozen.is_empty() || has_accs || !is_innermost(copy) {
            return None;
        }
        let b = Builder::before(vjp.session.context(), old, old.block()?);
        let (mut values, mut names) = (self.values.clone(), ValueMap::new());
        for value in read {
            names.insert(value.key(), self.value(&b, value, &mut values)?);
        }
        let new = copy.clone_detached();
        rename_operands(new, &names);
        b.insert(new);
        let is_saved = |value: &Val<'c>| Size::of(self.root, new.res(value.position())?);
        if !results.iter().all(|value| is_saved(value).is_some()) {
            new.erase();
            return None;
        }
        let keys: Vec<_> = old.result_list().iter().map(ValExt::key).collect();
        for (old, new) in old.result_list().into_iter().zip(new.result_list()) {
            old.replace_all_uses(new);
            self.values.values_mut().filter(|v| v.key() == old.key()).for_each(|v| *v = new);
        }
        vjp.masks.rename(&keys, &new.result_list());
        old.erase();
        self.list[position].forward = new;
        Some(())
    }

    /// What a value of the return loop is in the forward loop; sizes are computed there, too.
    fn value(&self, b: &Builder<'c>, value: Val<'c>, values: &mut ValueMap<'c>) -> Option<Val<'c>> {
        if let Some(&own) = values.get(&value.key()) {
            return Some(own);
        }
        let home = self.root.block();
        if is_outside(self.back.filter(|back| back.block() == home)?, value) {
            let op = value.defining_op().filter(|op| op.block() == home);
            if op.is_none_or(|op| op.is_before(self.root)) {
                return Some(value);
            }
        }
        let op = value.defining_op().filter(|op| {
            op.op_name().starts_with("arith.")
                || ["tensor.dim", "tensor.empty"].contains(&op.op_name())
        })?;
        for operand in op.operand_list() {
            let own = self.value(b, operand, values)?;
            values.insert(operand.key(), own);
        }
        clone_op(b, op, values);
        values.get(&value.key()).copied()
    }
}

/// Whether no array goes through loops or branches in a loop. The deeper a nest, the more there would
/// be to save; and see `MAX_NESTS` in `in_place.rs`.
fn is_innermost(root: Op<'_>) -> bool {
    let mut is_innermost = true;
    root.for_each(&mut |op| {
        let has_arrays =
            || op.result_list().iter().any(|value| value.r#type().as_tensor().is_some());
        let is_control = op.op_name().starts_with("scf.") && op.key() != root.key();
        is_innermost &= !(is_control && has_arrays());
    });
    is_innermost
}
