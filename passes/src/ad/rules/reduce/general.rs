//! Differentiates: `soac.reduce` with any associative operator.
//!
//! Primal: `y = reduce (op) e as`, with `y = (l_i op a_i) op r_i` for every i
//! Forward sweep: the reduction itself.
//! Return sweep:
//! ```text
//! ls = exclusive scan (op) e as            -- l_i = a_0 op .. op a_(i-1)
//! rs = reversed exclusive scan (op) e as   -- r_i = a_(i+1) op .. op a_(n-1)
//! as_bar += map (\l a r -> m = l op a
//!                          m_bar = vjp of (m op r) with respect to m at y_bar
//!                          a_bar = vjp of (l op a) with respect to a at m_bar) ls as rs
//! e_bar += vjp of (e op y) with respect to e at y_bar      -- only if e is active
//! ```
//! Source: [FUT 5.1]. The paper differentiates `l op a op r` at once; it is done
//! in two steps here so that a free variable of the operator receives what
//! application i contributes, `vjp of (l op a)` at `m_bar`, exactly once.
//! Requires: the operator is associative, `e` its neutral element.
//! Ensures: O(n) work and O(log n) depth, as the reduction [FUT 5.1].
//! Edge cases: the empty array has an empty adjoint, and e_bar = y_bar. With an
//! active e the contribution of application 0 to a free variable and e_bar cancel,
//! because `e op a = a` holds wherever e moves.
//! Tests: test/ad/jvp/reduce-general.mlir, test/ad/vjp/reduce-general.mlir,
//! test/ad/vjp/reduce-general-sum.mlir,
//! test/ad/numeric/reduce-general.mlir.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val};
use melior::ir::{Type, ValueLike};

use super::{inputs, neutrals, reduce_flows, reduce_jvp};
use crate::{
    ad::{
        activity::{Activity, Flows},
        jvp::Jvp,
        rules::Rule,
        vjp::Vjp,
    },
    support::diag::Result,
};

/// The rule for any associative operator.
pub struct ReduceGeneral;

impl Rule for ReduceGeneral {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        reduce_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        reduce_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let results = op.result_list();
        let y_bars: Vec<_> = results.iter().map(|&r| vjp.cotangents.take(r)).collect();
        let bars = element_cotangents(op, vjp, &y_bars)?;
        let inputs = inputs(op);
        let active: Vec<_> = inputs.into_iter().filter(|&input| vjp.is_active(input)).collect();
        for (input, bar) in active.into_iter().zip(bars) {
            vjp.add_dense(input, bar)?;
        }
        neutral_cotangents(op, vjp, &y_bars)
    }
}

/// The cotangents of the active inputs; those of free variables are added.
pub fn element_cotangents<'c>(
    op: Op<'c>,
    vjp: &mut Vjp<'_, 'c>,
    y_bars: &[Option<Val<'c>>],
) -> Result<Vec<Val<'c>>> {
    let Some(body) = op.body(0) else { return Ok(vec![]) };
    let inputs = inputs(op);
    let count = inputs.len();
    let a = vjp.primal_list(&inputs);
    let e = vjp.primal_list(&neutrals(op));
    let ls = exclusive_scan(vjp, body, &a, &e, &["exclusive"])?;
    let rs = exclusive_scan(vjp, body, &a, &e, &["exclusive", "reverse"])?;
    let active: Vec<_> = (0..count).filter(|&i| vjp.is_active(inputs[i])).collect();
    let types: Vec<Type<'c>> = active.iter().map(|&i| inputs[i].r#type()).collect();
    let free = vjp.active_free_values(&[body]);
    let all = [ls, a, rs].concat();
    vjp.adjoint_map(&all, &types, &free, |vjp, elements| {
        let (l, rest) = elements.split_at(count);
        let (a, r) = rest.split_at(count);
        Ok(contribution(vjp, body, [l, a, r], y_bars, &free, [&[], &active])?.concat())
    })
}

/// What active neutral elements receive.
pub fn neutral_cotangents<'c>(
    op: Op<'c>,
    vjp: &mut Vjp<'_, 'c>,
    y_bars: &[Option<Val<'c>>],
) -> Result<()> {
    let neutrals = neutrals(op);
    let is_active = neutrals.iter().any(|&neutral| vjp.is_active(neutral));
    let Some(body) = op.body(0).filter(|_| is_active) else { return Ok(()) };
    let e = vjp.primal_list(&neutrals);
    let y = vjp.primal_list(&op.result_list());
    let e_bars = left_cotangents(vjp, body, &e, &y, y_bars)?;
    for (neutral, e_bar) in neutrals.into_iter().zip(e_bars) {
        if let Some(e_bar) = e_bar {
            vjp.add_dense(neutral, e_bar)?;
        }
    }
    Ok(())
}

/// The vjp of `m op r` with respect to m alone; none for a symbolic zero.
fn left_cotangents<'c>(
    vjp: &mut Vjp<'_, 'c>,
    body: Blk<'c>,
    m: &[Val<'c>],
    r: &[Val<'c>],
    y_bars: &[Option<Val<'c>>],
) -> Result<Vec<Option<Val<'c>>>> {
    let arguments = body.arg_list();
    let (left, right) = arguments.split_at(m.len());
    let yielded = body.ends();
    vjp.with_activity(Activity::between(&[body], left, &yielded), |vjp| {
        vjp.set_primals(left, m);
        vjp.set_primals(right, r);
        vjp.body(body, y_bars)?;
        Ok(left.iter().map(|&value| vjp.cotangents.take(value)).collect())
    })
}

/// The cotangents of one element and of what is on its left, in the two steps of the
/// header: of the components of `l` at the first positions, then of `a` at the second.
pub fn contribution<'c>(
    vjp: &mut Vjp<'_, 'c>,
    body: Blk<'c>,
    [l, a, r]: [&[Val<'c>]; 3],
    y_bars: &[Option<Val<'c>>],
    free: &[Val<'c>],
    wanted: [&[usize]; 2],
) -> Result<[Vec<Val<'c>>; 2]> {
    let arguments = body.arg_list();
    let (left, right) = arguments.split_at(l.len());
    let yielded = body.ends();
    let m = apply(vjp, body, l, a)?;
    let m_bars = left_cotangents(vjp, body, &m, r, y_bars)?;
    let lefts: Vec<_> = wanted[0].iter().map(|&i| left[i]).collect();
    let sources = [&lefts, right, free].concat();
    vjp.with_activity(Activity::between(&[body], &sources, &yielded), |vjp| {
        vjp.set_primals(left, l);
        vjp.set_primals(right, a);
        vjp.body(body, &m_bars)?;
        let rights: Vec<_> = wanted[1].iter().map(|&i| right[i]).collect();
        Ok([lefts, rights].map(|list| list.into_iter().map(|v| vjp.take_or_zero(v)).collect()))
    })
}

/// `x op y`, emitted once more: a forward sweep of the operator.
pub fn apply<'c>(
    vjp: &mut Vjp<'_, 'c>,
    body: Blk<'c>,
    x: &[Val<'c>],
    y: &[Val<'c>],
) -> Result<Vec<Val<'c>>> {
    vjp.set_primals(&body.arg_list(), &[x, y].concat());
    vjp.forward_block(body)?;
    let yielded = body.ends();
    Ok(vjp.primal_list(&yielded))
}

/// All prefixes without (or, reversed, all suffixes without) the element itself.
fn exclusive_scan<'c>(
    vjp: &mut Vjp<'_, 'c>,
    body: Blk<'c>,
    arrays: &[Val<'c>],
    neutrals: &[Val<'c>],
    flags: &[&str],
) -> Result<Vec<Val<'c>>> {
    let b = vjp.b;
    b.scan(arrays, neutrals, flags, |inner, arguments| {
        let (left, right) = arguments.split_at(arrays.len());
        vjp.at(inner, |vjp| apply(vjp, body, left, right))
    })
}
