//! Upstream's lowering of control flow: what `cpp/LowerToBlocks.cpp` does.

use ad_dialect::ir::{Op, OpExt};
use melior::StringRef;

use super::diag::{Result, internal_error};

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

/// Whether there is `affine` in a function.
pub fn has_affine(function: Op<'_>) -> bool {
    let mut found = false;
    function.for_each(&mut |op| found = found || op.op_name().starts_with("affine."));
    found
}

/// Lowers what there is of `affine` in a function.
pub fn lower_affine(function: Op<'_>) -> Result<()> {
    // SAFETY: the operation is valid.
    match !has_affine(function) || unsafe { ad_lower_affine(function.to_raw()) } {
        true => Ok(()),
        false => Err(internal_error(function, "'affine' that cannot be lowered")),
    }
}

/// Lowers the operations of `scf` in a function that have an attribute to blocks; returns whether that succeeds.
pub fn lower_marked(function: Op<'_>, mark: &str) -> bool {
    // SAFETY: the operation is valid, and the name lives longer than the call.
    unsafe { ad_lower_marked(function.to_raw(), StringRef::new(mark).to_raw()) }
}
