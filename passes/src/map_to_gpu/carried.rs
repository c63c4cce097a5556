//! Buffers that hold an array which a loop carries and updates in each iteration are one buffer:
//!
//! ```text
//! for (a = a0) { m = to_buffer (alloc_tensor copy a); ...; yield (to_tensor m) }
//!         ==>
//! m = to_buffer (alloc_tensor copy a0);  for (a = a0) { ...; yield a };  to_tensor m
//! ```
//! Otherwise an iteration would copy all of the array, however little of it changes. The updates may be in branches, if the
//! others leave the array as it is. Kernels may read the array before it is updated, and what becomes of it afterwards: they
//! read the buffer then. What is updated twice, and read by nothing in between, is in one buffer anywhere.

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, Val, ValExt};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::{
    atomic::{plain_buffer, plain_contents},
    nest,
};
use crate::{
    parallelize::group::Group,
    support::{
        builder::{Builder, same_value},
        combinator::BOUNDS,
        memory::contents,
        region::{all_of, beside, is_within},
        update,
    },
};

/// What runs in the kernel of a histogram or scatter: the maps that it reads, unless they read an array that a loop carries
/// and this updates; those come before.
pub fn with_maps<'c>(op: Op<'c>) -> Group<'c> {
    let group = nest::with_maps(op);
    let is_carried = |array: &Val<'c>| {
        let around = array.owner_block().and_then(|block| block.parent_operation());
        array.defining_op().is_none() && around.is_some_and(|op| op.op_name() == "scf.for")
    };
    let carried: Vec<_> = update::Update::of(op).dests.into_iter().filter(is_carried).collect();
    let readers: Vec<_> = carried.iter().flat_map(|array| array.users()).collect();
    let reads = |map: &Op<'c>| readers.iter().any(|reader| is_within(*reader, *map));
    if group.maps.iter().any(reads) { Group::only(op) } else { group }
}

/// Takes buffers out of the loops of a function.
pub fn share<'c>(context: &'c Context, function: Op<'c>) {
    for copy in all_of(function, "bufferization.alloc_tensor") {
        join(copy);
    }
    for copy in all_of(function, "bufferization.alloc_tensor") {
        let mut found = Update::of(copy);
        while let Some(update) = found {
            found = update.out_of_loop(context).and_then(Update::of);
        }
    }
}

/// Lets what would be a copy of the contents of a buffer be that buffer, if nothing else reads them.
fn join(copy: Op<'_>) -> Option<()> {
    let is_contents = |op: &Op<'_>| op.op_name() == "bufferization.to_tensor";
    let contents = copy.opnd(0)?.defining_op().filter(is_contents)?;
    let memory = contents.opnd(0)?;
    let [buffer] = copy.res(0)?.users()[..] else { return None };
    let is_only = contents.res(0)?.users().len() == 1
        && memory.users().iter().filter(|user| is_contents(user)).count() == 1
        && contents.block() == copy.block();
    if !is_only || buffer.res(0)?.r#type() != memory.r#type() {
        return None;
    }
    buffer.res(0)?.replace_all_uses(memory);
    [buffer, copy, contents].iter().for_each(OpExt::erase);
    Some(())
}

/// A use of what is in a buffer at some time, and the kernel or element that it is part of.
struct Read<'c> {
    value: Val<'c>,
    user: Op<'c>,
    at: Op<'c>,
}

impl<'c> Read<'c> {
    fn of(value: Val<'c>, user: Op<'c>, around: Op<'c>) -> Option<Self> {
        Some(Self { value, user, at: reader(user, around)? })
    }

    /// Reads the buffer.
    fn of_buffer(&self, context: &'c Context, memory: Val<'c>) -> Option<()> {
        let b = Builder::before(context, self.at, self.at.block()?);
        let now = contents(&b, memory, self.value.r#type());
        for (place, operand) in self.user.operand_list().into_iter().enumerate() {
            if same_value(operand, self.value) {
                self.user.set_operand(place, now);
            }
        }
        Some(())
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
    /// What reads the array before it is updated, or afterwards.
    reads: Vec<Read<'c>>,
    /// What asks for its size.
    dims: Vec<Op<'c>>,
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
        // What is read in an inner loop is in there.
        let (own, writes): (Vec<_>, Vec<_>) =
            buffer.res(0)?.users().into_iter().partition(|user| {
                user.op_name() == "bufferization.to_tensor" && user.block() == buffer.block()
            });
        let [contents] = own[..] else { return None };
        let mut way = Way { array, around, ends: vec![], reads: vec![], dims: vec![] };
        if way.end(contents.res(0)?)? != position {
            return None;
        }
        let Way { ends, mut reads, mut dims, .. } = way;
        for (user, place) in array.uses() {
            if user.op_name() == "tensor.dim" {
                dims.push(user);
            } else if user.key() != copy.key() && !ends.contains(&(user.key(), place)) {
                let read = Read::of(array, user, around)?;
                if !writes.iter().all(|op| precedes(read.at, *op)) {
                    return None;
                }
                reads.push(read);
            }
        }
        Some(Self { around, position, copy, buffer, contents, array, reads, dims })
    }

    /// Makes the buffer in front of the loop; the copy that is there now.
    fn out_of_loop(self, context: &'c Context) -> Option<Op<'c>> {
        let Self { around, position, array, copy, buffer, contents, reads, dims } = self;
        let block = around.block()?;
        let start = around.opnd(BOUNDS + position)?;
        dims.iter().for_each(|dim| dim.set_operand(0, start));
        let memory = plain_buffer(&Builder::before(context, around, block), start)?;
        for read in &reads {
            read.of_buffer(context, memory);
        }
        let result = around.res(position)?;
        let made = plain_contents(&Builder::after(context, around, block), memory, result.r#type());
        result.replace_all_uses(made);
        buffer.res(0)?.replace_all_uses(memory);
        contents.res(0)?.replace_all_uses(array);
        [contents, buffer, copy].iter().for_each(OpExt::erase);
        memory.defining_op()?.opnd(0)?.defining_op()
    }
}

/// The way of an updated array to the end of an iteration.
struct Way<'c> {
    array: Val<'c>,
    around: Op<'c>,
    /// The ends of branches that hand on the array, and as which of their results.
    ends: Vec<(OpKey, usize)>,
    reads: Vec<Read<'c>>,
    dims: Vec<Op<'c>>,
}

impl<'c> Way<'c> {
    /// Which of the values that the loop carries a value becomes, at once or by way of branches whose others hand on the
    /// array.
    fn end(&mut self, mut value: Val<'c>) -> Option<usize> {
        loop {
            let is_end = |(user, _): &(Op<'c>, usize)| user.op_name() == "scf.yield";
            let (ends, others): (Vec<_>, Vec<_>) = value.uses().into_iter().partition(is_end);
            for (user, _) in others {
                match user.op_name() {
                    "tensor.dim" => self.dims.push(user),
                    _ => self.reads.push(Read::of(value, user, self.around)?),
                }
            }
            let [(user, place)] = ends[..] else { return None };
            let parent = user.parent()?;
            if parent.key() == self.around.key() {
                return Some(place);
            }
            let ends: Vec<_> = parent.blocks().iter().filter_map(BlkExt::term).collect();
            let hands_on = |end: &Op<'c>| {
                let own = end.opnd(place);
                end.key() == user.key() || own.is_some_and(|own| same_value(own, self.array))
            };
            if parent.op_name() != "scf.if" || ends.len() != 2 || !ends.iter().all(hands_on) {
                return None;
            }
            self.ends.extend(ends.iter().map(|end| (end.key(), place)));
            value = parent.res(place)?;
        }
    }
}

/// The kernel or element that a user of an array is part of, if that only reads the array, once in each iteration of a loop.
fn reader<'c>(user: Op<'c>, around: Op<'c>) -> Option<Op<'c>> {
    let mut found = (user.op_name() == "tensor.extract").then_some(user);
    let inside = std::iter::successors(user.parent(), |op| op.parent());
    for parent in inside.take_while(|op| op.key() != around.key()) {
        found = match parent.op_name() {
            "scf.forall" => Some(parent),
            "scf.if" => found,
            _ => None,
        };
    }
    found
}

/// Whether an operation is done before another one begins, where both are in the same iteration of all loops around them.
pub fn precedes<'c>(first: Op<'c>, second: Op<'c>) -> bool {
    let around = std::iter::successors(Some(first), |op| op.parent());
    let both = around.into_iter().find_map(|op| Some((op, beside(second, op.block())?)));
    both.is_some_and(|(first, second)| first.key() != second.key() && first.is_before(second))
}
