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
//! Requires: loop-carried values keep their shapes.
//! Ensures: the body runs once more; only this loop's own carried values are
//! saved, loops inside are executed again; a value that the return sweep does
//! not read is not saved.
//! Edge cases: no iteration hands the cotangents through; accumulators hand on
//! their cotangent array.
//! Tests: test/ad/jvp/for.mlir, test/ad/vjp/for.mlir, test/ad/numeric/for.mlir.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, array_of};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::Rule;
use crate::{
    ad::{activity::Flows, jvp::Jvp, vjp::Vjp},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        region::erase_dead_ops,
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
        let yielded = body.term().map(|t| t.operand_list()).unwrap_or_default();
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
                let yielded = body.term().map(|t| t.operand_list()).unwrap_or_default();
                Ok(jvp.bundle(&yielded, &pick(&yielded)))
            })
        })?;
        jvp.unbundle(&results, &pick(&results), &new.result_list());
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(body) = op.body(0) else { return Ok(()) };
        let parts = Parts::of(op, body, vjp);
        let results = op.result_list();
        hand_on_accumulators(vjp, &parts, &results)?;
        let mut inits = vec![];
        for &i in &parts.active {
            inits.push(vjp.take_or_zero(results[i]));
        }
        for &value in &parts.free {
            inits.push(match vjp.cotangents.get(value) {
                Some(adjoint) => adjoint,
                None => vjp.b.zeros_like(vjp.primal(value)),
            });
        }
        let bounds = vjp.primal_list(&op.operand_list()[..3]);
        let trips = trip_count(&vjp.b, &bounds);
        let (b, zero, one) = (vjp.b, vjp.b.index(0), vjp.b.index(1));
        let mut stand_ins = vec![];
        let mark = vjp.masks.mark();
        let back = b.for_loop([zero, trips, one], &inits, |inner, down, adjoints| {
            let k = from_last(&inner, trips, down);
            stand_ins = reinstall(vjp, &inner, &parts, &bounds, k);
            vjp.at(inner, |vjp| return_sweep(vjp, &parts, adjoints))
        })?;
        // What is dead in the return loop gets erased, and with it what masks speak of.
        vjp.masks.forget_since(mark);
        load_checkpoints(op, vjp, back, trips, &stand_ins)?;
        let (bars, free_bars) =
            (&back.result_list()[..parts.active.len()], &back.result_list()[parts.active.len()..]);
        vjp.cotangents.swap(&parts.free, free_bars.iter().map(|&bar| Some(bar)).collect());
        for (&i, &bar) in parts.active.iter().zip(bars) {
            vjp.add_dense(parts.inits[i], bar)?;
        }
        Ok(())
    }
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
            yielded: body.term().map(|t| t.operand_list()).unwrap_or_default(),
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

/// The number of iterations: `max(0, ceil((ub - lb) / step))`.
pub(crate) fn trip_count<'c>(b: &Builder<'c>, bounds: &[Val<'c>]) -> Val<'c> {
    let as_index = |value: Val<'c>| {
        if value.r#type() == b.index_type() {
            value
        } else {
            b.val("arith.index_cast", &[value], b.index_type())
        }
    };
    let extent = b.sub(as_index(bounds[1]), as_index(bounds[0]));
    let trips = b.same("arith.ceildivsi", &[extent, as_index(bounds[2])]);
    b.same("arith.maxsi", &[trips, b.index(0)])
}

/// Gives the body's arguments their values in iteration `k`; returns stand-ins
/// for the loop-carried values, to be replaced by checkpoints where they are read.
fn reinstall<'c>(
    vjp: &mut Vjp<'_, 'c>,
    b: &Builder<'c>,
    parts: &Parts<'c>,
    bounds: &[Val<'c>],
    k: Val<'c>,
) -> Vec<Val<'c>> {
    let arguments = parts.body.arg_list();
    let wide = bounds[0].r#type();
    let k = if wide == b.index_type() { k } else { b.val("arith.index_cast", &[k], wide) };
    let iv = b.add(bounds[0], b.mul(k, bounds[2]));
    vjp.set_primal(arguments[0], iv);
    let mut stand_ins = vec![];
    for &carried in &parts.carried {
        let name = if carried.r#type().is_acc() {
            "soac.null_acc"
        } else {
            "builtin.unrealized_conversion_cast"
        };
        let stand_in = b.val(name, &[], carried.r#type());
        vjp.set_primal(carried, stand_in);
        stand_ins.push(stand_in);
    }
    stand_ins
}

/// One iteration of the return sweep; yields the next adjoints.
fn return_sweep<'c>(
    vjp: &mut Vjp<'_, 'c>,
    parts: &Parts<'c>,
    adjoints: &[Val<'c>],
) -> Result<Vec<Val<'c>>> {
    let (bars, free_bars) = adjoints.split_at(parts.active.len());
    vjp.cotangents.swap(&parts.free, free_bars.iter().map(|&bar| Some(bar)).collect());
    let mut seeds = vec![None; parts.yielded.len()];
    for (&i, &bar) in parts.active.iter().zip(bars) {
        seeds[i] = Some(bar);
    }
    vjp.body(parts.body, &seeds)?;
    let mut next = vec![];
    for &i in &parts.active {
        next.push(vjp.take_or_zero(parts.carried[i]));
    }
    for &value in &parts.free {
        next.push(vjp.take_or_zero(value));
    }
    for &carried in &parts.carried {
        vjp.cotangents.take(carried);
    }
    Ok(next)
}

/// Saves, in the forward loop, the values that the return sweep turned out to
/// read, and reads them back in place of the stand-ins.
fn load_checkpoints<'c>(
    op: Op<'c>,
    vjp: &mut Vjp<'_, 'c>,
    back: Op<'c>,
    trips: Val<'c>,
    stand_ins: &[Val<'c>],
) -> Result<()> {
    let (Some(block), Some(forward)) = (back.body(0), vjp.copy_of(op)) else {
        return Err(internal_error(op, "loop without forward sweep"));
    };
    erase_dead_ops(block);
    let results = op.result_list();
    let read: Vec<_> = (0..stand_ins.len())
        .filter(|&i| !results[i].r#type().is_acc() && is_alive(block, stand_ins[i]))
        .collect();
    if read.is_empty() {
        return Ok(());
    }
    vjp.session.statistics.checkpoints += read.len() as u64;
    let old: Vec<_> = forward.result_list().iter().map(ValExt::key).collect();
    let (checkpointing, tapes) = checkpoint(vjp, forward, &read)?;
    vjp.masks.rename(&old, &checkpointing.result_list());
    vjp.replace_copy(op, checkpointing);
    let Some(first) = stand_ins[read[0]].defining_op() else {
        return Err(internal_error(op, "stand-in without definition"));
    };
    let b = Builder::before(vjp.session.context(), first, block).with_location(op.location());
    let k = from_last(&b, trips, block.arg_list()[0]);
    for (&i, tape) in read.iter().zip(tapes) {
        let Some(stand_in) = stand_ins[i].defining_op() else { continue };
        let saved = b.row(tape, k);
        stand_ins[i].replace_all_uses(saved);
        if stand_in.key() != first.key() {
            stand_in.erase();
        }
    }
    first.erase();
    Ok(())
}

/// The number of the iteration that is `down` iterations before the last one.
fn from_last<'c>(b: &Builder<'c>, trips: Val<'c>, down: Val<'c>) -> Val<'c> {
    let last = b.sub(trips, b.index(1));
    b.sub(last, down)
}

/// Whether the stand-in survived the removal of dead operations.
fn is_alive<'c>(block: Blk<'c>, stand_in: Val<'c>) -> bool {
    block.ops().iter().any(|op| op.result_list().first().is_some_and(|r| r.key() == stand_in.key()))
}

/// Rebuilds a forward loop so that it also fills one tape per position in `read`;
/// returns the new loop and the tapes.
fn checkpoint<'c>(
    vjp: &Vjp<'_, 'c>,
    forward: Op<'c>,
    read: &[usize],
) -> Result<(Op<'c>, Vec<Val<'c>>)> {
    let Some(old_body) = forward.body(0) else {
        return Err(internal_error(forward, "loop without body"));
    };
    let operands = forward.operand_list();
    let b = Builder::before(vjp.session.context(), forward, old_body);
    let trips = trip_count(&b, &operands[..3]);
    let mut inits = operands[3..].to_vec();
    for &i in read {
        let value = operands[3 + i];
        let r#type: Type<'c> = array_of(ad_dialect::ir::DYNAMIC, value.r#type());
        let mut sizes = vec![trips];
        sizes.extend(b.dynamic_dims(value));
        inits.push(b.empty(r#type, &sizes));
    }
    let bounds = [operands[0], operands[1], operands[2]];
    let count = operands.len() - 3;
    let new = b.for_loop(bounds, &inits, |inner, iv, carried| {
        let k = iteration_number(&inner, iv, &bounds);
        let mut tapes = vec![];
        for (&i, &tape) in read.iter().zip(&carried[count..]) {
            tapes.push(inner.insert_row(carried[i], tape, k));
        }
        old_body.arg_list()[0].replace_all_uses(iv);
        for (old, &new) in old_body.arg_list()[1..].iter().zip(carried) {
            old.replace_all_uses(new);
        }
        let mut yielded = vec![];
        for op in old_body.ops() {
            if old_body.term().is_some_and(|terminator| terminator.key() == op.key()) {
                yielded = op.operand_list();
            } else {
                op.detach();
                inner.insert(op);
            }
        }
        yielded.extend(tapes);
        Ok(yielded)
    })?;
    for (old, new) in forward.result_list().into_iter().zip(new.result_list()) {
        old.replace_all_uses(new);
    }
    forward.erase();
    Ok((new, new.result_list().split_off(count)))
}

/// The number of the iteration with the given induction variable.
fn iteration_number<'c>(b: &Builder<'c>, iv: Val<'c>, bounds: &[Val<'c>]) -> Val<'c> {
    let distance = b.sub(iv, bounds[0]);
    let k = b.same("arith.divui", &[distance, bounds[2]]);
    if k.r#type() == b.index_type() { k } else { b.val("arith.index_cast", &[k], b.index_type()) }
}
