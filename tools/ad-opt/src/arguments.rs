//! Arguments that several commands take.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use melior::{Context, ir::Module};

/// A function of a module and what it is called with.
#[derive(Args)]
pub struct Call {
    /// The module, as `.mlir` text or bytecode; `-` is the standard input.
    pub file: PathBuf,
    /// The function, with or without the @ of MLIR.
    #[arg(long, value_name = "NAME", value_parser = function)]
    pub entry: String,
    /// A `.npy` file or a literal such as 2.5, 7 or true; one per argument, in order.
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub input: Vec<String>,
}

/// The name of a function that may be given with the @ of MLIR.
pub fn function(name: &str) -> Result<String> {
    Ok(name.strip_prefix('@').unwrap_or(name).to_owned())
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
    /// `contract` (round products and sums once, and add what a loop adds up backwards in the other order if that joins
    /// it with another loop), `reductions` (sums and products of soac.reduce, soac.scan and structured operations, and
    /// where there are several threads or a GPU those of loops, in any order), `flush-subnormals` (on a CPU, results too small for a
    /// normal number are zero), `limited-range` (divide complex numbers by the textbook's formula, which overflows
    /// early), and LLVM's `reassoc`, `nnan`, `ninf`, `nsz`, `arcp`, `afn`, or `fast` for all of those.
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

/// What runs on tensor cores.
#[derive(Args)]
pub struct TensorCores {
    /// Which products of matrices run on the tensor cores of a GPU, separated by commas. Only sums of products of two
    /// elements do, and only where the result has more than 32 rows and columns; sums have another order than without.
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',', default_value = "none")]
    pub tensor_cores: Vec<TensorCore>,
}

/// Products that tensor cores can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TensorCore {
    /// None: every product is computed as without tensor cores.
    None,
    /// Of f64: products are not rounded before they are added.
    F64,
    /// Of f32: factors are rounded to 10 bits of mantissa, about three decimal digits; sums are f32.
    Tf32,
    /// Of f16 that are added up in f32: products are exact.
    F16,
    /// Of bf16 that are added up in f32: products are exact.
    Bf16,
}

impl TensorCores {
    /// The option of `lower-contractions-to-gpu`. Refuses what cannot be had.
    pub fn for_target(&self, target: Target) -> Result<String> {
        let kinds = &self.tensor_cores;
        let is_any = kinds.iter().any(|kind| *kind != TensorCore::None);
        if is_any && target == Target::Cpu {
            bail!("--tensor-cores is for --target=cuda and --target=gpu-emulate only");
        }
        if is_any && kinds.contains(&TensorCore::None) {
            bail!("--tensor-cores has none beside others");
        }
        let names = kinds.iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<_> = names.map(|value| value.get_name().to_owned()).collect();
        Ok(names.join(","))
    }
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
