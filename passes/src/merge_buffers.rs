//! `ad-merge-buffers`: buffers that are allocated together and freed together are parts of one.
//!
//! ```text
//! a = alloc n : memref<?xf64>            all = alloc (64 * ceil(8 n / 64) + 64 * ceil(4 m / 64)) : memref<?xi8>
//! b = alloc m : memref<?xf32>     ==>    a = view all[0], n;  b = view all[64 * ceil(8 n / 64)], m
//! ...  dealloc a;  dealloc b             ...  dealloc all
//! ```
//! The tapes of a loop and the like are many buffers of one length. Allocators give memory back to the system
//! when more is free than the largest buffer so far, and take it again, page by page, at the next
//! call; that took longer than the derivative of a small recurrent network.
//!
//! Run it on buffers after their deallocation has been placed.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, int_of};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    memory::{self, ALIGNMENT},
};

/// Runs the pass; returns how many buffers became parts of others.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut blocks = vec![];
    module.for_each(&mut |op| blocks.extend(op.blocks()));
    let groups = blocks.into_iter().flat_map(groups);
    groups.map(|group| merge(context, &group).map_or(0, |()| group.len() as u64)).sum()
}

/// A buffer of a block.
struct Buffer<'c> {
    allocation: Op<'c>,
    deallocation: Op<'c>,
    /// The bytes of an element.
    width: i64,
}

/// The buffers of a block that can be parts of one, several at a time.
fn groups(block: Blk<'_>) -> Vec<Vec<Buffer<'_>>> {
    let mut groups: Vec<Vec<Buffer<'_>>> = vec![];
    let mut current: Vec<Buffer<'_>> = vec![];
    for op in block.body_ops() {
        if uses(op, &current) {
            groups.push(std::mem::take(&mut current));
        }
        if let Some(buffer) = Buffer::of(op) {
            let is_together = |first: &Buffer<'_>| first.is_freed_with(&buffer);
            if !current.first().is_none_or(is_together) {
                groups.push(std::mem::take(&mut current));
            }
            current.push(buffer);
        }
    }
    groups.push(current);
    groups.retain(|group| group.len() > 1);
    groups
}

/// Whether an operation or one inside of it uses one of the buffers.
fn uses(op: Op<'_>, buffers: &[Buffer<'_>]) -> bool {
    let all: HashSet<_> =
        buffers.iter().filter_map(|buffer| Some(buffer.allocation.res(0)?.key())).collect();
    let mut found = false;
    if !all.is_empty() {
        op.for_each(&mut |inner| {
            found |= inner.operand_list().iter().any(|value| all.contains(&value.key()));
        });
    }
    found
}

impl<'c> Buffer<'c> {
    /// What an operation allocates and its block frees.
    fn of(op: Op<'c>) -> Option<Self> {
        let array = op.res(0).filter(|_| op.op_name() == "memref.alloc")?;
        let mut frees = array.users().into_iter().filter(|user| user.op_name() == "memref.dealloc");
        let deallocation = frees.next().filter(|free| free.block() == op.block())?;
        let alignment = op.attr("alignment").and_then(int_of).unwrap_or(1);
        let width = bytes(memory::element(array)?)?;
        // A layout or a kind of memory would follow a comma.
        let is_dense = !array.r#type().to_string().contains(',');
        let is_plain = frees.next().is_none() && alignment <= ALIGNMENT && is_dense;
        is_plain.then_some(Self { allocation: op, deallocation, width })
    }

    /// How many bytes it has.
    fn bytes(&self, b: &Builder<'c>) -> Option<Val<'c>> {
        let array = self.allocation.res(0)?;
        let sizes = (0..memory::rank(array)).filter_map(|d| memory::static_size(array, d));
        let fixed = b.index(sizes.product::<i64>() * self.width);
        let sizes = self.allocation.operand_list().into_iter();
        Some(
            sizes
                .fold(fixed, |product, size| b.val("arith.muli", &[product, size], b.index_type())),
        )
    }

    /// Whether nothing happens between the deallocations of two buffers.
    fn is_freed_with(&self, other: &Self) -> bool {
        let (mut first, mut last) = (self.deallocation, other.deallocation);
        if last.is_before(first) {
            (first, last) = (last, first);
        }
        let between = std::iter::successors(Some(first), |op| op.next());
        let mut between = between.take_while(|op| op.key() != last.key());
        between.all(|op| op.op_name() == "memref.dealloc")
    }
}

/// The bytes of an element, if they are plain.
fn bytes(element: Type<'_>) -> Option<i64> {
    let is_plain =
        element.is_float_type() || ["index", "i64", "i32"].contains(&element.to_string().as_str());
    memory::bytes_of(element).filter(|_| is_plain)
}

/// Makes buffers parts of one.
fn merge<'c>(context: &'c Context, group: &[Buffer<'c>]) -> Option<()> {
    let (first, last) = (group.first()?, group.last()?.allocation);
    let b = Builder::before(context, last, last.block()?);
    let ty = b.index_type();
    let mut offsets = vec![b.index(0)];
    for buffer in group {
        // Rounded up to a multiple of the alignment, a power of two.
        let padded = b.val("arith.addi", &[buffer.bytes(&b)?, b.index(ALIGNMENT - 1)], ty);
        let whole = b.val("arith.andi", &[padded, b.index(-ALIGNMENT)], ty);
        offsets.push(b.val("arith.addi", &[*offsets.last()?, whole], ty));
    }
    let all = memory::allocate_bytes(&b, offsets.pop()?)?;
    let free = Builder::before(context, first.deallocation, last.block()?);
    free.op("memref.dealloc", &[all], &[]);
    for (buffer, offset) in group.iter().zip(offsets) {
        buffer.deallocation.erase();
        memory::become_part(&b, buffer.allocation, all, offset)?;
    }
    Some(())
}
