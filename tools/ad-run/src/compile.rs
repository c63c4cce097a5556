//! From a module to machine code for this process.

use std::{ffi::c_void, fs, path::Path, time::Instant};

use ad_passes::support::symbol::C_INTERFACE;
use anyhow::{Context as _, Result, bail, ensure};
use melior::{Context, StringRef, ir::Module};
use mlir_sys as sys;

use crate::{
    Compiled, call, memory, openmp,
    prepare::{self, Assumptions, Purpose},
    runtime,
};

/// How machine code is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// LLVM's optimisation and code generation level, from 0 to 3; what is emulated has 0.
    pub level: i32,
    /// What may be assumed about float arithmetic: flags of `lower-fast-math`.
    pub fast_math: String,
    /// How many threads the compiled program uses.
    pub threads: usize,
    /// What runs the program.
    pub target: Target,
    /// What a GPU's tensor cores are used for: the option of `lower-contractions-to-gpu`.
    pub tensor_cores: String,
}

/// What runs a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// This computer's processor.
    #[default]
    Cpu,
    /// The first NVIDIA graphics processor that the CUDA driver has.
    Cuda,
    /// This computer's processor, which does what a graphics processor would.
    Emulate {
        /// Whether accesses of different threads to the same memory are looked at.
        accesses: bool,
    },
}

impl Default for Options {
    fn default() -> Self {
        Self {
            level: 3,
            fast_math: FAST_MATH.into(),
            threads: 1,
            target: Target::Cpu,
            tensor_cores: "none".into(),
        }
    }
}

/// What is assumed about float arithmetic by default: products and sums may be rounded once, and sums and products of
/// `soac.reduce`, `soac.scan` and structured operations, and of loops that several threads or a GPU run, computed in any order;
/// results too small for a normal number are zero on a CPU. NaNs, infinities and signs of zeros are as IEEE 754 has them.
pub const FAST_MATH: &str = "contract,reductions,flush-subnormals";

/// Compiles the public functions named in `entries`, with derivatives where there are requests.
pub fn compile(
    context: &Context,
    mut module: Module,
    entries: &[&str],
    options: &Options,
) -> Result<Compiled> {
    let start = Instant::now();
    let symbols = [memory::symbols(), runtime::symbols(), options.target.symbols()].concat();
    let names: Vec<&str> = symbols.iter().map(|(name, _)| *name).collect();
    if options.threads > 1 {
        openmp::load()?;
    }
    let assumptions = Assumptions {
        fast_math: &options.fast_math,
        vectors: prepare::native_vectors(),
        threads: options.threads,
        target: options.target,
        tensor_cores: &options.tensor_cores,
        arrays_on_device: false,
    };
    let purpose = Purpose::Process(&names);
    let entries = prepare::prepare(context, &mut module, entries, purpose, &assumptions)?;

    let level = match options.target {
        // What kernels do is mostly to call the emulator: to optimise them takes longer than that makes them faster.
        Target::Emulate { .. } => 0,
        Target::Cpu | Target::Cuda => options.level,
    };
    let engine = Engine::new(&module, &symbols, level)?;
    if options.target == Target::Cuda {
        engine.construct();
    }
    let mut functions = vec![];
    for (signature, name) in entries {
        let Some(function) = engine.packed(&name) else {
            bail!("there is no machine code for @{}", signature.name);
        };
        functions.push((signature, function));
    }
    Ok(call::new(engine, functions, start.elapsed().as_secs_f64(), options.target))
}

/// Takes the addresses of arguments and results, in MLIR's order.
pub type Packed = unsafe extern "C" fn(*mut *mut c_void);

/// Machine code in memory.
pub struct Engine(sys::MlirExecutionEngine);

impl Engine {
    fn new(module: &Module, symbols: &[(&str, *mut c_void)], level: i32) -> Result<Self> {
        // SAFETY: the operation is a module in the LLVM dialect; symbols live for ever.
        unsafe {
            let module = sys::mlirModuleFromOperation(module.as_operation().to_raw());
            let raw =
                sys::mlirExecutionEngineCreate(module, level, 0, std::ptr::null(), true, false);
            ensure!(!raw.ptr.is_null(), "LLVM does not accept the program");
            let engine = Self(raw);
            for &(name, address) in symbols {
                let name = StringRef::new(name).to_raw();
                sys::mlirExecutionEngineRegisterSymbol(engine.0, name, address);
            }
            Ok(engine)
        }
    }

    /// Runs constructors: kernels are handed to the driver by one.
    fn construct(&self) {
        // SAFETY: the engine is valid, and knows what its code calls.
        unsafe { sys::mlirExecutionEngineInitialize(self.0) }
    }

    /// The function; generates its machine code first.
    fn packed(&self, name: &str) -> Option<Packed> {
        let name = format!("{C_INTERFACE}{name}");
        // SAFETY: the engine is valid, and packed functions have this type.
        unsafe {
            let address =
                sys::mlirExecutionEngineLookupPacked(self.0, StringRef::new(&name).to_raw());
            (!address.is_null()).then(|| std::mem::transmute::<*mut c_void, Packed>(address))
        }
    }
}

impl Engine {
    /// Writes the machine code as an object file, for inspection.
    pub fn write_object(&self, path: &Path) -> Result<()> {
        let context = || format!("cannot write {}", path.display());
        // LLVM does not say when it cannot write.
        fs::File::create(path).with_context(context)?;
        let name = path.to_str().with_context(context)?;
        // SAFETY: the engine is valid and keeps its object.
        unsafe {
            sys::mlirExecutionEngineDumpToObjectFile(self.0, StringRef::new(name).to_raw());
        }
        Ok(())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the engine is valid and not used again.
        unsafe { sys::mlirExecutionEngineDestroy(self.0) }
    }
}
