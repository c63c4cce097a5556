//! What is kept although it could run again.

use std::collections::HashMap;

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey, TyExt, ValExt};
use melior::ir::ValueLike;

use super::Reverse;

impl<'c> Reverse<'_, 'c> {
    /// What costs more than to push and pop it is kept and does not run again.
    pub(super) fn keep_dear(&mut self) {
        for number in 0..self.blocks.list.len() {
            let Some(back) = self.back[number] else { continue };
            let own: HashMap<OpKey, Op<'c>> = self
                .again
                .iter()
                .filter(|(block, ..)| *block == number)
                .map(|(_, copy, op)| (*copy, *op))
                .collect();
            let there: Vec<_> = back
                .ops()
                .into_iter()
                .filter_map(|op| Some((op, *own.get(&op.key())?)))
                .filter(|(_, op)| is_dear(*op))
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
    }
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
