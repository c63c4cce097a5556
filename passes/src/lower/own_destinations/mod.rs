//! `lower-own-destinations`: every writer gets a destination of its own.
//!
//! Common subexpressions and hoisting make loops share one empty or filled tensor.
//! Written to in two places, or in a loop, the shared tensor would be copied; a copy
//! of a constant is no cheaper than the constant. So the operation is repeated in
//! front of each writer, where the buffer can then be the place the result goes to.
//!
//! An array from outside of a loop that a slice is inserted into in every iteration is copied
//! in front of the insertion, as it must be. Otherwise `eliminate-empty-tensors` would have
//! the slice computed in its place in that array, and `one-shot-bufferize` takes this for harmless,
//! because it does not compare the slices of different iterations. Where each iteration updates a row of its own, the loop
//! carries the array (`rows.rs`). So is what an iteration of `scf.while` hands on (`whiles.rs`), what an
//! iteration of `scf.forall` inserts where another insertion goes (`insertions.rs`), and what a structured operation
//! writes to without reading it, but not everywhere: for `one-shot-bufferize` nothing of that is needed. What reads several
//! slices of an array beside the one that its result goes to has an array of its own (`shifted.rs`): fewer are copied then.

mod branches;
mod insertions;
mod rows;
mod shifted;
mod slots;
mod whiles;

use ad_dialect::{
    ir::{Op, OpExt, Val, ValExt},
    linalg::Structured,
};
use melior::{
    Context,
    ir::{BlockLike, operation::OperationLike},
};

use super::views;
use crate::{
    simplify::constant,
    support::{
        builder::{Builder, same_value},
        diag::Result,
        region::{all_inside, clone_op},
        structured::kept_unread,
        update::Update,
    },
};

/// Runs the pass; returns how many destinations were added.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    views::replace_all(context, module);
    let mut slices = vec![];
    let mut insertions = vec![];
    let mut fills = vec![];
    let mut added = 0;
    module.for_each(&mut |op| match op.op_name() {
        "tensor.extract_slice" => slices.push(op),
        "tensor.insert_slice" => insertions.push(op),
        "linalg.fill" => fills.push(op),
        _ => {}
    });
    for op in all_inside(module) {
        added += copy_what_stays(context, op);
    }
    for slice in slices {
        let Some(block) = slice.block() else { continue };
        if let Some(smaller) = constant::fold(&Builder::before(context, slice, block), slice) {
            if let Some(result) = slice.res(0) {
                result.replace_all_uses(smaller);
            }
            slice.erase();
            fills.extend(smaller.defining_op());
        }
    }
    for insertion in insertions {
        added += u64::from(copy_from_outside(context, insertion).is_some());
    }
    for fill in fills {
        let Some(value) = fill.res(0) else { continue };
        let is_fresh = fill.opnd(1).and_then(|outs| outs.defining_op());
        if is_fresh.is_none_or(|op| op.op_name() != "tensor.empty") {
            continue;
        }
        added += give_each_writer_its_own(context, fill, value);
        if value.users().is_empty() {
            fill.erase();
        }
    }
    let mut empties = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "tensor.empty" {
            empties.push(op);
        }
    });
    for empty in empties {
        let Some(value) = empty.res(0) else { continue };
        added += give_each_writer_its_own(context, empty, value);
        if value.users().is_empty() {
            empty.erase();
        }
    }
    added += shifted::make_elsewhere(context, module);
    added += insertions::copy_overwritten(context, module);
    added += rows::carry(context, module);
    added += whiles::copy_shared(context, module);
    // Two branches that write to new arrays of the same size need but one of them, if it is not there already.
    branches::share(context, module);
    Ok(added)
}

/// Copies what a structured operation on tensors does not write to everywhere; returns how many.
fn copy_what_stays<'c>(context: &'c Context, op: Op<'c>) -> u64 {
    let Some(s) = Structured::of(op).filter(|s| s.inits.len() == op.result_count()) else {
        return 0;
    };
    let is_made =
        |array: &Val<'c>| array.defining_op().is_none_or(|op| op.op_name() != "tensor.empty");
    let kept = kept_unread(&s).into_iter().filter(|&j| is_made(&s.inits[j]));
    kept.filter_map(|j| copy(context, op, s.inputs.len() + j)).count() as u64
}

/// Copies what a slice is inserted into if that comes from outside of a loop around.
fn copy_from_outside<'c>(context: &'c Context, insertion: Op<'c>) -> Option<()> {
    let (block, array) = (insertion.block()?, insertion.opnd(1)?);
    let home = array.parent_block()?;
    let mut inner = block;
    let mut is_repeated = false;
    while inner != home {
        let around = inner.parent_operation()?;
        is_repeated |= around.op_name() != "scf.if";
        inner = around.block()?;
    }
    if is_repeated { copy(context, insertion, 1) } else { None }
}

/// Gives an operation a copy of an operand.
fn copy<'c>(context: &'c Context, user: Op<'c>, operand: usize) -> Option<()> {
    let array = user.opnd(operand)?;
    let b = Builder::before(context, user, user.block()?);
    user.set_operand(operand, b.copy_of(array));
    Some(())
}

/// Repeats an operation in front of the users that may write to its result, unless
/// there is but one, in the same block.
fn give_each_writer_its_own<'c>(context: &'c Context, op: Op<'c>, value: Val<'c>) -> u64 {
    let users = value.users();
    if let [only] = users.as_slice()
        && only.block() == op.block()
    {
        return 0;
    }
    let mut added = 0;
    for user in users {
        // Among what iterations insert there is no place for anything else.
        let inserts = user.parent().filter(|op| op.op_name() == "scf.forall.in_parallel");
        let place = inserts.unwrap_or(user);
        let Some(block) = place.block() else { continue };
        let operands = user.operand_list();
        let written = (0..operands.len()).filter(|&i| {
            operands.get(i).is_some_and(|o| same_value(*o, value)) && may_write(user, i)
        });
        for i in written {
            let b = Builder::before(context, place, block);
            if let Some(own) = clone_op(&b, op, &mut Default::default()).res(0) {
                user.set_operand(i, own);
                added += 1;
            }
        }
    }
    added
}

/// Whether the buffer of operand `i` may be written to, or handed on to be.
pub fn may_write(user: Op<'_>, i: usize) -> bool {
    match user.op_name() {
        "tensor.dim" | "tensor.extract" | "tensor.extract_slice" => false,
        "soac.map" | "soac.reduce" | "soac.scan" | "soac.replicate" => false,
        "soac.hist" | "soac.scatter" => i >= Update::of(user).read().len(),
        "linalg.fill" => i == 1,
        name if name.starts_with("linalg.") => {
            let inputs = user.attr("operandSegmentSizes").and_then(ad_dialect::ir::i32_array);
            let inputs = inputs.and_then(|sizes| sizes.first().copied()).unwrap_or(0);
            i >= inputs as usize
        }
        _ => true,
    }
}
