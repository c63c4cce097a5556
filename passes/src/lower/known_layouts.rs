//! `lower-known-layouts`: what control flow carries says that its buffer is row-major.
//!
//! ```text
//! %r = scf.for iter_args(%a = %x) { ... scf.yield %y }
//!   ==>   %x' = soac.row_major %x;  %r = scf.for iter_args(%a = %x') { ... %y' = soac.row_major %y; scf.yield %y' }
//! ```
//! Upstream's one-shot bufferisation (LLVM 22) finds the layout of what a loop carries in that of its initial value and of
//! what is yielded, twice each, and asks anew whenever it meets the loop: with loops or branches behind each other, in a
//! loop, that takes time exponential in their number. Nearly all arrays are row-major, since those of functions are; only
//! slices of others are not, and what is computed in their place.

use std::collections::HashSet;

use ad_dialect::{
    blocks::{is_branch, successors},
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey},
};
use melior::{
    Context,
    ir::{Attribute, TypeLike, ValueLike, operation::OperationLike},
};

use crate::support::{builder::Builder, diag::Result};

/// Runs the pass on a module; returns of how many values it says that they are row-major.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut carried = vec![];
    let mut slices = vec![];
    module.for_each(&mut |op| match op.op_name() {
        "scf.for" | "scf.while" | "scf.yield" | "scf.condition" => carried.push(op),
        "tensor.extract_slice" | "bufferization.to_tensor" => slices.extend(op.result_list()),
        // In memory of another kind.
        "bufferization.alloc_tensor" if op.attr("memory_space").is_some() => {
            slices.extend(op.result_list());
        }
        "func.func" if op.attr("arg_attrs").is_some_and(says_layout) => {
            slices.extend(op.body(0).map(|entry| entry.arg_list()).unwrap_or_default());
        }
        _ if is_branch(op) => slices.extend(successors(op).iter().flat_map(|to| to.arg_list())),
        _ => {}
    });
    let others = with_that_layout(slices);
    let mut known = 0;
    for op in carried {
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block);
        for (index, value) in op.operand_list().into_iter().enumerate() {
            let r#type = value.r#type();
            if r#type.as_tensor().is_some() && !others.contains(&value.key()) {
                op.set_operand(index, b.val("soac.row_major", &[value], r#type));
                known += 1;
            }
        }
    }
    Ok(known)
}

/// Whether attributes of arguments say what layout these have.
fn says_layout(attributes: Attribute<'_>) -> bool {
    attributes.to_string().contains("bufferization.buffer_layout")
}

/// The keys of all values that may have the layout of one of some values.
fn with_that_layout(mut values: Vec<Val<'_>>) -> HashSet<ValueKey> {
    let mut found = HashSet::new();
    while let Some(value) = values.pop() {
        if value.r#type().is_tensor() && found.insert(value.key()) {
            for (user, index) in value.uses() {
                values.extend(take_over(user, index));
            }
        }
    }
    found
}

/// The values whose buffer is, or may be, that of an operand of an operation.
fn take_over<'c>(op: Op<'c>, index: usize) -> Vec<Val<'c>> {
    let results = op.result_list();
    // Destinations, and what a loop carries, are the last operands, as many as there are results.
    let number = || index.checked_sub(op.operand_list().len().checked_sub(results.len())?);
    match op.op_name() {
        "scf.yield" => end(op, index),
        "scf.condition" => {
            let Some((position, around)) = index.checked_sub(1).zip(op.parent()) else {
                return vec![];
            };
            around.res(position).into_iter().chain(argument(around, 1, position)).collect()
        }
        "scf.while" => argument(op, 0, index).into_iter().collect(),
        "scf.for" | "scf.forall" => number().map_or(vec![], |number| carried(op, number)),
        "tensor.insert" | "tensor.insert_slice" if index != 1 => vec![],
        "arith.select" | "tensor.insert" | "tensor.insert_slice" => results,
        name if name.starts_with("linalg.") => {
            number().and_then(|number| op.res(number)).into_iter().collect()
        }
        _ => results,
    }
}

/// What takes a value that a block yields.
fn end<'c>(op: Op<'c>, index: usize) -> Vec<Val<'c>> {
    match op.parent() {
        Some(around) if around.op_name() == "scf.for" => carried(around, index),
        Some(around) if around.op_name() == "scf.while" => {
            argument(around, 0, index).into_iter().collect()
        }
        Some(around) => around.res(index).into_iter().collect(),
        None => vec![],
    }
}

/// A value that a loop carries: the argument of its body, of the last ones, and the result.
fn carried<'c>(op: Op<'c>, number: usize) -> Vec<Val<'c>> {
    let arguments = op.body(0).map_or(0, |body| body.arg_list().len());
    let first = arguments.saturating_sub(op.result_list().len());
    op.res(number).into_iter().chain(argument(op, 0, first + number)).collect()
}

fn argument<'c>(op: Op<'c>, region: usize, number: usize) -> Option<Val<'c>> {
    op.body(region)?.arg_list().get(number).copied()
}
