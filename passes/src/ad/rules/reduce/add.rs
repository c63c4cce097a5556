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
//! active, though it can only be zero, receives `y_bar`. Components without
//! derivative, such as counts, may be combined in any way.
//! Tests: test/ad/jvp/reduce-add.mlir, test/ad/vjp/reduce-add.mlir,
//! test/ad/vjp/reduce-add-rows.mlir, test/ad/numeric/reduce-add.mlir.

use ad_dialect::ir::{Op, OpExt, TyExt};
use melior::ir::ValueLike;

use super::{inputs, neutrals, reduce_flows, reduce_jvp};
use crate::{
    ad::{
        activity::Flows,
        jvp::Jvp,
        rules::{
            Rule,
            operator::{Kind, is_each},
        },
        vjp::Vjp,
    },
    support::diag::Result,
};

/// The rule for sums.
pub struct ReduceAdd;

impl Rule for ReduceAdd {
    fn applies(&self, op: Op<'_>) -> bool {
        is_each(op, Kind::Add)
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
