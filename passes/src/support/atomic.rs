//! Updates of elements of buffers that nothing comes between.

use ad_dialect::ir::Val;
use melior::ir::ValueLike;

use super::builder::Builder;

/// What an update does: the number of the case of `arith::AtomicRMWKind`.
pub type Kind = i64;

/// A sum of floats.
pub const ADD_FLOAT: Kind = 0;
/// A sum of integers.
pub const ADD_INTEGER: Kind = 1;
/// The new number in place of the old one.
pub const ASSIGN: Kind = 3;
/// The greater one of two integers.
pub const MAX_INTEGER: Kind = 6;
/// The lesser one.
pub const MIN_INTEGER: Kind = 10;
/// A product of floats.
pub const MULTIPLY_FLOAT: Kind = 12;
/// A product of integers.
pub const MULTIPLY_INTEGER: Kind = 13;

/// Updates an element of a buffer.
pub fn update_element<'c>(
    b: &Builder<'c>,
    kind: Kind,
    buffer: Val<'c>,
    indices: &[Val<'c>],
    number: Val<'c>,
) {
    let operands = [&[number, buffer], indices].concat();
    b.val_with("memref.atomic_rmw", &operands, number.r#type(), &[("kind", b.i64_attr(kind))]);
}
