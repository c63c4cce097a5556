//! What a problem is: a program, its entries, and the sizes it is timed at.

use std::path::Path;

use anyhow::{Context, Result};

use super::arguments::Maker;
use super::tool::Tool;
use crate::adbench;
use crate::array::Array;

/// Where a problem comes from; every group is one table of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The public suite ADBench.
    AdBench,
    /// Arrays: clustering, matrices, reductions, scans, histograms.
    Arrays,
    /// Loops whose iterations depend on each other.
    Loops,
    /// Functions that call themselves, and functions that are values.
    Functions,
    /// Kernels of Monte Carlo neutron transport: inner loops, branches and indirect reads.
    Transport,
    /// The programs of a table in the paper on source-to-source differentiation of SSA form.
    Zygote,
}

impl Group {
    /// All groups, in the order of the report.
    pub const ALL: [Self; 6] =
        [Self::AdBench, Self::Arrays, Self::Loops, Self::Functions, Self::Transport, Self::Zygote];

    /// The title of the group's table.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::AdBench => "ADBench and a batched LSTM",
            Self::Arrays => "Array programs",
            Self::Loops => "Sequential loops",
            Self::Functions => "Recursion and functions that are values",
            Self::Transport => "Neutron transport",
            Self::Zygote => "Small programs of the Zygote paper",
        }
    }
}

/// The element type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Element {
    /// How `.npy` files call it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::F32 => "f4",
            Self::F64 => "f8",
        }
    }

    /// How far results of two tools may be apart, relative to the largest entry of the array.
    #[must_use]
    pub fn tolerance(self) -> f64 {
        match self {
            Self::F32 => 1e-4,
            Self::F64 => 1e-9,
        }
    }
}

/// A public function of a program.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, the same in the program and in its peers.
    pub name: &'static str,
    /// The element type of all its results.
    pub element: Element,
    /// The rank of each result.
    pub ranks: &'static [usize],
}

/// A size at which a problem is timed.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its name, which gives the dimensions in short.
    pub name: &'static str,
    /// The dimensions, as the maker of arguments takes them.
    pub dims: &'static [usize],
    /// The data file below the folder of ADBench that holds the arguments, if there is one.
    pub file: Option<&'static str>,
}

/// A size whose arguments are generated.
#[must_use]
pub const fn size(name: &'static str, dims: &'static [usize]) -> Size {
    Size { name, dims, file: None }
}

/// A size whose arguments are read from a file, or generated alike if there are no such files.
#[must_use]
pub const fn file(name: &'static str, dims: &'static [usize], file: &'static str) -> Size {
    Size { name, dims, file: Some(file) }
}

impl Size {
    /// The arguments, from the file if the data folder has it.
    pub fn arguments(&self, problem: &Problem, data: Option<&Path>) -> Result<Vec<Array>> {
        let path = self.file.zip(data).map(|(file, data)| data.join(file));
        if let Some(path) = path.filter(|path| path.is_file()) {
            return adbench::read(problem.program, &path);
        }
        (problem.maker)(self.dims)
            .with_context(|| format!("cannot make the arguments of {} {}", problem.name, self.name))
    }
}

/// What the horizontal axis of a plot counts.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// The count in words.
    pub label: &'static str,
    /// The count, from the dimensions.
    pub count: fn(&[usize]) -> f64,
}

/// A peer that cannot do a problem.
#[derive(Clone, Copy, Debug)]
pub struct Without {
    /// The peer.
    pub peer: Tool,
    /// The sizes that it cannot do; if there are none, it can do none.
    pub sizes: &'static [&'static str],
    /// The reason, of which the peer is the subject.
    pub reason: &'static str,
}

/// A pass over arrays of doubles, of as many elements as the first dimension says.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The doubles that it reads for each element.
    pub reads: usize,
    /// Those that it writes.
    pub writes: usize,
}

/// A pass that reads and writes so many doubles for each element.
#[must_use]
pub const fn pass(reads: usize, writes: usize) -> Pass {
    Pass { reads, writes }
}

/// One line of a table, at several sizes.
#[derive(Clone, Copy, Debug)]
pub struct Problem {
    /// Its name.
    pub name: &'static str,
    /// The table it is in.
    pub group: Group,
    /// The program `bench/programs/PROGRAM.mlir`, and its peers `cpp/PROGRAM.cpp`, `jax/PROGRAM.py`.
    pub program: &'static str,
    /// The function itself.
    pub primal: Entry,
    /// Its derivative.
    pub derivative: Entry,
    /// Makes the arguments, always the same, from dimensions.
    pub maker: Maker,
    /// From the smallest to the largest.
    pub sizes: &'static [Size],
    /// What distinguishes the sizes in a plot.
    pub axis: Axis,
    /// What peers cannot do.
    pub without: &'static [Without],
    /// The passes over memory of a derivative that memory limits.
    pub passes: &'static [Pass],
}

impl Problem {
    /// Whether a tool can do a size.
    #[must_use]
    pub fn can(&self, tool: Tool, size: &Size) -> bool {
        let all =
            |without: &Without| without.sizes.is_empty() || without.sizes.contains(&size.name);
        !self.without.iter().any(|without| without.peer == tool && all(without))
    }

    /// Both entries.
    #[must_use]
    pub fn entries(&self) -> [Entry; 2] {
        [self.primal, self.derivative]
    }
}
