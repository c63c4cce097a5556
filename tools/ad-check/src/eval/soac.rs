//! Second-order array combinators and accumulators.
//!
//! An element along the outermost dimension is a scalar or, below rank one, a row that shares the array's storage.
//! A scan over zero elements has rows of the shape of its neutral element, and a map over zero elements rows of the
//! shape that its body would make (see `rows`).

use super::control::{set_arguments, set_results};
use super::rows::zero;
use super::scalar::integer::wrap;
use super::{Frame, Machine, check_type};
use crate::fault::{Fault, fault};
use crate::program::{Op, Opcode, Operand, Region, ScanSpec, Type};
use crate::value::{Builder, Tensor, Value};
use std::sync::Arc;

/// Arrays consumed together, with the shape of a row worked out once.
pub(super) struct Columns {
    arrays: Vec<(Tensor, Arc<[usize]>, usize)>,
    pub(super) length: usize,
}

impl Columns {
    pub(super) fn new(values: Vec<Value>) -> Result<Columns, Fault> {
        let mut arrays = Vec::with_capacity(values.len());
        let mut length = None;
        for value in values {
            let tensor = value.into_tensor()?;
            let Some(&size) = tensor.shape().first() else {
                return fault("cannot consume a tensor of rank 0");
            };
            if *length.get_or_insert(size) != size {
                return fault(format!(
                    "arrays of different lengths {} and {size}",
                    length.unwrap_or(0)
                ));
            }
            let row = tensor.row_shape();
            let stride = row.iter().product();
            arrays.push((tensor, row, stride));
        }
        Ok(Columns { arrays, length: length.unwrap_or(0) })
    }

    /// Element `i` of each array.
    pub(super) fn elements(&self, i: usize) -> impl Iterator<Item = Value> + '_ {
        self.arrays.iter().map(move |(tensor, row, stride)| {
            if tensor.rank() == 1 {
                tensor.element(i)
            } else {
                Value::Tensor(tensor.window(i * stride, row.clone()))
            }
        })
    }

    /// An element of zeros of each array, as arguments of a body.
    fn zeros<'a>(&'a self, body: &'a Region) -> impl Iterator<Item = Value> + 'a {
        self.arrays.iter().zip(&body.argument_types).map(|((_, row, _), ty)| zero(ty, row))
    }

    /// Scalars read per iteration.
    pub(super) fn scalars(&self) -> u64 {
        self.arrays.iter().filter(|(t, _, _)| t.rank() == 1).count() as u64
    }
}

/// The longest of several runs that do not depend on each other.
pub(super) struct Span {
    before: u64,
    longest: u64,
}

impl Span {
    pub(super) fn start(machine: &Machine) -> Span {
        Span { before: machine.counts.span, longest: 0 }
    }

    /// Ends one run and begins another.
    pub(super) fn next(&mut self, machine: &mut Machine) {
        self.longest = self.longest.max(machine.counts.span - self.before);
        machine.counts.span = self.before;
    }

    /// Counts the longest run, as often as the runs must follow each other.
    pub(super) fn finish(mut self, machine: &mut Machine, times: u64) {
        self.next(machine);
        machine.counts.span += self.longest * times;
    }
}

/// The depth of a balanced tree over so many elements.
pub(super) fn levels(length: usize) -> u64 {
    u64::from(usize::BITS - length.leading_zeros())
}

impl Machine<'_> {
    pub(super) fn soac_op(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        match &op.code {
            Opcode::Map(arrays) => self.map(frame, op, *arrays),
            Opcode::Reduce(arrays) => self.reduce(frame, op, *arrays),
            Opcode::Scan(spec) => self.scan(frame, op, *spec),
            Opcode::Hist(spec) => self.hist(frame, op, *spec),
            Opcode::Scatter(spec) => self.scatter(frame, op, *spec),
            Opcode::Iota(width) => self.iota(frame, op, *width),
            Opcode::Replicate => self.replicate(frame, op),
            Opcode::WithAcc => self.with_acc(frame, op),
            Opcode::UpdateAcc => self.update_acc(frame, op),
            Opcode::NullAcc => {
                frame.set(op.results[0], Value::Acc(None));
                Ok(())
            }
            _ => fault("internal error: no meaning for this op"),
        }
    }

    fn map(&mut self, frame: &mut Frame, op: &Op, arrays: usize) -> Result<(), Fault> {
        let columns = Columns::new(frame.take_all(&op.operands[..arrays]))?;
        let mut accumulators = frame.take_all(&op.operands[arrays..]);
        let outputs = op.results.len() - accumulators.len();
        let region = &op.regions[0];
        let new_builder = |t: &Type| Builder::new(t.elem().is_float(), columns.length);
        let mut builders: Vec<Builder> =
            op.result_types[..outputs].iter().map(new_builder).collect();
        let mut span = Span::start(self);
        for i in 0..columns.length {
            span.next(self);
            set_arguments(frame, region, columns.elements(i).chain(accumulators));
            self.run(frame, region)?;
            for (builder, &operand) in builders.iter_mut().zip(&region.yields) {
                let value = frame.take(operand);
                builder.push(&value)?;
            }
            accumulators = frame.take_all(&region.yields[outputs..]);
        }
        span.finish(self, 1);
        self.counts.reads += columns.scalars() * columns.length as u64;
        let rows = self.rows_of_none(frame, op, &columns, outputs);
        let mut results = Vec::with_capacity(op.results.len());
        for (k, (builder, ty)) in builders.into_iter().zip(op.result_types.iter()).enumerate() {
            let row = rows.get(k).map(Vec::as_slice).unwrap_or_default();
            let value = Value::Tensor(builder.finish(&row_of(ty, row), &mut self.counts));
            check_type(ty, &value)?;
            results.push(value);
        }
        results.extend(accumulators);
        set_results(frame, op, results);
        Ok(())
    }

    /// The shapes of the rows that a map would make, where there are no elements but sizes to be found.
    fn rows_of_none(
        &mut self,
        frame: &Frame,
        op: &Op,
        columns: &Columns,
        outputs: usize,
    ) -> Vec<Vec<usize>> {
        let is_dynamic = |ty: &Type| ty.dims().iter().skip(1).any(Option::is_none);
        if columns.length > 0 || !op.result_types[..outputs].iter().any(is_dynamic) {
            return vec![];
        }
        let region = &op.regions[0];
        let ignored = region.arguments.iter().skip(columns.arrays.len()).map(|_| Value::Acc(None));
        self.yielded_shapes(frame, region, columns.zeros(region).chain(ignored))
    }

    /// Folds from the left, starting with the neutral elements.
    fn reduce(&mut self, frame: &mut Frame, op: &Op, arrays: usize) -> Result<(), Fault> {
        let columns = Columns::new(frame.take_all(&op.operands[..arrays]))?;
        let mut state = frame.take_all(&op.operands[arrays..]);
        let region = &op.regions[0];
        let mut span = Span::start(self);
        for i in 0..columns.length {
            span.next(self);
            set_arguments(frame, region, state.into_iter().chain(columns.elements(i)));
            self.run(frame, region)?;
            state = frame.take_all(&region.yields);
        }
        span.finish(self, levels(columns.length));
        self.counts.reads += columns.scalars() * columns.length as u64;
        set_results(frame, op, state);
        Ok(())
    }

    /// Prefixes from the left, or suffixes from the right, in the order of the array.
    fn scan(&mut self, frame: &mut Frame, op: &Op, spec: ScanSpec) -> Result<(), Fault> {
        let columns = Columns::new(frame.take_all(&op.operands[..spec.arrays]))?;
        let mut state = frame.take_all(&op.operands[spec.arrays..]);
        let region = &op.regions[0];
        let mut rows = Vec::with_capacity(columns.length);
        let mut span = Span::start(self);
        for step in 0..columns.length {
            span.next(self);
            if spec.exclusive {
                rows.push(state.clone());
            }
            if spec.reverse {
                let element = columns.elements(columns.length - 1 - step);
                set_arguments(frame, region, element.chain(state));
            } else {
                set_arguments(frame, region, state.into_iter().chain(columns.elements(step)));
            }
            self.run(frame, region)?;
            state = frame.take_all(&region.yields);
            if !spec.exclusive {
                rows.push(state.clone());
            }
        }
        span.finish(self, 2 * levels(columns.length));
        self.counts.reads += columns.scalars() * columns.length as u64;
        if spec.reverse {
            rows.reverse();
        }
        let mut results = Vec::with_capacity(op.results.len());
        for (k, ty) in op.result_types.iter().enumerate() {
            let mut builder = Builder::new(ty.elem().is_float(), rows.len());
            for row in &rows {
                builder.push(&row[k])?;
            }
            let row = state[k].tensor().map(Tensor::shape).unwrap_or_default();
            let value = Value::Tensor(builder.finish(&row_of(ty, row), &mut self.counts));
            check_type(ty, &value)?;
            results.push(value);
        }
        set_results(frame, op, results);
        Ok(())
    }

    /// The outermost size: static in the result type, or the given operand.
    fn outer_size(
        &self,
        frame: &Frame,
        op: &Op,
        operand: Option<&Operand>,
    ) -> Result<usize, Fault> {
        match (op.result_types[0].dims().first(), operand) {
            (Some(Some(n)), _) => Ok(*n),
            (_, Some(&operand)) => frame.get(operand).size(),
            _ => fault("has no size"),
        }
    }

    fn iota(&mut self, frame: &mut Frame, op: &Op, width: u32) -> Result<(), Fault> {
        let n = self.outer_size(frame, op, op.operands.first())?;
        self.element_count(&[n])?;
        self.counts.allocated(n);
        let elements = (0..n as i64).map(|i| wrap(i, width)).collect();
        frame.set(op.results[0], Value::Tensor(Tensor::from_ints(&[n], elements)));
        Ok(())
    }

    fn replicate(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let n = self.outer_size(frame, op, op.operands.get(1))?;
        let value = frame.take(op.operands[0]);
        let mut shape = vec![n];
        shape.extend(value.tensor().map(|t| t.shape().to_vec()).unwrap_or_default());
        self.element_count(&shape)?;
        let tensor = match &value {
            Value::Float(x) => Tensor::from_floats(&shape, vec![*x; n]),
            Value::Int(x) => Tensor::from_ints(&shape, vec![*x; n]),
            Value::Complex(x) => Tensor::from_complexes(&shape, vec![*x; n]),
            Value::Tensor(t) => match (t.floats(), t.ints(), t.complexes()) {
                (Some(x), _, _) => Tensor::from_floats(&shape, x.repeat(n)),
                (_, Some(x), _) => Tensor::from_ints(&shape, x.repeat(n)),
                (_, _, Some(x)) => Tensor::from_complexes(&shape, x.repeat(n)),
                _ => return fault("internal error: a tensor without elements"),
            },
            other => return fault(format!("cannot replicate {}", other.describe())),
        };
        self.counts.allocated(tensor.len());
        self.counts.writes += tensor.len() as u64;
        frame.set(op.results[0], Value::Tensor(tensor));
        Ok(())
    }

    fn with_acc(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let region = &op.regions[0];
        let count = op.operands.len();
        for (&slot, &operand) in region.arguments.iter().zip(op.operands.iter()) {
            let tensor = frame.take(operand).into_tensor()?;
            frame.set(slot, Value::Acc(Some(tensor)));
        }
        self.run(frame, region)?;
        let mut results = frame.take_all(&region.yields);
        for value in results.iter_mut().take(count) {
            *value = match std::mem::take(value) {
                Value::Acc(Some(tensor)) => Value::Tensor(tensor),
                other => {
                    return fault(format!(
                        "yields {} in place of its accumulator",
                        other.describe()
                    ));
                }
            };
        }
        set_results(frame, op, results);
        Ok(())
    }

    /// Operands: the accumulator, the indices, the value.
    fn update_acc(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let [acc, indices @ .., value] = &*op.operands else {
            return fault("internal error: an update has an accumulator and a value");
        };
        let Value::Acc(target) = frame.take(*acc) else { return fault("expects an accumulator") };
        let value = frame.take(*value);
        let updated = match target {
            None => None,
            Some(mut tensor) => {
                let index = frame.sizes(indices)?;
                self.accumulate(&mut tensor, &index, &value, op)?;
                Some(tensor)
            }
        };
        frame.set(op.results[0], Value::Acc(updated));
        Ok(())
    }

    fn accumulate(
        &mut self,
        tensor: &mut Tensor,
        index: &[usize],
        value: &Value,
        op: &Op,
    ) -> Result<(), Fault> {
        if index.len() > tensor.rank() {
            return fault(format!(
                "{} indices for an accumulator of rank {}",
                index.len(),
                tensor.rank()
            ));
        }
        let trailing = value.tensor().map(Tensor::shape).unwrap_or_default();
        if trailing != &tensor.shape()[index.len()..] {
            let want = &tensor.shape()[index.len()..];
            return fault(format!(
                "adds a value of shape {trailing:?} to an element of shape {want:?}"
            ));
        }
        let start = tensor.prefix_position(index)?;
        let count: usize = trailing.iter().product();
        self.counts.updates += count as u64;
        let elem = op.result_types[0].elem();
        if elem.is_complex() {
            let kind = elem.float_kind();
            let target = &mut tensor.complexes_mut(&mut self.counts)?[start..start + count];
            let single = [value.complex().unwrap_or_default()];
            let added = value.tensor().ok().and_then(Tensor::complexes).unwrap_or(&single);
            for (t, a) in target.iter_mut().zip(added) {
                *t = [kind.round(t[0] + a[0]), kind.round(t[1] + a[1])];
            }
        } else if elem.is_float() {
            let kind = elem.float_kind();
            let target = &mut tensor.floats_mut(&mut self.counts)?[start..start + count];
            let single = [value.float().unwrap_or_default()];
            let added = value.tensor().ok().and_then(Tensor::floats).unwrap_or(&single);
            target.iter_mut().zip(added).for_each(|(t, a)| *t = kind.round(*t + a));
        } else {
            let target = &mut tensor.ints_mut(&mut self.counts)?[start..start + count];
            let single = [value.int().unwrap_or_default()];
            let added = value.tensor().ok().and_then(Tensor::ints).unwrap_or(&single);
            target
                .iter_mut()
                .zip(added)
                .for_each(|(t, a)| *t = wrap(t.wrapping_add(*a), elem.int_width()));
        }
        Ok(())
    }
}

/// The shape of a row: static sizes from the type of the array, dynamic ones from a row, which may have none.
fn row_of(ty: &Type, row: &[usize]) -> Vec<usize> {
    let dims = ty.dims().iter().skip(1).enumerate();
    dims.map(|(d, size)| size.or(row.get(d).copied()).unwrap_or(0)).collect()
}
