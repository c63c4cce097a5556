//! Histograms of rows whose operator works element by element: they are histograms of
//! scalars with more indices.
//!
//! ```text
//! hist (map (op)) is vss dest  =  hist (op) (replicate-inner is) (columns) (flatten vss) dest
//! ```
//! The element at position j of row i goes to the bin `(is[i], j)`; the destination
//! stays as it is. The rules for * and for min and max then know scalars only; + and
//! the general rule take rows as they are.
//! Source: [FUT 5.1.1] (vectorised operators), [FUT 5.1.2].
//! Ensures: the work of the primal and one division per element and index.
//! Edge cases: rows without elements are no elements.
//! Tests: test/ad/vjp/hist-rows.mlir, test/ad/numeric/hist-rows.mlir.

use ad_dialect::ir::{TyExt, Val, tensor_type};
use melior::ir::ValueLike;

use crate::support::{builder::Builder, diag::Result};

/// Index arrays and values of single elements in place of rows.
pub fn flatten<'c>(
    b: &Builder<'c>,
    at: &[Val<'c>],
    values: Val<'c>,
) -> Result<(Vec<Val<'c>>, Val<'c>)> {
    let shape = values.r#type().shape();
    if shape.len() == 1 {
        return Ok((at.to_vec(), values));
    }
    let elements = b.flat(values);
    let total = elements.r#type().shape()[0];
    let sizes: Vec<_> = (0..shape.len()).map(|d| b.dim(values, d)).collect();
    // How many elements go by while the index of a dimension stays the same.
    let mut strides = vec![b.index(1)];
    for &size in sizes[1..].iter().rev() {
        strides.insert(0, b.mul(strides[0], size));
    }
    let numbers = b.iota(b.mul(strides[0], sizes[0]), total);
    let index = tensor_type(&[total], b.index_type());
    let mut types: Vec<_> =
        at.iter().map(|array| tensor_type(&[total], array.r#type().scalar())).collect();
    types.resize(at.len() + shape.len() - 1, index);
    let indices = b.map(&[numbers], &[], &types, |b, number| {
        let row = b.same("arith.divui", &[number[0], strides[0]]);
        let mut indices: Vec<_> = at.iter().map(|&array| b.row(array, row)).collect();
        for d in 1..shape.len() {
            let position = b.same("arith.divui", &[number[0], strides[d]]);
            indices.push(b.same("arith.remui", &[position, sizes[d]]));
        }
        Ok(indices)
    })?;
    Ok((indices, elements))
}

/// Rows again, with the shape of the values.
pub fn unflatten<'c>(b: &Builder<'c>, flat: Val<'c>, values: Val<'c>) -> Val<'c> {
    let shape = values.r#type().shape();
    if shape.len() == 1 {
        return flat;
    }
    b.expand(flat, &[(0..shape.len()).collect()], values.r#type(), &b.dynamic_dims(values))
}
