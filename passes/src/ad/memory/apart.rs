//! Which buffers functions get by themselves.
//!
//! ```text
//! %a = alloc; %b = alloc; %t = alloc; %u = alloc
//! ad.vjp @f(%a, %b) seed(%t, %u)                   and no other call of @f   ==>   @f(%a {llvm.noalias}, %b {llvm.noalias})
//! ```
//! Callers know that buffers share no memory, where the function does not: its loops may then be taken for parallel ones.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, text_of};
use melior::ir::operation::OperationLike;

use crate::{
    ad::{Session, is_request},
    support::{
        memory::is_array,
        roots::{NO_ALIAS, Root, allocations, are_apart},
        symbol::{mark_argument, path_of},
    },
};

/// Marks arguments of a copy of a function that share no memory with anything else, because all that refers to the function
/// calls it, or asks for its derivative, with buffers of its own there.
pub fn mark<'c>(session: &Session<'c>, name: &str, copy: Op<'c>) {
    let Some(entry) = copy.body(0) else { return };
    let mut own: HashSet<_> = (0..entry.arg_list().len())
        .filter(|&position| entry.arg_list().get(position).is_some_and(|&value| is_array(value)))
        .collect();
    if own.is_empty() {
        return;
    }
    session.module.for_each(&mut |op| {
        let is_call = op.op_name() == "func.call" || is_request(op);
        if is_call && op.attr("callee").and_then(text_of).as_deref() == Some(name) {
            let operands = op.operand_list();
            let (given, seeds) = operands.split_at(entry.arg_list().len().min(operands.len()));
            let seeds_are_own = seeds.iter().all(|&seed| is_own(seed, &operands));
            own.retain(|&position| seeds_are_own && is_own(given[position], &operands));
        } else if refers_to(op, name) {
            own.clear();
        }
    });
    own.into_iter().for_each(|position| mark_argument(session.context, copy, position, NO_ALIAS));
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
