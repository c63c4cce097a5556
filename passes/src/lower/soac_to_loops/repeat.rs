//! Maps that are not worth a pass over memory are repeated for each of their readers.
//!
//! ```text
//! ys = map f xs; r = reduce op e ys; zs = map g ys
//!   =>  r = reduce op e (map f xs); zs = map g (map f xs)
//! ```
//! where `f` picks elements of a row or does a little arithmetic. Each map then runs in the loop of
//! its reader. A reader in a branch gets its map there, so that it runs only if the branch is taken.

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{Lowering, source::readers_in_branches};
use crate::support::{builder::Builder, combinator::is_quick, region::clone_op};

/// More operations than this are not cheap.
const FEW: usize = 8;

impl<'c> Lowering<'c> {
    /// Gives every reader of a cheap map of a block a copy of the map.
    pub fn repeat_cheap_maps(&self, block: Blk<'c>) {
        // Readers first: a copy may be another reader of a map in front of it.
        for map in block.ops().into_iter().rev() {
            if map.op_name() != "soac.map" {
                continue;
            }
            let Some(readers) = readers_in_branches(map, block).filter(|all| all.len() > 1) else {
                continue;
            };
            let overwritten = |reader: &Op<'c>| self.is_overwritten_before(map, *reader, block);
            if !self.is_cheap(map, readers.len()) || readers.iter().any(overwritten) {
                continue;
            }
            // One in the map's block keeps the map.
            let mut others = readers;
            if let Some(first) = others.iter().position(|other| other.block() == Some(block)) {
                others.remove(first);
            }
            for reader in others {
                let Some(place) = reader.block() else { continue };
                let b = Builder::before(self.context, reader, place);
                let copy = clone_op(&b, map, &mut Default::default());
                for (i, operand) in reader.operand_list().into_iter().enumerate() {
                    let own = map.result_list().iter().position(|old| old.key() == operand.key());
                    if let Some(new) = own.and_then(|k| copy.res(k)) {
                        reader.set_operand(i, new);
                    }
                }
            }
            if map.is_dead() {
                map.erase();
            }
        }
    }

    /// Whether so many readers are better off without the results in memory.
    fn is_cheap(&self, map: Op<'c>, readers: usize) -> bool {
        let Some(body) = map.body(0) else { return false };
        let is_made =
            |array: Val<'c>| array.defining_op().is_some_and(|maker| maker.op_name() == "soac.map");
        let is_little = |op: &Op<'c>| {
            let name = op.op_name();
            let scalar = op.result_list().iter().all(|v| v.r#type().as_tensor().is_none());
            let reads_row = op.opnd(0).is_some_and(|row| row.owner_block() == Some(body));
            scalar
                && op.blocks().is_empty()
                && (is_quick(name) || name == "tensor.extract" && reads_row)
        };
        let size = |array: Type<'c>| -> Option<i64> {
            array
                .shape()
                .iter()
                .skip(1)
                .try_fold(1i64, |n, &size| (size != DYNAMIC).then(|| n.saturating_mul(size)))
        };
        let total = |types: Vec<Type<'c>>| types.into_iter().map(size).sum::<Option<i64>>();
        let read = total(map.operand_list().iter().map(|v| v.r#type()).collect());
        let made = total(map.result_list().iter().map(|v| v.r#type()).collect());
        let (Some(read), Some(made)) = (read, made) else { return false };
        let readers = readers as i64;
        // Each reader reads the results, or what they are made of; storing them is a pass, too.
        body.body_ops().len() <= FEW
            && body.body_ops().iter().all(is_little)
            && !map.operand_list().into_iter().any(is_made)
            && readers * read <= read + (readers + 1) * made
    }
}
