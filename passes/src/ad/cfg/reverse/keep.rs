//! What is kept although it could run again.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, int_of};
use melior::ir::ValueLike;

use super::Reverse;
use crate::ad::Residuals;

impl<'c> Reverse<'_, 'c> {
    /// What costs more than to push and pop it is kept and does not run again; or all, or nothing, as the user wants it.
    pub(super) fn keep_dear(&mut self) {
        let is_kept: fn(Op<'_>) -> bool = match self.vjp.session.options.residuals {
            Residuals::Store => can_be_kept,
            Residuals::Mixed => is_dear,
            Residuals::Recompute => |_| false,
        };
        for number in 0..self.blocks.list.len() {
            let Some(back) = self.back[number] else { continue };
            let there: Vec<_> = back
                .ops()
                .into_iter()
                .filter_map(|copy| Some((copy, self.again.get(mark(copy)?).copied()?)))
                .filter(|(copy, op)| copy.op_name() == op.op_name() && is_kept(*op))
                .collect();
            for (copy, op) in there.into_iter().rev() {
                for (old, result) in copy.result_list().into_iter().zip(op.result_list()) {
                    if !old.users().is_empty() {
                        let read = self.primal_in(number, result);
                        old.replace_all_uses(read);
                    }
                }
                if copy.is_dead() {
                    copy.erase();
                }
            }
        }
        self.target.for_each(&mut |op| op.remove_attr(AGAIN));
    }
}

/// The attribute that marks a copy of an operation that runs again. Keys would not do: rules may replace a copy, and
/// another operation gets its key.
pub(super) const AGAIN: &str = "ad.again";

fn mark(copy: Op<'_>) -> Option<usize> {
    usize::try_from(copy.attr(AGAIN).and_then(int_of)?).ok()
}

/// Whether what an operation gives may be on a tape, and is not there anyway.
fn can_be_kept(op: Op<'_>) -> bool {
    let is_number = |value: &Val<'_>| {
        let element = value.r#type().scalar().scalar();
        element.is_float_type() || element.is_complex_type() || element.is_int_or_index_type()
    };
    let is_array = |value: &Val<'_>| {
        value.r#type() == value.r#type().scalar()
            || value.r#type().is_vector_type()
            || value.r#type().as_tensor().is_some()
    };
    let results = op.result_list();
    op.op_name() != "arith.constant"
        && results.iter().all(|value| is_number(value) && is_array(value))
}

/// Functions that take about as long as a multiplication.
const CHEAP: [&str; 10] = [
    "math.absf",
    "math.absi",
    "math.ceil",
    "math.copysign",
    "math.floor",
    "math.fma",
    "math.isnan",
    "math.round",
    "math.roundeven",
    "math.trunc",
];

/// Whether an operation takes longer than it takes to push and pop what it gives, or reads a number from an array, which
/// would have to be kept instead.
fn is_dear(op: Op<'_>) -> bool {
    let name = op.op_name();
    if matches!(name, "tensor.extract" | "vector.extract") {
        return op.res(0).is_some_and(|result| result.r#type() == result.r#type().scalar());
    }
    let is_function = name.starts_with("math.") && !CHEAP.contains(&name);
    is_function || !op.blocks().is_empty() || name.starts_with("linalg.")
}
