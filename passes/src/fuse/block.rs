//! The order of the operations of a block, and who reads what.

use std::collections::HashMap;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::{
    lower::own_destinations::may_write,
    support::{builder::same_value, region::free_values},
};

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

    /// Whether an operation that moves back to a position passes one that may write to
    /// what it reads: the array would have to be copied.
    pub fn passes_writer(&self, op: Op<'c>, position: usize) -> bool {
        let Some(here) = self.of(op) else { return false };
        let arrays = reads(op).into_iter().filter(|value| value.r#type().as_tensor().is_some());
        arrays.flat_map(|array| array.users().into_iter().map(move |user| (user, array))).any(
            |(user, array)| {
                let written = user.operand_list().into_iter().enumerate();
                self.of(user).is_some_and(|there| here < there && there < position)
                    && written.into_iter().any(|(i, v)| same_value(v, array) && may_write(user, i))
            },
        )
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
