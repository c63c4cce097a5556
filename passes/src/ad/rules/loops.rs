//! Differentiates: `scf.for` with any loop-carried values.
//!
//! Primal: `y = loop (x) = (x0) for i = lb, lb+step, .. < ub do body`
//! Forward sweep: the loop; `xs[k] = x` at the entry of iteration k, for those
//! loop-carried values that the return sweep reads.
//! Return sweep:
//! ```text
//! (x_bar, fvs_bar) = loop (x_bar, fvs_bar) = (y_bar, fvs_bar)
//!   for k = n-1 .. 0 do
//!     x = xs[k];  i = lb + k * step
//!     body again;  return sweep of body
//! x0_bar += x_bar
//! ```
//! Source: [FUT 4.2, Fig. 3] (loop rule).
//! Requires: loop-carried values keep their shapes, which is checked where they may not.
//! Ensures: the body runs once more; only this loop's own carried values are
//! saved, and results that take more work than they are large (`keep`); loops inside are
//! executed again, but for innermost ones whose tapes are no larger than what is saved anyway (`twin`); a
//! value that the return sweep does not read is not saved. Of an array that is only updated in place, only what is
//! overwritten is saved (`in_place`), and return loops hand it on as it was (`restore`), or
//! nothing is saved if there are no false dependencies (`frozen`), so that work stays that of
//! the primal [FUT 6.2]; remarks tell (`remark`).
//! Edge cases: no iteration hands the cotangents through; accumulators hand on
//! their cotangent array.
//! Tests: test/ad/jvp/for.mlir, test/ad/vjp/for.mlir, test/ad/numeric/for.mlir,
//! test/ad/vjp/for-in-place.mlir, test/ad/numeric/for-in-place.mlir,
//! test/ad/vjp/for-keep.mlir, test/ad/numeric/for-keep.mlir,
//! test/ad/vjp/for-dear.mlir, test/ad/numeric/for-dear.mlir.

mod frozen;
mod in_place;
mod keep;
pub mod remark;
mod restore;
mod size;
mod tape;
mod twin;
mod undo;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, bool_array};
use melior::ir::ValueLike;

use super::Rule;
use crate::{
    ad::{
        activity::Flows,
        jvp::Jvp,
        vjp::{Returned, Vjp},
    },
    checkpoint::strip_mine,
    support::{
        bounds::{induction_variable, trip_count},
        builder::Builder,
        diag::Result,
    },
};

/// The rule for `scf.for`.
pub struct For;

impl Rule for For {
    fn applies(&self, op: Op<'_>) -> bool {
        // Unsigned bounds would need another trip count.
        op.attr("unsignedCmp").is_none()
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        let Some(body) = op.body(0) else { return };
        let (inits, carried) = (op.operand_list().split_off(3), body.arg_list().split_off(1));
        let yielded = body.ends();
        flows.edges(&inits, &carried);
        flows.edges(&yielded, &carried);
        flows.edges(&yielded, &op.result_list());
        flows.edges(&inits, &op.result_list());
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let (operands, arguments, results) = (op.operand_list(), body.arg_list(), op.result_list());
        let (inits, carried) = (&operands[3..], &arguments[1..]);
        // Both must be bundled if the carried value or the result is active.
        let positions: Vec<_> = (0..results.len())
            .filter(|&i| jvp.is_active(carried[i]) || jvp.is_active(results[i]))
            .collect();
        let pick = |list: &[Val<'c>]| positions.iter().map(|&i| list[i]).collect::<Vec<_>>();
        let bounds = jvp.primal_list(&operands[..3]);
        let bundle = jvp.bundle(inits, &pick(inits));
        let b = jvp.b;
        let new = b.for_loop([bounds[0], bounds[1], bounds[2]], &bundle, |inner, iv, new| {
            jvp.set_primals(&arguments[..1], &[iv]);
            jvp.unbundle(carried, &pick(carried), new);
            jvp.block(inner, body, |jvp| {
                let yielded = body.ends();
                Ok(jvp.bundle(&yielded, &pick(&yielded)))
            })
        })?;
        keep_annotations(jvp, op, new, &positions);
        jvp.unbundle(&results, &pick(&results), &new.result_list());
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let parts = Parts::of(op, body, vjp);
        let results = op.result_list();
        hand_on_accumulators(vjp, &parts, &results)?;
        let frozen = frozen::freeze(op, vjp)?;
        let outer = std::mem::take(&mut vjp.returned);
        let returned = return_loop(op, vjp, &parts);
        vjp.returned = outer;
        frozen::thaw(vjp, &frozen);
        vjp.returned.insert(op.key(), returned?);
        Ok(())
    }
}

/// The loop over bundles is annotated as the primal one: what holds for a loop-carried
/// value holds for its tangent.
fn keep_annotations<'c>(jvp: &Jvp<'_, 'c>, op: Op<'c>, new: Op<'c>, active: &[usize]) {
    let context = jvp.session.context();
    if let Some(factors) = op.attr(strip_mine::FACTORS) {
        new.set_attr(context, strip_mine::FACTORS, factors);
    }
    let Some(promise) = op.attr(strip_mine::PROMISE) else { return };
    let promise = match bool_array(promise) {
        Some(mut flags) if flags.len() == op.result_list().len() => {
            let tangents: Vec<_> = active.iter().map(|&i| flags[i]).collect();
            flags.extend(tangents);
            jvp.b.bools_attr(&flags)
        }
        _ => promise,
    };
    new.set_attr(context, strip_mine::PROMISE, promise);
}

/// The return sweep, whose loop is built before it is known what the forward loop saves.
fn return_loop<'c>(op: Op<'c>, vjp: &mut Vjp<'_, 'c>, parts: &Parts<'c>) -> Result<Returned<'c>> {
    let results = op.result_list();
    let mut inits = vec![];
    for &i in &parts.active {
        inits.push(vjp.take_or_zero(results[i]));
    }
    inits.extend(parts.free.iter().map(|&value| vjp.sum_so_far(value)));
    let bounds = vjp.primal_list(&op.operand_list()[..3]);
    let trips = trip_count(&vjp.b, &bounds);
    let (b, zero, one) = (vjp.b, vjp.b.index(0), vjp.b.index(1));
    let mut stand_ins = vec![];
    let mark = vjp.masks.mark();
    let back = b.for_loop([zero, trips, one], &inits, |inner, down, adjoints| {
        let k = from_last(&inner, trips, down);
        stand_ins = reinstall(vjp, &inner, parts, &bounds, k);
        let outer = std::mem::replace(&mut vjp.is_in_loop, true);
        let next = vjp.at(inner, |vjp| return_sweep(vjp, parts, adjoints));
        vjp.is_in_loop = outer;
        next
    })?;
    // What is dead in the return loop gets erased, and with it what masks speak of.
    vjp.masks.forget_since(mark);
    let returned = tape::load(op, vjp, parts, &tape::Back { back, trips, stand_ins })?;
    let bars = returned.op.result_list();
    let (bars, free_bars) = bars.split_at(parts.active.len());
    let free_bars = parts.free.iter().zip(free_bars);
    let free_bars = free_bars.map(|(&value, &bar)| match is_sum(value, bar) {
        true => Some(vjp.b.as_value(bar, value.r#type())),
        false => Some(bar),
    });
    let free_bars = free_bars.collect();
    vjp.cotangents.swap(&parts.free, free_bars);
    for (&i, &bar) in parts.active.iter().zip(bars) {
        vjp.add_dense(parts.inits[i], bar)?;
    }
    Ok(returned)
}

/// The loop taken apart.
struct Parts<'c> {
    body: Blk<'c>,
    inits: Vec<Val<'c>>,
    carried: Vec<Val<'c>>,
    yielded: Vec<Val<'c>>,
    /// Positions of the loop-carried values that have a cotangent.
    active: Vec<usize>,
    /// Active values from outside that the body reads.
    free: Vec<Val<'c>>,
}

impl<'c> Parts<'c> {
    fn of(op: Op<'c>, body: Blk<'c>, vjp: &Vjp<'_, 'c>) -> Self {
        let carried = body.arg_list().split_off(1);
        let results = op.result_list();
        let active = (0..carried.len())
            .filter(|&i| !carried[i].r#type().is_acc())
            .filter(|&i| vjp.is_active(carried[i]) || vjp.is_active(results[i]))
            .collect();
        Self {
            body,
            inits: op.operand_list().split_off(3),
            yielded: body.ends(),
            carried,
            active,
            free: vjp.active_free_values(&[body]),
        }
    }
}

/// The cotangent array of an accumulator is the same before, in and after the loop.
fn hand_on_accumulators<'c>(
    vjp: &mut Vjp<'_, 'c>,
    parts: &Parts<'c>,
    results: &[Val<'c>],
) -> Result<()> {
    for (i, &result) in results.iter().enumerate() {
        if !result.r#type().is_acc() {
            continue;
        }
        if let Some(bar) = vjp.cotangents.take(result) {
            vjp.add_dense(parts.yielded[i], bar)?;
            vjp.add_dense(parts.inits[i], bar)?;
        }
    }
    Ok(())
}

/// Gives the body's arguments their values in iteration `k`; returns stand-ins
/// for the loop-carried values, to be replaced by checkpoints where they are read.
fn reinstall<'c>(
    vjp: &mut Vjp<'_, 'c>,
    b: &Builder<'c>,
    parts: &Parts<'c>,
    bounds: &[Val<'c>],
    k: Val<'c>,
) -> Vec<Option<Val<'c>>> {
    let arguments = parts.body.arg_list();
    vjp.set_primal(arguments[0], induction_variable(b, bounds, k));
    let mut stand_ins = vec![];
    for &carried in &parts.carried {
        if let Some(&last) = vjp.frozen.get(&carried.key()) {
            vjp.set_primal(carried, last);
            stand_ins.push(None);
            continue;
        }
        let name = if carried.r#type().is_acc() {
            "soac.null_acc"
        } else {
            "builtin.unrealized_conversion_cast"
        };
        let stand_in = b.val(name, &[], carried.r#type());
        vjp.set_primal(carried, stand_in);
        stand_ins.push(Some(stand_in));
    }
    stand_ins
}

/// Whether the adjoint of a value is carried as a sum of what iterations contribute, in f32 of shorter ones.
fn is_sum(value: Val<'_>, adjoint: Val<'_>) -> bool {
    !adjoint.r#type().is_acc() && adjoint.r#type() != value.r#type()
}

/// One iteration of the return sweep; yields the next adjoints.
fn return_sweep<'c>(
    vjp: &mut Vjp<'_, 'c>,
    parts: &Parts<'c>,
    adjoints: &[Val<'c>],
) -> Result<Vec<Val<'c>>> {
    let (bars, free_bars) = adjoints.split_at(parts.active.len());
    let both = || parts.free.iter().copied().zip(free_bars.iter().copied());
    let own = both().map(|(value, bar)| Some(bar).filter(|&bar| !is_sum(value, bar)));
    vjp.cotangents.swap(&parts.free, own.collect());
    let mut seeds = vec![None; parts.yielded.len()];
    for (&i, &bar) in parts.active.iter().zip(bars) {
        seeds[i] = Some(bar);
    }
    vjp.body(parts.body, &seeds)?;
    let mut next = vec![];
    for &i in &parts.active {
        next.push(vjp.take_or_zero(parts.carried[i]));
    }
    for (value, bar) in both() {
        next.push(match is_sum(value, bar) {
            true => vjp
                .cotangents
                .take(value)
                .map_or(bar, |own| vjp.b.add(bar, vjp.b.as_term(own, bar.r#type()))),
            false => vjp.take_or_zero(value),
        });
    }
    for &carried in &parts.carried {
        vjp.cotangents.take(carried);
    }
    Ok(next)
}

/// The number of the iteration that is `down` iterations before the last one.
fn from_last<'c>(b: &Builder<'c>, trips: Val<'c>, down: Val<'c>) -> Val<'c> {
    let last = b.sub(trips, b.index(1));
    b.sub(last, down)
}

/// The number of the iteration with the given induction variable.
fn iteration_number<'c>(b: &Builder<'c>, iv: Val<'c>, bounds: &[Val<'c>]) -> Val<'c> {
    // In the type of the bounds it may be too large for its sign.
    let distance = b.sub(b.as_index(iv), b.as_index(bounds[0]));
    b.same("arith.divui", &[distance, b.as_index(bounds[2])])
}
