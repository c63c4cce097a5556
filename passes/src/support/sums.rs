//! Sizes and indices of tensors, as sums.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};

use super::{
    combinator::constant_index,
    extent::{Extent, Extents},
    place::{Sum, Symbol},
};

/// The size of a dimension of an array.
pub fn size<'c>(extents: &mut Extents<'c>, array: Val<'c>, d: usize) -> Sum {
    let extent = extents.of(array, d);
    of_extent(extents, extent)
}

/// A size or an offset.
pub fn of_extent<'c>(extents: &mut Extents<'c>, extent: Extent<'c>) -> Sum {
    match extent {
        Extent::Known(n) => Sum::constant(n),
        Extent::Dim(array, d) => Sum::symbol(Symbol::Dim(array.key(), d)),
        Extent::Value(value) => of_value(extents, value),
    }
}

/// A size or an index.
pub fn of_value<'c>(extents: &mut Extents<'c>, value: Val<'c>) -> Sum {
    let op = value.defining_op().filter(|_| constant_index(value).is_none());
    let both = |op: Op<'c>| Some((op.opnd(0)?, op.opnd(1)?));
    let (Some(op), Some((a, b))) = (op, op.and_then(both)) else { return Sum::of(value) };
    match op.op_name() {
        "arith.addi" => of_value(extents, a).plus(&of_value(extents, b), 1),
        "arith.subi" => of_value(extents, a).plus(&of_value(extents, b), -1),
        "arith.muli" => match (constant_index(a), constant_index(b)) {
            (_, Some(n)) => Sum::default().plus(&of_value(extents, a), n),
            (Some(n), _) => Sum::default().plus(&of_value(extents, b), n),
            _ => Sum::of(value),
        },
        "tensor.dim" => match extents.of_value(value) {
            Extent::Value(_) => Sum::of(value),
            other => of_extent(extents, other),
        },
        _ => Sum::of(value),
    }
}
