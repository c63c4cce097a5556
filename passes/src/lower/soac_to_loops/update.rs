//! Hist and scatter become loops that update their destinations in place.
//!
//! ```text
//! ys = scatter xs is vs        =>  ys = loop (ys = xs) for i < m do
//!                                    if is[i] in range then ys with [is[i]] <- vs[i] else ys
//! hs = hist op e is vs dest    =>  hs = loop (hs = dest) for i < m do
//!                                    if is[i] in range
//!                                    then hs with [is[i]] <- hs[is[i]] op vs[i] else hs
//! ```
//! Values that are read at the place are read where that is known to be there.
//!
//! An operator that chooses, such as a maximum, keeps what most bins hold most of the time. Then
//! nothing is written: a branch that goes the same way each time costs less than what a write makes
//! the next reader of the bin wait for. Where bins get few values each, the branch would often go
//! either way, so that all are written:
//! ```text
//! if m < 32 * bins or changes then hs with [is[i]] <- ... else hs
//! ```

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::Lowering;
use crate::support::{
    builder::{Builder, CMP_SLT, Is, same_value},
    diag::{Result, internal_error},
    region::{is_within, move_body, reads},
    update::Update,
};

/// How many values for each bin are few: of values in any order, the k-th of a bin is the largest so
/// far once in k times, and a branch that goes the other way costs as much as ten writes.
const FEW: i64 = 32;

impl<'c> Lowering<'c> {
    /// `soac.hist` and `soac.scatter`.
    pub fn update(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let update = Update::of(op);
        let read = update.read();
        let Some(&first) = update.dests.first() else {
            return Err(internal_error(op, "update of nothing"));
        };
        let width = self.width(&b, op, &read)?;
        // Before the loop, where it may turn out that nothing asks for it.
        let few = op.body(0).map(|_| are_few(&b, width, first, update.at.len()));
        let results = self.counted_loop(b, width, &update.dests, |this, b, iv, carried| {
            let rows = this.rows(&b, &read, iv)?;
            let (places, values) = rows.split_at(update.at.len().min(rows.len()));
            let (at, inside) = b.in_range(places, first);
            let types: Vec<_> = carried.iter().map(|array| array.r#type()).collect();
            let updated = b.if_else(inside, &types, |b, taken| {
                if !taken {
                    return Ok(carried.to_vec());
                }
                let write = |b: Builder<'c>, new: &[Val<'c>]| -> Vec<Val<'c>> {
                    let pairs = new.iter().zip(carried);
                    pairs.map(|(&new, &array)| b.replace_element(new, array, &at)).collect()
                };
                let Some(body) = op.body(0) else { return Ok(write(b, values)) };
                let held = this.held(&b, carried, &at);
                let new = combine(&b, body, &held, values);
                let Some((few, changes)) = few.zip(changes(&b, &held, &new)) else {
                    return Ok(write(b, &new));
                };
                let writes = b.same("arith.ori", &[few, changes]);
                let changed = b.if_else(writes, &types, |b, taken| {
                    Ok(if taken { write(b, &new) } else { carried.to_vec() })
                })?;
                Ok(changed.result_list())
            })?;
            read_inside(updated, places);
            Ok(updated.result_list())
        })?;
        self.finish(op, &results);
        Ok(())
    }

    /// What a bin holds.
    fn held(&mut self, b: &Builder<'c>, arrays: &[Val<'c>], at: &[Val<'c>]) -> Vec<Val<'c>> {
        let held: Vec<_> = arrays.iter().map(|&array| b.element(array, at)).collect();
        self.consumable.extend(held.iter().map(ValExt::key));
        held
    }
}

/// Moves reads at the places of an update, and what is made of them for it alone, into the branch in which the places are known
/// to be there.
fn read_inside<'c>(branch: Op<'c>, places: &[Val<'c>]) {
    let (Some(block), Some(inside)) = (branch.block(), branch.body(0)) else { return };
    let is_read = |op: &Op<'c>| {
        let is_place = |index: &Val<'c>| places.iter().any(|place| same_value(*place, *index));
        op.op_name() == "tensor.extract" && op.operand_list().iter().skip(1).any(is_place)
    };
    let mut late: Vec<Op<'c>> = vec![];
    for op in block.ops().into_iter().take_while(|op| op.key() != branch.key()) {
        let is_made = |value: &Val<'c>| {
            value.defining_op().is_some_and(|made| late.iter().any(|op| op.key() == made.key()))
        };
        if is_read(&op) || reads(op).iter().any(is_made) {
            late.push(op);
        }
    }
    for op in late.into_iter().rev() {
        let is_inside = |user: Op<'c>| user.key() != branch.key() && is_within(user, branch);
        let first = inside.ops().first().copied();
        if let Some(first) = first.filter(|_| {
            op.result_list().into_iter().flat_map(|result| result.users()).all(is_inside)
        }) {
            op.detach();
            BlkExt::insert_before(&inside, first, op);
        }
    }
}

/// Whether the bins, which the first dimensions of an array count, get few values each.
fn are_few<'c>(b: &Builder<'c>, values: Val<'c>, array: Val<'c>, dimensions: usize) -> Val<'c> {
    let sizes = (0..dimensions).map(|d| b.dim(array, d));
    let bound = sizes.fold(b.index(FEW), |product, size| b.mul(product, size));
    b.compare(CMP_SLT, values, bound)
}

/// The operator of a hist, applied to what a bin holds and the new values.
fn combine<'c>(
    b: &Builder<'c>,
    body: Blk<'c>,
    held: &[Val<'c>],
    values: &[Val<'c>],
) -> Vec<Val<'c>> {
    for (old, &new) in body.arg_list().into_iter().zip(held.iter().chain(values)) {
        old.replace_all_uses(new);
    }
    move_body(b, body, &[])
}

/// Whether a bin that holds numbers gets others, where an operator chooses each of them.
fn changes<'c>(b: &Builder<'c>, held: &[Val<'c>], new: &[Val<'c>]) -> Option<Val<'c>> {
    let each = held.iter().zip(new).map(|(&held, &new)| replaces(b, held, new));
    let each: Vec<_> = each.collect::<Option<_>>()?;
    each.into_iter().reduce(|a, c| b.same("arith.ori", &[a, c]))
}

/// Whether a number is not the one held, if it is that or another one by choice. Where in doubt it
/// is not: of two zeros, the sign may differ.
fn replaces<'c>(b: &Builder<'c>, held: Val<'c>, new: Val<'c>) -> Option<Val<'c>> {
    let op = new.defining_op().filter(|_| is_scalar(held))?;
    let operands = op.operand_list();
    let is_held = |value: &Val<'c>| same_value(*value, held);
    let other = || operands.iter().find(|value| !is_held(value)).copied();
    let may =
        |is| operands.iter().any(is_held).then(|| Some(b.compare_floats(is, other()?, held)))?;
    match (op.op_name(), &operands[..]) {
        ("arith.select", [condition, _, no]) if is_held(no) => Some(*condition),
        ("arith.select", [condition, yes, _]) if is_held(yes) => Some(b.not(*condition)),
        ("arith.maximumf" | "arith.maxnumf", _) => may(Is::AtLeastOrNan),
        ("arith.minimumf" | "arith.minnumf", _) => may(Is::AtMostOrNan),
        _ => None,
    }
}

fn is_scalar(value: Val<'_>) -> bool {
    let full = value.r#type();
    full.as_tensor().is_none() && !full.is_vector_type()
}
