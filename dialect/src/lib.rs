//! The `soac`, `atl` and `ad` dialects: what the IR is. This crate does not know that passes exist.
//!
//! The dialects are described in `td/`; C++, documentation and the typed accessors
//! here are generated from there. `cpp/` has the verifiers, the syntax and the folders.

#![allow(unsafe_code)]

pub mod ad;
pub mod atl;
pub mod blocks;
pub mod capi;
pub mod ir;
pub mod linalg;
pub mod soac;

use melior::{Context, dialect::DialectRegistry, utility};
use mlir_sys as sys;

/// Adds our dialects to a registry.
pub fn register_dialects(registry: &DialectRegistry) {
    for dialect in capi::dialects() {
        dialect.insert_dialect(registry);
    }
}

/// A context with all upstream dialects and ours loaded, and everything
/// registered that translates them to LLVM IR.
pub fn context() -> Context {
    let registry = DialectRegistry::new();
    utility::register_all_dialects(&registry);
    register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    utility::register_all_llvm_translations(&context);
    context
}

/// For C and C++: adds our dialects to a registry.
#[unsafe(no_mangle)]
pub extern "C" fn ad_register_dialects(registry: sys::MlirDialectRegistry) {
    for dialect in capi::dialects() {
        // SAFETY: the caller passes a valid registry, and the handle is static.
        unsafe { sys::mlirDialectHandleInsertDialect(dialect.to_raw(), registry) }
    }
}
