//! From a module to machine code for this computer.

use std::{
    ffi::{CString, c_void},
    fs,
    path::Path,
    time::Instant,
};

use ad_dialect::ir::{Op, OpExt};
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use melior::{
    Context, StringRef,
    ir::{
        Attribute, Module,
        attribute::{AttributeLike, StringAttribute},
    },
};
use mlir_sys as sys;

use crate::{
    Compiled, call, memory,
    program::{self, error_at, has_body, symbol, top_level},
    runtime,
};

/// What is done to a module: functions that no entry needs go first, so that they cost and matter nothing.
const PIPELINE: &str = "symbol-dce,ad-bufferize,lower-contractions,ad-lower-buffers-to-llvm";
/// How machine code is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// LLVM's optimisation and code generation level, from 0 to 3.
    pub level: i32,
}

impl Default for Options {
    fn default() -> Self {
        Self { level: 3 }
    }
}

/// Compiles the public functions named in `entries`, with derivatives where there are requests.
pub fn compile(
    context: &Context,
    mut module: Module,
    entries: &[&str],
    options: Options,
) -> Result<Compiled> {
    let start = Instant::now();
    let signatures: Vec<_> =
        entries.iter().map(|entry| program::signature(&module, entry)).collect::<Result<_>>()?;
    let names = isolate(context, &module, entries);
    ad_passes::pipeline::run(context, &mut module, PIPELINE)
        .map_err(|_| anyhow!("the program cannot be compiled"))?;
    check_externals(&module)?;
    keep_internal(context, &module);

    let engine = Engine::new(&module, options)?;
    let mut functions = vec![];
    for (signature, name) in signatures.into_iter().zip(names) {
        let Some(function) = engine.packed(&name) else {
            bail!("there is no machine code for @{}", signature.name);
        };
        functions.push((signature, function));
    }
    Ok(call::new(engine, functions, start.elapsed().as_secs_f64()))
}

/// Makes everything but the entries private, and gives functions that a library has too names of their own.
/// Returns the names of the entries from now on.
fn isolate(context: &Context, module: &Module, entries: &[&str]) -> Vec<String> {
    let mut names: Vec<String> = entries.iter().map(|&entry| entry.into()).collect();
    for function in top_level(module).into_iter().filter(|op| op.op_name() == "func.func") {
        let Some(name) = symbol(function) else { continue };
        let position = entries.iter().position(|&entry| entry == name);
        if position.is_some() {
            set(context, function, "llvm.emit_c_interface", Attribute::unit(context));
            set(context, function, "sym_visibility", text(context, "public"));
        } else {
            set(context, function, "sym_visibility", text(context, "private"));
        }
        if has_body(function) && is_in_library(&name) {
            let other = unused(module, &name);
            rename(context, module, function, &name, &other);
            if let Some(position) = position {
                names[position] = other;
            }
        }
    }
    names
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
    while taken.contains(&other) || is_in_library(&other) {
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
fn is_in_library(name: &str) -> bool {
    let Ok(name) = CString::new(name) else { return false };
    // SAFETY: the name ends with a zero.
    unsafe { !libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()).is_null() }
}

/// What compiled code may call besides system libraries.
fn symbols() -> Vec<(&'static str, *mut c_void)> {
    [memory::symbols(), runtime::symbols()].concat()
}

/// Checks that every function without body is there to be called.
fn check_externals(module: &Module) -> Result<()> {
    let ours = symbols();
    for function in top_level(module) {
        if function.op_name() != "llvm.func" || has_body(function) {
            continue;
        }
        let Some(name) = symbol(function) else { continue };
        let known = ours.iter().any(|(ours, _)| *ours == name);
        if !known && !name.starts_with("llvm.") && !is_in_library(&name) {
            let message = format!("function @{name} has no body, and no library has it");
            return Err(error_at(function, &message, Some("define it in the module")));
        }
    }
    Ok(())
}

/// Lets LLVM specialise and drop every function but the interfaces of the entries.
fn keep_internal(context: &Context, module: &Module) {
    let Some(internal) = Attribute::parse(context, "#llvm.linkage<internal>") else { return };
    for function in top_level(module) {
        let interface = symbol(function).is_some_and(|name| name.starts_with("_mlir_ciface_"));
        if function.op_name() == "llvm.func" && has_body(function) && !interface {
            set(context, function, "linkage", internal);
        }
    }
}

/// Takes the addresses of arguments and results, in MLIR's order.
pub type Packed = unsafe extern "C" fn(*mut *mut c_void);

/// Machine code in memory.
pub struct Engine(sys::MlirExecutionEngine);

impl Engine {
    fn new(module: &Module, options: Options) -> Result<Self> {
        // SAFETY: the operation is a module in the LLVM dialect; symbols live for ever.
        unsafe {
            let module = sys::mlirModuleFromOperation(module.as_operation().to_raw());
            let level = options.level;
            let raw =
                sys::mlirExecutionEngineCreate(module, level, 0, std::ptr::null(), true, false);
            ensure!(!raw.ptr.is_null(), "LLVM does not accept the program");
            let engine = Self(raw);
            for (name, address) in symbols() {
                let name = StringRef::new(name).to_raw();
                sys::mlirExecutionEngineRegisterSymbol(engine.0, name, address);
            }
            Ok(engine)
        }
    }

    /// The function; generates its machine code first.
    fn packed(&self, name: &str) -> Option<Packed> {
        let name = format!("_mlir_ciface_{name}");
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
