//! Which buffers functions get by themselves.
//!
//! ```text
//! %a = alloc; %b = alloc; %t = alloc; %u = alloc
//! ad.vjp @f(%a, %b) seed(%t, %u)                   and no other call of @f   ==>   @f(%a {llvm.noalias}, %b {llvm.noalias})
//! ```
//! Callers know that buffers share no memory, where the function does not: its loops may then be taken for parallel ones.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, text_of};
use melior::ir::operation::OperationLike;

use crate::{
    ad::{Session, is_request},
    support::{
        memory::is_array,
        region::is_within,
        roots::{NO_ALIAS, Root, allocations, are_apart},
        symbol::{mark_argument, path_of},
    },
};

/// Marks arguments of a copy of a function that share no memory with anything else, because all that refers to the function
/// calls it, or asks for its derivative, with buffers of its own there. Somebody else than the function has to: a derivative
/// that stands for another one, in one function in place of two halves, is asked for by the other one's name.
pub fn mark<'c>(session: &Session<'c>, name: &str, function: Op<'c>, copy: Op<'c>) {
    let arguments = copy.body(0).map(|entry| entry.arg_list()).unwrap_or_default();
    let mut own: Vec<_> = (0..arguments.len()).filter(|&i| is_array(arguments[i])).collect();
    if own.is_empty() {
        return;
    }
    let mut has_caller = false;
    session.module.for_each(&mut |op| {
        let is_call = op.op_name() == "func.call" || is_request(op);
        if is_call && op.attr("callee").and_then(text_of).as_deref() == Some(name) {
            let operands = op.operand_list();
            let (given, seeds) = operands.split_at(arguments.len().min(operands.len()));
            let seeds_are_own = seeds.iter().all(|&seed| is_own(seed, &operands));
            own.retain(|&position| seeds_are_own && is_own(given[position], &operands));
            has_caller |= !is_within(op, function);
        } else if refers_to(op, name) {
            own.clear();
        }
    });
    for position in own.into_iter().filter(|_| has_caller) {
        mark_argument(session.context, copy, position, NO_ALIAS);
    }
}

/// Whether an operand is no buffer, or one that was allocated and shares no memory with other operands.
fn is_own<'c>(operand: Val<'c>, operands: &[Val<'c>]) -> bool {
    let is_allocated =
        |root: &Root| matches!(root, Root::Allocated(_) | Root::Earlier(_) | Root::Own(_));
    let is_apart = || {
        let (same, others): (Vec<_>, Vec<_>) = operands
            .iter()
            .copied()
            .filter(|&other| is_array(other))
            .partition(|&other| other == operand);
        same.len() == 1 && others.into_iter().all(|other| are_apart(operand, other))
    };
    !is_array(operand) || allocations(operand).iter().all(is_allocated) && is_apart()
}

/// Whether an attribute of an operation is the name of a function.
fn refers_to(op: Op<'_>, name: &str) -> bool {
    op.attributes().any(|(_, attribute)| path_of(attribute) == [name])
}
