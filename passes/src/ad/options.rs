//! What the user may choose.

use ad_dialect::ir::Op;

use crate::support::diag::{Result, error};

/// The options of `ad-differentiate`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Multiply the zero cotangent of a value that was not chosen like any other.
    pub plain_ieee: bool,
    /// The most bytes that the checkpoints of a loop may take.
    pub memory_budget: Option<u64>,
    /// What is kept of earlier blocks.
    pub residuals: Residuals,
}

/// What reverse mode does about values of earlier blocks, which it may keep or compute again
/// [ZYG 3.1].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Residuals {
    /// Results are kept, and no operation of a block runs again.
    Store,
    /// All that is pure runs again, and what it starts from is kept.
    Recompute,
    /// What takes longer than to be kept is kept.
    #[default]
    Mixed,
}

impl Residuals {
    /// The policy of a name.
    pub fn by_name(module: Op<'_>, name: &str) -> Result<Self> {
        match name {
            "store" => Ok(Self::Store),
            "recompute" => Ok(Self::Recompute),
            "mixed" => Ok(Self::Mixed),
            _ => Err(error(
                module,
                &format!("'residuals' must be store, recompute or mixed, not '{name}'"),
            )),
        }
    }
}
