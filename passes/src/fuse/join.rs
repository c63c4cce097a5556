//! Brings maps to the maps that read their results, where something is in between.
//!
//! ```text
//! ys = map f xs;  zs = ys + ws            =>  ys = map f xs;  zs = map (+) ys ws
//! ys = map f xs;  with_acc { map g ys }   =>  with_acc { ys = map f xs;  map g ys }
//! ```
//! An operation on the elements of arrays is a map when it reads what a map makes, or copies of a number, which are then
//! stored nowhere, or when one combinator reads it; and what only the body of a `soac.with_acc` reads, which runs once, is
//! made in there.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::block::{first_reader, passes_writer, readers};
use crate::support::{
    builder::{Builder, same_value},
    combinator::array_result_count,
    diag::Result,
    elementwise::{as_maps, is_elementwise},
    region::{beside, reads},
};

/// Changes the operations of a block; returns how many.
pub fn join_all<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    let mut joined = 0;
    for op in block.ops() {
        let is_of_floats = op.res(0).is_some_and(|result| result.r#type().scalar().is_float_type());
        if is_of_floats && is_elementwise(op) && (reads_map(op, block) || is_read(op, block)) {
            let b = Builder::before(context, op, block).with_location(op.location());
            let map = as_maps(&b, op, &op.operand_list())?;
            if let Some(result) = op.res(0) {
                result.replace_all_uses(map);
            }
            op.erase();
            joined += 1;
        }
    }
    for map in block.ops().into_iter().filter(|op| op.op_name() == "soac.map") {
        let Some(body) = only_body(block, map) else { continue };
        let Some(first) = body.ops().first().copied() else { continue };
        map.detach();
        BlkExt::insert_before(&body, first, map);
        joined += 1;
    }
    Ok(joined)
}

/// Whether an operation reads an array that a map of the block makes, or copies of a number. What is written into a part of another
/// array is computed there, unless it alone reads the map.
fn reads_map<'c>(op: Op<'c>, block: Blk<'c>) -> bool {
    op.operand_list().into_iter().any(|operand| {
        operand.defining_op().is_some_and(|map| match map.op_name() {
            "soac.replicate" => !is_inserted(op),
            "soac.map" => {
                map.block() == Some(block)
                    && (!is_inserted(op) || readers(map).iter().all(|user| user.key() == op.key()))
            }
            _ => false,
        })
    })
}

/// Whether one combinator of the block reads the result element by element, and nothing else does.
fn is_read<'c>(op: Op<'c>, block: Blk<'c>) -> bool {
    let [reader] = readers(op)[..] else { return false };
    matches!(reader.op_name(), "soac.map" | "soac.reduce" | "soac.scan")
        && reader.block() == Some(block)
}

fn is_inserted(op: Op<'_>) -> bool {
    readers(op).iter().any(|user| user.op_name() == "tensor.insert_slice")
}

/// The body of the `soac.with_acc` that all readers of a map are in, if the map may run there.
fn only_body<'c>(block: Blk<'c>, map: Op<'c>) -> Option<Blk<'c>> {
    let around = first_reader(block, map)?;
    let is_inside = |user: &Op<'c>| {
        user.key() != around.key()
            && beside(*user, Some(block)).map(|op| op.key()) == Some(around.key())
    };
    // What reads elements by their indices stays apart.
    let may_merge = |user: &Op<'c>| user.op_name() == "soac.map" && user.block() == around.body(0);
    let starts = around.operand_list();
    let writes = reads(map).iter().any(|read| starts.iter().any(|start| same_value(*start, *read)));
    let may_move = around.op_name() == "soac.with_acc"
        && array_result_count(map) == map.result_count()
        && readers(map).iter().all(is_inside)
        && readers(map).iter().any(may_merge)
        && !writes
        && !passes_writer(block, map, around);
    around.body(0).filter(|_| may_move)
}
