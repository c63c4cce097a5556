//! Arrays that are given by a rule are stored, where they are needed as arrays.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Type, ValueLike, operation::OperationLike};

use super::{Lowering, collect, insert_row, is_dynamic, source::read_virtual};
use crate::support::{
    builder::Builder,
    diag::Result,
    region::{move_body, replace},
    row_major::position,
};

/// Stores the virtual arrays that have readers left, and erases the others.
pub fn virtual_arrays<'c>(lowering: &mut Lowering<'c>, module: Op<'c>) -> Result<()> {
    read_virtual(lowering.context, module);
    // Readers before what they read, so that a virtual array of a virtual array goes too.
    for op in collect(module, &["soac.iota", "soac.replicate"]).into_iter().rev() {
        let (Some(array), Some(block)) = (op.res(0), op.block()) else { continue };
        if array.users().is_empty() {
            op.erase();
            continue;
        }
        let b = Builder::before(lowering.context, op, block);
        let is_iota = op.op_name() == "soac.iota";
        let stored = if is_iota {
            lowering.store_iota(b, op, array.r#type())?
        } else {
            lowering.store_replicate(b, op, array.r#type())?
        };
        replace(op, &stored);
    }
    Ok(())
}

/// `tensor.splat` is a fill of an empty tensor.
pub fn splat<'c>(b: Builder<'c>, op: Op<'c>) {
    let operands = op.operand_list();
    let (Some((&value, sizes)), Some(result)) = (operands.split_first(), op.res(0)) else {
        return;
    };
    let filled = b.fill(value, b.empty(result.r#type(), sizes));
    replace(op, &[filled]);
}

/// `tensor.from_elements` is one insertion per element.
pub fn from_elements<'c>(b: Builder<'c>, op: Op<'c>) {
    let Some(result) = op.res(0) else { return };
    let shape = result.r#type().shape();
    let mut tensor = b.empty(result.r#type(), &[]);
    for (number, element) in op.operand_list().into_iter().enumerate() {
        let place = position(number as i64, &shape);
        let indices: Vec<_> = place.into_iter().map(|index| b.index(index)).collect();
        tensor = b.insert_element(element, tensor, &indices);
    }
    replace(op, &[tensor]);
}

impl<'c> Lowering<'c> {
    /// `tensor.generate` is a loop nest.
    pub fn generate(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<()> {
        let (Some(result), Some(body)) = (op.res(0), op.body(0)) else { return Ok(()) };
        let tensor = b.empty(result.r#type(), &op.operand_list());
        let mut dynamic = op.operand_list().into_iter();
        let shape = result.r#type().shape().into_iter();
        let sizes: Vec<_> = shape
            .filter_map(|size| if is_dynamic(size) { dynamic.next() } else { Some(b.index(size)) })
            .collect();
        let stored = self.nest(b, &sizes, &[], tensor, &mut |b, indices, tensor| {
            for (old, new) in body.arg_list().into_iter().zip(indices) {
                old.replace_all_uses(*new);
            }
            let value = move_body(&b, body, &[]);
            value.first().map_or(tensor, |value| b.insert_element(*value, tensor, indices))
        })?;
        replace(op, &[stored]);
        Ok(())
    }

    fn nest(
        &mut self,
        b: Builder<'c>,
        sizes: &[Val<'c>],
        outer: &[Val<'c>],
        tensor: Val<'c>,
        body: &mut dyn FnMut(Builder<'c>, &[Val<'c>], Val<'c>) -> Val<'c>,
    ) -> Result<Val<'c>> {
        let Some((&size, inner)) = sizes.split_first() else {
            return Ok(body(b, outer, tensor));
        };
        let stored = self.counted_loop(b, size, &[tensor], |this, b, iv, carried| {
            let indices = [outer, &[iv]].concat();
            let tensor = carried.first().copied().unwrap_or(tensor);
            Ok(vec![this.nest(b, inner, &indices, tensor, body)?])
        })?;
        Ok(stored.first().copied().unwrap_or(tensor))
    }

    fn store_iota(&mut self, b: Builder<'c>, op: Op<'c>, array: Type<'c>) -> Result<Vec<Val<'c>>> {
        let size = op.opnd(0);
        let width = size.unwrap_or_else(|| b.index(array.shape().first().copied().unwrap_or(0)));
        let empty = b.empty(array, size.as_slice());
        self.counted_loop(b, width, &[empty], |_, b, iv, carried| {
            let number = b.index_as(iv, array.scalar());
            Ok(carried.iter().map(|&out| b.insert_element(number, out, &[iv])).collect())
        })
    }

    fn store_replicate(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        array: Type<'c>,
    ) -> Result<Vec<Val<'c>>> {
        let Some(value) = op.opnd(0) else { return Ok(vec![]) };
        let size = op.opnd(1);
        let rows = b.dynamic_dims(value);
        let empty = b.empty(array, &[size.as_slice(), &rows].concat());
        if value.r#type().as_tensor().is_none() {
            return Ok(vec![b.fill(value, empty)]);
        }
        let width = size.unwrap_or_else(|| b.index(array.shape().first().copied().unwrap_or(0)));
        self.counted_loop(b, width, &[empty], |_, b, iv, carried| {
            Ok(carried.iter().map(|&out| insert_row(&b, value, out, iv, &rows)).collect())
        })
    }
}
