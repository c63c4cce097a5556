//! Raises `scf.execute_region` with one block: its operations stand for it.

use ad_dialect::ir::{Op, OpExt, Val};

use crate::support::{builder::Builder, diag::Result, region::move_body};

/// Moves the body to where the operation is. Several blocks stay.
pub fn execute_region<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let blocks = op.blocks();
    let [body] = blocks[..] else { return Ok(None) };
    Ok(Some(move_body(b, body, &[])))
}
