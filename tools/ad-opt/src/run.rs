//! `ad-opt run`: differentiate, compile and run a function of a module.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

/// The arguments of `ad-opt run`.
#[derive(Args)]
pub struct Arguments {
    /// The module, as `.mlir` text or bytecode.
    pub file: PathBuf,
    /// The function to run.
    #[arg(long)]
    pub entry: String,
    /// A `.npy` file or a literal, one per argument, in order.
    #[arg(long, allow_hyphen_values = true)]
    pub input: Vec<String>,
}

/// Runs the command.
pub fn main(arguments: Arguments) -> ExitCode {
    let Arguments { file, entry, input } = arguments;
    eprintln!(
        "ad-opt run: not available in this build ({file:?} @{entry}, {} inputs)",
        input.len()
    );
    ExitCode::FAILURE
}
