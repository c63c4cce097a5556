//! What the fast-math flags of an operation allow.

use ad_dialect::ir::{Op, OpExt};

/// Whether an operation has a flag of LLVM's, or all of them.
pub fn allows(op: Op<'_>, flag: &str) -> bool {
    op.attr("fastmath").is_some_and(|flags| {
        let text = flags.to_string();
        text.contains(flag) || text.contains("fast>")
    })
}
