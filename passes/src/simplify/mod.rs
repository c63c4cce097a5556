//! `ad-simplify`: cleanup that differentiation relies on.

use ad_dialect::ir::Op;
use melior::Context;

use crate::support::diag::Result;

/// Simplifies a module; returns how many operations were erased.
pub fn simplify<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let _ = (context, module);
    Ok(0)
}
