//! Operations on whole arrays that do the same to each element.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, tensor_type};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{
    builder::Builder,
    combinator::input_count,
    diag::Result,
    region::{ValueMap, clone_with, renamed},
};

/// Whether an operation computes an array of others of its shape, element by element.
pub fn is_elementwise(op: Op<'_>) -> bool {
    let name = op.op_name();
    let Some(result) = op.res(0).filter(|_| op.result_count() == 1) else { return false };
    let rank =
        |value: Val<'_>| value.r#type().as_tensor().map_or(0, |_| value.r#type().shape().len());
    (name.starts_with("arith.") || name.starts_with("math."))
        && rank(result) > 0
        && op.operand_count() > 0
        && op.operand_list().into_iter().all(|operand| rank(operand) == rank(result))
}

/// The operation as maps, one in the other, over the given operands.
pub fn as_maps<'c>(b: &Builder<'c>, op: Op<'c>, operands: &[Val<'c>]) -> Result<Val<'c>> {
    let result = op.result_list()[0].r#type();
    let rank = operands.first().map_or(0, |operand| operand.r#type().shape().len());
    let shape = result.shape();
    let own = tensor_type(&shape[shape.len() - rank..], result.scalar());
    let made = b.map(operands, &[], &[own], |b, arguments| {
        Ok(match rank {
            1 => clone_with(&b, op, arguments, &[result.scalar()]).result_list(),
            _ => vec![as_maps(&b, op, arguments)?],
        })
    })?;
    Ok(made[0])
}

/// Whether all operations of an operator work element by element on arrays that are known to be of the operator: rows of
/// what it is applied to, all at the same place. Rows of an operator around it are not.
pub fn by_element<'c>(block: Blk<'c>, known: &mut HashSet<ValueKey>) -> bool {
    block.body_ops().into_iter().all(|op| works_by_element(op, known))
        && block.ends().iter().all(|end| is_known(known, end))
}

/// Whether an operation of such an operator does; what it makes is known then.
pub fn works_by_element<'c>(op: Op<'c>, known: &mut HashSet<ValueKey>) -> bool {
    let name = op.op_name();
    let is_number = name.starts_with("arith.") || name.starts_with("math.");
    let fits = match op.body(0) {
        Some(body) if name == "soac.map" && input_count(op) == op.operand_count() => {
            by_element(body, &mut body.arg_list().iter().map(ValExt::key).collect())
        }
        None => is_number && (op.operand_count() > 0 || op.result_list().iter().all(is_scalar)),
        _ => false,
    };
    let all_known = op.operand_list().iter().all(|operand| is_known(known, operand));
    known.extend(op.result_list().iter().map(ValExt::key));
    fits && all_known
}

fn is_known(known: &HashSet<ValueKey>, value: &Val<'_>) -> bool {
    is_scalar(value) || known.contains(&value.key())
}

fn is_scalar(value: &Val<'_>) -> bool {
    value.r#type().as_tensor().is_none()
}

/// What an operator ends with for one element, where arrays are named by theirs.
pub fn element<'c>(b: &Builder<'c>, block: Blk<'c>, names: &mut ValueMap<'c>) -> Vec<Val<'c>> {
    block.body_ops().into_iter().for_each(|op| name_element(b, op, names));
    block.ends().into_iter().map(|end| renamed(names, end)).collect()
}

/// Names what an operation of an operator makes for one element.
pub fn name_element<'c>(b: &Builder<'c>, op: Op<'c>, names: &mut ValueMap<'c>) {
    let operands: Vec<_> =
        op.operand_list().into_iter().map(|operand| renamed(names, operand)).collect();
    let results = match op.body(0) {
        Some(body) => {
            names.extend(body.arg_list().iter().map(ValExt::key).zip(operands));
            element(b, body, names)
        }
        None => {
            let types: Vec<_> =
                op.result_list().iter().map(|result| result.r#type().scalar()).collect();
            clone_with(b, op, &operands, &types).result_list()
        }
    };
    names.extend(op.result_list().iter().map(ValExt::key).zip(results));
}

/// The number that all elements of an array are, if it was filled with it.
pub fn everywhere<'c>(array: Val<'c>) -> Option<Val<'c>> {
    let op = array.defining_op()?;
    match op.op_name() {
        "tensor.splat" | "linalg.fill" => {
            op.opnd(0).filter(|number| number.r#type() == array.r#type().scalar())
        }
        "tensor.extract_slice" | "tensor.cast" => everywhere(op.opnd(0)?),
        _ => None,
    }
}
