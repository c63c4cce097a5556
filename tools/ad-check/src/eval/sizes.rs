//! The sizes of values of the tensor language that are not evaluated, and zeros of these sizes.
//!
//! They are told from how a value is defined: a generation gives its own sizes, an access drops dimensions. No size
//! depends on an index, so that this is possible [ATL 4.1].

use super::atl::Atl;
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::{Op, Opcode, Operand, Region, Type};
use crate::value::{Tensor, Value};

/// The sizes of a value: none of a number.
#[derive(Clone, Debug)]
pub(super) enum Sizes {
    Leaf(Vec<usize>),
    Pair(Box<[Sizes; 2]>),
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes::Leaf(vec![])
    }
}

impl Sizes {
    pub(super) fn of(value: &Value) -> Result<Sizes, Fault> {
        Ok(match value {
            Value::Pair(halves) => {
                Sizes::Pair(Box::new([Sizes::of(&halves[0])?, Sizes::of(&halves[1])?]))
            }
            Value::Tensor(tensor) => Sizes::Leaf(tensor.shape().to_vec()),
            Value::Float(_) | Value::Int(_) => Sizes::default(),
            other => return other.misfit("expects a value of the tensor language"),
        })
    }

    fn map(&self, change: &dyn Fn(&[usize]) -> Vec<usize>) -> Sizes {
        match self {
            Sizes::Leaf(shape) => Sizes::Leaf(change(shape)),
            Sizes::Pair(halves) => {
                Sizes::Pair(Box::new([halves[0].map(change), halves[1].map(change)]))
            }
        }
    }
}

impl Machine<'_> {
    /// Zeros in place of the result of an op that cannot be evaluated.
    pub(super) fn zeros_of_result(&mut self, frame: &Frame, op: &Op) -> Result<Value, Fault> {
        let sizes = self.sizes_of_result(frame, &[], op)?;
        self.zeros(&op.result_types[0], &sizes)
    }

    /// The zero of a type [ATL 4.12].
    fn zeros(&mut self, ty: &Type, sizes: &Sizes) -> Result<Value, Fault> {
        Ok(match (ty, sizes) {
            (Type::Pair(types), Sizes::Pair(halves)) => {
                let first = self.zeros(&types[0], &halves[0])?;
                Value::Pair(Box::new([first, self.zeros(&types[1], &halves[1])?]))
            }
            (Type::Scalar(elem), _) if elem.is_float() => Value::Float(0.0),
            (Type::Scalar(_), _) => Value::Int(0),
            (Type::Tensor(of), Sizes::Leaf(shape)) if of.elem.is_float() => {
                let count = self.element_count(shape)?;
                self.counts.allocated(count);
                self.counts.writes += count as u64;
                Value::Tensor(Tensor::from_floats(shape, vec![0.0; count]))
            }
            _ => return fault("internal error: a type without a zero"),
        })
    }

    /// The sizes of a value: that of an op in one of the bodies, of which the last is the innermost, and which has not
    /// run, or one that is there.
    pub(super) fn sizes_of(
        &self,
        frame: &Frame,
        bodies: &[&Region],
        value: Operand,
    ) -> Result<Sizes, Fault> {
        match definition(bodies, value) {
            Some(op) => self.sizes_of_result(frame, bodies, op),
            None => Sizes::of(frame.get(value)),
        }
    }

    /// The sizes of the result of an op in bodies that have not run.
    fn sizes_of_result(&self, frame: &Frame, bodies: &[&Region], op: &Op) -> Result<Sizes, Fault> {
        let yielded = || {
            let body = &op.regions[0];
            self.sizes_of(frame, &[bodies, &[body]].concat(), body.yields[0])
        };
        let operand = |number: usize| self.sizes_of(frame, bodies, op.operands[number]);
        let code = match (&op.result_types[0], &op.code) {
            (Type::Scalar(_), _) => return Ok(Sizes::default()),
            (_, Opcode::Constant(value)) => return Sizes::of(value),
            (_, Opcode::Atl(code)) => &**code,
            _ => return self.fault_of_sizes(op),
        };
        match code {
            Atl::Gen => {
                let size = |&size: &Operand| match definition(bodies, size).map(|op| &op.code) {
                    Some(Opcode::Constant(size)) => size.size(),
                    _ => frame.get(size).size(),
                };
                let outer = op.operands.iter().map(size).collect::<Result<Vec<_>, Fault>>()?;
                Ok(yielded()?.map(&|inner| [&outer, inner].concat()))
            }
            Atl::Bracket => yielded(),
            Atl::Access(places) => {
                let inner =
                    |shape: &[usize]| shape.get(places.len()..).unwrap_or_default().to_vec();
                Ok(operand(0)?.map(&inner))
            }
            Atl::Pair => Ok(Sizes::Pair(Box::new([operand(0)?, operand(1)?]))),
            Atl::Project(half) => match operand(0)? {
                Sizes::Pair(halves) => Ok(halves.into_iter().nth(*half).unwrap_or_default()),
                Sizes::Leaf(_) => fault("internal error: a half of what is no pair"),
            },
            _ => self.fault_of_sizes(op),
        }
    }

    fn fault_of_sizes(&self, op: &Op) -> Result<Sizes, Fault> {
        let unknown = Fault::new("has a result of sizes that nothing tells before it runs");
        Err(self.locate(unknown, op))
    }
}

/// The op in bodies that has not run and defines a value.
fn definition<'a>(bodies: &[&'a Region], value: Operand) -> Option<&'a Op> {
    let mut ops = bodies.iter().rev().flat_map(|body| &body.ops);
    ops.find(|op| op.results.contains(&value.slot))
}
