//! Differentiates: `soac.hist` when the operator is a minimum or maximum, also
//! elementwise on rows.
//!
//! Primal: `hs = hist min inf is vs dest`
//! Forward sweep: the hist over pairs of a value and its number, -1 for the
//! destination: `hs, ws = hist argmin (inf, -1) is (vs, iota m) (dest, -1)`. If the
//! destination is filled with one value, or a constant, that of the numbers is filled; else
//! they are scattered to the bins that values fall into.
//! Return sweep, with `b = is[i]`:
//! ```text
//! vs_bar[i] += if ws[b] = i then hs_bar[b] else 0
//! dest_bar[b] += if ws[b] < 0 then hs_bar[b] else 0
//! ```
//! If the destination is filled with one value or a constant, `vs_bar` is given by its rows that
//! are not zero, a sparse adjoint (`ad/cotangent.rs`), and values are not visited:
//! ```text
//! vs_bar[ws[b]] += hs_bar[b]          -- for all bins b with ws[b] >= 0
//! ```
//! Source: [FUT 5.1.2], with the rule for reductions with min and max, and sparse adjoints [FUT 5.1.1].
//! Requires: nothing but associativity.
//! Ensures: O(m) work for m values, whatever the number of bins, and O(log m) depth; with a filled
//! destination the return sweep of the hist takes as much work as the fill.
//! Edge cases: of equal values the first one counts, and before all of them the
//! destination; of NaNs that are the result too, where forward mode follows the scalar
//! operation to the last value instead. An ignored value gets zero; an empty bin hands
//! on its cotangent.
//! Tests: test/ad/vjp/hist-min-max.mlir, test/ad/numeric/hist-min-max.mlir,
//! test/ad/numeric/hist-min-max-filled.mlir, test/ad/numeric/hist-nested.mlir.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::{
    component::{Bars, Component, each_component},
    hist_flows, hist_jvp,
    vectorized::unflatten,
};
use crate::{
    ad::{
        activity::{Flows, carries_derivative},
        cotangent::{Contribution, Piece, Rows},
        jvp::Jvp,
        rules::{
            Rule,
            operator::{Kind, Operator},
        },
        vjp::Vjp,
    },
    simplify::constant::filled_with,
    support::{
        builder::{Builder, CMP_EQ, CMP_SGE},
        combinator::strip_casts,
        diag::{Result, internal_error},
    },
};

/// The rule for histograms with a minimum or maximum.
pub struct HistMinMax;

impl Rule for HistMinMax {
    fn applies(&self, op: Op<'_>) -> bool {
        let Some(body) = op.body(0) else { return false };
        let components = op.result_list().into_iter().zip(Operator::components(body));
        let mut active = components.filter(|(h, _)| carries_derivative(*h)).peekable();
        let is_choice = |it: Operator<'_>| matches!(it.kind, Kind::Min | Kind::Max);
        active.peek().is_some() && active.all(|(_, operator)| operator.is_some_and(is_choice))
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        hist_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        hist_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        each_component(op, vjp, |vjp, component, dest_wanted| bars(op, vjp, component, dest_wanted))
    }
}

fn bars<'c>(
    op: Op<'c>,
    vjp: &mut Vjp<'_, 'c>,
    c: &Component<'c>,
    dest_wanted: bool,
) -> Result<Bars<'c>> {
    let winners = find_winners(op, vjp, c)?;
    let b = vjp.b;
    if is_filled(c.dest) {
        return bars_of_bins(&b, c, winners, dest_wanted);
    }
    let v_bar = b.gather(c.h_bar, &c.at, c.v.r#type(), Some(winners))?;
    if !dest_wanted {
        return Ok((Contribution::Dense(v_bar), None));
    }
    let won = indices_where_won(&b, c, winners)?;
    let zero = b.zero_scalar(c.v.r#type().scalar());
    let zeros = b.replicate(zero, b.dim(c.v, 0), c.v.r#type().shape()[0]);
    let dest_bar = b.scatter(&won, &[zeros], &[c.h_bar]);
    Ok((Contribution::Dense(v_bar), Some(dest_bar[0])))
}

/// The return sweep in O(m) work for m bins, where the bins were filled in as much.
fn bars_of_bins<'c>(
    b: &Builder<'c>,
    c: &Component<'c>,
    winners: Val<'c>,
    dest_wanted: bool,
) -> Result<Bars<'c>> {
    let rows = Rows { at: b.flat(winners), values: b.flat(c.h_bar) };
    let mut v_bar = Contribution::Piece(Piece::Rows(rows));
    if c.is_flattened {
        v_bar = Contribution::Dense(Piece::Rows(rows).added_to(b, None, c.v)?);
    }
    if !dest_wanted {
        return Ok((v_bar, None));
    }
    let dest_bar = b.map(&[rows.at, rows.values], &[], &[rows.values.r#type()], |b, args| {
        let has_winner = b.compare(CMP_SGE, args[0], b.index(0));
        Ok(vec![b.select(has_winner, b.zero_scalar(args[1].r#type()), args[1])])
    })?;
    Ok((v_bar, Some(unflatten(b, dest_bar[0], c.h_bar))))
}

/// Whether O(m) work has been done for m bins before the hist: they were filled, or copied from a constant.
fn is_filled(dest: Val<'_>) -> bool {
    let is_constant = |op: Op<'_>| op.op_name() == "arith.constant";
    filled_with(dest).is_some() || strip_casts(dest).defining_op().is_some_and(is_constant)
}

/// Replaces the component in the forward sweep by one over values and their numbers;
/// returns the number of the value that each bin holds, undefined for bins that no
/// value falls into.
fn find_winners<'c>(op: Op<'c>, vjp: &mut Vjp<'_, 'c>, c: &Component<'c>) -> Result<Val<'c>> {
    let operators = op.body(0).map(Operator::components).unwrap_or_default();
    let Some(Some(operator)) = operators.get(c.number).copied() else {
        return Err(internal_error(op, "operator is no minimum or maximum"));
    };
    let (f, size) = (c.forward, c.v.r#type().shape()[0]);
    let (width, none) = (f.dim(c.v, 0), f.index(-1));
    let scratch = c.scratch(&f, f.index_type());
    let start = if is_filled(c.dest) {
        f.fill(none, scratch)
    } else {
        f.scatter(&c.at, &[f.replicate(none, width, size)], &[scratch])[0]
    };
    let bound = if operator.kind == Kind::Min { f64::INFINITY } else { f64::NEG_INFINITY };
    let neutral = f.float_like(f.zero_scalar(c.v.r#type().scalar()), bound);
    let (values, into) = ([c.v, f.iota(width, size)], [c.dest, start]);
    let new = f.hist(&c.at, &values, &into, &[neutral, none], |b, args| {
        let [l, l_number, r, r_number] = *args else { return Ok(vec![]) };
        let right = operator.right_wins(&b, l, r);
        Ok(vec![operator.apply(&b, l, r), b.select(right, r_number, l_number)])
    })?;
    // The old component is dead now; what reads it may have been remembered elsewhere,
    // so it stays for simplification to remove.
    if let (Some(old), Some(result)) = (c.copy.res(c.number), op.res(c.number)) {
        old.replace_all_uses(new[0]);
        vjp.set_primal(result, new[0]);
    }
    Ok(new[1])
}

/// The indices of the values that their bins hold, out of range for the others.
fn indices_where_won<'c>(
    b: &Builder<'c>,
    c: &Component<'c>,
    winners: Val<'c>,
) -> Result<Vec<Val<'c>>> {
    let types: Vec<_> = c.at.iter().map(|at| at.r#type()).collect();
    let numbers = b.iota(b.dim(c.v, 0), c.v.r#type().shape()[0]);
    let inputs = [&[numbers], &c.at[..]].concat();
    b.map(&inputs, &[], &types, |b, args| {
        let (indices, inside) = b.in_range(&args[1..], winners);
        let won = b.if_else(inside, &[b.bool_type()], |b, inside| {
            let won = if inside {
                b.compare(CMP_EQ, b.element(winners, &indices), args[0])
            } else {
                b.truth(false)
            };
            Ok(vec![won])
        })?;
        let won = won.result_list()[0];
        Ok(args[1..].iter().map(|&i| b.select(won, i, b.int_like(i, -1))).collect())
    })
}
