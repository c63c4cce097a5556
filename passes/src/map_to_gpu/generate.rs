//! Arrays that are given by a rule, where they are needed as arrays: one thread for each element.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, ValExt};
use melior::ir::ValueLike;

use super::{Mapped, nest::forall_nest};
use crate::support::{builder::Builder, region::copy_block, size::Size};

/// `tensor.generate`, and `soac.iota` and `soac.replicate` where something reads them that is no combinator.
pub fn generate<'c>(b: &Builder<'c>, op: Op<'c>) -> Mapped<'c> {
    let Some(array) = op.res(0) else { return Ok(None) };
    let shape = array.r#type().shape();
    let is_generate = op.op_name() == "tensor.generate";
    let is_virtual = |user: &Op<'c>| {
        user.op_name().starts_with("soac.")
            || ["tensor.extract", "tensor.dim"].contains(&user.op_name())
    };
    if shape.is_empty() || !is_generate && array.users().iter().all(is_virtual) {
        return Ok(None);
    }
    let operands = op.operand_list();
    let sizes = match op.op_name() {
        "soac.replicate" => {
            let row = operands[..1].iter().flat_map(|&value| match value.r#type().as_tensor() {
                Some(_) => b.dynamic_dims(value),
                None => vec![],
            });
            operands[1..].iter().copied().chain(row).collect()
        }
        _ => operands.clone(),
    };
    let mut dynamic = sizes.iter().copied();
    let widths = shape.iter().map(|&size| match size {
        DYNAMIC => dynamic.next().map(Size::of_value),
        known => Some(Size::Known(known)),
    });
    let Some(widths) = widths.collect::<Option<Vec<_>>>() else { return Ok(None) };
    let empty = b.empty(array.r#type(), &sizes);
    let results = forall_nest(b, &widths, &[empty], None, |b, at, _| {
        let element = match op.op_name() {
            "soac.replicate" if shape.len() == 1 => operands.first().copied(),
            "soac.replicate" => operands.first().map(|&row| b.extract(row, &at[1..])),
            "soac.iota" => Some(b.index_as(at[0], array.r#type().scalar())),
            _ => op.body(0).and_then(|body| copy_block(b, body, at).first().copied()),
        };
        Ok(element.into_iter().collect())
    })?;
    Ok(Some(results))
}
