//! Differentiates: `ad.tape_create`, `ad.tape_push`, `ad.tape_pop` and `ad.tape_free`.
//!
//! Primal: `push t, xs;  ..;  ys = pop t`, that is `ys = xs`
//! Forward sweep: the operations themselves.
//! Forward mode: a tape of tangents beside, which is used as the tape is.
//! Return sweep, with a tape of cotangents `t_bar`:
//! ```text
//! free t:        t_bar = create
//! ys = pop t:    push t_bar, ys_bar
//! push t, xs:    xs_bar += pop t_bar
//! t = create:    free t_bar
//! ```
//! Source: [ZYG 3.2], of a stack of boxes: what is pushed last in the return sweep is what was popped first.
//! Requires: in reverse mode, that what is pushed is popped, and that no scope around is run again (`refuse`).
//! Ensures: as many pushes and pops as the primal has, and as much memory.
//! Edge cases: a cotangent that is zero is pushed, too, so that entries match. The tape of tangents has the type of the
//! primal one, because handles are handed on in pairs; of buffers it has the shadows; values without tangent are on both, and
//! nobody reads the second.
//! Tests: test/ad/jvp/tape.mlir, test/ad/vjp/tape.mlir, test/ad/numeric/tape.mlir.

use std::cell::LazyCell;

use ad_dialect::{
    capi,
    ir::{Op, OpExt, TyExt, Val, ValExt},
};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::Rule;
use crate::{
    ad::{Session, activity::Flows, cfg::graph_of, jvp::Jvp, vjp::Vjp},
    support::{diag::Result, memory::is_tape_access},
};

/// The rule for all operations on tapes.
pub struct Tape;

impl Rule for Tape {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        let Some((tape, values)) = parts(op) else { return };
        for value in values {
            match op.op_name() {
                "ad.tape_push" => flows.edge(value, tape),
                _ => flows.edge(tape, value),
            }
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let copy = jvp.copy(op);
        let Some((tape, values)) = parts(op) else { return Ok(()) };
        let results: Vec<Type<'c>> = copy.result_list().iter().map(|v| v.r#type()).collect();
        let mut operands = vec![];
        if op.op_name() != "ad.tape_create" {
            let Some(tangents) = jvp.tangent(tape) else { return Ok(()) };
            operands.push(tangents);
        }
        if op.op_name() == "ad.tape_push" {
            operands.extend(values.iter().map(|&value| match value.r#type().is_differentiable() {
                true => jvp.tangent_or_zero(value),
                false => jvp.tangent(value).unwrap_or_else(|| jvp.primal(value)),
            }));
        }
        let tangents = jvp.b.op(op.op_name(), &operands, &results).result_list();
        for (value, tangent) in op.result_list().into_iter().zip(tangents) {
            jvp.set_tangent(value, tangent);
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some((tape, values)) = parts(op) else { return Ok(()) };
        if op.op_name() == "ad.tape_create" {
            // What all return blocks use is freed by who made it.
            let bars = vjp.cotangents.get(tape);
            let made_in = bars.and_then(|bars| bars.defining_op()?.block());
            if let Some(bars) = bars
                && made_in == Some(vjp.b.block())
            {
                vjp.b.op("ad.tape_free", &[bars], &[]);
            }
            return Ok(());
        }
        let bars = cotangent_tape(vjp, tape);
        let values: Vec<_> =
            values.into_iter().filter(|value| value.r#type().is_differentiable()).collect();
        match op.op_name() {
            "ad.tape_push" => {
                let types: Vec<_> = values.iter().map(|value| value.r#type()).collect();
                let popped = vjp.b.op("ad.tape_pop", &[bars], &types).result_list();
                for (value, bar) in values.into_iter().zip(popped) {
                    vjp.add_dense(value, bar)?;
                }
            }
            "ad.tape_pop" => {
                let mut operands = vec![bars];
                for value in values {
                    operands.push(vjp.take_or_zero(value));
                }
                vjp.b.op("ad.tape_push", &operands, &[]);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The tape of cotangents, which is made where the return sweep comes across the tape first.
pub fn cotangent_tape<'c>(vjp: &mut Vjp<'_, 'c>, tape: Val<'c>) -> Val<'c> {
    if let Some(bars) = vjp.cotangents.get(tape) {
        return bars;
    }
    let components: Vec<_> =
        capi::tape_components(tape.r#type()).into_iter().filter(TyExt::is_differentiable).collect();
    let r#type = capi::tape_type(vjp.session.context(), &components);
    let bars = vjp.b.val("ad.tape_create", &[], r#type);
    vjp.cotangents.set(tape, Some(bars));
    bars
}

/// The tape of an operation on one, and what is pushed or popped.
fn parts<'c>(op: Op<'c>) -> Option<(Val<'c>, Vec<Val<'c>>)> {
    let mut values = [op.operand_list(), op.result_list()].concat();
    (is_tape_access(op) && !values.is_empty()).then(|| (values.remove(0), values))
}

/// Refuses, for reverse mode, what would be done to a tape again where a scope is run again, and what is left on a tape.
pub fn refuse<'c>(session: &Session<'c>, function: Op<'c>) -> Result<()> {
    let mut result = Ok(());
    let blocks = function.blocks();
    // Few functions have tapes.
    let runs_again = LazyCell::new(|| {
        let graph = graph_of(function);
        let is_on_cycle = |block| graph.reached(block, None)[block];
        (0..blocks.len()).map(is_on_cycle).collect::<Vec<_>>()
    });
    let number = |op: Op<'c>| blocks.iter().position(|block| op.block() == Some(*block));
    // Blocks of a function are not run again, as far as they do something to tapes of the function.
    let is_of_function = |op: Op<'c>, create: Op<'c>| {
        number(op).is_some() && number(create).is_some_and(|it| !runs_again[it])
    };
    function.for_each(&mut |op| {
        let values = op.operand_list().into_iter().chain(op.result_list());
        for tape in values.filter(|value| capi::is_tape(value.r#type())) {
            let is_local = is_tape_access(op)
                && tape.defining_op().is_some_and(|create| {
                    let is_near = create.block() == op.block() || is_of_function(op, create);
                    create.op_name() == "ad.tape_create" && is_near
                });
            if !is_local {
                let message = "has no vjp rule: the tape is of another scope, and reverse mode runs scopes \
                               again; lower control flow to 'cf' first";
                result = Err(session.refuse(op, message));
            }
        }
        if op.op_name() == "ad.tape_create" && !is_balanced(op) {
            let message = "has no vjp rule: something is left on the tape that is never popped";
            result = Err(session.refuse(op, message));
        }
    });
    result
}

fn is_balanced(create: Op<'_>) -> bool {
    let users = create.res(0).map(|tape| tape.users()).unwrap_or_default();
    let count = |name| users.iter().filter(|user| user.op_name() == name).count();
    count("ad.tape_push") == count("ad.tape_pop")
}
