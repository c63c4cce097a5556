//! Differentiates: `soac.scan` with any associative operator, where no parallel rule
//! applies: rows that the operator mixes and that are long or of dynamic size, vectors,
//! complex numbers.
//!
//! Primal: `ys = scan (op) e as`, with the state `s_i` before element i, and
//! `s_(i+1) = s_i op a_i` (in a reversed scan `a_i op s_i`, from the last i down)
//! Forward sweep: the scan itself; `s_i` is `ys[i]` of an exclusive scan, and the
//! neighbour of `ys[i]`, or e, of an inclusive one.
//! Return sweep:
//! ```text
//! (s_bar, as_bar) = loop (s_bar) = (0) for i against the direction of the scan
//!   s_bar += ys_bar[i]                                  -- inclusive
//!   (s_bar, as_bar[i], fvs_bar) = vjp of (s_i op a_i) at s_bar
//!   s_bar += ys_bar[i]                                  -- exclusive
//! e_bar += s_bar
//! ```
//! Source: [FUT 5.2], the loop from which the paper derives its parallel rule for
//! scalar operators.
//! Requires: the operator is associative.
//! Ensures: O(n) applications of the operator's derivative, so the work of the primal,
//! but in sequence; nothing is saved but the results.
//! Edge cases: the empty array has an empty adjoint.
//! Tests: test/ad/jvp/scan.mlir, test/ad/vjp/scan-general.mlir,
//! test/ad/numeric/scan-general.mlir.

use ad_dialect::ir::{Op, OpExt, Val};
use melior::ir::ValueLike;

use super::{
    super::{Rule, reduce::reduce_flows},
    Parts, scan_jvp,
};
use crate::{
    ad::{activity::Flows, jvp::Jvp, vjp::Vjp},
    support::diag::Result,
};

/// The rule for any scan.
pub struct ScanGeneral;

impl Rule for ScanGeneral {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        reduce_flows(op, flows);
    }

    /// One scan over primals and tangents [FUT 3].
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        scan_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let parts = Parts::of(op, body, vjp);
        let b = vjp.b;
        let mut starts: Vec<_> = parts.e.iter().map(|&e| b.zeros_like(e)).collect();
        for &i in &parts.active {
            let array = vjp.primal(parts.inputs[i]);
            starts.push(b.empty(array.r#type(), &b.dynamic_dims(array)));
        }
        for &value in &parts.free {
            starts.push(match vjp.cotangents.get(value) {
                Some(adjoint) => adjoint,
                None => b.zeros_like(vjp.primal(value)),
            });
        }
        let bounds = [b.index(0), b.dim(parts.a[0], 0), b.index(1)];
        let back = b.for_loop(bounds, &starts, |inner, step, carried| {
            vjp.at(inner, |vjp| return_step(vjp, &parts, bounds[1], step, carried))
        })?;
        let (s_bars, rest) = split(back.result_list(), parts.e.len());
        let (a_bars, free_bars) = split(rest, parts.active.len());
        vjp.cotangents.swap(&parts.free, free_bars.into_iter().map(Some).collect());
        for (&i, a_bar) in parts.active.iter().zip(a_bars) {
            vjp.add_dense(parts.inputs[i], a_bar)?;
        }
        for (neutral, s_bar) in parts.neutrals.iter().zip(s_bars) {
            vjp.add_dense(*neutral, s_bar)?;
        }
        Ok(())
    }
}

fn split<T: Clone>(list: Vec<T>, at: usize) -> (Vec<T>, Vec<T>) {
    let (first, rest) = list.split_at(at.min(list.len()));
    (first.to_vec(), rest.to_vec())
}

/// One iteration of the return sweep.
fn return_step<'c>(
    vjp: &mut Vjp<'_, 'c>,
    parts: &Parts<'c>,
    n: Val<'c>,
    step: Val<'c>,
    carried: &[Val<'c>],
) -> Result<Vec<Val<'c>>> {
    let b = vjp.b;
    let (s_bars, rest) = split(carried.to_vec(), parts.e.len());
    let (a_bars, free_bars) = split(rest, parts.active.len());
    let last = b.sub(n, b.index(1));
    let i = if parts.reverse { step } else { b.sub(last, step) };
    let y_bar_rows: Vec<_> = parts.y_bars.iter().map(|bar| bar.map(|bar| b.row(bar, i))).collect();
    let plus = |sum: &[Val<'c>]| -> Vec<Val<'c>> {
        let pairs = sum.iter().zip(&y_bar_rows);
        pairs.map(|(&sum, row)| row.map_or(sum, |row| b.add(sum, row))).collect()
    };
    let seeds = if parts.exclusive { s_bars } else { plus(&s_bars) };
    vjp.cotangents.swap(&parts.free, free_bars.into_iter().map(Some).collect());
    let (states, elements) = parts.operands();
    let before = parts.state_before(&b, i, n);
    vjp.set_primals(&states, &before);
    let rows: Vec<_> = parts.a.iter().map(|&array| b.row(array, i)).collect();
    vjp.set_primals(&elements, &rows);
    let seeds: Vec<_> = seeds.into_iter().map(Some).collect();
    vjp.body(parts.body, &seeds)?;
    let next: Vec<_> = states.iter().map(|&state| vjp.take_or_zero(state)).collect();
    let mut next = if parts.exclusive { plus(&next) } else { next };
    for (&k, &array) in parts.active.iter().zip(&a_bars) {
        let a_bar = vjp.take_or_zero(elements[k]);
        next.push(b.insert_row(a_bar, array, i));
    }
    for element in elements {
        vjp.cotangents.take(element);
    }
    next.extend(parts.free.iter().map(|&value| vjp.take_or_zero(value)));
    Ok(next)
}
