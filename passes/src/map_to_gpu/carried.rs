//! Buffers that hold an array which a loop carries and updates in each iteration are one buffer:
//!
//! ```text
//! for (a = a0) { m = to_buffer (alloc_tensor copy a); ...; yield (to_tensor m) }
//!         ==>
//! m = to_buffer (alloc_tensor copy a0);  for (a = a0) { ...; yield a };  to_tensor m
//! ```
//! Otherwise an iteration would copy all of the array, however little of it changes. The updates may be in branches, if the
//! others leave the array as it is.

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, Val, ValExt};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::atomic::{plain_buffer, plain_contents};
use crate::{
    acc_to_reduce::after,
    support::{
        builder::{Builder, same_value},
        combinator::BOUNDS,
        region::all_of,
    },
};

/// Takes buffers out of the loops of a function.
pub fn share<'c>(context: &'c Context, function: Op<'c>) {
    for copy in all_of(function, "bufferization.alloc_tensor") {
        let mut found = Update::of(copy);
        while let Some(update) = found {
            found = update.out_of_loop(context).and_then(Update::of);
        }
    }
}

/// What a loop does to an array that it carries.
struct Update<'c> {
    around: Op<'c>,
    /// Which of the values that the loop carries the array is.
    position: usize,
    array: Val<'c>,
    copy: Op<'c>,
    buffer: Op<'c>,
    contents: Op<'c>,
}

impl<'c> Update<'c> {
    /// The one that begins with a copy; none if the array is used otherwise.
    fn of(copy: Op<'c>) -> Option<Self> {
        let array = copy.opnd(0).filter(|array| array.defining_op().is_none())?;
        let around = array.owner_block()?.parent_operation()?;
        if around.op_name() != "scf.for" || array.r#type() != copy.res(0)?.r#type() {
            return None;
        }
        let position = array.position().checked_sub(1)?;
        let [buffer] = copy.res(0)?.users()[..] else { return None };
        let is_contents = |user: &Op<'c>| user.op_name() == "bufferization.to_tensor";
        let contents: Vec<_> = buffer.res(0)?.users().into_iter().filter(is_contents).collect();
        let [contents] = contents[..] else { return None };
        let mut may_use = vec![copy.key()];
        let found = carried_by(contents.res(0)?, array, around, &mut may_use)?;
        let is_known =
            |user: &Op<'c>| user.op_name() == "tensor.dim" || may_use.contains(&user.key());
        let is_alone = found == position && array.users().iter().all(is_known);
        is_alone.then_some(Self { around, position, array, copy, buffer, contents })
    }

    /// Makes the buffer in front of the loop; the copy that is there now.
    fn out_of_loop(self, context: &'c Context) -> Option<Op<'c>> {
        let Self { around, position, array, copy, buffer, contents } = self;
        let block = around.block()?;
        let start = around.opnd(BOUNDS + position)?;
        for user in array.users().into_iter().filter(|user| user.op_name() == "tensor.dim") {
            user.set_operand(0, start);
        }
        let memory = plain_buffer(&Builder::before(context, around, block), start)?;
        let result = around.res(position)?;
        let made = plain_contents(&after(context, around, block), memory, result.r#type());
        result.replace_all_uses(made);
        buffer.res(0)?.replace_all_uses(memory);
        contents.res(0)?.replace_all_uses(array);
        [contents, buffer, copy].iter().for_each(OpExt::erase);
        memory.defining_op()?.opnd(0)?.defining_op()
    }
}

/// Which of the values that a loop carries a value becomes, at once or by way of branches whose others hand on the array.
fn carried_by<'c>(
    mut value: Val<'c>,
    array: Val<'c>,
    around: Op<'c>,
    branches: &mut Vec<OpKey>,
) -> Option<usize> {
    loop {
        let [(user, place)] = value.uses()[..] else { return None };
        let parent = user.parent().filter(|_| user.op_name() == "scf.yield")?;
        if parent.key() == around.key() {
            return Some(place);
        }
        let ends: Vec<_> = parent.blocks().iter().filter_map(BlkExt::term).collect();
        let hands_on = |end: &Op<'c>| {
            end.key() == user.key() || end.opnd(place).is_some_and(|own| same_value(own, array))
        };
        if parent.op_name() != "scf.if" || ends.len() != 2 || !ends.iter().all(hands_on) {
            return None;
        }
        branches.extend(ends.iter().map(OpExt::key));
        value = parent.res(place)?;
    }
}
