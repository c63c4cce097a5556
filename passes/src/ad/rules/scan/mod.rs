//! Scans, from most special to general:
//!
//! - `add`: the operator is +, also elementwise on rows. One reversed scan (+):
//!   O(n) work, O(log n) span, one array of results.
//! - `vectorized`: the operator combines rows element by element. The scan is turned
//!   into a map of scans over the columns before it is differentiated, and the rules
//!   below serve each column: work and span are theirs, and a transpose each way.
//! - `jacobian`: any operator on tuples of scalars and small static tensors, d
//!   numbers in all. A map for the Jacobians of the operator, a reversed scan that
//!   composes linear functions, and a map: O(n d^3) work for a dense Jacobian,
//!   O(n d) for a diagonal one, O(log n) span, one array per number and per entry
//!   of the Jacobian that is neither zero nor shared.
//! - `general`: everything else, such as rows of dynamic size that the operator
//!   mixes. A sequential loop: O(n) applications of the operator's derivative and
//!   nothing saved but the results, but O(n) span.
//!
//! Forward mode is the same for all: one scan over pairs of primal and tangent
//! [FUT 3].

pub mod add;
pub mod general;
pub mod jacobian;
mod linear;
pub mod structure;
mod symbolic;
pub mod vectorized;

use ad_dialect::ir::{Blk, Op, OpExt, Val};
use melior::ir::{Attribute, ValueLike, attribute::IntegerAttribute};

use super::{
    operator::{Kind, is_each},
    reduce::{Tuples, inputs, neutrals},
};
use crate::{
    ad::{jvp::Jvp, vjp::Vjp},
    support::{builder::Builder, diag::Result},
};

/// One scan over primals and tangents [FUT 3], and a map where a neutral element moves.
fn scan_jvp<'c>(op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
    let (neutrals, Some(tuples)) = (neutrals(op), Tuples::of(op, jvp)) else { return Ok(()) };
    let mut new =
        tuples.fold(op, jvp, |b, inputs, starts, body| b.scan(inputs, starts, &flags(op), body))?;
    if tuples.moves(jvp, &neutrals) {
        let starts = tuples.bundle(jvp, &neutrals);
        let types: Vec<_> = new.iter().map(|value| value.r#type()).collect();
        let b = jvp.b;
        let from_end = op.attr("reverse").is_some();
        let apply = |b, rows: &[_]| tuples.apply(jvp, b, &starts, rows, from_end);
        new = b.map(&new, &[], &types, apply)?;
    }
    tuples.finish(jvp, &new);
    Ok(())
}

/// Whether the operator is +.
fn is_sum(op: Op<'_>) -> bool {
    is_each(op, Kind::Add)
}

/// The direction of a scan and whether it leaves the element itself out.
fn flags(op: Op<'_>) -> Vec<&'static str> {
    ["exclusive", "reverse"].into_iter().filter(|flag| op.attr(flag).is_some()).collect()
}

/// The scan taken apart.
struct Parts<'c> {
    body: Blk<'c>,
    exclusive: bool,
    reverse: bool,
    inputs: Vec<Val<'c>>,
    neutrals: Vec<Val<'c>>,
    /// Primal values of inputs, neutral elements and results.
    a: Vec<Val<'c>>,
    e: Vec<Val<'c>>,
    y: Vec<Val<'c>>,
    /// Cotangents of the results; none for zero.
    y_bars: Vec<Option<Val<'c>>>,
    /// Positions of the active inputs.
    active: Vec<usize>,
    /// Active values from outside that the operator reads.
    free: Vec<Val<'c>>,
}

impl<'c> Parts<'c> {
    /// Takes the cotangents of the results.
    fn of(op: Op<'c>, body: Blk<'c>, vjp: &mut Vjp<'_, 'c>) -> Self {
        let inputs = inputs(op);
        let neutrals = neutrals(op);
        Self {
            body,
            exclusive: op.attr("exclusive").is_some(),
            reverse: op.attr("reverse").is_some(),
            a: vjp.primal_list(&inputs),
            e: vjp.primal_list(&neutrals),
            y: vjp.primal_list(&op.result_list()),
            y_bars: op.result_list().into_iter().map(|r| vjp.cotangents.take(r)).collect(),
            active: (0..inputs.len()).filter(|&i| vjp.is_active(inputs[i])).collect(),
            free: vjp.active_free_values(&[body]),
            inputs,
            neutrals,
        }
    }

    /// Of the operands of the operator, the state and the element.
    fn operands(&self) -> (Vec<Val<'c>>, Vec<Val<'c>>) {
        operands(self.body, self.reverse)
    }

    /// The position where the scan starts.
    fn first(&self, b: &Builder<'c>, n: Val<'c>) -> Val<'c> {
        if self.reverse { b.sub(n, b.index(1)) } else { b.index(0) }
    }

    /// The state of the scan before element i of n: an exclusive scan has it among its
    /// results, an inclusive one next to it, except that e comes before the first.
    fn state_before(&self, b: &Builder<'c>, i: Val<'c>, n: Val<'c>) -> Vec<Val<'c>> {
        if self.exclusive {
            return self.y.iter().map(|&y| b.row(y, i)).collect();
        }
        let is_first = is_equal(b, i, self.first(b, n));
        let one = b.index(1);
        let neighbour = if self.reverse { b.add(i, one) } else { b.sub(i, one) };
        let inside = b.select(is_first, i, neighbour);
        let pairs = self.y.iter().zip(&self.e);
        pairs.map(|(&y, &e)| b.select(is_first, e, b.row(y, inside))).collect()
    }
}

/// Of the operands of the operator, the state and the element.
fn operands<'c>(body: Blk<'c>, reverse: bool) -> (Vec<Val<'c>>, Vec<Val<'c>>) {
    use ad_dialect::ir::BlkExt;
    let mut left = body.arg_list();
    let right = left.split_off(left.len() / 2);
    if reverse { (right, left) } else { (left, right) }
}

fn is_equal<'c>(b: &Builder<'c>, i: Val<'c>, j: Val<'c>) -> Val<'c> {
    compare(b, 0, i, j)
}

/// `arith.cmpi` with a predicate by its number.
fn compare<'c>(b: &Builder<'c>, predicate: i64, i: Val<'c>, j: Val<'c>) -> Val<'c> {
    let predicate: Attribute<'c> = IntegerAttribute::new(
        melior::ir::r#type::IntegerType::new(b.context(), 64).into(),
        predicate,
    )
    .into();
    b.val_with("arith.cmpi", &[i, j], b.bool_type(), &[("predicate", predicate)])
}
