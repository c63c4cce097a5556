//! Functions as values: before anything is differentiated they become direct calls.
//!
//! A function value is made by `ad.closure`, with the values that it captures, by `func.constant`, without, or by
//! `ad.lambda`, whose body reads what it captures where it is [MYIA 3.1]. Three steps lead to a program without:
//!
//! 1. `convert`: bodies of lambdas become functions, which take what they capture as hidden first arguments [ZYG 3.2].
//! 2. `specialize`: a function that is called with a known function gets a copy that calls it directly.
//! 3. `eliminate`: what is only known when the program runs becomes a number and the values that are captured, and a
//!    call of it a switch of direct calls. Which functions a value may be is found by unification of what it flows
//!    through (`flow`).
//!
//! So captured values are ordinary arguments, and their cotangents, which a backpropagator returns as an ordered set
//! [MYIA 3.2], are those that the derivative of the function returns; the adjoint of making a closure, which unpacks
//! the set, is what the engines do with the operands of any call.
//!
//! What differs from the paper: a backpropagator is never a value itself, because the program is known as a whole; so a
//! function of unknown origin, as an argument of a function that is visible outside, is refused where it is active.
//! Closures that capture closures of their own kind, as a chain that a loop builds, have no size that is known, and are
//! refused, too.

mod convert;
mod eliminate;
mod flow;
mod layout;
mod signature;
mod specialize;

use ad_dialect::{
    capi::function_types,
    ir::{BlkExt, Op, OpExt, Val, text_of},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

pub use convert::convert;
pub use eliminate::eliminate;
pub use specialize::specialize;

use super::is_request;
use crate::support::diag::Result;

/// Replaces all function values in a module; nothing is done to one that has none.
pub fn prepare<'c>(context: &'c Context, module: Op<'c>) -> Result<()> {
    let mut has_functions = false;
    module.for_each(&mut |op| {
        has_functions |= op.op_name() == "ad.lambda"
            || op.operand_list().into_iter().chain(op.result_list()).any(is_function);
    });
    if has_functions {
        convert(context, module)?;
        specialize(context, module)?;
        eliminate(context, module)?;
    }
    Ok(())
}

/// Whether a value is a function.
fn is_function(value: Val<'_>) -> bool {
    is_function_type(value.r#type())
}

fn is_function_type(r#type: Type<'_>) -> bool {
    function_types(r#type).is_some()
}

/// Whether an operation calls a function value, its first operand.
fn is_indirect_call(op: Op<'_>) -> bool {
    matches!(op.op_name(), "ad.call" | "func.call_indirect")
}

/// The function that an operation calls or differentiates, by name.
pub(crate) fn callee_of(op: Op<'_>) -> Option<String> {
    let has_callee = op.op_name() == "func.call" || is_request(op);
    has_callee.then(|| op.attr("callee").and_then(text_of)).flatten()
}

/// How many operands of a call or a request are arguments of the function.
fn argument_count(op: Op<'_>) -> usize {
    let segments = op.attr("operandSegmentSizes").and_then(ad_dialect::ir::i32_array);
    match segments {
        Some(segments) if is_request(op) => segments.first().map_or(0, |&count| count as usize),
        _ => op.operand_count(),
    }
}

/// The function that a value is and what it captures, where it is made.
fn made<'c>(op: Op<'c>) -> Option<(String, Vec<Val<'c>>)> {
    match op.op_name() {
        "ad.closure" => Some((op.attr("callee").and_then(text_of)?, op.operand_list())),
        "func.constant" => Some((op.attr("value").and_then(text_of)?, vec![])),
        _ => None,
    }
}

/// The module and all modules in it.
fn modules<'c>(module: Op<'c>) -> Vec<Op<'c>> {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "builtin.module" {
            found.push(op);
        }
    });
    found
}

/// The functions of a module.
fn functions<'c>(module: Op<'c>) -> Vec<Op<'c>> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    ops.into_iter().filter(|op| op.op_name() == "func.func").collect()
}

/// All operations in a function, outermost first.
fn inside<'c>(function: Op<'c>) -> Vec<Op<'c>> {
    let mut ops = vec![];
    function.for_each(&mut |op| ops.push(op));
    ops.remove(0);
    ops
}
