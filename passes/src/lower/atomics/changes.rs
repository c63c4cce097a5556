//! An update that changes nothing writes nothing.
//!
//! ```text
//! loop(old): new = f(old);  swap if it still is old;  br is_swapped, end, loop(what it is)
//!         ==>
//! loop(old): new = f(old);  br new = old, end, swap
//! swap:      swap if it still is old;  br is_swapped, end, loop(what it is)
//! ```
//! Most updates by the greater or lesser of two numbers change nothing, and reading is quicker than a compare-and-swap,
//! for which threads that update one element wait. What the loop begins with is read atomically, too.

use ad_dialect::{
    blocks::{add_block, blocks_of, region_of, successors},
    ir::{Blk, BlkExt, Op, OpExt, OpParts, Val, ValExt, create_op},
};
use melior::{
    Context,
    ir::{
        ValueLike,
        attribute::{IntegerAttribute, StringAttribute},
        operation::OperationLike,
        r#type::IntegerType,
    },
};

use super::{DEVICE, MONOTONIC};
use crate::support::{builder::Builder, memory::bytes_of};

/// Lets the loop around a compare-and-swap end where there is nothing to do.
pub fn only<'c>(context: &'c Context, swap: Op<'c>) -> Option<()> {
    let (&[_, old, new], block) = (&swap.operand_list()[..], swap.block()?) else { return None };
    let is_begin = block.arg_list().len() == 1 && block.arg_list()[0].key() == old.key();
    let end = block.term().filter(|end| end.op_name() == "llvm.cond_br")?;
    let [exit, again] = successors(end)[..] else { return None };
    let is_loop = is_begin && again == block && exit != block && exit.arg_list().is_empty();
    if !is_loop || !is_used_only_in(swap, block) {
        return None;
    }
    if let Some(first) = first_read(old) {
        read_atomically(context, first);
    }
    let location = swap.location();
    let region = region_of(block)?;
    let rest = add_block(region, &[], location);
    for op in std::iter::successors(Some(swap), |op| op.next()).collect::<Vec<_>>() {
        op.detach();
        rest.push(op);
    }
    let b = Builder::at_end(context, block, location);
    let eq = [("predicate", b.i64_attr(0))];
    let same = b.val_with("llvm.icmp", &[old, new], IntegerType::new(context, 1).into(), &eq);
    let branch = OpParts {
        name: "llvm.cond_br",
        location,
        operands: &[same],
        results: &[],
        attributes: &[("operandSegmentSizes", b.i32s_attr(&[1, 0, 0]))],
        regions: &[],
        successors: &[exit, rest],
    };
    b.insert(create_op(context, branch));
    Some(())
}

/// Whether what an update was and gives is used only where it is repeated.
fn is_used_only_in<'c>(swap: Op<'c>, block: Blk<'c>) -> bool {
    let parts = swap.res(0).map(|result| result.users()).unwrap_or_default();
    parts
        .into_iter()
        .chain([swap])
        .flat_map(|op| op.result_list())
        .all(|value| value.users().into_iter().all(|user| user.block() == Some(block)))
}

/// The load in front of a loop that a value of the loop begins with.
fn first_read<'c>(value: Val<'c>) -> Option<Op<'c>> {
    let block = value.owner_block()?;
    let own = block.term()?;
    let region = region_of(block)?;
    let mut enters = blocks_of(region).into_iter().filter_map(|b| b.term());
    let enter = enters.find(|end| end.key() != own.key() && successors(*end).contains(&block))?;
    let read = enter.opnd(0)?.defining_op()?;
    (enter.op_name() == "llvm.br" && read.op_name() == "llvm.load").then_some(read)
}

/// Gives a load the order that updates have.
fn read_atomically<'c>(context: &'c Context, load: Op<'c>) -> Option<()> {
    let bytes = bytes_of(load.res(0)?.r#type())?;
    let i64 = IntegerType::new(context, 64).into();
    load.set_attr(context, "ordering", IntegerAttribute::new(i64, MONOTONIC).into());
    load.set_attr(context, "alignment", IntegerAttribute::new(i64, bytes).into());
    load.set_attr(context, "syncscope", StringAttribute::new(context, DEVICE).into());
    Some(())
}
