//! Differentiates: `soac.scan` when the operator is +, also elementwise on rows, as
//! one operation or as a map.
//!
//! Primal: `ys = scan (+) 0 as`
//! Forward sweep: the scan itself; nothing is saved.
//! Return sweep: `as_bar += reversed scan (+) 0 ys_bar`
//! where the scan is exclusive if the primal is, and runs forward if the primal is
//! reversed.
//! Source: [FUT 5.2], last paragraph.
//! Requires: the neutral element is zero.
//! Ensures: O(n) work, O(log n) span; the operator is used again as it is.
//! Edge cases: the empty array has an empty adjoint. A neutral element that is
//! active, though it can only be zero, receives the sum of `ys_bar`.
//! Tests: test/ad/vjp/scan-add.mlir, test/ad/numeric/scan-add.mlir.

use ad_dialect::ir::{Op, OpExt};

use super::{
    super::{
        Rule,
        reduce::{inputs, neutrals, reduce_flows},
    },
    is_sum, scan_jvp,
};
use crate::{
    ad::{activity::Flows, jvp::Jvp, vjp::Vjp},
    support::diag::Result,
};

/// The rule for running sums.
pub struct ScanAdd;

impl Rule for ScanAdd {
    fn applies(&self, op: Op<'_>) -> bool {
        is_sum(op)
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        reduce_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        scan_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let mut flags = vec![];
        if op.attr("exclusive").is_some() {
            flags.push("exclusive");
        }
        if op.attr("reverse").is_none() {
            flags.push("reverse");
        }
        let b = vjp.b;
        let operands = inputs(op).into_iter().zip(neutrals(op));
        for ((input, neutral), result) in operands.zip(op.result_list()) {
            let Some(y_bars) = vjp.cotangents.take(result) else { continue };
            if vjp.is_active(input) {
                let zero = b.zeros_like(vjp.primal(neutral));
                let sums = b.scan(&[y_bars], &[zero], &flags, |b, arguments| {
                    Ok(vec![b.add(arguments[0], arguments[1])])
                })?;
                vjp.add_dense(input, sums[0])?;
            }
            if vjp.is_active(neutral) {
                let sum = b.sum(y_bars)?;
                vjp.add_dense(neutral, sum)?;
            }
        }
        Ok(())
    }
}
