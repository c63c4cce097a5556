//! Sizes in a loop, as they are known in front of it.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, i64_array};
use melior::ir::{TypeLike, ValueLike};

use crate::support::{
    builder::Builder,
    combinator::{constant_index, divides_integers},
    extent::{Extent, extent_of, extent_of_value, keeps_shape},
    region::clone_with,
};

/// A size.
pub enum Size<'c> {
    /// What it is in front of the loop.
    Outside(Extent<'c>),
    /// What an operation in the loop computes from others.
    Computed(Op<'c>, Vec<Size<'c>>),
}

impl<'c> Size<'c> {
    /// The dynamic sizes of a value in a loop, and the positions of the loop-carried values that
    /// must keep their shapes for that.
    pub fn of(root: Op<'c>, value: Val<'c>) -> Option<(Vec<Self>, Vec<usize>)> {
        let (mut sizes, mut like) = (vec![], vec![]);
        for (d, &size) in value.r#type().shape().iter().enumerate() {
            if size == DYNAMIC {
                sizes.push(Self::of_extent(root, extent_of(value, d), &mut like)?);
            }
        }
        Some((sizes, like))
    }

    fn of_extent(root: Op<'c>, extent: Extent<'c>, like: &mut Vec<usize>) -> Option<Self> {
        if extent.is_outside(root) {
            return Some(Self::Outside(extent));
        }
        match extent {
            Extent::Known(_) => Some(Self::Outside(extent)),
            Extent::Dim(array, d) if array.defining_op().is_some() => {
                Self::of_extent(root, from_definition(array, d)?, like)
            }
            Extent::Dim(array, d) => {
                let is_carried = array.owner_block() == root.body(0);
                let position = array.position().checked_sub(1).filter(|_| is_carried)?;
                like.push(position);
                Some(Self::Outside(extent_of(root.opnd(3 + position)?, d)))
            }
            Extent::Value(value) => {
                let op = value.defining_op().filter(|op| is_total(*op))?;
                let operands = op.operand_list().into_iter();
                let sizes = operands.map(|v| Self::of_extent(root, extent_of_value(v), like));
                Some(Self::Computed(op, sizes.collect::<Option<_>>()?))
            }
        }
    }

    /// Its value, in front of the loop.
    pub fn value(&self, b: &Builder<'c>) -> Val<'c> {
        match self {
            Self::Outside(extent) => extent.value(b),
            Self::Computed(op, sizes) => {
                let operands: Vec<_> = sizes.iter().map(|size| size.value(b)).collect();
                let types: Vec<_> = op.result_list().iter().map(|v| v.r#type()).collect();
                clone_with(b, *op, &operands, &types).result_list()[0]
            }
        }
    }
}

/// The size of a dimension of a slice without its dimensions of size 1, or of what an inner loop carries.
fn from_definition(array: Val<'_>, d: usize) -> Option<Extent<'_>> {
    let (op, position) = (array.defining_op()?, array.position());
    match op.op_name() {
        "tensor.extract_slice" => {
            let is_dynamic = |size: &&i64| **size == DYNAMIC;
            let offsets = op.attr("static_offsets").and_then(i64_array)?;
            let shape = array.r#type().shape();
            let before = shape.iter().take(d).filter(is_dynamic).count();
            // A dimension that is dropped is static.
            op.opnd(1 + offsets.iter().filter(is_dynamic).count() + before).map(extent_of_value)
        }
        "scf.for" => {
            let (own, next) = (op.body(0)?.arg_list(), op.body(0)?.term()?.opnd(position)?);
            keeps_shape(next, *own.get(position + 1)?)
                .then(|| op.opnd(3 + position))
                .flatten()
                .map(|init| extent_of(init, d))
        }
        _ => None,
    }
}

/// Whether an operation is one on indices that may run where the loop does not.
fn is_total(op: Op<'_>) -> bool {
    let is_by_zero = || op.opnd(1).and_then(constant_index).is_none_or(|by| by == 0);
    let values = [op.operand_list(), op.result_list()].concat();
    op.op_name().starts_with("arith.")
        && values.iter().all(|value| value.r#type().is_index())
        && !(divides_integers(op.op_name()) && is_by_zero())
}
