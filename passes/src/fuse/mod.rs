//! In preparation.
use ad_dialect::ir::Op;
use melior::Context;

use crate::support::diag::Result;

/// Runs the pass on a module.
pub fn run<'c>(_context: &'c Context, _module: Op<'c>) -> Result<u64> {
    Ok(0)
}
