//! Which element of which array a value in a nest of maps is.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::ir::BlockLike;

use crate::support::{combinator::is_iota, region::is_outside};

/// An array, and for each of its dimensions the map of a nest whose iteration it is indexed by.
pub struct Access<'c> {
    /// The array.
    pub array: Val<'c>,
    /// The numbers of the maps.
    pub levels: Vec<usize>,
}

impl<'c> Access<'c> {
    /// Follows a value, through maps from the outermost on, to an array from outside, or to what is
    /// computed inside.
    pub fn of(maps: &[Op<'c>], value: Val<'c>) -> Self {
        let here = Self { array: value, levels: vec![] };
        if maps.first().is_none_or(|outer| is_outside(*outer, value)) {
            return here;
        }
        let read = value.defining_op().filter(|op| op.op_name() == "tensor.extract");
        let (array, indices) = match (read, argument(maps, value)) {
            (Some(read), _) => {
                let operands = read.operand_list();
                let Some((&array, indices)) = operands.split_first() else { return here };
                (array, indices.iter().map(|&index| iteration(maps, index)).collect())
            }
            (_, Some((level, input))) => (input, Some(vec![level])),
            _ => return here,
        };
        let Some(levels) = indices.filter(|_| !is_iota(array)) else { return here };
        let outer = Self::of(maps, array);
        Self { array: outer.array, levels: [outer.levels, levels].concat() }
    }
}

/// Which map an index counts the iterations of.
fn iteration(maps: &[Op<'_>], index: Val<'_>) -> Option<usize> {
    argument(maps, index).filter(|(_, input)| is_iota(*input)).map(|(level, _)| level)
}

/// The map that a value is an argument of, and the input whose elements it is.
pub fn argument<'c>(maps: &[Op<'c>], value: Val<'c>) -> Option<(usize, Val<'c>)> {
    let owner = value.owner_block()?.parent_operation()?;
    let level = maps.iter().position(|map| map.key() == owner.key())?;
    Some((level, owner.opnd(value.position())?))
}
