//! Accumulators become the arrays they accumulate into [FUT 5.4].
//!
//! Afterwards an accumulator is a tensor that loops carry, and an update reads,
//! adds and writes one element of it in place.

use ad_dialect::{
    capi,
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{Lowering, collect, input_count, is_dynamic, source::Source};
use crate::support::{
    builder::{Builder, same_value},
    diag::{Result, error},
    region::replace,
    retype::change_types,
};

/// Follows null accumulators to wherever they go and drops their updates.
///
/// Invariant: afterwards a null accumulator is only handed around, so that an array
/// of any size can stand for it.
pub fn forget_null<'c>(context: &'c Context, module: Op<'c>) -> Result<()> {
    for null in collect(module, &["soac.null_acc"]) {
        let (Some(value), Some(block)) = (null.res(0), null.block()) else { continue };
        while let Some(other) = null_elsewhere(value) {
            other.replace_all_uses(value);
        }
        for user in value.users() {
            if user.op_name() == "soac.update_acc" {
                user.erase();
            } else if !hands_on(user, value) {
                return Err(error(
                    user,
                    "mixes a null accumulator with one that counts; \
                     give both the same array, or make both null",
                ));
            }
        }
        let array = capi::acc_array(value.r#type());
        let b = Builder::before(context, null, block);
        let dynamic = array.shape().into_iter().filter(|&size| is_dynamic(size));
        let sizes: Vec<_> = dynamic.map(|_| b.index(0)).collect();
        replace(null, &[b.empty(array, &sizes)]);
    }
    Ok(())
}

/// A used value that is the null accumulator under another name.
fn null_elsewhere<'c>(null: Val<'c>) -> Option<Val<'c>> {
    null.users()
        .into_iter()
        .flat_map(|user| other_names(user, null))
        .find(|other| !same_value(*other, null) && !other.users().is_empty())
}

/// The values that are the null accumulator because the user hands it on.
fn other_names<'c>(user: Op<'c>, null: Val<'c>) -> Vec<Val<'c>> {
    let positions = positions_of(user, null);
    let body: Vec<_> = user.body(0).map(|body| body.arg_list()).unwrap_or_default();
    let (arguments, results) = match user.op_name() {
        "soac.update_acc" => (vec![], vec![0]),
        "soac.map" => {
            let arrays = (user.result_count() + input_count(user)).wrapping_sub(body.len());
            let shift = |p: &usize| (p + arrays).wrapping_sub(input_count(user));
            (positions.clone(), positions.iter().map(shift).collect())
        }
        "scf.for" => (
            positions.iter().map(|p| p.wrapping_sub(2)).collect(),
            positions.iter().map(|p| p.wrapping_sub(3)).collect(),
        ),
        "scf.yield" => {
            let Some(branch) = user.parent().filter(|parent| parent.op_name() == "scf.if") else {
                return vec![];
            };
            let both = |p: usize| {
                branch
                    .blocks()
                    .iter()
                    .all(|block| block.term().and_then(|term| term.opnd(p)).is_some_and(is_null))
            };
            let shared = positions.into_iter().filter(|&p| both(p));
            return shared.filter_map(|p| branch.res(p)).collect();
        }
        // What runs once hands on what it ends with.
        "soac.yield" => {
            let around = user.parent().filter(|parent| parent.op_name() == "soac.with_acc");
            return around.map_or(vec![], |around| {
                positions.into_iter().filter_map(|p| around.res(p)).collect()
            });
        }
        _ => return vec![],
    };
    let arguments = arguments.into_iter().filter_map(|i| body.get(i).copied());
    arguments.chain(results.into_iter().filter_map(|i| user.res(i))).collect()
}

fn positions_of(op: Op<'_>, value: Val<'_>) -> Vec<usize> {
    let operands = op.operand_list();
    (0..operands.len())
        .filter(|&i| operands.get(i).is_some_and(|operand| same_value(*operand, value)))
        .collect()
}

fn is_null(value: Val<'_>) -> bool {
    value.defining_op().is_some_and(|op| op.op_name() == "soac.null_acc")
}

/// Whether the operation does nothing with a null accumulator but to hand it to
/// places where a null accumulator came from.
fn hands_on<'c>(user: Op<'c>, null: Val<'c>) -> bool {
    let Some(parent) = user.parent() else { return false };
    let came_from = |p: usize| match parent.op_name() {
        "scf.for" => parent.opnd(p + 3).is_some_and(is_null),
        "soac.map" => {
            let count = parent.operand_list().len() + p;
            let operand = count.checked_sub(parent.result_count());
            operand.and_then(|p| parent.opnd(p)).is_some_and(is_null)
        }
        "scf.if" | "soac.with_acc" => parent.res(p).is_some_and(|result| result.users().is_empty()),
        _ => false,
    };
    match user.op_name() {
        "soac.map" | "scf.for" => true,
        "scf.yield" | "soac.yield" => positions_of(user, null).into_iter().all(came_from),
        _ => false,
    }
}

/// Gives every accumulator the type of its array, also in function types.
pub fn become_arrays<'c>(context: &'c Context, module: Op<'c>) {
    change_types(context, module, |old| if old.is_acc() { capi::acc_array(old) } else { old });
}

/// Runs the body of every `soac.with_acc` in place on the arrays themselves.
pub fn inline_with_acc(module: Op<'_>) {
    // Innermost first, so that no operation in the list lies in an erased one.
    for op in collect(module, &["soac.with_acc"]).into_iter().rev() {
        let (Some(body), Some(block)) = (op.body(0), op.block()) else { continue };
        for (argument, array) in body.arg_list().into_iter().zip(op.operand_list()) {
            argument.replace_all_uses(array);
        }
        for inner in body.body_ops() {
            inner.detach();
            block.insert_before(op, inner);
        }
        let Some(end) = body.term() else { continue };
        replace(op, &end.operand_list());
    }
}

impl<'c> Lowering<'c> {
    /// `soac.update_acc`: reads, adds and writes one element, or each element of a
    /// sub-array in a loop nest.
    pub fn update_acc(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let operands = op.operand_list();
        let (Some((&acc, rest)), Some(result)) = (operands.split_first(), op.res(0)) else {
            return Ok(());
        };
        let Some((&value, indices)) = rest.split_last() else { return Ok(()) };
        let updated = self.accumulate(b.with_fastmath_of(op), acc, indices, value)?;
        result.replace_all_uses(updated);
        op.erase();
        self.erase_run_maps(&[value]);
        Ok(())
    }

    fn accumulate(
        &mut self,
        b: Builder<'c>,
        acc: Val<'c>,
        indices: &[Val<'c>],
        value: Val<'c>,
    ) -> Result<Val<'c>> {
        if value.r#type().as_tensor().is_none() {
            let sum = b.add(b.extract(acc, indices), value);
            return Ok(b.insert_element(sum, acc, indices));
        }
        let updated = if value.r#type().shape().is_empty() {
            let scalar = b.extract(value, &[]);
            vec![self.accumulate(b, acc, indices, scalar)?]
        } else {
            let width = self.outer_size(&b, value)?;
            if let Source::Map(map, _) = self.source(value) {
                self.deferred.insert(map.key());
            }
            let updated = self.counted_loop(b, width, &[acc], |this, b, iv, carried| {
                let row = this.rows(&b, &[value], iv)?;
                let inner = [indices, &[iv]].concat();
                let mut updated = vec![];
                for (&acc, row) in carried.iter().zip(row) {
                    updated.push(this.accumulate(b, acc, &inner, row)?);
                }
                Ok(updated)
            })?;
            if value.users().is_empty() {
                self.erase_run_maps(&[value]);
            }
            updated
        };
        Ok(updated.first().copied().unwrap_or(acc))
    }
}
