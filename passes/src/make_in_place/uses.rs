//! What uses the memory of an array.

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, Val, ValExt},
    linalg::Structured,
};
use melior::ir::operation::OperationLike;

use crate::support::{builder::same_value, memory};

/// A use of an array, or of a part of it.
#[derive(Clone, Copy)]
pub struct Use<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// What the operation takes.
    pub name: Val<'c>,
}

impl Use<'_> {
    /// Whether it is more than another name, or a question for a size.
    pub fn is_access(&self) -> bool {
        self.op.op_name() != "memref.dim" && !self.is_view()
    }

    fn is_view(&self) -> bool {
        let is_first = self.op.opnd(0).is_some_and(|array| same_value(array, self.name));
        memory::is_any_view(self.op.op_name()) && is_first
    }

    /// Whether there are other names afterwards: of a result, or in a block that is run or goes on.
    fn hands_on(&self) -> bool {
        let end = self.op.block().and_then(|block| block.term());
        let is_end = end.is_some_and(|end| end.key() == self.op.key());
        let makes_arrays = self.op.result_list().into_iter().any(memory::is_array);
        let is_plain = ["linalg.", "memref."].iter().any(|it| self.op.op_name().starts_with(it));
        is_end || makes_arrays || !is_plain && !self.op.blocks().is_empty()
    }
}

/// The accesses to the memory of a buffer, by whatever name; none if it may have others than those that are found.
pub fn accesses_of_all(whole: Op<'_>) -> Option<Vec<Op<'_>>> {
    let is_view = whole.op_name() == "memref.view";
    let root = if is_view { whole.opnd(0)? } else { whole.res(0)? };
    let uses = uses_of(root, |_| false)?.into_iter();
    Some(uses.filter(Use::is_access).map(|it| it.op).collect())
}

/// What uses the memory that a value names. It may have other names if something hands it on, but for what is known.
pub fn uses_of<'c>(root: Val<'c>, is_known: impl Fn(Use<'c>) -> bool) -> Option<Vec<Use<'c>>> {
    let mut uses = vec![];
    let mut names = vec![root];
    while let Some(name) = names.pop() {
        for op in name.users() {
            let own = Use { op, name };
            if own.is_view() {
                names.extend(op.result_list().into_iter().filter(|value| memory::is_array(*value)));
            } else if own.hands_on() && !is_known(own) {
                return None;
            }
            uses.push(own);
        }
    }
    Some(uses)
}

/// Whether a use only reads.
pub fn only_reads(Use { op, name }: Use<'_>) -> bool {
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
pub fn writes_all<'c>(op: Op<'c>, array: Val<'c>) -> bool {
    let is_write = matches!(op.op_name(), "linalg.fill" | "memref.copy");
    let is = |i: usize| op.opnd(i).is_some_and(|operand| same_value(operand, array));
    is_write && is(1) && !is(0)
}
