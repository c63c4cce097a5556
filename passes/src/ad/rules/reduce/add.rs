//! Differentiates: `soac.reduce` when the operator is +, also elementwise on rows.
//!
//! Primal: `y = reduce (+) 0 as`
//! Forward sweep: the reduction itself.
//! Return sweep: `as_bar += replicate n y_bar`
//! Source: [FUT 5.1.1] (vectorised plus).
//! Requires: the neutral element is zero.
//! Ensures: no scan; the broadcast is a virtual array.
//! Edge cases: the empty array has an empty adjoint. A neutral element that is
//! active, though it can only be zero, receives `y_bar`.
//! Tests: test/ad/jvp/reduce-add.mlir, test/ad/vjp/reduce-add.mlir,
//! test/ad/numeric/reduce-add.mlir.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, ValExt};
use melior::ir::ValueLike;

use super::{inputs, neutrals, reduce_flows, reduce_jvp};
use crate::{
    ad::{activity::Flows, jvp::Jvp, rules::Rule, vjp::Vjp},
    support::diag::Result,
};

/// The rule for sums.
pub struct ReduceAdd;

impl Rule for ReduceAdd {
    fn applies(&self, op: Op<'_>) -> bool {
        is_sum(op)
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        reduce_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        reduce_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let operands = inputs(op).into_iter().zip(neutrals(op));
        for ((input, neutral), result) in operands.zip(op.result_list()) {
            let Some(y_bar) = vjp.cotangents.take(result) else { continue };
            vjp.add_dense(neutral, y_bar)?;
            if !vjp.is_active(input) {
                continue;
            }
            let n = vjp.b.dim(vjp.primal(input), 0);
            let broadcast = vjp.b.replicate(y_bar, n, input.r#type().shape()[0]);
            let broadcast = vjp.b.cast(broadcast, input.r#type());
            vjp.add_dense(input, broadcast)?;
        }
        Ok(())
    }
}

/// Whether the operator adds its operands, each component by itself.
fn is_sum(op: Op<'_>) -> bool {
    let (Some(body), count) = (op.body(0), op.result_list().len()) else { return false };
    let arguments = body.arg_list();
    let yielded = body.term().map(|t| t.operand_list()).unwrap_or_default();
    yielded.iter().enumerate().all(|(i, value)| {
        let Some(sum) = value.defining_op() else { return false };
        let of: Vec<_> = sum.operand_list().iter().map(ValExt::key).collect();
        let (left, right) = (arguments[i].key(), arguments[i + count].key());
        ["arith.addf", "complex.add"].contains(&sum.op_name())
            && (of == [left, right] || of == [right, left])
    })
}
