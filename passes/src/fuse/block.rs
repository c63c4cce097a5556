//! The order of the operations of a block, and who reads what.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{TypeLike, ValueLike, operation::OperationLike};

use crate::{
    lower::own_destinations::may_write,
    support::{
        memory::effects_inside,
        region::{beside, between, reads},
    },
};

/// The last operation of a block that defines something that an operation reads, or writes to memory if it reads some.
pub fn last_source<'c>(block: Blk<'c>, op: Op<'c>) -> Option<Op<'c>> {
    let definitions = reads(op).into_iter().filter_map(|value| value.defining_op());
    let mut sources: Vec<_> = definitions.filter(|op| op.block() == Some(block)).collect();
    if uses_memory(op) {
        let before = block.ops().into_iter().take_while(|other| other.key() != op.key());
        sources.extend(before.filter(|other| effects_inside(*other).writes));
    }
    sources.into_iter().reduce(|last, op| if last.is_before(op) { op } else { last })
}

/// The first operation of a block that reads a result of an operation, or has something inside that does.
pub fn first_reader<'c>(block: Blk<'c>, op: Op<'c>) -> Option<Op<'c>> {
    let readers = readers(op).into_iter().filter_map(|user| beside(user, Some(block)));
    readers.reduce(|first, op| if op.is_before(first) { op } else { first })
}

/// Whether an operation of a block that moves back to another one passes one that may write to what
/// it reads: the array would have to be copied, unless nothing is in it yet, and memory cannot be.
pub fn passes_writer<'c>(block: Blk<'c>, op: Op<'c>, to: Op<'c>) -> bool {
    is_written_between(block, &reads(op), [op, to])
        || uses_memory(op) && between(op, to).into_iter().any(|op| effects_inside(op).writes)
}

/// Whether an operation has to do with memory from outside of it.
fn uses_memory(op: Op<'_>) -> bool {
    reads(op).iter().any(|value| value.r#type().is_mem_ref())
}

/// Whether an operation between two of a block may write to one of some arrays in which there is something.
pub fn is_written_between<'c>(block: Blk<'c>, arrays: &[Val<'c>], [op, to]: [Op<'c>; 2]) -> bool {
    let mut seen = HashSet::new();
    let is_filled =
        |array: &Val<'c>| array.defining_op().is_none_or(|op| op.op_name() != "tensor.empty");
    let arrays = arrays.iter().filter(|value| value.r#type().as_tensor().is_some());
    let arrays = arrays.filter(|array| is_filled(array) && seen.insert(array.key()));
    arrays.flat_map(|array| array.uses()).any(|(user, i)| {
        let writer = may_write(user, i).then(|| beside(user, Some(block))).flatten();
        writer.is_some_and(|there| op.is_before(there) && there.is_before(to))
    })
}

/// The most arrays that one combinator reads and makes after merging: with more, a loop has more places in memory to
/// follow than there are registers for their addresses, and each merge costs time in proportion to them.
const WIDEST: usize = 128;

/// Whether one combinator in place of two does not become too wide.
pub fn is_narrow(first: Op<'_>, second: Op<'_>) -> bool {
    let width = |op: Op<'_>| op.operand_count() + op.result_count();
    width(first) + width(second) <= WIDEST
}

/// The operations that read a result of an operation.
pub fn readers<'c>(op: Op<'c>) -> Vec<Op<'c>> {
    op.result_list().iter().flat_map(|result| result.users()).collect()
}
