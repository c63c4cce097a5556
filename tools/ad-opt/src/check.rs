//! `ad-opt check`: compare derivatives with central differences, and vjp with jvp.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

/// The arguments of `ad-opt check`.
#[derive(Args)]
pub struct Arguments {
    /// The module, as `.mlir` text or bytecode.
    pub file: PathBuf,
    /// The function whose derivatives to check.
    #[arg(long)]
    pub entry: String,
    /// A `.npy` file or a literal, one per argument, in order.
    #[arg(long, allow_hyphen_values = true)]
    pub input: Vec<String>,
}

/// Runs the command.
pub fn main(arguments: Arguments) -> Result<()> {
    let Arguments { file, entry, input } = arguments;
    bail!("check is not available in this build ({file:?} @{entry}, {} inputs)", input.len())
}
