//! From a module to a library for C, and for all that calls C: an object file or a shared library, and a header.
//!
//! Reading order: `names` (entries and arguments as C identifiers), `interface` (functions with C's conventions around
//! MLIR's), `llvm` (machine code), `header` (what C knows of it), `files` (the linker, and all files or none).
//!
//! The code is that of `ad-opt run`: the same pipeline, and the same passes of LLVM for the same processor. It needs
//! nothing but the C library; what `runtime` and `memory` are to the JIT, the `.ll` files here are to a library. A shared
//! library has a copy of what it needs of `ad-runtime`; an object file has loops instead. With more than one thread, a
//! shared library needs LLVM's libomp, and so does the program that an object file is linked into.

mod files;
mod header;
mod interface;
#[allow(unsafe_code)]
mod llvm;
mod names;

pub use files::{Format, Output};

use std::path::{Path, PathBuf};

use ad_dialect::ir::{OpExt, is_public};
use anyhow::{Result, bail, ensure};
use melior::{Context, ir::Module};

use crate::{
    Kind, Signature, Target, Type, openmp,
    prepare::{self, Assumptions, Purpose},
    program::{self, has_body},
};

/// What to make.
pub struct Options<'a> {
    /// Public functions; none means all.
    pub entries: &'a [String],
    /// What the names in C begin with, before the names of the functions.
    pub prefix: &'a str,
    /// The processor.
    pub cpu: Cpu,
    /// LLVM's optimisation and code generation level, from 0 to 3.
    pub level: i32,
    /// What may be assumed about float arithmetic: flags of `lower-fast-math`.
    pub fast_math: &'a str,
    /// What runs the functions.
    pub target: Target,
    /// What a GPU's tensor cores are used for: the option of `lower-contractions-to-gpu`.
    pub tensor_cores: &'a str,
    /// Whether functions take and give arrays of the device.
    pub arrays_on_device: bool,
    /// How many threads the functions use.
    pub threads: usize,
    /// Whether functions that the C library does not have come from elsewhere.
    pub open: bool,
    /// The static library that a shared one is linked with, which makes products of matrices faster or launches
    /// kernels.
    pub runtime: Option<&'a Path>,
}

/// The processor that machine code is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// This computer's, with all that it can do.
    Native,
    /// One that LLVM has under this name.
    Named(&'static str),
}

impl Cpu {
    /// The instruction set for functions on vectors.
    fn vectors(self) -> Option<&'static str> {
        match self {
            Self::Native => prepare::native_vectors(),
            Self::Named(_) if !prepare::has_vector_library() => None,
            Self::Named("x86-64-v4") => Some("avx512"),
            Self::Named("x86-64-v3") => Some("avx2"),
            Self::Named("x86-64" | "x86-64-v2") => Some("sse4"),
            Self::Named(_) => None,
        }
    }
}

/// A function of a library.
struct Entry {
    signature: Signature,
    /// Its name in C.
    name: String,
    /// The names of its arguments in C.
    arguments: Vec<String>,
}

impl Entry {
    /// The one result that C gets as the value of the function.
    fn returned(&self) -> Option<&Type> {
        match &self.signature.results[..] {
            [one] if one.kind == Kind::Scalar && !one.element.is_complex() => Some(one),
            _ => None,
        }
    }
}

/// The functions of a library that has kernels, besides its entries.
struct Device {
    prefix: String,
    /// Whether entries take and give arrays of the device.
    has_arrays: bool,
}

impl Device {
    /// The name of each in C, of what it is in `ad-cuda`, and what that takes and gives in LLVM IR.
    fn functions(&self) -> Vec<(String, &'static str, &'static str)> {
        let mut all = vec![("take_error", "ad_cuda_take_error", "i64 (ptr, i64)")];
        if self.has_arrays {
            all.push(("set_stream", "ad_cuda_set_stream", "void (ptr)"));
            all.push(("free_on_device", "ad_cuda_free", "void (ptr)"));
        }
        let in_c = |(name, inner, types)| (format!("{}{name}", self.prefix), inner, types);
        all.into_iter().map(in_c).collect()
    }
}

/// Machine code, and the functions in it.
pub struct Library {
    object: Vec<u8>,
    entries: Vec<Entry>,
    /// What there is for the device besides, if the library has kernels.
    device: Option<Device>,
    /// What is assumed about float arithmetic.
    fast_math: String,
    /// Whether results too small for a normal number are zero.
    flushes: bool,
    /// Whether it may call functions on vectors.
    vectors: bool,
    runtime: Option<PathBuf>,
    /// The library that starts threads, if it is needed.
    openmp: Option<PathBuf>,
}

/// Compiles public functions, with derivatives where there are requests.
pub fn build(context: &Context, mut module: Module, options: &Options) -> Result<Library> {
    let functions = match options.entries {
        [] => public_functions(&module)?,
        given => given.to_vec(),
    };
    let functions: Vec<&str> = functions.iter().map(String::as_str).collect();
    let names = names::in_c(&functions, options.prefix)?;
    let arguments: Vec<_> =
        functions.iter().map(|function| names::of_arguments(&module, function)).collect();

    let purpose = Purpose::Library { open: options.open, runtime: options.runtime.is_some() };
    let assumptions = Assumptions {
        target: options.target,
        tensor_cores: options.tensor_cores,
        arrays_on_device: options.arrays_on_device,
        fast_math: options.fast_math,
        vectors: options.cpu.vectors(),
        threads: options.threads,
    };
    // Who links an object file has a library of his own.
    let openmp = (options.threads > 1 && !options.open).then(openmp::load).transpose()?;
    let prepared = prepare::prepare(context, &mut module, &functions, purpose, &assumptions)?;
    let mut entries = vec![];
    let mut interface = String::from(interface::DECLARATIONS);
    for (((signature, implementation), name), arguments) in
        prepared.into_iter().zip(names).zip(arguments)
    {
        let entry = Entry { signature, name, arguments };
        let on_device = options.arrays_on_device;
        interface.push_str(&interface::function(&entry, &implementation, on_device));
        entries.push(entry);
    }
    let mut names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
    let has_arrays = options.arrays_on_device;
    let device = (options.target == Target::Cuda)
        .then(|| Device { prefix: options.prefix.into(), has_arrays });
    for (name, inner, types) in device.iter().flat_map(Device::functions) {
        ensure!(
            !names.contains(&name),
            "the library has a function {name} of its own; choose another --prefix"
        );
        interface.push_str(&interface::of_runtime(&name, inner, types));
        names.push(name);
    }
    let exported: Vec<&str> = names.iter().map(String::as_str).collect();
    let object = llvm::object(&module, &interface, &exported, options)?;
    let runtime = options.runtime.map(Path::to_path_buf);
    Ok(Library {
        object,
        entries,
        device,
        fast_math: options.fast_math.into(),
        flushes: assumptions.flushes(),
        vectors: assumptions.vectors.is_some(),
        runtime,
        openmp,
    })
}

/// All functions that may be entries.
fn public_functions(module: &Module) -> Result<Vec<String>> {
    let functions: Vec<String> = program::top_level(module)
        .into_iter()
        .filter(|&op| op.op_name() == "func.func" && is_public(op) && has_body(op))
        .filter_map(program::symbol)
        .collect();
    if functions.is_empty() {
        bail!("the module has no public function, so there is nothing to compile");
    }
    Ok(functions)
}
