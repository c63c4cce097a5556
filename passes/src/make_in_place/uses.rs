//! What uses the memory of an array.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt},
    linalg::Structured,
};
use melior::ir::operation::OperationLike;

use crate::support::{builder::same_value, memory};

/// What uses the memory of a buffer, by whatever name; none if it may have others than those that are found.
pub fn uses_of_all(whole: Op<'_>) -> Option<Vec<Op<'_>>> {
    let is_view = whole.op_name() == "memref.view";
    let root = if is_view { whole.opnd(0)? } else { whole.res(0)? };
    Some(uses_of(root, |_| false)?.into_iter().map(|(user, _)| user).collect())
}

/// What uses the memory that a value names, and by which name. It may have other names if something hands it on, but for
/// what is known.
pub fn uses_of<'c>(
    root: Val<'c>,
    is_known: impl Fn(Op<'c>) -> bool,
) -> Option<Vec<(Op<'c>, Val<'c>)>> {
    let mut uses = vec![];
    let mut names = vec![root];
    while let Some(name) = names.pop() {
        for user in name.users() {
            let arrays = user.result_list().into_iter().filter(|value| memory::is_array(*value));
            if memory::is_any_view(user.op_name()) {
                names.extend(arrays);
            } else if user.op_name() != "memref.dim" {
                let end = user.block().and_then(|block| block.term());
                let is_end = end.is_some_and(|end| end.key() == user.key());
                if !is_known(user) && (is_end || arrays.count() > 0) {
                    return None;
                }
                uses.push((user, name));
            }
        }
    }
    Some(uses)
}

/// Whether an operation only reads what a value names.
pub fn only_reads(op: Op<'_>, name: Val<'_>) -> bool {
    let is = |i: usize| op.opnd(i).is_some_and(|operand| same_value(operand, name));
    match op.op_name() {
        "memref.load" => true,
        "memref.copy" => !is(1),
        linalg if linalg.starts_with("linalg.") => {
            let outputs = Structured::of(op).map(|s| s.inits);
            outputs.is_some_and(|outputs| !outputs.iter().any(|out| same_value(*out, name)))
        }
        _ => false,
    }
}

/// Whether an operation writes all of an array, and does not read it.
pub fn writes_all(op: Op<'_>, alloc: Op<'_>) -> bool {
    let is_write = matches!(op.op_name(), "linalg.fill" | "memref.copy");
    let is = |i: usize| op.opnd(i).zip(alloc.res(0)).is_some_and(|(x, y)| same_value(x, y));
    is_write && is(1) && !is(0)
}
