//! Upstream's lowering of control flow: what `cpp/LowerToBlocks.cpp` does.

use ad_dialect::ir::Op;
use melior::StringRef;

unsafe extern "C" {
    fn ad_lower_linalg(function: mlir_sys::MlirOperation) -> bool;
    fn ad_inline_call(call: mlir_sys::MlirOperation, callee: mlir_sys::MlirOperation) -> bool;
    fn ad_lower_affine(function: mlir_sys::MlirOperation) -> bool;
    fn ad_lower_marked(function: mlir_sys::MlirOperation, mark: mlir_sys::MlirStringRef) -> bool;
}

/// Lowers structured operations on buffers in a function to loops; returns whether that succeeds.
pub fn lower_linalg(function: Op<'_>) -> bool {
    // SAFETY: the operation is valid.
    unsafe { ad_lower_linalg(function.to_raw()) }
}

/// Puts the body of a function in place of a call, both `func`; returns whether that succeeds.
pub fn inline_call<'c>(call: Op<'c>, callee: Op<'c>) -> bool {
    // SAFETY: both operations are valid, and callers pass a call and a function with a body.
    unsafe { ad_inline_call(call.to_raw(), callee.to_raw()) }
}

/// Lowers `affine` in a function; returns whether that succeeds.
pub fn lower_affine(function: Op<'_>) -> bool {
    // SAFETY: the operation is valid.
    unsafe { ad_lower_affine(function.to_raw()) }
}

/// Lowers the operations of `scf` in a function that have an attribute to blocks; returns whether that succeeds.
pub fn lower_marked(function: Op<'_>, mark: &str) -> bool {
    // SAFETY: the operation is valid, and the name lives longer than the call.
    unsafe { ad_lower_marked(function.to_raw(), StringRef::new(mark).to_raw()) }
}
