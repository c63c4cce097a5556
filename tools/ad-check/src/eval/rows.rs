//! The shapes of the rows that a map over no elements would make, read off its body without running it.
//!
//! What runs nothing cannot fail and counts nothing. Where the body does not show a shape, there is none.

use super::{Frame, scalar};
use crate::program::{NOWHERE, Op, Opcode, Operand, Region, Slot};
use crate::value::{Tensor, Value};
use std::collections::HashMap;

/// The sizes of a value; no sizes for a scalar, `None` where they are unknown.
type Shape = Option<Vec<usize>>;

/// The shapes of values inside a body that does not run.
pub(super) struct Shapes<'a> {
    frame: &'a Frame,
    inside: HashMap<Slot, Shape>,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(frame: &'a Frame) -> Shapes<'a> {
        Shapes { frame, inside: HashMap::new() }
    }

    /// The shapes of what a region yields, from those of its arguments.
    pub(super) fn yielded(&mut self, region: &Region, arguments: Vec<Shape>) -> Vec<Shape> {
        self.inside.extend(region.arguments.iter().map(|&slot| (slot, None)));
        self.inside.extend(region.arguments.iter().copied().zip(arguments));
        for op in &region.ops {
            let shapes = self.results(op);
            let made = op.results.iter().copied().filter(|&slot| slot != NOWHERE);
            self.inside.extend(made.map(|slot| (slot, None)));
            self.inside.extend(op.results.iter().copied().zip(shapes));
        }
        region.yields.iter().map(|&operand| self.of(operand)).collect()
    }

    fn of(&self, operand: Operand) -> Shape {
        if let Some(shape) = self.inside.get(&operand.slot) {
            return shape.clone();
        }
        self.frame.get(operand).tensor().ok().map(|tensor| tensor.shape().to_vec())
    }

    /// A size that is computed outside of the body.
    fn size(&self, operand: Operand) -> Option<usize> {
        if self.inside.contains_key(&operand.slot) {
            return None;
        }
        self.frame.get(operand).size().ok()
    }

    fn results(&mut self, op: &Op) -> Vec<Shape> {
        match &op.code {
            Opcode::Constant(Value::Tensor(tensor)) => vec![Some(tensor.shape().to_vec())],
            Opcode::Map(arrays) => self.map(op, *arrays),
            Opcode::Reduce(arrays) => op.operands[*arrays..].iter().map(|&o| self.of(o)).collect(),
            Opcode::Scan(spec) => op.operands[..spec.arrays].iter().map(|&o| self.of(o)).collect(),
            Opcode::Identity => op.operands.iter().map(|&o| self.of(o)).collect(),
            Opcode::Fill => vec![op.operands.get(1).and_then(|&o| self.of(o))],
            Opcode::Empty => vec![self.sized(op, &op.operands)],
            Opcode::Splat => vec![self.sized(op, &op.operands[1..])],
            code if scalar::is_elementwise(code) => vec![self.operand(op); op.results.len()],
            _ => vec![],
        }
    }

    fn map(&mut self, op: &Op, arrays: usize) -> Vec<Shape> {
        let inputs: Vec<Shape> = op.operands[..arrays].iter().map(|&o| self.of(o)).collect();
        let width = inputs.iter().flatten().find_map(|shape| shape.first().copied());
        let rows = inputs.iter().map(|shape| Some(shape.as_ref()?.get(1..)?.to_vec())).collect();
        let outputs = op.results.len() - (op.operands.len() - arrays);
        let types = op.result_types.iter().take(outputs);
        let yielded = self.yielded(&op.regions[0], rows);
        let shape = |row: Shape, rank: usize| {
            let row = if rank == 1 { vec![] } else { row? };
            Some([vec![width?], row].concat())
        };
        yielded.into_iter().zip(types).map(|(row, ty)| shape(row, ty.dims().len())).collect()
    }

    /// The shape of a result whose dynamic sizes are operands.
    fn sized(&self, op: &Op, operands: &[Operand]) -> Shape {
        let mut dynamic = operands.iter().map(|&o| self.size(o));
        let dims = op.result_types[0].dims();
        dims.iter().map(|d| d.or_else(|| dynamic.next().flatten())).collect()
    }

    /// The shape of an elementwise operation is that of an operand which is an array.
    fn operand(&self, op: &Op) -> Shape {
        let rank = op.result_types.first()?.dims().len();
        op.operands.iter().filter_map(|&o| self.of(o)).find(|shape| shape.len() == rank)
    }
}

/// The shape of a row of each array, for a map over no elements.
pub(super) fn of_arrays<'t>(arrays: impl Iterator<Item = &'t Tensor>) -> Vec<Shape> {
    arrays.map(|tensor| tensor.shape().get(1..).map(<[usize]>::to_vec)).collect()
}
