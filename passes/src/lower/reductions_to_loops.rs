//! `lower-reductions-to-loops`: reductions of arrays that share no memory, as loops that show it.
//!
//! ```text
//!                                            for i:
//! for j: for i: y[j] += x[i] * a[i, j]         x_i = x[i]
//!                                      =>      for j: y[j] += x_i * a[i, j]
//!
//!                                            for i:
//! for i: for j: y[i] += a[i, j] * x[j]         y_i = y[i]
//!                                      =>      for j: y_i += a[i, j] * x[j]
//!                                              y[i] = y_i
//! ```
//! LLVM does that itself, and runs the inner loop on vectors then, if it knows that `y` is neither `x` nor `a`. Of parts of one
//! buffer, as `ad-merge-buffers` makes them, it does not.
//!
//! The loops are in the order of `lower-loop-order{along-rows=1}`; each element has the same terms in the same order.

use ad_dialect::{
    ir::{Op, OpExt},
    linalg::Structured,
};
use melior::{Context, ir::operation::OperationLike};

use super::loop_order::order_along_rows;
use crate::{
    support::{memory, roots::are_apart},
    vectorize::expand::{Reads, in_order},
};

/// Runs the pass; returns how many reductions became loops.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut found = vec![];
    module.for_each(&mut |op| {
        let reduction = Structured::of(op).filter(|s| is_apart(op, s));
        found.extend(reduction.map(|s| (op, order_along_rows(op, &s))));
    });
    let mut lowered = 0;
    for (op, order) in found {
        let order = |loops: usize| order.clone().unwrap_or_else(|| (0..loops).collect());
        lowered += u64::from(in_order(context, op, &order, Reads::Early).is_some());
    }
    lowered
}

/// Whether it is a reduction of buffers into others, each of its own.
fn is_apart<'c>(op: Op<'c>, s: &Structured<'c>) -> bool {
    let operands = op.operand_list();
    let inits = s.inputs.len()..operands.len();
    op.result_count() == 0
        && s.written().contains(&false)
        && inits.clone().all(|k| memory::is_array(operands[k]))
        && inits.into_iter().all(|k| {
            let others = operands.iter().enumerate().filter(|(other, _)| *other != k);
            let mut arrays = others.filter(|(_, array)| memory::is_array(**array));
            arrays.all(|(_, array)| are_apart(operands[k], *array))
        })
}
