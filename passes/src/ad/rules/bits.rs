//! The bits of a float as an integer.
//!
//! They are for decisions, as the result of `arith.fptosi` is, and have no
//! derivative. Where an integer that was computed from them is made a float again
//! bit by bit, the derivative would be lost unnoticed, so that is refused, also where
//! it goes through buffers or functions.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::ir::BlockLike;

use crate::{
    ad::activity::carries_derivative,
    support::{
        builder::same_value,
        memory::{base, is_array},
        symbol::{any_inside, callee_of, find, name_of, top_of},
    },
};

/// Whether the operation interprets bits as another type.
pub fn is_bitcast(op: Op<'_>) -> bool {
    matches!(
        op.op_name(),
        "arith.bitcast" | "complex.bitcast" | "tensor.bitcast" | "vector.bitcast"
    )
}

/// Whether the results of a bitcast, which have no derivative, reach a bitcast whose
/// results have one.
pub fn come_back(op: Op<'_>) -> bool {
    let without = |value: &Val<'_>| !carries_derivative(*value);
    let mut todo: Vec<_> = op.result_list().into_iter().filter(without).collect();
    let mut seen: HashSet<_> = todo.iter().map(ValExt::key).collect();
    while let Some(value) = todo.pop() {
        let next = handed_in(value).into_iter().filter(without);
        todo.extend(next.filter(|value| seen.insert(value.key())));
        for user in value.users() {
            if is_bitcast(user) && user.result_list().into_iter().any(carries_derivative) {
                return true;
            }
            if decides(user, value) {
                continue;
            }
            let next = reached(user, value).into_iter().filter(without);
            todo.extend(next.filter(|value| seen.insert(value.key())));
        }
    }
    false
}

/// Whether that is so of a bitcast in the function that an operation calls, or in those that this one calls.
pub fn come_back_of_call(call: Op<'_>) -> bool {
    let (Some(top), Some(callee)) = (top_of(call), callee_of(call)) else { return false };
    any_inside(top, callee, |op| is_bitcast(op) && come_back(op))
}

/// Why a call has no derivative, if it is for that.
pub fn refusal(op: Op<'_>) -> Option<&'static str> {
    come_back_of_call(op).then_some("the function interprets the bits of a float as another type")
}

/// Whether the operation only takes a decision by the value.
fn decides(user: Op<'_>, value: Val<'_>) -> bool {
    match user.op_name() {
        "arith.cmpi" | "scf.condition" => true,
        "arith.select" | "scf.if" | "scf.index_switch" => {
            let is_value = |other: &Val<'_>| other.key() == value.key();
            !user.operand_list().iter().skip(1).any(is_value)
        }
        _ => false,
    }
}

/// The values that an operation hands an operand on to: its results, the arguments of its regions, what it yields to, what
/// is read of the buffers that it writes to, and the arguments and results of functions.
fn reached<'c>(user: Op<'c>, value: Val<'c>) -> Vec<Val<'c>> {
    let positions = || {
        let operands = user.operand_list().into_iter().enumerate();
        operands.filter(|(_, operand)| same_value(*operand, value)).map(|(i, _)| i)
    };
    if user.op_name() == "func.return" {
        let calls = user.parent().map(calls_of).unwrap_or_default();
        let results = calls.iter().flat_map(|call| positions().map(|i| call.res(i)));
        return results.flatten().collect();
    }
    let mut values = user.result_list();
    values.extend(user.blocks().into_iter().flat_map(|block| block.arg_list()));
    if let Some(callee) = callee_of(user).and_then(|name| find(top_of(user)?, &name)) {
        let arguments = callee.body(0).map(|entry| entry.arg_list()).unwrap_or_default();
        values.extend(positions().filter_map(|i| arguments.get(i)));
        return values;
    }
    let buffers = user.operand_list().into_iter().filter(|operand| is_array(*operand));
    let written: Vec<_> = buffers.map(base).collect();
    if values.is_empty() && !written.is_empty() {
        return written;
    }
    if values.is_empty() {
        let around = user.parent().into_iter();
        values.extend(around.flat_map(|op| {
            let arguments = op.blocks().into_iter().flat_map(|block| block.arg_list());
            [op.result_list(), arguments.collect()].concat()
        }));
    }
    values
}

/// The buffers of callers that a buffer is, if it is an argument of a function.
fn handed_in(value: Val<'_>) -> Vec<Val<'_>> {
    let block = Some(value).filter(|value| is_array(*value)).and_then(|value| value.owner_block());
    let function = block.and_then(|block| block.parent_operation());
    let Some(function) = function.filter(|op| op.op_name() == "func.func") else { return vec![] };
    let calls = calls_of(function).into_iter();
    calls.filter_map(|call| call.opnd(value.position())).map(base).collect()
}

/// The calls of a function.
fn calls_of(function: Op<'_>) -> Vec<Op<'_>> {
    let mut calls = vec![];
    let (Some(top), Some(name)) = (top_of(function), name_of(function)) else { return calls };
    for op in top.ops() {
        op.for_each(&mut |op| {
            calls.extend(callee_of(op).is_some_and(|callee| callee == name).then_some(op));
        });
    }
    calls
}
