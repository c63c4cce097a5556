//! What a size inside of an operation is on average, told from what is known in front of it.
//!
//! A row of a triangle has `i + 1` elements, where `i` counts the rows: half as many as there are rows, on average.

use ad_dialect::ir::{Op, OpExt, Val, ValExt};
use melior::ir::{BlockLike, ValueLike};

use super::group::Group;
use crate::support::{
    builder::Builder,
    combinator::constant_index,
    extent::{Extent, extent_of},
    region::is_outside,
    size::Size,
};

/// What is known in front of an operation of the sizes inside of it.
#[derive(Clone, Copy)]
pub struct Typical<'a, 'c> {
    pub b: &'a Builder<'c>,
    pub group: &'a Group<'c>,
    pub root: Op<'c>,
}

impl<'c> Typical<'_, 'c> {
    /// What a size is on average; none if that depends on data.
    pub fn of_extent(&self, extent: Extent<'c>) -> Option<Size<'c>> {
        match extent {
            _ if self.group.knows(self.root, extent) => Some(Size::of_extent(self.b, extent)),
            Extent::Value(value) => self.of(value),
            _ => None,
        }
    }

    /// What a number of type `index` is on average; none if that depends on data.
    pub fn of(&self, value: Val<'c>) -> Option<Size<'c>> {
        if value.r#type() != self.b.index_type() {
            return None;
        }
        let known = Size::of_value(value);
        if matches!(known, Size::Known(_)) || is_outside(self.root, value) {
            return Some(known);
        }
        let Some(op) = value.defining_op() else { return self.of_counter(value) };
        let operand = |i: usize| op.opnd(i).and_then(|operand| self.of(operand));
        match op.op_name() {
            "tensor.dim" => {
                let d = op.opnd(1).and_then(constant_index)?;
                self.of_extent(extent_of(op.opnd(0)?, d as usize))
            }
            "arith.addi" => Some(operand(0)?.plus(self.b, operand(1)?)),
            "arith.muli" => Some(operand(0)?.times(self.b, operand(1)?)),
            "arith.subi" => Some(operand(0)?.minus(self.b, operand(1)?)),
            "arith.minsi" | "arith.maxsi" => {
                let operands = [operand(0)?.value(self.b), operand(1)?.value(self.b)];
                Some(Size::of_value(self.b.same(op.op_name(), &operands)))
            }
            _ => None,
        }
    }

    /// What counts the iterations of a loop or a map: half of their number, on average.
    fn of_counter(&self, value: Val<'c>) -> Option<Size<'c>> {
        let op = value.owner_block()?.parent_operation()?;
        match op.op_name() {
            "scf.for" if value.position() == 0 => {
                let ends = self.of(op.opnd(0)?)?.plus(self.b, self.of(op.opnd(1)?)?);
                Some(ends.divided_by(self.b, 2))
            }
            "soac.map" => {
                let input = op.opnd(value.position())?;
                let is_iota = input.defining_op().is_some_and(|op| op.op_name() == "soac.iota");
                let count = self.of_extent(is_iota.then(|| extent_of(input, 0))?)?;
                Some(count.divided_by(self.b, 2))
            }
            _ => None,
        }
    }
}
