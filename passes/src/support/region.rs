//! Questions about regions, and copies of operations under a renaming.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, ValueKey};

use super::builder::Builder;

/// A renaming of values.
pub type ValueMap<'c> = HashMap<ValueKey, Val<'c>>;

/// The values that the operations of the blocks read but that are defined
/// outside of the blocks, in order of first use, without repetition.
pub fn free_values<'c>(blocks: &[Blk<'c>]) -> Vec<Val<'c>> {
    let mut defined = HashSet::new();
    let mut seen = HashSet::new();
    let mut free = vec![];
    for block in blocks {
        collect_free(*block, &mut defined, &mut seen, &mut free);
    }
    free
}

fn collect_free<'c>(
    block: Blk<'c>,
    defined: &mut HashSet<ValueKey>,
    seen: &mut HashSet<ValueKey>,
    free: &mut Vec<Val<'c>>,
) {
    defined.extend(block.arg_list().iter().map(ValExt::key));
    for op in block.ops() {
        for value in op.operand_list() {
            if !defined.contains(&value.key()) && seen.insert(value.key()) {
                free.push(value);
            }
        }
        for inner in op.blocks() {
            collect_free(inner, defined, seen, free);
        }
        defined.extend(op.result_list().iter().map(ValExt::key));
    }
}

/// Copies an operation to the builder's position with operands renamed, also
/// inside its regions, and records the copy's results in the renaming.
pub fn clone_op<'c>(builder: &Builder<'c>, op: Op<'c>, map: &mut ValueMap<'c>) -> Op<'c> {
    let copy = op.clone_detached();
    rename_operands(copy, map);
    builder.insert(copy);
    for (old, new) in op.result_list().into_iter().zip(copy.result_list()) {
        map.insert(old.key(), new);
    }
    copy
}

/// Applies a renaming to the operands of an operation and of all operations inside.
pub fn rename_operands<'c>(op: Op<'c>, map: &ValueMap<'c>) {
    op.for_each(&mut |inner| {
        for (index, value) in inner.operand_list().into_iter().enumerate() {
            if let Some(new) = map.get(&value.key()) {
                inner.set_operand(index, *new);
            }
        }
    });
}

/// Erases the operations of a block that are dead, users before definitions.
pub fn erase_dead_ops(block: Blk<'_>) {
    for op in block.body_ops().into_iter().rev() {
        if op.is_dead() {
            op.erase();
        }
    }
}
