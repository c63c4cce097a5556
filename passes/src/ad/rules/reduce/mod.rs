//! Reductions, from most special to general:
//!
//! - `add`: the operator is +, also elementwise on rows; the adjoint is a broadcast.
//! - `mul`: the product of floats, by counting zeros.
//! - `min_max`: minimum and maximum of floats, by the index of the result.
//! - `vectorized`: any other operator on rows that works element by element; a map of
//!   reductions over the columns.
//! - `general`: any associative operator; two exclusive scans and a map.
//!
//! Forward mode is the same for all: one reduction over pairs of primal and
//! tangent [FUT 3].

pub mod add;
pub mod general;
pub mod min_max;
pub mod mul;
pub mod vectorized;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val};

use crate::{
    ad::{activity::Flows, jvp::Jvp},
    support::{builder::Builder, diag::Result},
};

/// The operands taken apart: inputs, then neutral elements.
pub fn inputs<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    let mut operands = op.operand_list();
    operands.truncate(op.result_list().len());
    operands
}

/// The neutral elements.
pub fn neutrals<'c>(op: Op<'c>) -> Vec<Val<'c>> {
    op.operand_list().split_off(op.result_list().len())
}

/// Inputs and neutral elements to both operands of the operator, the operator's
/// result to both operands and to the reduction's result.
pub fn reduce_flows<'c>(op: Op<'c>, flows: &mut Flows) {
    let Some(body) = op.body(0) else { return };
    let (inputs, arguments) = (inputs(op), body.arg_list());
    let (left, right) = arguments.split_at(inputs.len());
    let yielded = body.ends();
    let neutrals = neutrals(op);
    for operands in [left, right] {
        flows.edges(&inputs, operands);
        flows.edges(&neutrals, operands);
        flows.edges(&yielded, operands);
    }
    flows.edges(&neutrals, &op.result_list());
    flows.edges(&yielded, &op.result_list());
}

/// One reduction over primals and tangents [FUT 3]. A neutral element with its
/// tangent is the neutral element of the operator on pairs, because `e op a = a`
/// holds wherever e moves.
fn reduce_jvp<'c>(op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
    fold_jvp(op, jvp, |b, inputs, starts, body| b.reduce(inputs, starts, body))
}

/// What fills the body of a fold.
type Body<'a, 'c> = &'a mut dyn FnMut(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>;

/// A reduction or scan over primals and tangents; `emit` makes the operation from
/// its inputs, neutral elements and body.
pub fn fold_jvp<'c>(
    op: Op<'c>,
    jvp: &mut Jvp<'_, 'c>,
    emit: impl FnOnce(&Builder<'c>, &[Val<'c>], &[Val<'c>], Body<'_, 'c>) -> Result<Vec<Val<'c>>>,
) -> Result<()> {
    let groups = [inputs(op), neutrals(op)];
    tuples_jvp(op, jvp, groups, |b, [inputs, starts], body| emit(b, &inputs, &starts, body))
}

/// An operation with an operator on tuples, over primals and tangents. `groups` are
/// the operands that come one per component; `emit` makes the operation from them,
/// with the tangents of active components added, and its body.
pub fn tuples_jvp<'c, const N: usize>(
    op: Op<'c>,
    jvp: &mut Jvp<'_, 'c>,
    groups: [Vec<Val<'c>>; N],
    emit: impl FnOnce(&Builder<'c>, [Vec<Val<'c>>; N], Body<'_, 'c>) -> Result<Vec<Val<'c>>>,
) -> Result<()> {
    let Some(body) = op.body(0) else { return Ok(()) };
    let (results, arguments) = (op.result_list(), body.arg_list());
    let (left, right) = arguments.split_at(results.len());
    let positions: Vec<_> = (0..results.len())
        .filter(|&i| jvp.is_active(results[i]) || jvp.is_active(left[i]))
        .collect();
    let pick = |list: &[Val<'c>]| positions.iter().map(|&i| list[i]).collect::<Vec<_>>();
    let groups = groups.map(|group| jvp.bundle(&group, &pick(&group)));
    let width = results.len() + positions.len();
    let b = jvp.b;
    let new = emit(&b, groups, &mut |inner, new| {
        let (new_left, new_right) = new.split_at(width);
        jvp.unbundle(left, &pick(left), new_left);
        jvp.unbundle(right, &pick(right), new_right);
        jvp.block(inner, body, |jvp| {
            let yielded = body.ends();
            Ok(jvp.bundle(&yielded, &pick(&yielded)))
        })
    })?;
    jvp.unbundle(&results, &pick(&results), &new);
    Ok(())
}
