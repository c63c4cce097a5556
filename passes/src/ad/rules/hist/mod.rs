//! Histograms, from most special to general:
//!
//! - `add`: the operator is +, also elementwise on rows; the adjoint is a gather.
//! - `mul`: the operator is *; quotients, and what zeros need.
//! - `min_max`: the operator is a minimum or maximum; the value that was chosen gets
//!   the cotangent of its bin.
//! - `vectorized`: how `mul` and `min_max` see rows that are combined element by element.
//! - `general`: any associative operator; a sort, two segmented scans and a map.
//!
//! Forward mode is the same for all: one hist over pairs of primal and tangent
//! [FUT 3].

pub mod add;
mod component;
pub mod general;
pub mod min_max;
pub mod mul;
mod vectorized;

use ad_dialect::ir::{BlkExt, Op, OpExt};

use super::reduce::Tuples;
use crate::{
    ad::{activity::Flows, jvp::Jvp},
    support::{diag::Result, update::Update},
};

/// Values, destinations and neutral elements to both operands of the operator, the
/// operator's result to its operands and to the hist's result. A neutral element is
/// not an edge to the result: the destination takes its place.
pub fn hist_flows<'c>(op: Op<'c>, flows: &mut Flows) {
    let Some(body) = op.body(0) else { return };
    let (update, arguments) = (Update::of(op), body.arg_list());
    let (left, right) = arguments.split_at(op.result_list().len());
    let yielded = body.ends();
    for operands in [left, right] {
        flows.edges(&update.inputs, operands);
        flows.edges(&update.dests, operands);
        flows.edges(&update.neutrals, operands);
        flows.edges(&yielded, operands);
    }
    flows.edges(&update.dests, &op.result_list());
    flows.edges(&yielded, &op.result_list());
}

/// One hist over primals and tangents [FUT 3]. A tangent of its own that a neutral element has does not count: the
/// destination takes its place.
pub fn hist_jvp<'c>(op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
    let (update, Some(tuples)) = (Update::of(op), Tuples::of(op, jvp)) else { return Ok(()) };
    let at = jvp.primal_list(&update.at);
    let [inputs, dests] = [update.inputs, update.dests].map(|list| tuples.bundle(jvp, &list));
    let neutrals = tuples.neutral(jvp, &update.neutrals)?;
    let b = jvp.b;
    let new =
        b.hist(&at, &inputs, &dests, &neutrals, |b, operands| tuples.operator(jvp, b, operands))?;
    tuples.finish(jvp, &new);
    Ok(())
}
