//! Which element of which array a value in a nest of maps is.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::ir::BlockLike;

use crate::support::region::is_outside;

/// An array from outside of a nest, and for each of its dimensions the map whose iteration it is
/// indexed by.
pub struct Access<'c> {
    /// The array.
    pub array: Val<'c>,
    /// The numbers of the maps.
    pub levels: Vec<usize>,
}

/// Which element of which array from outside of a nest, outermost map first, a value in it is.
pub fn access<'c>(maps: &[Op<'c>], value: Val<'c>) -> Option<Access<'c>> {
    if is_outside(*maps.first()?, value) {
        return Some(Access { array: value, levels: vec![] });
    }
    if let Some(read) = value.defining_op() {
        let operands = read.operand_list();
        let (&array, indices) =
            operands.split_first().filter(|_| read.op_name() == "tensor.extract")?;
        let mut access = access(maps, array)?;
        for &index in indices {
            access.levels.push(iteration(maps, index)?);
        }
        return Some(access);
    }
    let (level, input) = argument(maps, value)?;
    let mut access = access(maps, input)?;
    access.levels.push(level);
    Some(access)
}

/// Which map an index counts the iterations of.
fn iteration(maps: &[Op<'_>], index: Val<'_>) -> Option<usize> {
    let (level, input) = argument(maps, index)?;
    input.defining_op().filter(|op| op.op_name() == "soac.iota")?;
    Some(level)
}

/// The map that a value is an argument of, and the input whose elements it is.
pub fn argument<'c>(maps: &[Op<'c>], value: Val<'c>) -> Option<(usize, Val<'c>)> {
    let owner = value.owner_block()?.parent_operation()?;
    let level = maps.iter().position(|map| map.key() == owner.key())?;
    Some((level, owner.opnd(value.position())?))
}
