//! What is done to a module before machine code is made of it.

use std::{
    collections::HashSet,
    ffi::{CStr, CString, c_void},
};

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};
use ad_passes::{pipeline, support::symbol::C_INTERFACE};
use anyhow::{Result, anyhow};
use melior::{
    Context, StringRef,
    ir::{
        Attribute, Module, ValueLike,
        attribute::{AttributeLike, StringAttribute},
    },
};
use mlir_sys as sys;

use crate::{
    Kind, Signature, Target, kernels,
    program::{self, error_at, has_body, symbol, top_level},
    toolkit,
};

/// Runs what is done to a module.
fn lower(
    context: &Context,
    module: &mut Module,
    purpose: Purpose,
    assumptions: &Assumptions,
) -> Result<(), String> {
    let (derivatives, stages) = stages(purpose, assumptions);
    pipeline::run(context, module, &derivatives)?;
    pipeline::run_stages(context, module, &stages)?;
    let Target::Cuda = assumptions.target else { return Ok(()) };
    let toolkit = toolkit::find().map(|path| format!(" toolkit={}", path.display()));
    let toolkit = toolkit.unwrap_or_default();
    kernels::apart(context, module, &format!("gpu-module-to-binary{{format=isa{toolkit}}}"))?;
    pipeline::run_stages(context, module, &["ad-lower-host-to-llvm".into()])
}

/// What is done to a module, for a GPU until machine code of kernels is made: functions that no entry needs go first, so that
/// they cost and matter nothing. Where there is no matrix product to call, there are loops instead. The first
/// part has all that depends on what users write, so that each of its passes is verified; then come stages.
fn stages(purpose: Purpose, assumptions: &Assumptions) -> (String, Vec<String>) {
    let flags = assumptions.fast_math;
    let of_device = match assumptions.target {
        Target::Cpu => None,
        Target::Cuda => {
            Some(format!("nvvm-attach-target{{chip={CHIP} O=3}},ad-lower-kernels-to-nvvm"))
        }
        Target::Emulate { accesses } => Some(format!(
            "lower-gpu-to-emulation{{races={accesses}}},cse,lower-atomics,ad-lower-host-to-llvm,lower-emulated-launches"
        )),
    };
    if let Some(kernels) = of_device {
        let tensor_cores = assumptions.tensor_cores;
        let arrays = if assumptions.arrays_on_device { "device" } else { "host" };
        let parallel = parallel(flags);
        let derivatives = format!("symbol-dce,{LOOPS},{parallel},ad-optimize");
        let stages = vec![
            format!("ad-check-sizes,ad-make-kernels,lower-fast-math{{flags={flags}}}"),
            "ad-lower-to-kernel-buffers".into(),
            format!("lower-contractions-to-gpu{{tensor-cores={tensor_cores}}},ad-outline-kernels"),
            format!("lower-buffers-to-device{{arrays={arrays}}}"),
            kernels,
        ];
        return (derivatives, stages);
    }
    let contractions = match purpose {
        Purpose::Process(_) | Purpose::Library { runtime: true, .. } => "lower-contractions,",
        Purpose::Library { runtime: false, .. } => "",
    };
    let for_vectors = |pass: &str| match assumptions.vectors {
        Some(set) => format!("{pass}{{instruction-set={set}}},"),
        None => String::new(),
    };
    let loops = for_vectors("ad-vectorize");
    let functions = match assumptions.vectors {
        Some(_) => {
            format!("lower-math-to-polynomials,{}", for_vectors("lower-math-to-vector-calls"))
        }
        None => String::new(),
    };
    let subnormals = if assumptions.flushes() { ",lower-subnormals" } else { "" };
    let (parallel, distribute, start) = match assumptions.threads {
        1 => Default::default(),
        n => (
            parallel(flags) + ",",
            format!("ad-parallelize{{threads={n}}},"),
            format!("lower-forall-to-openmp{{threads={n}}},"),
        ),
    };
    let derivatives = format!("symbol-dce,{LOOPS},{parallel}ad-optimize");
    let stages = vec![
        format!("ad-check-sizes,{distribute}lower-fast-math{{flags={flags}}},ad-place-buffers"),
        format!(
            "ad-fuse-loops,ad-canonicalize,cse,ad-fuse-products,ad-split-loops,ad-canonicalize,cse,{loops}\
             ad-unroll-and-jam,ad-reuse-buffers,ad-look-ahead"
        ),
        format!(
            "ad-free-buffers,{contractions}lower-reductions-to-loops,ad-merge-buffers,\
             {functions}{start}ad-lower-buffers-to-llvm{subnormals}"
        ),
    ];
    (derivatives, stages)
}

/// Makes loops of blocks, and of functions that call themselves last, with values for variables on the stack, before anything is
/// differentiated: what these keep for the way back is on tapes, which kernels lack and which take time and memory to grow, while
/// loops run again or store arrays.
const LOOPS: &str = "ad-functions-to-loops,ad-inline,ad-lift-to-loops";

/// Makes maps and reductions of loops of the host, before anything is differentiated, so that threads run their iterations: of all
/// that may, or of those that are rounded as they are.
fn parallel(flags: &str) -> String {
    let may_reorder = has_any(flags, &["reductions", "reassoc", "fast"]);
    let loops = if may_reorder { "any-order" } else { "exact" };
    format!("ad-inline,raise-to-soac{{loops={loops}}}")
}

/// Whether flags of `lower-fast-math` have one of some names.
fn has_any(flags: &str, names: &[&str]) -> bool {
    flags.split(',').any(|flag| names.contains(&flag.trim()))
}

/// The oldest device that kernels run on. The driver compiles PTX for newer ones.
const CHIP: &str = "sm_80";

/// What code may rely on.
pub struct Assumptions<'a> {
    /// About float arithmetic: flags of `lower-fast-math`.
    pub fast_math: &'a str,
    /// The instruction set for which there are vector functions, as `lower-math-to-vector-calls` has it.
    pub vectors: Option<&'static str>,
    /// How many threads run it.
    pub threads: usize,
    /// What runs it.
    pub target: Target,
    /// What tensor cores are used for, as `lower-contractions-to-gpu` has it.
    pub tensor_cores: &'a str,
    /// Whether entries take and give arrays of the device.
    pub arrays_on_device: bool,
}

impl Assumptions<'_> {
    /// Whether results too small for a normal number become zero. Other processors need no more time for them.
    pub fn flushes(&self) -> bool {
        self.target == Target::Cpu
            && cfg!(target_arch = "x86_64")
            && has_any(self.fast_math, &["flush-subnormals", "fast"])
    }
}

/// The instruction set of this computer's processor, if its C library has functions on vectors.
pub fn native_vectors() -> Option<&'static str> {
    if !has_vector_library() {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    return Some(match () {
        () if std::arch::is_x86_feature_detected!("avx512f") => "avx512",
        () if std::arch::is_x86_feature_detected!("avx2") => "avx2",
        () => "sse4",
    });
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// The C library's functions on vectors. From the first call on, they are among the symbols of this process.
const VECTOR_LIBRARY: &CStr = c"libmvec.so.1";

/// Whether the C library has functions on vectors.
pub fn has_vector_library() -> bool {
    // SAFETY: the name ends with a zero; the library stays open and needs no initialisation.
    unsafe { !libc::dlopen(VECTOR_LIBRARY.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL).is_null() }
}

/// Where machine code is going to run.
#[derive(Clone, Copy)]
pub enum Purpose<'a> {
    /// In this process, which has its libraries and functions of these names.
    Process(&'a [&'a str]),
    /// In a program that calls C functions with the names of the entries.
    Library {
        /// Whether functions that the C library does not have come from elsewhere.
        open: bool,
        /// Whether it is linked with `ad-runtime`.
        runtime: bool,
    },
}

/// Differentiates and lowers to the LLVM dialect what the public functions named in `entries` need.
/// Returns their signatures and their names from now on: `_mlir_ciface_NAME` is the function with C's conventions.
pub fn prepare(
    context: &Context,
    module: &mut Module,
    entries: &[&str],
    purpose: Purpose,
    assumptions: &Assumptions,
) -> Result<Vec<(Signature, String)>> {
    let signatures: Vec<_> =
        entries.iter().map(|entry| program::signature(module, entry)).collect::<Result<_>>()?;
    if let Purpose::Library { .. } = purpose {
        protect(context, module, &signatures);
    }
    let names = isolate(context, module, entries, purpose);
    lower(context, module, purpose, assumptions)
        .map_err(|_| anyhow!("the program cannot be compiled"))?;
    toolkit::check(module)?;
    check_externals(module, purpose, assumptions.target)?;
    keep_internal(context, module);
    match assumptions.target {
        Target::Cpu => keep_apart(context, module, &signatures, &names),
        Target::Emulate { .. } => launch_plainly(context, module),
        Target::Cuda => {}
    }
    Ok(signatures.into_iter().zip(names).collect())
}

/// Lets entries write to copies of their tensors only. The JIT passes copies.
fn protect(context: &Context, module: &Module, signatures: &[Signature]) {
    let Some(no) = Attribute::parse(context, "false") else { return };
    for function in top_level(module) {
        let name = symbol(function);
        let Some(signature) = signatures.iter().find(|s| Some(&s.name) == name.as_ref()) else {
            continue;
        };
        for (position, ty) in signature.inputs.iter().enumerate() {
            if ty.kind == Kind::Array && ty.text.starts_with("tensor") {
                // SAFETY: an entry is a `func.func` with the arguments of its signature.
                unsafe {
                    sys::mlirFuncSetArgAttr(
                        function.to_raw(),
                        position as isize,
                        StringRef::new("bufferization.writable").to_raw(),
                        no.to_raw(),
                    );
                }
            }
        }
    }
}

/// Tells LLVM that no array of an entry's arguments is written to by way of another one, or of a result: what is
/// written to is a copy of its own.
fn keep_apart(context: &Context, module: &Module, signatures: &[Signature], names: &[String]) {
    for function in top_level(module) {
        let name = symbol(function);
        let mut entries = signatures.iter().zip(names);
        let Some((signature, _)) = entries.find(|(_, entry)| Some(*entry) == name.as_ref()) else {
            continue;
        };
        let Some(body) = function.body(0).filter(|_| function.op_name() == "llvm.func") else {
            continue;
        };
        let is_pointer = |argument: &Val<'_>| argument.r#type().to_string() == "!llvm.ptr";
        let arguments = body.arg_list();
        let tensors = signature.inputs.iter().filter(|ty| ty.text.starts_with("tensor")).count();
        // Each has two pointers; memory that is passed as such may be anything.
        if arguments.iter().filter(|argument| is_pointer(argument)).count() != 2 * tensors {
            continue;
        }
        let each = |argument| if is_pointer(argument) { "{llvm.noalias}" } else { "{}" };
        let all: Vec<_> = arguments.iter().map(each).collect();
        if let Some(all) = Attribute::parse(context, &format!("[{}]", all.join(", "))) {
            set(context, function, "arg_attrs", all);
        }
    }
}

/// Makes everything but the entries private, and gives functions that a library has too names of their own; entries of
/// a library too, because C functions get their names.
/// Returns the names of the entries from now on.
fn isolate(context: &Context, module: &Module, entries: &[&str], purpose: Purpose) -> Vec<String> {
    hide_others(context, module, entries);
    let mut names: Vec<String> = entries.iter().map(|&entry| entry.into()).collect();
    for function in top_level(module).into_iter().filter(|op| op.op_name() == "func.func") {
        let Some(name) = symbol(function) else { continue };
        let position = entries.iter().position(|&entry| entry == name);
        if position.is_some() {
            set(context, function, "llvm.emit_c_interface", Attribute::unit(context));
            set(context, function, "sym_visibility", text(context, "public"));
        }
        let taken = position.is_some() && matches!(purpose, Purpose::Library { .. });
        if has_body(function) && (taken || is_in_process(&name)) {
            let other = unused(module, &name);
            rename(context, module, function, &name, &other);
            if let Some(position) = position {
                names[position] = other;
            }
        }
    }
    names
}

/// Takes functions out of a module that a public one does not need, so that nothing in them can be refused.
pub fn keep_only(context: &Context, module: &mut Module, entry: &str) -> Result<()> {
    hide_others(context, module, &[entry]);
    pipeline::run(context, module, "symbol-dce").map_err(|error| anyhow!(error))
}

/// Makes all functions private but some, and takes out modules inside, whose functions nothing here can call.
fn hide_others(context: &Context, module: &Module, entries: &[&str]) {
    for inner in top_level(module).into_iter().filter(|op| op.op_name() == "builtin.module") {
        inner.erase();
    }
    for function in top_level(module).into_iter().filter(|op| op.op_name() == "func.func") {
        if symbol(function).is_some_and(|name| !entries.contains(&name.as_str())) {
            set(context, function, "sym_visibility", text(context, "private"));
        }
    }
}

fn set<'c>(context: &Context, operation: Op<'c>, name: &str, attribute: Attribute) {
    // SAFETY: `context` is that of the operation, whose lifetime handles have.
    unsafe {
        let context = &*(context as *const Context);
        operation.set_attr(context, name, Attribute::from_raw(attribute.to_raw()));
    }
}

fn text<'c>(context: &'c Context, text: &str) -> Attribute<'c> {
    StringAttribute::new(context, text).into()
}

/// The name with as many underscores as make it unused.
fn unused(module: &Module, name: &str) -> String {
    let taken: Vec<_> = top_level(module).into_iter().filter_map(symbol).collect();
    let mut other = format!("{name}_");
    while taken.contains(&other) || is_in_process(&other) {
        other.push('_');
    }
    other
}

fn rename(context: &Context, module: &Module, function: Op, name: &str, other: &str) {
    // SAFETY: module and names are valid.
    unsafe {
        sys::mlirSymbolTableReplaceAllSymbolUses(
            StringRef::new(name).to_raw(),
            StringRef::new(other).to_raw(),
            module.as_operation().to_raw(),
        );
    }
    set(context, function, "sym_name", text(context, other));
}

/// Whether a library of this process has a symbol.
fn is_in_process(name: &str) -> bool {
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: the name ends with a zero.
    unsafe { !libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()).is_null() }
}

/// Whether the C library, its mathematical part included, has a symbol.
pub fn is_in_c_library(name: &str) -> bool {
    const MATH: &CStr = c"libm.so.6";
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: the names end with a zero; the library, which stays open, brings the ones it needs.
    unsafe {
        let library = libc::dlopen(MATH.as_ptr(), libc::RTLD_LAZY);
        let place: *mut c_void = if library.is_null() { libc::RTLD_DEFAULT } else { library };
        !libc::dlsym(place, name.as_ptr()).is_null()
    }
}

/// Whether a function is one of the C library's on vectors.
fn is_vector_function(name: &str) -> bool {
    name.starts_with("_ZGV") && has_vector_library() && is_in_process(name)
}

/// What every library of ours brings along where it is needed.
const SUPPORT: [&str; 1] = ["memrefCopy"];

/// Checks that every function without body is there to be called.
fn check_externals(module: &Module, purpose: Purpose, target: Target) -> Result<()> {
    for function in top_level(module) {
        if function.op_name() != "llvm.func" || has_body(function) {
            continue;
        }
        let Some(name) = symbol(function) else { continue };
        let (known, message, remedy) = match purpose {
            Purpose::Process(ours) => (
                ours.contains(&name.as_str()) || is_in_process(&name),
                format!("function @{name} has no body, and no library has it"),
                "define it in the module",
            ),
            Purpose::Library { open, runtime } => (
                open || SUPPORT.contains(&name.as_str())
                    || is_in_c_library(&name)
                    || runtime && ad_runtime::callees().iter().any(|(callee, _)| *callee == name)
                    || is_vector_function(&name),
                format!("function @{name} has no body, and the C library does not have it"),
                "define it in the module, or write an object file and link that with what has it",
            ),
        };
        let of_device = target.symbols().iter().any(|(symbol, _)| *symbol == name);
        if !known && !of_device && !name.starts_with("llvm.") {
            return Err(error_at(function, &message, Some(remedy)));
        }
    }
    Ok(())
}

/// Has LLVM make machine code quickly of what launches emulated kernels. The level of the whole module does not say it: the
/// engine selects instructions as at level 2, and that takes minutes where many calls have many arguments and nothing was
/// simplified. Kernels make no such calls, and their products and sums are rounded once, as elsewhere.
fn launch_plainly(context: &Context, module: &Module) {
    let functions = top_level(module);
    let names: HashSet<_> = functions.iter().filter_map(|function| symbol(*function)).collect();
    for function in functions {
        let is_kernel =
            symbol(function).is_some_and(|name| names.contains(&format!("{name}.thunk")));
        if function.op_name() == "llvm.func" && has_body(function) && !is_kernel {
            for name in ["optimize_none", "no_inline"] {
                set(context, function, name, Attribute::unit(context));
            }
        }
    }
}

/// Lets LLVM specialise and drop every function but the interfaces of the entries.
fn keep_internal(context: &Context, module: &Module) {
    let Some(internal) = Attribute::parse(context, "#llvm.linkage<internal>") else { return };
    for function in top_level(module) {
        let interface = symbol(function).is_some_and(|name| name.starts_with(C_INTERFACE));
        if function.op_name() == "llvm.func" && has_body(function) && !interface {
            set(context, function, "linkage", internal);
        }
    }
}
