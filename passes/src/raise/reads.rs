//! Loops that go through buffers, write none and give results, as loops that read what these buffers held in front of them:
//!
//! ```text
//! s = for (i) (s = 0) { s + a[i] }   ==>   x = to_tensor a;  s = for (i) (s = 0) { s + x[i] }
//! ```
//! Such loops have rules, and are sums, products or arrays that are filled, like those that never saw a buffer. Loops in loops stay,
//! and those that look elements up: each time there would be cotangents of whole buffers.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    memory::{contents, effects_inside, has_numbers, tensor_of},
    place::Sum,
    region::{all_inside, is_outside, replace},
};

/// Rewrites those of some operations that are such loops; `is_copied` says whether what is read is copied at once.
pub fn raise<'c>(context: &'c Context, among: Vec<Op<'c>>, is_copied: bool) {
    for op in among.into_iter().filter(|op| is_raised(*op)) {
        read_in_front(context, op, is_copied);
    }
}

/// Whether a loop gives something, writes nothing, and is in no other one.
fn is_raised(op: Op<'_>) -> bool {
    let mut around = std::iter::successors(op.parent(), |op| op.parent());
    op.op_name() == "scf.for"
        && op.result_count() > 0
        && around.all(|op| ["func.func", "builtin.module", "scf.if"].contains(&op.op_name()))
        && !effects_inside(op).writes
}

fn read_in_front<'c>(context: &'c Context, op: Op<'c>, is_copied: bool) {
    let Some(block) = op.block() else { return };
    let b = Builder::before(context, op, block).with_location(op.location());
    let loads: Vec<_> = all_inside(op)
        .into_iter()
        .filter(|load| {
            let buffer = load.opnd(0).filter(|_| load.op_name() == "memref.load");
            buffer.is_some_and(|buffer| is_outside(op, buffer) && has_numbers(buffer))
        })
        .collect();
    let mut buffers: Vec<Val<'c>> = vec![];
    for load in loads.iter().filter(|load| goes_through(op, **load)) {
        let buffer = load.opnd(0).filter(|own| buffers.iter().all(|b| b.key() != own.key()));
        buffers.extend(buffer);
    }
    for buffer in buffers {
        let Some(array) = tensor_of(buffer.r#type()) else { continue };
        let held = contents(&b, buffer, array);
        let held = if is_copied { b.copy_of(held) } else { held };
        for &load in &loads {
            let own = load.opnd(0).filter(|own| own.key() == buffer.key());
            let Some(block) = load.block().filter(|_| own.is_some()) else { continue };
            let b = Builder::before(context, load, block).with_location(load.location());
            replace(load, &[b.extract(held, &load.operand_list()[1..])]);
        }
    }
}

/// Whether an element is another one in each iteration of some loop, by its number.
fn goes_through<'c>(op: Op<'c>, load: Op<'c>) -> bool {
    let indices: Vec<_> = load.operand_list()[1..].iter().map(|&index| Sum::of(index)).collect();
    let around = std::iter::successors(load.parent(), |op| op.parent());
    let mut inside = around.take_while(|around| around.key() != op.key()).chain([op]);
    inside.any(|around| {
        let number = around.body(0).filter(|_| around.op_name() == "scf.for");
        let number = number.and_then(|body| body.arg_list().first().map(ValExt::key));
        number.is_some_and(|number| indices.iter().any(|index| index.times(number) != 0))
    })
}
