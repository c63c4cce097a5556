//! Handing arrays into maps.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{builder::Builder, combinator::input_count};

/// Hands an array into a nest of maps, outermost first, each of which gets it, or its row of it, as
/// one more input; returns the element in the innermost body. All handles stay valid.
pub fn hand_in<'c>(context: &'c Context, maps: &[Op<'c>], array: Val<'c>) -> Option<Val<'c>> {
    maps.iter().try_fold(array, |row, &map| add_input(context, map, row))
}

/// Gives a map one more input, in place; returns the argument of the body.
pub fn add_input<'c>(context: &'c Context, map: Op<'c>, array: Val<'c>) -> Option<Val<'c>> {
    let (count, mut operands) = (input_count(map), map.operand_list());
    let (body, block) = (map.body(0)?, map.block()?);
    operands.insert(count.min(operands.len()), array);
    map.set_operands(&operands);
    let accs = operands.len() - count - 1;
    let segments = Builder::before(context, map, block).i32s_attr(&[count as i32 + 1, accs as i32]);
    map.set_attr(context, "operandSegmentSizes", segments);
    Some(body.insert_arg(count, array.r#type().row(), map.location()))
}
