//! Arguments that several commands take.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use melior::{Context, ir::Module};

/// A function of a module and what it is called with.
#[derive(Args)]
pub struct Call {
    /// The module, as `.mlir` text or bytecode.
    pub file: PathBuf,
    /// The function.
    #[arg(long, value_name = "NAME")]
    pub entry: String,
    /// A `.npy` file or a literal such as 2.5, 7 or true; one per argument, in order.
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub input: Vec<String>,
}

impl Call {
    /// Reads the module, and the signature of the function; `verb` is what cannot be done without.
    pub fn load<'c>(
        &self,
        context: &'c Context,
        verb: &str,
    ) -> Result<(Module<'c>, ad_run::Signature)> {
        let module = ad_run::parse_file(context, &self.file)?;
        let signature = ad_run::signature(&module, &self.entry)
            .with_context(|| format!("cannot {verb} {}", self.file.display()))?;
        Ok((module, signature))
    }
}

/// What may be assumed about float arithmetic.
#[derive(Args)]
pub struct FastMath {
    /// What may be assumed about float arithmetic, in the primal and in derivatives, separated by commas: `none`,
    /// `contract` (round products and sums once), `reductions` (sums and products of soac.reduce and soac.scan in any
    /// order), `limited-range` (divide complex numbers by the textbook's formula, which overflows early), and LLVM's
    /// `reassoc`, `nnan`, `ninf`, `nsz`, `arcp`, `afn`, or `fast` for all of those.
    #[arg(long, value_name = "FLAGS", default_value = ad_run::FAST_MATH)]
    pub fast_math: String,
}

/// How many threads run a program.
#[derive(Args)]
pub struct Threads {
    /// How many threads the compiled program uses, at most 1024. Sums are rounded differently for each number of
    /// threads, and always in the same way for one number.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
}

/// What code can be made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// This computer's processor.
    Cpu,
    /// An NVIDIA graphics processor.
    Cuda,
    /// The code for a graphics processor, on this computer's processor.
    GpuEmulate,
}

impl Target {
    /// Refuses what cannot be had.
    pub fn check(self, threads: u16) -> Result<()> {
        if self != Self::Cpu && threads > 1 {
            bail!("--threads={threads} is for --target=cpu only");
        }
        Ok(())
    }
}
