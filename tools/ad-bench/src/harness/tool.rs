//! The tools that are compared, and what is built for each.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::problem::Problem;

/// Something that computes objectives and derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// The programs of this project, compiled by `ad-opt compile`.
    AdOpt,
    /// Derivatives worked out by hand, in C++.
    Cpp,
    /// JAX.
    Jax,
    /// The programs of this project on one core, where the tools may use several.
    OneCore,
}

impl Tool {
    /// What others are compared with us.
    pub const PEERS: [Self; 3] = [Self::Cpp, Self::Jax, Self::OneCore];

    /// The name in options, files and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AdOpt => "ad-opt",
            Self::Cpp => "cpp",
            Self::Jax => "jax",
            Self::OneCore => "one-core",
        }
    }

    /// The name in tables.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::AdOpt => "ad-opt",
            Self::Cpp => "C++ by hand",
            Self::Jax => "JAX",
            Self::OneCore => "ad-opt, one core",
        }
    }

    /// The source of a program, below the folder of peers.
    fn source(self, peers: &Path, program: &str) -> PathBuf {
        let extension = if self == Self::Cpp { "cpp" } else { "py" };
        peers.join(self.name()).join(format!("{program}.{extension}"))
    }
}

/// What a worker loads.
#[derive(Clone, Debug)]
pub enum Binary {
    /// A shared library with the C interface of `ad-opt compile`.
    Library(PathBuf),
    /// A module of functions on JAX arrays.
    Module(PathBuf),
}

impl Binary {
    /// The kind, as the worker calls it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Library(_) => "library",
            Self::Module(_) => "jax",
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Library(path) | Self::Module(path) => path,
        }
    }
}

/// What `ad-opt` assumes by default, and complex division by the formula that the C++ has.
const FAST_MATH: &str = "contract,reductions,flush-subnormals,limited-range";

/// Makes the binaries of programs.
#[derive(Debug)]
pub struct Builder {
    /// The `ad-opt` binary.
    pub compiler: PathBuf,
    /// The folder of programs.
    pub programs: PathBuf,
    /// The folder with `cpp` and `jax`.
    pub peers: PathBuf,
    /// Where to write.
    pub target: PathBuf,
    /// The processor that `ad-opt compile` compiles for.
    pub cpu: &'static str,
    /// How many threads what `ad-opt compile` compiles may use.
    pub threads: usize,
}

impl Builder {
    /// Compiles the entries of a problem's program with `ad-opt`; the header, which the C++ includes, is written beside it.
    pub fn program(&self, problem: &Problem) -> Result<Binary> {
        self.program_for(problem, self.threads)
    }

    fn program_for(&self, problem: &Problem, threads: usize) -> Result<Binary> {
        let program = problem.program;
        let library = self.target.join(format!("{program}.{threads}.so"));
        let header = self.target.join(format!("{program}.h"));
        let mut command = Command::new(&self.compiler);
        command.arg("compile").arg(self.programs.join(format!("{program}.mlir")));
        command.args(problem.entries().iter().map(|entry| format!("--entry={}", entry.name)));
        command.args([format!("--cpu={}", self.cpu), format!("--threads={threads}")]);
        command.arg(format!("--fast-math={FAST_MATH}")).arg("--header").arg(header);
        run(command.arg("-o").arg(&library))?;
        Ok(Binary::Library(library))
    }

    /// Builds a peer of a problem that [`Self::program`] has compiled; `None` if nobody has written it.
    pub fn peer(&self, tool: Tool, problem: &Problem) -> Result<Option<Binary>> {
        let program = problem.program;
        if tool == Tool::OneCore {
            return self.program_for(problem, 1).map(Some);
        }
        let source = tool.source(&self.peers, program);
        if !source.is_file() {
            return Ok(None);
        }
        if tool != Tool::Cpp {
            return Ok(Some(Binary::Module(source)));
        }
        let library = self.target.join(format!("{program}.peer.so"));
        let mut command = Command::new(clang());
        command.args(["-std=c++20", "-O3", "-march=native", "-shared", "-fPIC", "-Wall", "-I"]);
        run(command.arg(&self.target).arg(&source).arg("-o").arg(&library))?;
        Ok(Some(Binary::Library(library)))
    }
}

/// The C++ compiler of the LLVM that the project is built with.
#[must_use]
pub fn clang() -> PathBuf {
    env::var_os("MLIR_SYS_220_PREFIX")
        .map_or_else(|| PathBuf::from("/usr/lib/llvm-22"), PathBuf::from)
        .join("bin/clang++")
}

/// Runs a command that must succeed, and passes on what it says on stderr.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot start {name}"))?;
    let messages = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name} failed:\n{messages}");
    eprint!("{messages}");
    Ok(())
}
