//! Raises `scf.execute_region` with one block: its operations stand for it.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};

use crate::support::{builder::Builder, diag::Result};

/// Moves the body to where the operation is. Several blocks stay.
pub fn execute_region<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let blocks = op.blocks();
    let [body] = blocks[..] else { return Ok(None) };
    let yielded = body.term().map(|t| t.operand_list()).unwrap_or_default();
    for inner in body.body_ops() {
        inner.detach();
        b.insert(inner);
    }
    Ok(Some(yielded))
}
