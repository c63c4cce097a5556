//! `lower-soac-to-loops`: combinators become sequential loops over tensors.

use ad_dialect::ir::Op;
use melior::Context;

use crate::support::diag::Result;

/// Lowers a module; returns how many loops were created.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let _ = (context, module);
    Ok(0)
}
