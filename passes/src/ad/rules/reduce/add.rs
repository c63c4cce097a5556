//! Differentiates: `soac.reduce` when the operator is +, also elementwise on rows,
//! as one operation or as a map.
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
//! test/ad/vjp/reduce-add-rows.mlir, test/ad/numeric/reduce-add.mlir.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt};
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
    let (left, right) = arguments.split_at(count.min(arguments.len()));
    let yielded = body.term().map(|t| t.operand_list()).unwrap_or_default();
    left.iter().zip(right).zip(yielded).all(|((&l, &r), sum)| adds(sum, l, r))
}

/// Whether the value is `l + r`, or a map that adds their elements in this way.
fn adds<'c>(value: Val<'c>, l: Val<'c>, r: Val<'c>) -> bool {
    let Some(op) = value.defining_op() else { return false };
    let of: Vec<_> = op.operand_list().iter().map(ValExt::key).collect();
    if of != [l.key(), r.key()] && of != [r.key(), l.key()] {
        return false;
    }
    let Some(body) = op.body(0).filter(|_| op.op_name() == "soac.map") else {
        return ["arith.addf", "complex.add"].contains(&op.op_name());
    };
    let yielded = body.term().and_then(|end| end.opnd(value.position()));
    match (yielded, &body.arg_list()[..]) {
        (Some(sum), &[a, b]) => adds(sum, a, b),
        _ => false,
    }
}
