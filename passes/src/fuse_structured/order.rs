//! What has to move so that two operations of a block can be one.

use ad_dialect::ir::{Blk, Op, OpExt};

use crate::{
    fuse::block::{passes_writer, readers},
    support::region::{beside, is_of_values, sort_by_place},
};

/// The most operations that move for a pair.
const MOST: usize = 64;

/// The operations between two of a block that need the first one, in order, which have to come behind the second one; none
/// if that needs them, or if they cannot move.
pub fn behind<'c>(block: Blk<'c>, first: Op<'c>, second: Op<'c>) -> Option<Vec<Op<'c>>> {
    let mut found: Vec<Op<'c>> = vec![];
    let mut next = vec![first];
    while let Some(op) = next.pop() {
        for reader in readers(op) {
            let reader = beside(reader, Some(block))?;
            let is_end = reader.key() == second.key();
            if is_end && op.key() != first.key() || found.len() > MOST {
                return None;
            }
            let is_new = found.iter().all(|op| op.key() != reader.key());
            if !is_end && is_new && reader.is_before(second) {
                found.push(reader);
                next.push(reader);
            }
        }
    }
    let may_move = |op: &Op<'c>| is_of_values(*op) && !passes_writer(block, *op, second);
    sort_by_place(&mut found);
    (found.iter().all(may_move) && !passes_writer(block, first, second)).then_some(found)
}
