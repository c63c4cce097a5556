//! The order of the operations of a block, and who reads what.

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt};
use melior::ir::operation::OperationLike;

use crate::support::region::free_values;

/// The positions of the operations of a block.
pub struct Order<'c> {
    block: Blk<'c>,
    positions: HashMap<OpKey, usize>,
}

impl<'c> Order<'c> {
    /// The order of a block as it is now.
    pub fn new(block: Blk<'c>) -> Self {
        let positions = block.ops().iter().enumerate().map(|(i, op)| (op.key(), i)).collect();
        Self { block, positions }
    }

    /// Where an operation is, or the one of the block that it is inside of.
    pub fn of(&self, op: Op<'c>) -> Option<usize> {
        let mut here = op;
        while here.block() != Some(self.block) {
            here = here.parent()?;
        }
        self.positions.get(&here.key()).copied()
    }

    /// Whether everything that an operation reads is there before a position.
    pub fn is_ready(&self, op: Op<'c>, position: usize) -> bool {
        reads(op).iter().all(|value| {
            let definition = value.defining_op();
            let place = definition.filter(|op| op.block() == Some(self.block));
            place.is_none_or(|op| self.of(op).is_some_and(|there| there < position))
        })
    }

    /// Whether all readers of an operation come behind a position.
    pub fn is_read_behind(&self, op: Op<'c>, position: usize) -> bool {
        readers(op).into_iter().all(|user| self.of(user).is_none_or(|there| there > position))
    }
}

/// Everything that an operation reads, also inside of its body.
pub fn reads<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    let mut all = op.operand_list();
    all.extend(free_values(&op.blocks()));
    all
}

/// The operations that read a result of an operation.
pub fn readers<'c>(op: Op<'c>) -> Vec<Op<'c>> {
    op.result_list().iter().flat_map(|result| result.users()).collect()
}
