//! What a loop reads of an array that starts as zeros, where no earlier iteration wrote to it.
//!
//! ```text
//! for i (a = zeros) { x = a[f i]; ...; yield (a with [f i] = x + v) }   =>   ... yield (a with [f i] = v)
//! ```
//! if `f` is another index in each iteration. The cotangent of an array that a loop reads row by row is one.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{BlockLike, ValueLike};

use crate::support::{
    builder::{Builder, same_value},
    combinator::{BOUNDS, becomes, slice_sizes},
    position::{Position, is_own_index, positions},
    zero::{is_number, is_zero},
};

/// Zeros in place of a `tensor.extract` or an `extract_slice`.
pub fn fold<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    let sizes = match op.op_name() {
        "tensor.extract" => vec![],
        "tensor.extract_slice" => slice_sizes(op)?,
        _ => return None,
    };
    let array = op.opnd(0).filter(|array| array.defining_op().is_none())?;
    let next = becomes(array)?.defining_op()?;
    let is_insert = ["tensor.insert", "tensor.insert_slice"].contains(&next.op_name());
    if !is_insert || !same_value(next.opnd(1)?, array) {
        return None;
    }
    let body = array.owner_block()?;
    let around = body.parent_operation()?;
    let start = around.opnd(BOUNDS + array.position() - 1)?;
    let iv = *body.arg_list().first()?;
    let is_own = |read: &Option<Position<'c>>, write: &Option<Position<'c>>| match (read, write) {
        (Some(Position::At(read)), Some(Position::At(write))) => {
            same_value(*read, *write) && is_own_index(*read, iv, around)
        }
        _ => false,
    };
    let is_untouched = positions(op)?.iter().zip(&positions(next)?).any(|(r, w)| is_own(r, w));
    let r#type = op.res(0)?.r#type();
    // Some of the dimensions of size one may be left out of the type.
    let is_whole = sizes.len() == r#type.shape().iter().filter(|&&size| size == DYNAMIC).count();
    (is_untouched && is_whole && is_zero(start) && is_number(start))
        .then(|| b.zeros(r#type, &sizes))
}
