//! Declarations of functions that libraries have.

use ad_dialect::ir::{Blk, BlkExt, OpExt, parse_op, text_of};
use melior::Context;

/// Makes sure that a module declares a function of a type such as `(f64) -> f64`, with attributes
/// such as ` attributes {llvm.readnone}`; false when the name is taken by another.
pub fn declare(context: &Context, top: Blk<'_>, name: &str, rest: &str) -> bool {
    for op in top.ops() {
        if op.attr("sym_name").and_then(text_of).as_deref() == Some(name) {
            return op.op_name() == "func.func" && op.body(0).is_none();
        }
    }
    let function = parse_op(context, &format!("func.func private @{name}{rest}"));
    if let Some(function) = function {
        top.push(function);
    }
    function.is_some()
}
