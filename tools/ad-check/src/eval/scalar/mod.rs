//! Scalar operations, and their elementwise application to tensors.

pub mod complex;
pub mod float;
pub mod integer;
pub mod ops;

use self::ops::FloatBinary;
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{FloatKind, Op, Opcode};
use crate::value::{Builder, Tensor, Value};

/// Ops that act on each element alone.
pub fn is_elementwise(code: &Opcode) -> bool {
    use Opcode::*;
    matches!(
        code,
        FloatUnary(..)
            | FloatBinary(..)
            | Fma(_)
            | Clamp
            | FloatPower(_)
            | SinCos(_)
            | FloatTest(..)
            | FloatCompare(_)
            | IntUnary(..)
            | IntBinary(..)
            | IntCompare(..)
            | Wide(..)
            | Cast(_)
            | Complex(..)
    )
}

impl Machine<'_> {
    /// Applies an elementwise op to scalars or, element by element, to tensors.
    pub(super) fn elementwise(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let operands = frame.take_all(&op.operands);
        // A condition may have one bit for each vector in a tensor, so the largest operand decides.
        let tensors = operands.iter().filter_map(|v| v.tensor().ok());
        let tensor = tensors.max_by_key(|t| t.rank()).cloned();
        let results = match tensor {
            None => self.scalar(&op.code, &operands)?,
            Some(tensor) => self.by_element(op, &operands, &tensor)?,
        };
        for (&slot, value) in op.results.iter().zip(results) {
            frame.set(slot, value);
        }
        Ok(())
    }

    fn by_element(
        &mut self,
        op: &Op,
        operands: &[Value],
        like: &Tensor,
    ) -> Result<Vec<Value>, Fault> {
        let count = like.len();
        for t in operands.iter().filter_map(|v| v.tensor().ok()) {
            // The rows of an empty map have any size, so tensors without elements agree.
            if !(like.shape().starts_with(t.shape()) || t.is_empty() && count == 0) {
                return fault(format!(
                    "operands of different shapes {:?} and {:?}",
                    like.shape(),
                    t.shape()
                ));
            }
        }
        let mut builders: Vec<Builder> =
            op.result_types.iter().map(|t| Builder::new(t.elem().is_float(), count)).collect();
        let mut elements = vec![Value::Empty; operands.len()];
        for i in 0..count {
            for (element, operand) in elements.iter_mut().zip(operands) {
                *element = match operand {
                    Value::Tensor(t) => t.element(i / (count / t.len())),
                    other => other.clone(),
                };
            }
            let results = self.scalar(&op.code, &elements)?;
            for (builder, value) in builders.iter_mut().zip(&results) {
                builder.push(value)?;
            }
        }
        self.counts.reads += (count * operands.len()) as u64;
        let finish = |b: Builder, counts: &mut _| {
            Value::Tensor(b.finish(&[], counts).reshaped(like.shape().into()))
        };
        Ok(builders.into_iter().map(|b| finish(b, &mut self.counts)).collect())
    }

    /// One application to scalars.
    pub(super) fn scalar(
        &mut self,
        code: &Opcode,
        operands: &[Value],
    ) -> Result<Vec<Value>, Fault> {
        self.count(code);
        Ok(vec![match (code, operands) {
            (Opcode::FloatUnary(f, kind), [a]) => {
                self.rounded(code, float::unary(*f, *kind, a.float()?))
            }
            (Opcode::FloatBinary(f, kind), [a, b]) => {
                self.rounded(code, float::binary(*f, *kind, a.float()?, b.float()?))
            }
            (Opcode::Fma(kind), [a, b, c]) => {
                self.rounded(code, float::fma(*kind, a.float()?, b.float()?, c.float()?))
            }
            (Opcode::Clamp, [x, low, high]) => {
                let wide = FloatKind::F64;
                let below = float::binary(FloatBinary::Minimum, wide, x.float()?, high.float()?);
                Value::Float(float::binary(FloatBinary::Maximum, wide, below, low.float()?))
            }
            (Opcode::FloatPower(kind), [x, n]) => {
                self.rounded(code, float::power(*kind, x.float()?, n.int()?))
            }
            (Opcode::SinCos(kind), [x]) => {
                let x = x.float()?;
                return Ok(vec![
                    self.rounded(code, kind.round(x.sin())),
                    self.rounded(code, kind.round(x.cos())),
                ]);
            }
            (Opcode::FloatTest(f, kind), [x]) => truth(float::test(*f, *kind, x.float()?)),
            (Opcode::FloatCompare(f), [a, b]) => truth(float::compare(*f, a.float()?, b.float()?)),
            (Opcode::IntUnary(f, width), [a]) => Value::Int(integer::unary(*f, *width, a.int()?)),
            (Opcode::IntBinary(f, width), [a, b]) => {
                Value::Int(integer::binary(*f, *width, a.int()?, b.int()?)?)
            }
            (Opcode::IntCompare(f, width), [a, b]) => {
                truth(integer::compare(*f, *width, a.int()?, b.int()?))
            }
            (Opcode::Wide(f, width), [a, b]) => {
                let (first, second) = integer::wide(*f, *width, a.int()?, b.int()?);
                return Ok(vec![Value::Int(first), Value::Int(second)]);
            }
            (Opcode::Cast(c), [a]) => integer::cast(*c, a)?,
            (Opcode::Complex(f, kind), _) => complex::apply(*f, *kind, operands)?,
            (Opcode::Select, [c, yes, no]) => {
                if c.int()? != 0 {
                    yes.clone()
                } else {
                    no.clone()
                }
            }
            _ => return fault(format!("has {} operands, which it cannot take", operands.len())),
        }])
    }

    fn count(&mut self, code: &Opcode) {
        let counter = match code {
            Opcode::FloatUnary(f, _) if f.is_elementary() => &mut self.counts.math_ops,
            Opcode::FloatBinary(f, _) if f.is_elementary() => &mut self.counts.math_ops,
            Opcode::FloatPower(_) | Opcode::SinCos(_) => &mut self.counts.math_ops,
            Opcode::Complex(f, _) if f.is_elementary() => &mut self.counts.math_ops,
            Opcode::IntUnary(..)
            | Opcode::IntBinary(..)
            | Opcode::IntCompare(..)
            | Opcode::Wide(..) => &mut self.counts.int_ops,
            Opcode::Cast(c) if !c.from.is_float() && !c.to.is_float() => &mut self.counts.int_ops,
            _ => &mut self.counts.float_ops,
        };
        *counter += 1;
    }
}

fn truth(b: bool) -> Value {
    Value::Int(i64::from(b))
}
