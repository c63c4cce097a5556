//! Declarations of functions that libraries have.

use ad_dialect::ir::{Blk, BlkExt, OpExt, parse_ops};
use melior::Context;

use crate::support::symbol::find;

/// Makes sure that a module declares a function of a type such as `(f64) -> f64`, with attributes
/// such as ` attributes {llvm.readnone}`; false when the name is taken by another.
pub fn declare(context: &Context, top: Blk<'_>, name: &str, rest: &str) -> bool {
    declare_as(context, top, "func.func", name, &format!("func.func private @{name}{rest}"))
}

/// The same for a function of arguments such as `(i64, !llvm.ptr)` that upstream's conversions call, too:
/// they look for one of LLVM.
pub fn declare_llvm(context: &Context, top: Blk<'_>, name: &str, arguments: &str) -> bool {
    declare_as(context, top, "llvm.func", name, &format!("llvm.func @{name}{arguments}"))
}

fn declare_as(context: &Context, top: Blk<'_>, kind: &str, name: &str, text: &str) -> bool {
    match find(top, name) {
        Some(op) => op.op_name() == kind && op.body(0).is_none(),
        None => push(context, top, text),
    }
}

/// Adds operations, given as text, to a module; false when the text is wrong.
pub fn push(context: &Context, top: Blk<'_>, text: &str) -> bool {
    let ops = parse_ops(context, text);
    ops.iter().flatten().for_each(|&op| top.push(op));
    ops.is_some()
}
