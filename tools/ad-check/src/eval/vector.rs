//! Operations of the `vector` dialect. A vector is an array here, and its operations are those on arrays.

use super::control::set_results;
use super::tensor::{advance, release};
use super::{Frame, Machine, check_type};
use crate::fault::{Fault, fault};
use crate::program::{Extent, Op, Opcode, Operand, VectorOp};
use crate::value::{Builder, Tensor, Value};

impl Machine<'_> {
    pub(super) fn vector_op(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        code: &VectorOp,
    ) -> Result<(), Fault> {
        let value = match code {
            VectorOp::Broadcast => self.vector_broadcast(frame, op)?,
            VectorOp::Extract(position) => self.vector_extract(frame, op, position)?,
            VectorOp::Insert(position) => self.vector_insert(frame, op, position)?,
            VectorOp::FromElements => self.gather_lanes(frame, op)?,
            VectorOp::ToElements => return self.split_lanes(frame, op),
            VectorOp::ShapeCast => {
                let vector = frame.take(op.operands[0]).into_tensor()?;
                Value::Tensor(vector.reshaped(static_shape(op)?.into()))
            }
            VectorOp::Transpose(permutation) => self.vector_transpose(frame, op, permutation)?,
            VectorOp::Reduce(combine) => self.vector_reduce(frame, op, combine)?,
        };
        check_type(&op.result_types[0], &value)?;
        frame.set(op.results[0], value);
        Ok(())
    }

    /// Sizes are matched from the innermost dimension on; a size of 1 stretches.
    fn vector_broadcast(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let shape = static_shape(op)?;
        let count = shape.iter().product();
        let source = frame.take(op.operands[0]);
        let mut builder = Builder::new(op.result_types[0].elem().is_float(), count);
        let mut index = vec![0; shape.len()];
        for _ in 0..count {
            match &source {
                Value::Tensor(t) => {
                    let outer = shape.len() - t.rank().min(shape.len());
                    let inner: Vec<usize> = (index[outer..].iter().zip(t.shape()))
                        .map(|(&i, &size)| if size == 1 { 0 } else { i })
                        .collect();
                    builder.push(&t.element(t.position(&inner)?))?;
                }
                scalar => builder.push(scalar)?,
            }
            advance(&mut index, &shape);
        }
        Ok(Value::Tensor(builder.finish(&[], &mut self.counts).reshaped(shape.into())))
    }

    fn vector_extract(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        position: &[Extent],
    ) -> Result<Value, Fault> {
        let index = self.extents(frame, position, &mut op.operands[1..].iter())?;
        let vector = frame.get(op.operands[0]).tensor()?;
        let value = part(vector, &index)?;
        release(frame, op.operands[0]);
        Ok(value)
    }

    fn vector_insert(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        position: &[Extent],
    ) -> Result<Value, Fault> {
        let index = self.extents(frame, position, &mut op.operands[2..].iter())?;
        let value = frame.take(op.operands[0]);
        let mut vector = frame.take(op.operands[1]).into_tensor()?;
        let start = vector.prefix_position(&index)?;
        vector.set(start, &value, &mut self.counts)?;
        Ok(Value::Tensor(vector))
    }

    fn gather_lanes(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let mut builder = Builder::new(op.result_types[0].elem().is_float(), op.operands.len());
        for &operand in &op.operands {
            builder.push(frame.get(operand))?;
        }
        let lanes = builder.finish(&[], &mut self.counts);
        Ok(Value::Tensor(lanes.reshaped(static_shape(op)?.into())))
    }

    fn split_lanes(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let vector = frame.take(op.operands[0]).into_tensor()?;
        set_results(frame, op, (0..vector.len()).map(|i| vector.element(i)));
        Ok(())
    }

    fn vector_transpose(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        permutation: &[usize],
    ) -> Result<Value, Fault> {
        let vector = frame.take(op.operands[0]).into_tensor()?;
        let shape = static_shape(op)?;
        if permutation.len() != vector.rank() || shape.len() != vector.rank() {
            return fault("has a permutation of another rank");
        }
        let mut builder = Builder::new(vector.is_float(), vector.len());
        let (mut index, mut from) = (vec![0; shape.len()], vec![0; shape.len()]);
        for _ in 0..vector.len() {
            permutation.iter().zip(&index).for_each(|(&p, &i)| from[p] = i);
            builder.push(&vector.element(vector.position(&from)?))?;
            advance(&mut index, &shape);
        }
        Ok(Value::Tensor(builder.finish(&[], &mut self.counts).reshaped(shape.into())))
    }

    /// From the first number to the last, after the second operand if there is one.
    fn vector_reduce(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        combine: &Opcode,
    ) -> Result<Value, Fault> {
        let vector = frame.take(op.operands[0]).into_tensor()?;
        let start = op.operands.get(1).map(|&operand: &Operand| frame.get(operand).clone());
        let first = usize::from(start.is_none());
        let Some(mut total) = start.or_else(|| (!vector.is_empty()).then(|| vector.element(0)))
        else {
            return fault("reduces a vector without elements");
        };
        for i in first..vector.len() {
            let results = self.scalar(combine, &[total, vector.element(i)])?;
            total = results.into_iter().next().unwrap_or_default();
        }
        Ok(total)
    }
}

/// The sizes of the result, which a vector knows.
fn static_shape(op: &Op) -> Result<Vec<usize>, Fault> {
    let shape: Option<Vec<usize>> = op.result_types[0].dims().iter().copied().collect();
    shape.map_or_else(|| fault("has a result of unknown size"), Ok)
}

/// The element, or the part of the trailing dimensions, at leading indices.
pub(super) fn part(array: &Tensor, index: &[usize]) -> Result<Value, Fault> {
    let start = array.prefix_position(index)?;
    match array.shape().get(index.len()..) {
        Some([]) => Ok(array.element(start)),
        Some(rest) => Ok(Value::Tensor(array.window(start, rest.into()))),
        None => fault(format!("{} indices for rank {}", index.len(), array.rank())),
    }
}
