//! The shapes of the rows that a map over no elements would make: its body is rehearsed on zeros.
//!
//! A rehearsal counts nothing, updates no accumulator and cannot fail. Where an operation fails, because zeros are not
//! what it is made for, its results are zeros of the sizes that its operands tell. So are those of what takes too long. A
//! size that nothing tells is 0.

use super::control::{set_arguments, set_results};
use super::{Frame, Limits, Machine, scalar};
use crate::fault::{Fault, fault};
use crate::program::{Elem, Extent, Op, Opcode, Region, Type};
use crate::value::{Tensor, Value};

/// Steps, scalar operations and array elements after which a rehearsal is given up.
const WORK: u64 = 1 << 20;

/// Elements of the largest array of a rehearsal.
const ELEMENTS: usize = 1 << 20;

/// Calls inside of each other in a rehearsal.
const CALLS: usize = 20;

impl Machine<'_> {
    /// The shapes of what a region yields; without sizes for scalars and for what is not known.
    pub(super) fn yielded_shapes(
        &mut self,
        frame: &Frame,
        region: &Region,
        arguments: impl Iterator<Item = Value>,
    ) -> Vec<Vec<usize>> {
        let mut frame = frame.clone();
        set_arguments(&mut frame, region, arguments);
        // A rehearsal inside of one has what work is left to that.
        let outside = (!self.rehearses).then(|| (std::mem::take(&mut self.counts), self.limits));
        if outside.is_some() {
            let call_depth = self.limits.call_depth.min(self.depth + CALLS);
            self.limits = Limits { call_depth, steps: WORK, elements: ELEMENTS };
            self.rehearses = true;
        }
        let done = self.rehearse(&mut frame, region);
        if let Some((counts, limits)) = outside {
            self.rehearsed += self.spent();
            self.counts = counts;
            self.limits = limits;
            self.rehearses = false;
        }
        if done.is_err() {
            return vec![];
        }
        let shape = |value: &Value| value.tensor().map(Tensor::shape).unwrap_or_default().to_vec();
        region.yields.iter().map(|&operand| shape(frame.get(operand))).collect()
    }

    fn spent(&self) -> u64 {
        self.counts.steps + self.counts.work() + self.counts.allocations
    }

    /// Runs the ops of a region, and goes on where one fails.
    pub(super) fn rehearse(&mut self, frame: &mut Frame, region: &Region) -> Result<(), Fault> {
        if self.spent() > self.limits.steps {
            return fault("the sizes of rows take too long to find");
        }
        for op in &region.ops {
            self.counts.steps += 1;
            self.rehearse_op(frame, op);
        }
        Ok(())
    }

    fn rehearse_op(&mut self, frame: &mut Frame, op: &Op) {
        match op.code {
            // Sizes do not change, so the accumulator passes through.
            Opcode::UpdateAcc => {
                let accumulator = frame.take(op.operands[0]);
                return set_results(frame, op, [accumulator]);
            }
            Opcode::ParallelInsert(_) => return,
            _ => {}
        }
        let known = Known::new(frame, op);
        let (depth, point, shared) = (self.depth, self.point.clone(), self.shared.len());
        if self.step(frame, op).is_err() {
            self.depth = depth;
            self.point = point;
            self.shared.truncate(shared);
            if let Opcode::Atl(_) = op.code
                && let Ok(zero) = self.zeros_of_result(frame, op)
            {
                return set_results(frame, op, [zero]);
            }
            let results = (0..op.results.len()).map(|i| known.result(op, i));
            set_results(frame, op, results.collect::<Vec<_>>());
        }
    }
}

/// What the operands of an op tell before it runs.
struct Known {
    sizes: Vec<Option<usize>>,
    shapes: Vec<Option<Vec<usize>>>,
    accumulators: Vec<Value>,
}

impl Known {
    fn new(frame: &Frame, op: &Op) -> Known {
        let values = || op.operands.iter().map(|&operand| frame.get(operand));
        let accumulators = values().filter(|value| matches!(value, Value::Acc(_)));
        Known {
            sizes: values().map(|value| value.size().ok()).collect(),
            shapes: values().map(|value| Some(value.tensor().ok()?.shape().to_vec())).collect(),
            accumulators: accumulators.cloned().collect(),
        }
    }

    /// Zeros for a result; for an accumulator, the one that it comes from.
    fn result(&self, op: &Op, i: usize) -> Value {
        let ty = &op.result_types[i];
        if let Type::Acc(_) = ty {
            let is_accumulator = |ty: &&Type| matches!(ty, Type::Acc(_));
            let number = op.result_types[..i].iter().filter(is_accumulator).count();
            return self.accumulators.get(number).cloned().unwrap_or(Value::Acc(None));
        }
        zero(ty, &self.shape(op, i).unwrap_or_default())
    }

    /// The shape of a result, as far as operands tell.
    fn shape(&self, op: &Op, i: usize) -> Option<Vec<usize>> {
        use Opcode::*;
        let like = |operand: usize| self.shapes.get(operand)?.clone();
        let dims = op.result_types[i].dims();
        match &op.code {
            Empty | Generate | Iota(_) => Some(self.sized(dims, 0)),
            Splat => Some(self.sized(dims, 1)),
            Replicate => Some([self.sized(&dims[..1], 1), like(0).unwrap_or_default()].concat()),
            Expand(extents, _) => Some(self.extents(extents, 1)),
            ExtractSlice(spec) => {
                let is_dynamic = |extent: &&Extent| matches!(extent, Extent::Dynamic);
                let first = 1 + spec.offsets.iter().filter(is_dynamic).count();
                let sizes = self.extents(&spec.sizes, first).into_iter().zip(&spec.dropped);
                Some(sizes.filter(|(_, dropped)| !**dropped).map(|(size, _)| size).collect())
            }
            Insert | InsertSlice(_) | ScatterSlices(_) | Fill | Softmax(..) | Relayout(_) => {
                like(1)
            }
            Generic(spec) => like(spec.inputs + i),
            Hist(spec) | Scatter(spec) => like(spec.indices + spec.arrays + i),
            Map(_) => Some(like(0)?[..1].to_vec()),
            Reduce(arrays) => like(arrays + i),
            For { .. } => like(3 + i),
            Forall(_) => like(op.operands.len() - op.results.len() + i),
            Scan(_) | While | WithAcc => like(i),
            Concat(_) | Select | TensorCast | Identity => self.largest(dims.len()),
            code if scalar::is_elementwise(code) => self.largest(dims.len()),
            _ => None,
        }
    }

    /// Sizes, of which those that are dynamic come from operands from `first` on.
    fn sized(&self, dims: &[Option<usize>], first: usize) -> Vec<usize> {
        let mut dynamic = self.sizes.iter().skip(first);
        let mut next = || dynamic.next().copied().flatten().unwrap_or(0);
        dims.iter().map(|size| size.unwrap_or_else(&mut next)).collect()
    }

    fn extents(&self, extents: &[Extent], first: usize) -> Vec<usize> {
        let size = |extent: &Extent| match extent {
            Extent::Static(size) => Some(usize::try_from(*size).unwrap_or(0)),
            Extent::Dynamic => None,
        };
        self.sized(&extents.iter().map(size).collect::<Vec<_>>(), first)
    }

    /// The largest shape of an operand of this rank.
    fn largest(&self, rank: usize) -> Option<Vec<usize>> {
        let shapes = self.shapes.iter().flatten().filter(|shape| shape.len() == rank);
        shapes.max().cloned()
    }
}

/// Zeros of a type, of which the dynamic sizes are those of `shape`, or 0 where it has none; none at all where there
/// would be too many.
pub(super) fn zero(ty: &Type, shape: &[usize]) -> Value {
    if let Type::Pair(halves) = ty {
        return Value::Pair(Box::new(halves.each_ref().map(|half| zero(half, shape))));
    }
    if let Type::Record(fields) = ty {
        return Value::Record(fields.iter().map(|field| zero(field, &[])).collect());
    }
    let sizes = ty.dims().iter().enumerate();
    let mut shape: Vec<usize> =
        sizes.map(|(d, size)| size.or(shape.get(d).copied()).unwrap_or(0)).collect();
    let count = |shape: &[usize]| {
        shape.iter().try_fold(1usize, |n, &size| n.checked_mul(size)).filter(|&n| n <= ELEMENTS)
    };
    if count(&shape).is_none() {
        shape.fill(0);
    }
    let n = shape.iter().product();
    match (ty, ty.elem()) {
        (Type::Acc(_), _) => Value::Acc(None),
        (Type::Tape | Type::Function, _) => Value::Empty,
        (Type::Scalar(_), Elem::Float(_)) => Value::Float(0.0),
        (Type::Scalar(_), Elem::Complex(_)) => Value::Complex([0.0; 2]),
        (Type::Scalar(_), _) => Value::Int(0),
        (_, Elem::Float(_)) => Value::Tensor(Tensor::from_floats(&shape, vec![0.0; n])),
        (_, Elem::Complex(_)) => Value::Tensor(Tensor::from_complexes(&shape, vec![[0.0; 2]; n])),
        (_, _) => Value::Tensor(Tensor::from_ints(&shape, vec![0; n])),
    }
}
