//! `raise-to-atl`: operations of `tensor`, `linalg`, `arith` and `math` on tensors as operations of
//! the tensor language, so that derivatives follow what is zero in them [ATL 6].
//!
//! | Operations | File |
//! |---|---|
//! | `tensor.generate`, `tensor.pad` | `generate` |
//! | `linalg.generic`, and what is named for one | `structured` |
//! | slices, insertions, concatenations, reshapes, elements | `parts` |
//! | `arith` and `math` on tensors, constants, casts | `elementwise` |
//!
//! `body` reads the bodies of the first two, `truth` has predicates, `site` builds.
//!
//! An operation is raised if its result is, for each place, an expression of the language: places
//! and conditions affine in indices and sizes, and sums where several values meet. A choice between
//! two numbers is the sum of two brackets. A scalar computed from data by a choice is none; it may be
//! in a function of numbers, which the language calls.
//!
//! Only what is in a function's own block is raised. In loops an update of one element of a tensor
//! would become a copy of it.

mod body;
mod elementwise;
mod generate;
mod parts;
mod site;
mod structured;
mod truth;

use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use self::site::{Raised, Site};
use crate::support::{
    builder::Builder,
    region::{erase_dead_ops, replace},
};

/// How an operation is raised.
type Raise = for<'c> fn(&Site<'c>) -> Raised<Vec<Val<'c>>>;

/// Raises all functions of a module; returns how many operations were replaced.
pub fn raise<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let functions = functions.into_iter().filter(|op| op.op_name() == "func.func");
    functions.map(|function| raise_function(context, function)).sum()
}

fn raise_function<'c>(context: &'c Context, function: Op<'c>) -> u64 {
    let Some(body) = function.body(0) else { return 0 };
    if function.blocks().len() != 1 {
        return 0;
    }
    let mut raised = 0;
    let mut number = None;
    for op in body.body_ops() {
        let Some(raise) = raise_of(op) else {
            stays(op, "is none of what the tensor language can say");
            continue;
        };
        match raise_by(context, op, body, raise, &mut number) {
            Ok(values) => {
                replace(op, &values);
                raised += 1;
            }
            Err(reason) => remark(op, &reason),
        }
    }
    erase_dead_ops(body);
    raised
}

/// Builds what stands for an operation; nothing if it is refused.
fn raise_by<'c>(
    context: &'c Context,
    op: Op<'c>,
    block: Blk<'c>,
    raise: Raise,
    number: &mut Option<Type<'c>>,
) -> Raised<Vec<Val<'c>>> {
    let of = op.res(0).map(|result| result.r#type().scalar());
    // The language has one type of numbers in a program.
    let other = number.filter(|number| Some(*number) != of);
    if let (Some(other), Some(of)) = (other, of.filter(|of| of.is_float_type())) {
        return Err(format!("has numbers of type {of} where others are of type {other}"));
    }
    // Sizes are computed in front of a fence, and what reads them is built behind it.
    let here = Builder::before(context, op, block);
    let fences = [here.index(0), here.index(0)].map(|fence| fence.defining_op());
    let [Some(start), Some(fence)] = fences else { return Err("cannot be built".to_owned()) };
    let outer = Builder::before(context, fence, block).with_location(op.location());
    let result = raise(&Site { root: op, outer, here });
    let built = |mut from: Option<Op<'c>>| {
        let mut built = Vec::new();
        while let Some(next) = from.filter(|next| next.key() != op.key()) {
            built.push(next);
            from = next.next();
        }
        built
    };
    match &result {
        Ok(_) => {
            *number = number.or(of);
            start.erase();
            fence.erase();
        }
        Err(_) => built(Some(start)).into_iter().rev().for_each(|op| op.erase()),
    }
    result
}

/// How an operation is raised, if at all.
fn raise_of(op: Op<'_>) -> Option<Raise> {
    let result = op.res(0)?;
    let is_tensor = result.r#type().as_tensor().is_some();
    let has_rank = !result.r#type().shape().is_empty();
    let is_number = result.r#type().scalar().is_float_type();
    match op.op_name() {
        "tensor.generate" => Some(generate::generate),
        "tensor.pad" => Some(generate::pad),
        "tensor.extract_slice" => Some(parts::extract_slice),
        "tensor.insert_slice" => Some(parts::insert_slice),
        "tensor.insert" => Some(parts::insert),
        "tensor.concat" => Some(parts::concat),
        "tensor.expand_shape" => Some(parts::expand_shape),
        "tensor.collapse_shape" => Some(parts::collapse_shape),
        "tensor.extract" if is_number => Some(parts::extract),
        "tensor.splat" => Some(elementwise::splat),
        "tensor.cast" => Some(elementwise::cast),
        "tensor.from_elements" if has_rank => Some(elementwise::from_elements),
        "arith.constant" if is_tensor && is_number => Some(elementwise::constant),
        name if name.starts_with("linalg.") => Some(structured::structured),
        "arith.constant" => None,
        name if is_tensor
            && op.result_count() == 1
            && (name.starts_with("arith.") || name.starts_with("math.")) =>
        {
            Some(elementwise::elementwise)
        }
        _ => None,
    }
}

/// Says why a tensor of numbers stays as it is, if it might be asked.
fn stays(op: Op<'_>, reason: &str) {
    let is_known = matches!(op.op_name(), "tensor.empty" | "tensor.from_elements")
        || ["atl.", "ad.", "func."].iter().any(|dialect| op.op_name().starts_with(dialect));
    let is_number = |value: &Val<'_>| {
        value.r#type().as_tensor().is_some() && value.r#type().scalar().is_float_type()
    };
    if !is_known && op.result_list().iter().any(is_number) {
        remark(op, reason);
    }
}

fn remark(op: Op<'_>, reason: &str) {
    let entries = [("Reason", format!("'{}' {reason}", op.op_name()))];
    capi::emit_remark(op.location(), capi::RemarkKind::Missed, "raise-to-atl", "raise", &entries);
}
