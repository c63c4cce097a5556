//! Differentiates: `func.call`.
//!
//! Primal: `ys = f(xs)`
//! Forward sweep: the call itself.
//! Return sweep: `(_, xs_bar') = f_vjp(xs, ys_bar);  xs_bar += xs_bar'`
//! Source: [FUT 4.1]: the callee is a scope, which executes its forward sweep again.
//! Requires: the callee has a body, or no derivative is asked of it.
//! Ensures: every derivative function is generated once and shared by all calls
//! with the same active arguments, so recursion is no obstacle.
//! Functions that call themselves are called in two halves, so that nothing is run again (`ad/recursion.rs`).
//! A function with the attribute `custom_vjp` or `custom_jvp` is differentiated by that rule;
//! if the rule has residuals, the forward sweep calls its forward function (checklist FP3).
//! The arguments of one with an `ad.inverse` are found from its results (`ad/inverse`).
//! Edge cases: results without cotangent have no seed, arguments that are not
//! active no cotangent, in the derivative function that is called.
//! Tests: test/ad/jvp/call.mlir, test/ad/vjp/call.mlir, test/ad/numeric/call.mlir.

use ad_dialect::ir::{Op, OpExt, Val, ValExt, text_of};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::Rule;
use crate::{
    ad::{
        Derivative, Mode,
        activity::{Flows, is_shared},
        custom::Split,
        inverse,
        jvp::Jvp,
        memory::is_buffer,
        pick,
        vjp::Vjp,
    },
    support::{
        builder::Builder,
        diag::{Result, internal_error},
    },
};

/// The rule for `func.call`.
pub struct Call;

impl Rule for Call {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        let operands = op.operand_list();
        let buffers: Vec<_> = operands.iter().copied().filter(|value| is_shared(*value)).collect();
        for &from in &operands {
            op.result_list().into_iter().for_each(|result| flows.edge(from, result));
            buffers.iter().for_each(|buffer| flows.edge(from, *buffer));
        }
        // Two of the results may be one buffer.
        let mut returned = op.result_list().into_iter().filter(|value| is_buffer(*value));
        if let Some(first) = returned.next() {
            returned.for_each(|other| flows.edge(first, other));
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let (arguments, results) = (op.operand_list(), op.result_list());
        let wrt = positions(&arguments, |value| jvp.is_active(value));
        let of = positions(&results, |value| jvp.is_active(value));
        let (seeded, active) = (pick(&arguments, &wrt), pick(&results, &of));
        let derivative = Derivative { mode: Mode::Jvp, wrt, of };
        let derivative = jvp.session.derivative(op, &callee(op)?, derivative)?;
        let bundle = jvp.bundle(&arguments, &seeded);
        let types = Jvp::bundle_types(&results, &active);
        let new = call(&jvp.b, &derivative, &bundle, &types);
        jvp.unbundle(&results, &active, &new);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let is_active_buffer = |vjp: &Vjp<'_, 'c>, value| is_shared(value) && vjp.is_active(value);
        let mut values = op.operand_list().into_iter().chain(op.result_list());
        if !vjp.session.is_in_group(&callee(op)?)
            && values.any(|value| is_active_buffer(vjp, value))
        {
            let message = "has no vjp rule: it uses a buffer, and the function calls itself or has a rule of its own";
            return Err(vjp.session.refuse(op, message));
        }
        if let Some(split) = vjp.session.custom_split(&callee(op)?)? {
            vjp.session.answer_rule(op, &callee(op)?, Mode::Vjp)?;
            return vjp_with_residuals(op, vjp, &split);
        }
        let (arguments, results) = (op.operand_list(), op.result_list());
        let wrt = positions(&arguments, |value| vjp.is_active(value));
        let of = positions(&results, |value| {
            vjp.cotangents.get(value).is_some() || is_active_buffer(vjp, value)
        });
        let differentiated = pick(&arguments, &wrt);
        let seeds = pick(&results, &of).into_iter().filter_map(|r| vjp.cotangents.take(r));
        let seeds: Vec<_> = seeds.collect();
        let derivative = Derivative { mode: Mode::Vjp, wrt, of };
        if let Some((forward, pullback)) = vjp.session.half(&callee(op)?, &derivative)? {
            let copy = vjp.copy_of(op);
            let copy = copy.ok_or_else(|| internal_error(op, "call without forward sweep"))?;
            let name = vjp.b.symbol_attr(&forward);
            copy.set_attr(vjp.session.context(), "callee", name);
            let differentiated: Vec<_> =
                differentiated.into_iter().filter(|value| !is_shared(*value)).collect();
            let types: Vec<Type<'c>> = differentiated.iter().map(|value| value.r#type()).collect();
            let bars = call(&vjp.b, &pullback, &seeds, &types);
            for (argument, bar) in differentiated.into_iter().zip(bars) {
                vjp.add_dense(argument, bar)?;
            }
            return Ok(());
        }
        let mut operands = inverse::arguments(op, vjp);
        operands.extend(seeds);
        let derivative = vjp.session.derivative(op, &callee(op)?, derivative)?;
        let types: Vec<Type<'c>> =
            results.iter().chain(&differentiated).map(|value| value.r#type()).collect();
        let new = call(&vjp.b, &derivative, &operands, &types);
        for (argument, bar) in differentiated.into_iter().zip(new.into_iter().skip(results.len())) {
            vjp.add_dense(argument, bar)?;
        }
        Ok(())
    }
}

/// The forward sweep calls the forward function of the rule in place of the function
/// itself; the return sweep calls the backward function with its residuals.
fn vjp_with_residuals<'c>(op: Op<'c>, vjp: &mut Vjp<'_, 'c>, split: &Split<'c>) -> Result<()> {
    let (arguments, results) = (op.operand_list(), op.result_list());
    let Some((copy, block)) = vjp.copy_of(op).and_then(|copy| Some((copy, copy.block()?))) else {
        return Err(internal_error(op, "call without forward sweep"));
    };
    let b = Builder::before(vjp.session.context(), copy, block);
    let outcome = split.forward(&b, &copy.operand_list());
    let old = copy.result_list();
    let keys: Vec<_> = old.iter().map(ValExt::key).collect();
    for (old, &new) in old.iter().zip(&outcome) {
        old.replace_all_uses(new);
    }
    vjp.masks.rename(&keys, &outcome);
    if let Some(new) = outcome.first().and_then(ValExt::defining_op) {
        vjp.replace_copy(op, new);
    }
    copy.erase();
    let wrt = positions(&arguments, |value| vjp.is_active(value));
    let seeds: Vec<_> = results.iter().map(|&result| vjp.cotangents.take(result)).collect();
    let bars = split.backward(&vjp.b, &outcome, &seeds, &wrt);
    for (argument, bar) in pick(&arguments, &wrt).into_iter().zip(bars) {
        vjp.add_dense(argument, bar)?;
    }
    Ok(())
}

fn positions<'c>(values: &[Val<'c>], wanted: impl Fn(Val<'c>) -> bool) -> Vec<usize> {
    values.iter().enumerate().filter(|(_, value)| wanted(**value)).map(|(i, _)| i).collect()
}

fn callee(op: Op<'_>) -> Result<String> {
    op.attr("callee").and_then(text_of).ok_or_else(|| internal_error(op, "call without callee"))
}

/// Emits a call.
pub fn call<'c>(
    b: &Builder<'c>,
    callee: &str,
    operands: &[Val<'c>],
    types: &[Type<'c>],
) -> Vec<Val<'c>> {
    b.op_with("func.call", operands, types, &[("callee", b.symbol_attr(callee))], &[]).result_list()
}

/// Why a call has no derivative where its results say nothing about one.
pub fn refusal(op: Op<'_>) -> Option<&'static str> {
    (op.op_name() == "func.call")
        .then_some("the function may hand on what it is given in memory, or is not known")
}
