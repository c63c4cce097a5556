//! Records as their fields: what `cpp/AdSplitRecords.cpp` does.

use ad_dialect::ir::Op;
use mlir_sys as sys;

use super::diag::{Result, of_cpp};

unsafe extern "C" {
    fn ad_split_records(module: sys::MlirOperation) -> bool;
}

/// Replaces all records in a module by their fields; nothing is done to one that has none.
pub fn split(module: Op<'_>) -> Result<()> {
    // SAFETY: the module is valid, and callers have no handles to what is in it.
    of_cpp(unsafe { ad_split_records(module.to_raw()) })
}
