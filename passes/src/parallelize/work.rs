//! How many scalar operations an operation takes, as far as sizes tell that are known before it runs.
//!
//! The number is an estimate, which only decides whether threads are started. Sizes that change from one iteration to the
//! next count as what they are on average (`typical`); what nobody knows beforehand, such as how often a while loop runs,
//! counts as `UNKNOWN`. Operations of which vectors take as long as of numbers one by one, and steps that wait for the one
//! before, count as several.

use ad_dialect::{
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val},
    linalg::Structured,
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{group::Group, typical::Typical};
use crate::support::{builder::Builder, combinator::constant_index, extent::extent_of, size::Size};

/// Iterations of a loop of which nothing is known.
const UNKNOWN: i64 = 8;
/// A call of a function, or of one of the C library's.
const CALL: i64 = 10;
/// A division.
const DIVISION: i64 = 8;
/// What one step of a scan waits for the one before, or an update of a histogram or of
/// an accumulator for the one before of the same element.
const STEP: i64 = 10;

/// The work of an operation and of the maps that run in its loop.
pub fn work_of<'c>(b: &Builder<'c>, group: &Group<'c>) -> Size<'c> {
    let maps =
        group.maps.iter().chain(&group.riders).fold(Size::Known(0), |sum, map| {
            sum.plus(b, Estimate { b, group, root: *map }.op(*map))
        });
    maps.plus(b, Estimate { b, group, root: group.op }.op(group.op))
}

struct Estimate<'a, 'c> {
    b: &'a Builder<'c>,
    group: &'a Group<'c>,
    /// Only what is outside of it is known where the estimate is made.
    root: Op<'c>,
}

impl<'c> Estimate<'_, 'c> {
    fn block(&self, block: Blk<'c>) -> Size<'c> {
        let ops = block.body_ops();
        ops.into_iter().fold(Size::Known(0), |sum, op| sum.plus(self.b, self.op(op)))
    }

    fn regions(&self, op: Op<'c>) -> Size<'c> {
        let blocks = op.blocks();
        blocks.into_iter().fold(Size::Known(0), |sum, block| sum.plus(self.b, self.block(block)))
    }

    fn op(&self, op: Op<'c>) -> Size<'c> {
        let iterations = |size: Size<'c>, each: i64| {
            let body = self.regions(op).plus(self.b, Size::Known(each));
            size.times(self.b, body)
        };
        match op.op_name() {
            name @ ("soac.map" | "soac.reduce" | "soac.scan" | "soac.hist" | "soac.scatter") => {
                let each = if matches!(name, "soac.scan" | "soac.hist") { STEP } else { 1 };
                let size = op.opnd(0).map_or(Size::Known(UNKNOWN), |array| self.dim(array, 0));
                iterations(size, each)
            }
            "scf.for" => iterations(self.trip_count(op), 1),
            "scf.while" | "scf.parallel" | "scf.forall" => iterations(Size::Known(UNKNOWN), 1),
            "func.call" => Size::Known(CALL),
            "soac.update_acc" => {
                let value = op.operand_list().pop();
                let elements = value.map_or(Size::Known(1), |value| self.elements(value));
                elements.plus(self.b, Size::Known(STEP))
            }
            name if name.starts_with("linalg.") => iterations(self.points(op), 1),
            name if name.starts_with("arith.") || name.starts_with("math.") => {
                let each = match name {
                    "arith.divf" => DIVISION,
                    name if name.starts_with("math.") => CALL,
                    _ => 1,
                };
                let is_constant = op.operand_count() == 0;
                let elements = op.res(0).filter(|_| !is_constant).map(|value| self.elements(value));
                elements.unwrap_or(Size::Known(0)).times(self.b, Size::Known(each))
            }
            "tensor.extract" | "tensor.insert" => Size::Known(1),
            _ => self.regions(op),
        }
    }

    /// A size of an array, or what it is on average, if that is known outside.
    fn dim(&self, array: Val<'c>, d: usize) -> Size<'c> {
        self.typical().of_extent(extent_of(array, d)).unwrap_or(Size::Known(UNKNOWN))
    }

    fn typical(&self) -> Typical<'_, 'c> {
        let Self { b, group, root } = *self;
        Typical { b, group, root }
    }

    /// The number of elements of an array; one for a scalar.
    fn elements(&self, value: Val<'c>) -> Size<'c> {
        let rank = value.r#type().as_tensor().map_or(0, |_| value.r#type().shape().len());
        (0..rank).fold(Size::Known(1), |n, d| n.times(self.b, self.dim(value, d)))
    }

    fn trip_count(&self, op: Op<'c>) -> Size<'c> {
        let bound = |i: usize| op.opnd(i).and_then(|bound| self.typical().of(bound));
        match (bound(0), bound(1), op.opnd(2).and_then(constant_index)) {
            (Some(start), Some(end), Some(step)) if step > 0 => {
                end.minus(self.b, start).divided_by(self.b, step)
            }
            _ => Size::Known(UNKNOWN),
        }
    }

    /// The number of points of the iteration space of a structured operation.
    fn points(&self, op: Op<'c>) -> Size<'c> {
        let Some(s) = Structured::of(op) else { return Size::Known(UNKNOWN) };
        let operands = [&s.inputs[..], &s.inits[..]].concat();
        (0..s.loops).fold(Size::Known(1), |product, l| {
            let is_plain = |e: &ad_dialect::linalg::Expr| *e == ad_dialect::linalg::Expr::Loop(l);
            let found = s.maps.iter().zip(&operands).find_map(|(map, array)| {
                map.iter().position(is_plain).map(|d| self.dim(*array, d))
            });
            product.times(self.b, found.unwrap_or(Size::Known(UNKNOWN)))
        })
    }
}
