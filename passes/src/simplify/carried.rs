//! Loops carry arrays in the sizes that are known in front of them.
//!
//! ```text
//! z = for (y = cast x : 3 to ?) { ...; yield u : ? }
//!   =>  z = cast (for (y' = x : 3) { y = cast y' : 3 to ?; ...; yield (cast u : ? to 3) })
//! ```
//! if `u` plainly has the size of `y`, or is a cast of an array of size 3. Upstream does so with every loop
//! (`ForOpTensorCastFolder`), as if no iteration could change the size, and `ad-canonicalize` leaves that out.

use std::iter::zip;

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::support::{builder::Builder, combinator::BOUNDS, extent::keeps_shape};

/// Gives carried arrays the sizes that they are known to have; whether there was one.
pub fn narrow<'c>(context: &'c Context, module: Op<'c>) -> bool {
    let mut loops = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.for" {
            loops.push(op);
        }
    });
    let mut changed = false;
    for op in loops {
        for position in 0..op.result_count() {
            changed |= narrow_one(context, op, position).is_some();
        }
    }
    changed
}

fn narrow_one<'c>(context: &'c Context, op: Op<'c>, position: usize) -> Option<()> {
    let start = uncast(op.opnd(BOUNDS + position)?)?;
    let (block, body, result) = (op.block()?, op.body(0)?, op.res(position)?);
    let (end, own) = (body.term()?, *body.arg_list().get(position + 1)?);
    let (wide, narrow) = (own.r#type(), start.r#type());
    let next = end.opnd(position)?;
    let is_narrow = uncast(next).is_some_and(|next| next.r#type() == narrow);
    if !says_more(narrow, wide) || !(is_narrow || keeps_shape(next, own)) {
        return None;
    }
    op.set_operand(BOUNDS + position, start);
    let first = body.ops().first().copied()?;
    widen(&Builder::before(context, first, body), own, wide, narrow);
    let b = Builder::before(context, end, body);
    end.set_operand(position, b.cast(end.opnd(position)?, narrow));
    widen(&Builder::after(context, op, block), result, wide, narrow);
    Some(())
}

/// The array of which a value is a `tensor.cast`.
fn uncast(array: Val<'_>) -> Option<Val<'_>> {
    array.defining_op().filter(|op| op.op_name() == "tensor.cast")?.opnd(0)
}

/// Whether a type has all sizes of another one, and more.
fn says_more(narrow: Type<'_>, wide: Type<'_>) -> bool {
    let (known, all) = (narrow.shape(), wide.shape());
    narrow != wide
        && known.len() == all.len()
        && zip(known, all).all(|(known, size)| size == known || size == DYNAMIC)
}

/// Changes the type of a value, and lets its users read it in the type that it had.
fn widen<'c>(b: &Builder<'c>, value: Val<'c>, wide: Type<'c>, narrow: Type<'c>) {
    let uses = value.uses();
    value.set_type(narrow);
    if uses.is_empty() {
        return;
    }
    let as_before = b.cast(value, wide);
    for (user, operand) in uses {
        user.set_operand(operand, as_before);
    }
}
