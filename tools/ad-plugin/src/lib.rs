//! The two entry points that `mlir-opt --load-dialect-plugin --load-pass-plugin` looks for.
//!
//! The structures are those of `mlir/Tools/Plugins/{Dialect,Pass}Plugin.h`.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_void};

use mlir_sys::MlirDialectRegistry;

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
        ad_dialect::ad_register_dialects(MlirDialectRegistry { ptr: registry });
    }
    DialectPluginLibraryInfo { api_version: API_VERSION, name: NAME, version: VERSION, register }
}

/// Tells MLIR how to register our passes.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PassPluginLibraryInfo {
    PassPluginLibraryInfo {
        api_version: API_VERSION,
        name: NAME,
        version: VERSION,
        register: ad_passes::ad_register_all_passes,
    }
}
