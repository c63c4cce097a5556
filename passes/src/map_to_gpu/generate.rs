//! Arrays that are given by a rule, where they are needed as arrays: one thread for each row.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::{Mapped, rows::row_of};
use crate::{
    parallelize::{chunk::forall, size::Size},
    support::{builder::Builder, region::copy_block},
};

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
    let width = match shape[0] {
        DYNAMIC => Size::of_value(sizes[0]),
        known => Size::Known(known),
    };
    let empty = b.empty(array.r#type(), &sizes);
    let results = forall(b, width, &[empty], |b, i, shared| {
        let row = match op.op_name() {
            "soac.replicate" => operands[0],
            "soac.iota" => b.index_as(i, shared[0].r#type().scalar()),
            _ => generated_row(b, op, array, &sizes, i),
        };
        Ok(vec![row_of(b, shared[0], row, i)])
    })?;
    Ok(Some(results))
}

/// The row of number `i` of a `tensor.generate`.
fn generated_row<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    array: Val<'c>,
    sizes: &[Val<'c>],
    i: Val<'c>,
) -> Val<'c> {
    let Some(body) = op.body(0) else { return array };
    if array.r#type().shape().len() == 1 {
        return copy_block(b, body, &[i]).first().copied().unwrap_or(array);
    }
    let skipped = usize::from(array.r#type().shape()[0] == DYNAMIC);
    let arguments = vec![b.index_type(); array.r#type().shape().len() - 1];
    let row = array.r#type().row();
    let inner = b.op_with("tensor.generate", &sizes[skipped..], &[row], &[], &[arguments]);
    if let Some(block) = inner.body(0) {
        let within = b.into_block(block);
        let ends = copy_block(&within, body, &[&[i], &block.arg_list()[..]].concat());
        within.op("tensor.yield", &ends, &[]);
    }
    inner.res(0).unwrap_or(array)
}
