//! Differentiates: `func.call`.
//!
//! Primal: `ys = f(xs)`
//! Forward sweep: the call itself.
//! Return sweep: `(_, xs_bar') = f_vjp(xs, ys_bar);  xs_bar += xs_bar'`
//! Source: [FUT 4.1]: the callee is a scope, which executes its forward sweep again.
//! Requires: the callee has a body of one block, or no derivative is asked of it.
//! Ensures: every derivative function is generated once and shared by all calls
//! with the same active arguments, so recursion is no obstacle.
//! Edge cases: results without cotangent have no seed, arguments that are not
//! active no cotangent, in the derivative function that is called.
//! Tests: test/ad/jvp/call.mlir, test/ad/vjp/call.mlir, test/ad/numeric/call.mlir.

use ad_dialect::ir::{Op, OpExt, Val, text_of};
use melior::ir::{Type, ValueLike};

use super::Rule;
use crate::{
    ad::{Derivative, Mode, jvp::Jvp, pick, vjp::Vjp},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
    },
};

/// The rule for `func.call`.
pub struct Call;

impl Rule for Call {
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
        let (arguments, results) = (op.operand_list(), op.result_list());
        let wrt = positions(&arguments, |value| vjp.is_active(value));
        let of = positions(&results, |value| vjp.cotangents.get(value).is_some());
        let differentiated = pick(&arguments, &wrt);
        let mut operands = vjp.primal_list(&arguments);
        operands.extend(pick(&results, &of).into_iter().filter_map(|r| vjp.cotangents.take(r)));
        let derivative = Derivative { mode: Mode::Vjp, wrt, of };
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
