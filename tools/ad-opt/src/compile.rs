//! `ad-opt compile`: differentiate and compile functions of a module for C.

use std::path::PathBuf;

use ad_run::{
    Diagnostics,
    library::{self, Format, Output},
};
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};

use crate::{
    arguments::{FastMath, Target, TensorCores, Threads, function},
    progress, say,
};

/// The arguments of `ad-opt compile`.
#[derive(Args)]
pub struct Arguments {
    /// The module, as `.mlir` text or bytecode; `-` is the standard input.
    pub file: PathBuf,
    /// A function that C can call, with or without the @ of MLIR; may be given several times. By default all public
    /// functions.
    #[arg(long, value_name = "NAME", value_parser = function)]
    pub entry: Vec<String>,
    /// The shared library (.so) or object file (.o) to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The C header to write; by default beside the output, with the extension .h.
    #[arg(long, value_name = "FILE")]
    pub header: Option<PathBuf>,
    /// What the names of the functions in C begin with.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub prefix: String,
    /// What to compile for.
    #[arg(long, value_enum, default_value_t = Target::Cpu)]
    pub target: Target,
    /// The processor that the code is for.
    #[arg(long, value_enum, default_value_t = Cpu::Native)]
    pub cpu: Cpu,
    /// Where the arrays are that functions take and give, with --target=cuda.
    #[arg(long, value_enum, default_value_t = Arrays::Host)]
    pub arrays: Arrays,
    #[command(flatten)]
    pub tensor_cores: TensorCores,
    #[command(flatten)]
    pub fast_math: FastMath,
    #[command(flatten)]
    pub threads: Threads,
}

/// Where arrays are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Arrays {
    /// In memory of the host: they are copied to the device and back.
    Host,
    /// In memory of the device.
    Device,
}

/// Processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cpu {
    /// This computer's; others may not have its instructions.
    Native,
    /// Any of this computer's architecture.
    Generic,
    /// With SSE4.2.
    #[cfg(target_arch = "x86_64")]
    #[value(name = "x86-64-v2")]
    V2,
    /// With AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    #[value(name = "x86-64-v3")]
    V3,
    /// With AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[value(name = "x86-64-v4")]
    V4,
}

/// Runs the command.
pub fn main(arguments: Arguments) -> Result<()> {
    arguments.target.check(arguments.threads.threads)?;
    let tensor_cores = arguments.tensor_cores.for_target(arguments.target)?;
    let target = match arguments.target {
        Target::Cpu => ad_run::Target::Cpu,
        Target::Cuda => ad_run::Target::Cuda,
        Target::GpuEmulate => bail!("--target=gpu-emulate is for 'ad-opt run' only"),
    };
    let arrays_on_device = arguments.arrays == Arrays::Device;
    if arrays_on_device && target != ad_run::Target::Cuda {
        bail!("--arrays=device is for --target=cuda only");
    }
    let output = Output::new(&arguments.output, arguments.header.as_deref())?;
    output.spare(&arguments.file)?;
    let context = ad_dialect::context();
    let _diagnostics = Diagnostics::new(&context, true);
    let module = ad_run::parse_file(&context, &arguments.file)?;
    let runtime = match (output.format, target) {
        (Format::Object, _) => None,
        (Format::Shared, ad_run::Target::Cuda) => {
            Some(beside("libad_cuda.a").map_err(|path| {
                anyhow!("there is no {}, which launches kernels", path.display())
            })?)
        }
        (Format::Shared, _) => beside("libad_runtime.a")
            .inspect_err(|path| {
                let path = path.display();
                say(format_args!(
                    "ad-opt: note: products of matrices are slow loops, because there is no {path}"
                ));
            })
            .ok(),
    };
    let options = library::Options {
        entries: &arguments.entry,
        prefix: &arguments.prefix,
        cpu: processor(arguments.cpu),
        level: ad_run::Options::default().level,
        fast_math: &arguments.fast_math.fast_math,
        threads: arguments.threads.threads.into(),
        open: output.format == Format::Object,
        runtime: runtime.as_deref(),
        target,
        tensor_cores: &tensor_cores,
        arrays_on_device,
    };
    let spinner = progress::spinner("compiling");
    let library = library::build(&context, module, &options);
    spinner.finish_and_clear();
    library.with_context(|| format!("cannot compile {}", arguments.file.display()))?.write(&output)
}

/// The static library that belongs to this program: beside it, where Cargo puts both, or in `../lib/ad-opt`, where they
/// are installed. The first place, if it is in neither.
fn beside(name: &str) -> Result<PathBuf, PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    let folders = ["", "../lib/ad-opt"];
    let [path, installed] = folders.map(|folder| program.with_file_name(folder).join(name));
    let found = [&path, &installed].into_iter().find(|path| path.is_file()).cloned();
    found.ok_or(path)
}

fn processor(cpu: Cpu) -> library::Cpu {
    match cpu {
        Cpu::Native => library::Cpu::Native,
        #[cfg(target_arch = "x86_64")]
        Cpu::Generic => library::Cpu::Named("x86-64"),
        #[cfg(not(target_arch = "x86_64"))]
        Cpu::Generic => library::Cpu::Named("generic"),
        #[cfg(target_arch = "x86_64")]
        Cpu::V2 => library::Cpu::Named("x86-64-v2"),
        #[cfg(target_arch = "x86_64")]
        Cpu::V3 => library::Cpu::Named("x86-64-v3"),
        #[cfg(target_arch = "x86_64")]
        Cpu::V4 => library::Cpu::Named("x86-64-v4"),
    }
}
