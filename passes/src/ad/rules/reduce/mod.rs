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

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val};

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

/// One reduction over primals and tangents [FUT 3].
fn reduce_jvp<'c>(op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
    let (neutrals, Some(tuples)) = (neutrals(op), Tuples::of(op, jvp)) else { return Ok(()) };
    let fold = |b: &Builder<'c>, inputs: &[_], starts: &[_], body: Body<'_, 'c>| {
        b.reduce(inputs, starts, body)
    };
    let mut new = tuples.fold(op, jvp, fold)?;
    if tuples.moves(jvp, &neutrals) {
        let starts = tuples.bundle(jvp, &neutrals);
        new = tuples.apply(jvp, jvp.b, &starts, &new, false)?;
    }
    tuples.finish(jvp, &new);
    Ok(())
}

/// What fills the body of a fold.
type Body<'a, 'c> = &'a mut dyn FnMut(Builder<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>;

/// An operation with an operator on tuples, which over primals and tangents is one on longer tuples: the tangents of active
/// components come last.
///
/// The neutral element of that one is what the operator takes along: `e op e = e` wherever an operator moves that has values
/// from outside, so that the tangent of `e` is minus what `e op e` gets of those. A tangent that `e` has beyond that would
/// count as often as `e` is used, which is by every thread that folds a part. It counts once: the operator is applied to `e`
/// with its whole tangent, and to what was folded, of which only the tangent is new, because of `e op y = y`.
pub struct Tuples<'c> {
    body: Blk<'c>,
    results: Vec<Val<'c>>,
    /// The operands of the operator.
    left: Vec<Val<'c>>,
    right: Vec<Val<'c>>,
    /// The active components.
    active: Vec<usize>,
}

impl<'c> Tuples<'c> {
    pub fn of(op: Op<'c>, jvp: &Jvp<'_, 'c>) -> Option<Self> {
        let (body, results) = (op.body(0)?, op.result_list());
        let arguments = body.arg_list();
        let (left, right) = arguments.split_at_checked(results.len())?;
        let is_active = |i: &usize| jvp.is_active(results[*i]) || jvp.is_active(left[*i]);
        let active = (0..results.len()).filter(is_active).collect();
        Some(Self { body, left: left.to_vec(), right: right.to_vec(), active, results })
    }

    fn pick(&self, list: &[Val<'c>]) -> Vec<Val<'c>> {
        self.active.iter().map(|&i| list[i]).collect()
    }

    /// Operands of the operation that come one per component, with the tangents of the active ones.
    pub fn bundle(&self, jvp: &Jvp<'_, 'c>, values: &[Val<'c>]) -> Vec<Val<'c>> {
        jvp.bundle(values, &self.pick(values))
    }

    /// Neutral elements with the tangents that make them those of the operator on longer tuples.
    pub fn neutral(&self, jvp: &mut Jvp<'_, 'c>, neutrals: &[Val<'c>]) -> Result<Vec<Val<'c>>> {
        let (b, primals) = (jvp.b, jvp.primal_list(neutrals));
        let zeros: Vec<_> = self.pick(&primals).into_iter().map(|e| b.zeros_like(e)).collect();
        let still = [&primals[..], &zeros].concat();
        if !self.moves(jvp, neutrals) {
            return Ok(still);
        }
        let applied = self.operator(jvp, b, &still.repeat(2))?;
        let tangents = zeros.into_iter().zip(&applied[primals.len()..]);
        let tangents = tangents.map(|(zero, &moved)| b.sub(zero, moved)).collect();
        Ok([primals, tangents].concat())
    }

    /// Whether a neutral element has a tangent.
    pub fn moves(&self, jvp: &Jvp<'_, 'c>, neutrals: &[Val<'c>]) -> bool {
        self.pick(neutrals).into_iter().any(|e| jvp.tangent(e).is_some())
    }

    /// The operator on longer tuples.
    pub fn operator(
        &self,
        jvp: &mut Jvp<'_, 'c>,
        b: Builder<'c>,
        operands: &[Val<'c>],
    ) -> Result<Vec<Val<'c>>> {
        let (left, right) = operands.split_at(self.results.len() + self.active.len());
        jvp.unbundle(&self.left, &self.pick(&self.left), left);
        jvp.unbundle(&self.right, &self.pick(&self.right), right);
        jvp.block(b, self.body, |jvp| Ok(self.bundle(jvp, &self.body.ends())))
    }

    /// A reduction or scan over primals and tangents; `emit` makes the operation from its inputs, neutral elements and body.
    pub fn fold(
        &self,
        op: Op<'c>,
        jvp: &mut Jvp<'_, 'c>,
        emit: impl FnOnce(&Builder<'c>, &[Val<'c>], &[Val<'c>], Body<'_, 'c>) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let (inputs, starts) = (self.bundle(jvp, &inputs(op)), self.neutral(jvp, &neutrals(op))?);
        let b = jvp.b;
        emit(&b, &inputs, &starts, &mut |b, operands| self.operator(jvp, b, operands))
    }

    /// The operator applied to neutral elements with their tangents, and to what was folded, whose primals stay. Where that
    /// was done from the end, the neutral elements come last.
    pub fn apply(
        &self,
        jvp: &mut Jvp<'_, 'c>,
        b: Builder<'c>,
        starts: &[Val<'c>],
        folded: &[Val<'c>],
        from_end: bool,
    ) -> Result<Vec<Val<'c>>> {
        let operands = if from_end { [folded, starts] } else { [starts, folded] };
        let applied = self.operator(jvp, b, &operands.concat())?;
        let primals = self.results.len();
        Ok([&folded[..primals], &applied[primals..]].concat())
    }

    /// Notes what the results are.
    pub fn finish(&self, jvp: &mut Jvp<'_, 'c>, new: &[Val<'c>]) {
        jvp.unbundle(&self.results, &self.pick(&self.results), new);
    }
}
