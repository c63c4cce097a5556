//! Structured operations on buffers as such on tensors, whose derivatives are structured operations, too:
//!
//! ```text
//! op ins(a) outs(b)     x = copy (to_tensor a);  y = copy (to_tensor b);  z = op ins(x) outs(y);  materialize z in b
//! ```
//!
//! A copy is what memory held when it was read, whatever is written to it later. Where nothing is, there is none; `lower-contents`
//! leaves out those whose readers come before anything is written.

use ad_dialect::{
    capi::memory_effects,
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt},
    linalg::Structured,
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{keeps_what_is_given, reads_what_is_given};
use crate::{
    ad::{Session, rules::has_rule},
    support::{
        builder::Builder,
        memory::{contents, materialize, tensor_of},
        region::{all_inside, with_results},
    },
};

/// Rewrites a function, which is a copy. What tensors cannot have stays as it is.
pub fn raise<'c>(session: &Session<'c>, function: Op<'c>) {
    let context = session.context();
    for op in all_inside(function) {
        let Some(outputs) = outputs(op) else { continue };
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block).with_location(op.location());
        let read = |buffer: Val<'c>| match tensor_of(buffer.r#type()) {
            Some(tensor) => contents(&b, buffer, tensor),
            None => buffer,
        };
        let values: Vec<_> = op.operand_list().into_iter().map(read).collect();
        let types: Vec<_> = outputs.iter().filter_map(|it| tensor_of(it.r#type())).collect();
        let new = with_results(context, op, &types);
        new.set_operands(&values);
        for (result, output) in new.result_list().into_iter().zip(outputs) {
            materialize(&b, result, output);
        }
        op.erase();
    }
    let keeps_given = keeps_what_is_given(function);
    let is_read = |op: &Op<'c>| op.op_name() == "bufferization.to_tensor";
    for op in all_inside(function).into_iter().filter(is_read) {
        let (Some(read), Some(block)) = (op.res(0), op.block()) else { continue };
        let is_copy = |user: &Op<'c>| user.op_name() == "bufferization.alloc_tensor";
        let is_constant = keeps_given && reads_what_is_given(op, function);
        if is_constant || read.users().iter().all(is_copy) {
            continue;
        }
        let copy = Builder::after(context, op, block).copy_of(read);
        read.replace_all_uses(copy);
        if let Some(copy) = copy.defining_op() {
            copy.set_operands(&[read]);
        }
    }
}

/// What a structured operation writes to, if it has buffers only and a rule as one on tensors; its body does nothing else.
fn outputs(op: Op<'_>) -> Option<Vec<Val<'_>>> {
    let s = Structured::of(op)?;
    let has_rule = has_rule(op.op_name()) && op.op_name() != "linalg.fill";
    let shaped = |value: &Val<'_>| !value.r#type().scalar().eq(&value.r#type());
    let are_buffers =
        op.operand_list().iter().filter(|it| shaped(it)).all(|it| tensor_of(it.r#type()).is_some());
    let is_pure = |op: &Op<'_>| {
        let effects = memory_effects(*op);
        !effects.reads && !effects.writes
    };
    let computes = s.body.body_ops().iter().all(is_pure);
    (op.result_count() == 0 && has_rule && are_buffers && computes).then_some(s.inits)
}
