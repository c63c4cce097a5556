//! Differentiates: `soac.reduce` when the operator is the minimum or the maximum of
//! two floats; further components may be there if they have no derivative.
//!
//! Primal: `y = reduce min e as`
//! Forward sweep: `(y, iy) = argmin as`, one reduction over pairs of value and first
//! index; `iy` is -1 where `y` is the neutral element.
//! Return sweep:
//! ```text
//! as_bar[iy] += y_bar                 -- if iy >= 0; a sparse adjoint, `ad/cotangent.rs`
//! e_bar += y_bar                      -- if iy < 0
//! ```
//! Source: [FUT 5.1.1] (min, max, sparse adjoints).
//! Requires: `e` is the neutral element; a value that no element beats, such as 0 in
//! a maximum of negative numbers, does no harm.
//! Ensures: the return sweep of the reduction is O(1).
//! Edge cases: of equal elements the first one receives `y_bar`. The empty array has
//! an empty adjoint, and so has one in which `minnumf` finds NaNs only. With
//! `minimumf` the first NaN receives `y_bar`. An element that equals `e` is not
//! chosen, as in forward mode. The value of the reduction is the primal's to the bit,
//! whatever the NaNs and the signs of zeros.
//! Tests: test/ad/jvp/reduce-min-max.mlir, test/ad/vjp/reduce-min-max.mlir,
//! test/ad/numeric/reduce-min-max.mlir, tools/ad-check/tests/reductions.rs.

use ad_dialect::ir::{Op, OpExt, TyExt, Val};
use melior::ir::ValueLike;

use super::{general::apply, inputs, neutrals, reduce_flows, reduce_jvp};
use crate::{
    ad::{
        activity::{Flows, carries_derivative},
        cotangent::{Contribution, Piece, Point},
        jvp::Jvp,
        rules::{
            Rule,
            operator::{Kind, Operator},
        },
        vjp::Vjp,
    },
    support::{
        builder::CMP_SGE,
        diag::{Result, internal_error},
    },
};

/// The rule for minimum and maximum.
pub struct ReduceMinMax;

impl Rule for ReduceMinMax {
    fn applies(&self, op: Op<'_>) -> bool {
        component(op).is_some()
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        reduce_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        reduce_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some((k, operator)) = component(op) else { return Ok(()) };
        let (input, neutral) = (inputs(op)[k], neutrals(op)[k]);
        let Some(y_bar) = vjp.cotangents.take(op.result_list()[k]) else { return Ok(()) };
        let index = first_index(op, k, operator, vjp)?;
        let b = vjp.b;
        let is_element = b.compare(CMP_SGE, index, b.index(0));
        let point = Point { index, value: y_bar, guard: Some(is_element) };
        vjp.add(input, Contribution::Piece(Piece::Row(point)))?;
        if vjp.is_active(neutral) {
            let e_bar = b.select(is_element, b.zeros_like(y_bar), y_bar);
            let is_neutral = b.not(is_element);
            vjp.mask(e_bar, y_bar, is_neutral);
            vjp.add_dense(neutral, e_bar)?;
        }
        Ok(())
    }
}

/// The one component that has a derivative, if it is a minimum or maximum of floats.
fn component<'c>(op: Op<'c>) -> Option<(usize, Operator<'c>)> {
    let results = op.result_list();
    let mut active = (0..results.len()).filter(|&k| carries_derivative(results[k]));
    let (Some(k), None) = (active.next(), active.next()) else { return None };
    let operator = Operator::components(op.body(0)?).get(k).copied().flatten()?;
    let r#type = results[k].r#type();
    let is_extremum = matches!(operator.kind, Kind::Min | Kind::Max);
    (is_extremum && r#type == r#type.scalar()).then_some((k, operator))
}

/// Computes the first index of the result of component k, in place of the reduction
/// and together with it; -1 if it is the neutral element.
fn first_index<'c>(
    op: Op<'c>,
    k: usize,
    operator: Operator<'c>,
    vjp: &mut Vjp<'_, 'c>,
) -> Result<Val<'c>> {
    let Some(body) = op.body(0) else { return Err(internal_error(op, "reduction without body")) };
    let mut arrays = vjp.primal_list(&inputs(op));
    let mut starts = vjp.primal_list(&neutrals(op));
    let count = arrays.len();
    let b = vjp.at_copy_of(op)?;
    arrays.push(b.iota(b.dim(arrays[k], 0), arrays[k].r#type().shape()[0]));
    starts.push(b.index(-1));
    let mut new = b.reduce(&arrays, &starts, |inner, arguments| {
        let (left, right) = arguments.split_at(count + 1);
        let right_wins = operator.right_wins(&inner, left[k], right[k]);
        let index = inner.select(right_wins, right[count], left[count]);
        let mut yielded = vjp.at(inner, |vjp| apply(vjp, body, &left[..count], &right[..count]))?;
        yielded.push(index);
        Ok(yielded)
    })?;
    let index = new.split_off(count)[0];
    vjp.replace_results(op, &new);
    Ok(index)
}
