//! Buffers that loops carry and make anew in each iteration, in one buffer.
//!
//! ```text
//! x = alloc n                              x = alloc n
//! r = for .., with a = x                   for ..
//!   b = alloc n                      ==>     for j < n:  x[j] = f x[j]
//!   for j < n:  b[j] = f a[j]              r = x
//!   yield b
//! ```
//! An iteration of the inner loop reads no other element of the old buffer than the one that it writes of
//! the new one, and nothing else uses the old one.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use super::access::{self, Access};
use crate::support::{
    builder::same_value,
    combinator::constant_index,
    memory,
    place::{Place, Sum},
    region::{beside, values_inside},
};

/// Has loops of a block carry the same buffers in all iterations, where they can.
pub fn in_block(block: Blk<'_>) {
    for op in block.body_ops().into_iter().filter(|op| op.op_name() == "scf.for") {
        for position in 0..op.result_list().len() {
            keep(op, position);
        }
    }
}

fn keep(root: Op<'_>, position: usize) -> Option<()> {
    let (body, init) = (root.body(0)?, root.opnd(3 + position)?);
    let old = *body.arg_list().get(1 + position)?;
    let end = body.term()?;
    let new = end.opnd(position)?;
    let allocation = new.defining_op().filter(|op| op.op_name() == "memref.alloc")?;
    let has_shape = |d: usize| Sum::of_size(old, d) == Sum::of_size(new, d);
    let is_like = old.r#type() == new.r#type() && (0..memory::rank(old)).all(has_shape);
    if allocation.block() != Some(body) || !is_like || !is_only_start(root, init) {
        return None;
    }
    let row = only_user(body, old)?;
    let is_later = |user: Op<'_>| user.block() == Some(body) && row.is_before(user);
    let is_fit = |(user, _): &(Op<'_>, usize)| match user.op_name() {
        "memref.dim" => true,
        "memref.load" if is_later(*user) => true,
        "memref.load" | "memref.store" => user.parent().is_some_and(|op| op.key() == row.key()),
        _ => user.key() == end.key(),
    };
    let is_yielded_once = end.operand_list().iter().filter(|v| same_value(**v, new)).count() == 1;
    if !is_yielded_once || !new.uses().iter().all(is_fit) || !is_in_turn(row, old, new)? {
        return None;
    }
    new.replace_all_uses(old);
    allocation.erase();
    Some(())
}

/// Whether a buffer is the loop's to write to: it is allocated next to it and not used again.
fn is_only_start(root: Op<'_>, init: Val<'_>) -> bool {
    let is_here = init
        .defining_op()
        .is_some_and(|op| op.op_name() == "memref.alloc" && op.block() == root.block());
    let mut as_init = 0;
    let mut is_before = |(user, _): (Op<'_>, usize)| {
        if user.key() == root.key() {
            as_init += 1;
            return as_init == 1;
        }
        // Others may show the buffer under another name.
        let name = user.op_name();
        let is_access =
            matches!(name, "memref.load" | "memref.store" | "memref.copy" | "memref.dim");
        let here = beside(user, root.block());
        (is_access || name.starts_with("linalg.")) && here.is_some_and(|op| op.is_before(root))
    };
    is_here && init.uses().into_iter().all(&mut is_before)
}

/// The loop over a row that alone, but for questions for sizes, uses what a loop carries.
fn only_user<'c>(body: Blk<'c>, old: Val<'c>) -> Option<Op<'c>> {
    let mut users = old.users().into_iter().filter(|user| user.op_name() != "memref.dim");
    let row = users.next()?.parent()?;
    let is_counted = row.op_name() == "scf.for"
        && row.block() == Some(body)
        && row.opnd(0).and_then(constant_index) == Some(0)
        && row.opnd(2).and_then(constant_index) == Some(1);
    let is_in_row = |user: Op<'c>| user.parent().is_some_and(|op| op.key() == row.key());
    (is_counted && access::is_simple(row) && users.all(is_in_row)).then_some(row)
}

/// Whether every iteration of a loop accesses one element of the old buffer before it writes the same
/// one of the new buffer.
fn is_in_turn<'c>(row: Op<'c>, old: Val<'c>, new: Val<'c>) -> Option<bool> {
    let body = row.body(0)?;
    let number = *body.arg_list().first()?;
    let inside = values_inside(row);
    let (mut places, mut is_written) = (Vec::<Place<'c>>::new(), false);
    for access in body.body_ops().into_iter().filter_map(Access::of) {
        let is_old = same_value(access.place.base, old);
        if !is_old && !same_value(access.place.base, new) {
            continue;
        }
        if is_old && is_written {
            return Some(false);
        }
        is_written |= !is_old;
        places.push(Place { base: old, ..access.place.in_loop(&inside, number) });
    }
    Some(places.iter().all(|place| place.is_own(&places[0])))
}
