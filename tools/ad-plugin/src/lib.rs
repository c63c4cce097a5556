//! The two entry points that `mlir-opt --load-dialect-plugin --load-pass-plugin` looks for.
//!
//! The structures are those of `mlir/Tools/Plugins/{Dialect,Pass}Plugin.h`.
//!
//! A program that has our dialects or passes already, as `ad-opt` does, keeps its own: MLIR aborts when there are two.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_void};

use melior::{Context, StringRef, pass::PassManager, utility::parse_pass_pipeline};
use mlir_sys::{
    MlirDialectRegistry, mlirContextAppendDialectRegistry, mlirContextGetOrLoadDialect,
};

/// `MLIR_PLUGIN_API_VERSION` of LLVM 22.
const API_VERSION: u32 = 1;
const NAME: *const c_char = c"ad-opt".as_ptr();
const VERSION: *const c_char = concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast();

/// `mlir::DialectPluginLibraryInfo`.
#[repr(C)]
pub struct DialectPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(*mut c_void),
}

/// `mlir::PassPluginLibraryInfo`.
#[repr(C)]
pub struct PassPluginLibraryInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(),
}

/// Tells MLIR how to register our dialects.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginLibraryInfo {
    extern "C" fn register(registry: *mut c_void) {
        let registry = MlirDialectRegistry { ptr: registry };
        if !has_dialects(registry) {
            ad_dialect::ad_register_dialects(registry);
        }
    }
    DialectPluginLibraryInfo { api_version: API_VERSION, name: NAME, version: VERSION, register }
}

/// Tells MLIR how to register our passes.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginLibraryInfo {
    extern "C" fn register() {
        if !has_passes() {
            ad_passes::ad_register_all_passes();
        }
    }
    PassPluginLibraryInfo { api_version: API_VERSION, name: NAME, version: VERSION, register }
}

/// Whether a registry has one of our dialects.
fn has_dialects(registry: MlirDialectRegistry) -> bool {
    let context = Context::new();
    let name = StringRef::new("soac");
    // SAFETY: MLIR passes a valid registry; a dialect that is not in it is a null pointer.
    let dialect = unsafe {
        mlirContextAppendDialectRegistry(context.to_raw(), registry);
        mlirContextGetOrLoadDialect(context.to_raw(), name.to_raw())
    };
    !dialect.ptr.is_null()
}

/// Whether a pass of ours is registered.
fn has_passes() -> bool {
    let context = Context::new();
    let manager = PassManager::new(&context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), "builtin.module(ad-differentiate)")
        .is_ok()
}
