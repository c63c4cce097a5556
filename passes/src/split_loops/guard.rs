//! Branches that depend on something the iterations share, and on something of their own.
//!
//! ```text
//! for j = a to b                         for j = a to (if any then b else a)
//!   y[j] = if any & x[j] == 0            y[j] = if x[j] == 0 then f j else g j
//!          then f j else g j     ==>     for j = (if any then b else a) to b
//!                                          y[j] = g j
//! ```
//! One of the loops has no iterations. LLVM did not do so for the values of a histogram, and gathered what only zeros
//! need, too.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::{Context, ir::operation::OperationLike};

use super::does_work;
use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    diag::{Result, internal_error},
    region::is_outside,
};

/// What decides of a branch that does work, for some values of the iteration.
pub fn find(op: Op<'_>) -> Option<Val<'_>> {
    let is_constant = |i: usize| op.opnd(i).and_then(constant_index).is_some();
    if is_constant(0) && is_constant(1) {
        return None;
    }
    let mut found = None;
    op.for_each(&mut |inner| {
        if found.is_none() && inner.op_name() == "scf.if" && does_work(inner) {
            found = inner.opnd(0).and_then(|condition| guard(op, condition));
        }
    });
    found
}

/// The operand of a conjunction or disjunction that is from outside of a loop, if the other one is not.
fn guard<'c>(root: Op<'c>, condition: Val<'c>) -> Option<Val<'c>> {
    let test = condition.defining_op().filter(|_| !is_outside(root, condition))?;
    if !matches!(test.op_name(), "arith.andi" | "arith.ori") {
        return None;
    }
    let mut shared = test.operand_list().into_iter().filter(|&value| is_outside(root, value));
    let first = shared.next().filter(|_| shared.next().is_none())?;
    let is_known = first.defining_op().is_some_and(|op| op.op_name() == "arith.constant");
    (!is_known).then_some(first)
}

/// Replaces a loop by one for each value of a condition, and returns these.
pub fn split<'c>(context: &'c Context, op: Op<'c>, guard: Val<'c>) -> Result<Vec<Op<'c>>> {
    let malformed = || internal_error(op, "a loop cannot be split");
    let block = op.block().ok_or_else(malformed)?;
    let operands = op.operand_list();
    let ([low, high, step], inits) = operands.split_first_chunk().ok_or_else(malformed)?;
    let b = Builder::before(context, op, block).deriving(op);
    let cut = b.select(guard, *high, *low);
    let (mut carried, mut pieces) = (inits.to_vec(), vec![]);
    for (bounds, truth) in [([*low, cut], true), ([cut, *high], false)] {
        let copy = op.clone_detached();
        copy.set_operands(&[&bounds[..], &[*step], &carried].concat());
        let known = b.truth(truth);
        b.insert(copy);
        replace_inside(copy, guard, known);
        carried = copy.result_list();
        pieces.push(copy);
    }
    for (old, new) in op.result_list().into_iter().zip(carried) {
        old.replace_all_uses(new);
    }
    op.erase();
    Ok(pieces)
}

/// Puts a value in the place of another one in the body of a loop.
fn replace_inside<'c>(root: Op<'c>, old: Val<'c>, new: Val<'c>) {
    root.for_each(&mut |op| {
        if op.key() == root.key() {
            return;
        }
        for (i, operand) in op.operand_list().into_iter().enumerate() {
            if same_value(operand, old) {
                op.set_operand(i, new);
            }
        }
    });
}
