//! Operations on whole arrays that do the same to each element.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, tensor_type};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{builder::Builder, diag::Result, region::clone_with};

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
