//! `ad-generate`: adds a function that holds a request.

use ad_dialect::ir::Op;
use melior::Context;

use crate::support::diag::Result;

/// The options of the pass.
#[derive(Debug)]
pub struct Options<'a> {
    /// The function to differentiate.
    pub function: &'a str,
    /// `vjp`, `jvp` or `gradient`.
    pub mode: &'a str,
    /// The name of the new function; empty for the default.
    pub name: &'a str,
    /// Positions of the arguments to differentiate; empty for all.
    pub wrt: &'a [i64],
}

/// Adds the function.
pub fn generate<'c>(context: &'c Context, module: Op<'c>, options: &Options<'_>) -> Result<()> {
    let _ = (context, module, options);
    Ok(())
}
