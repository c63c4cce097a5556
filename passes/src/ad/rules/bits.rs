//! The bits of a float as an integer.
//!
//! They are for decisions, as the result of `arith.fptosi` is, and have no
//! derivative. Where an integer that was computed from them is made a float again
//! bit by bit, the derivative would be lost unnoticed, so that is refused.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};

use crate::ad::activity::carries_derivative;

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
        for user in value.users() {
            if is_bitcast(user) && user.result_list().into_iter().any(carries_derivative) {
                return true;
            }
            if decides(user, value) {
                continue;
            }
            let next = reached(user).into_iter().filter(without);
            todo.extend(next.filter(|value| seen.insert(value.key())));
        }
    }
    false
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

/// The values that an operation hands its operands on to: its results, the arguments
/// of its regions, and what it yields to.
fn reached<'c>(user: Op<'c>) -> Vec<Val<'c>> {
    let mut values = user.result_list();
    values.extend(user.blocks().into_iter().flat_map(|block| block.arg_list()));
    if values.is_empty() {
        let around = user.parent().into_iter();
        values.extend(around.flat_map(|op| {
            let arguments = op.blocks().into_iter().flat_map(|block| block.arg_list());
            [op.result_list(), arguments.collect()].concat()
        }));
    }
    values
}
