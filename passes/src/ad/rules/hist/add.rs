//! Differentiates: `soac.hist` when the operator is +, also elementwise on rows, as
//! one operation or as a map.
//!
//! Primal: `hs = hist (+) 0 is vs dest`
//! Forward sweep: the hist itself.
//! Return sweep:
//! ```text
//! vs_bar += map (\i -> if i in range then hs_bar[i] else 0) is
//! dest_bar += hs_bar
//! ```
//! Source: [FUT 5.1.2], with the rule for reductions with + [FUT 5.1.1].
//! Requires: the neutral element is zero.
//! Ensures: O(m) work for m values, whatever the number of bins; constant depth.
//! Edge cases: an ignored value gets zero; an empty bin hands on its cotangent.
//! Tests: test/ad/jvp/hist-add.mlir, test/ad/vjp/hist-add.mlir,
//! test/ad/numeric/hist-add.mlir.

use ad_dialect::ir::{Op, OpExt};
use melior::ir::ValueLike;

use super::{hist_flows, hist_jvp};
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
    support::{diag::Result, update::Update},
};

/// The rule for histograms with +.
pub struct HistAdd;

impl Rule for HistAdd {
    fn applies(&self, op: Op<'_>) -> bool {
        is_each(op, Kind::Add)
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        hist_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        hist_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let update = Update::of(op);
        let at = vjp.primal_list(&update.at);
        let pairs = update.inputs.iter().zip(&update.dests);
        for ((&input, &dest), result) in pairs.zip(op.result_list()) {
            let Some(h_bar) = vjp.cotangents.take(result) else { continue };
            vjp.add_dense(dest, h_bar)?;
            if vjp.is_active(input) {
                let v_bar = vjp.b.gather(h_bar, &at, input.r#type(), None)?;
                vjp.add_dense(input, v_bar)?;
            }
        }
        Ok(())
    }
}
