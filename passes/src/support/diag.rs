//! Errors that the user sees.
//!
//! Invariant: a `Reported` is made here only, after the diagnostic was emitted,
//! so that every failure is printed exactly once.

use ad_dialect::{
    capi,
    ir::{Op, OpExt},
};
use melior::ir::operation::OperationLike;

/// Proof that an error was reported.
#[derive(Clone, Copy, Debug)]
pub struct Reported(());

/// The result of anything that may have reported an error.
pub type Result<T> = std::result::Result<T, Reported>;

/// Reports `'op' op message` at the operation.
pub fn error(op: Op<'_>, message: &str) -> Reported {
    error_with_notes(op, message, &[])
}

/// Reports `'op' op message` at the operation, with notes at other operations.
pub fn error_with_notes(op: Op<'_>, message: &str, notes: &[(Op<'_>, String)]) -> Reported {
    let notes: Vec<_> = notes.iter().map(|(op, text)| (op.location(), text.clone())).collect();
    let text = format!("'{}' op {message}", op.op_name());
    capi::emit_error(op.location(), &text, &notes);
    Reported(())
}

/// The outcome of C++ code, which reports why it does not succeed.
pub fn of_cpp(succeeded: bool) -> Result<()> {
    if succeeded { Ok(()) } else { Err(Reported(())) }
}

/// Reports that the compiler, not the user, is at fault.
pub fn internal_error(op: Op<'_>, message: &str) -> Reported {
    error(op, &format!("internal error: {message}; please report this"))
}
