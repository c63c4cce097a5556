//! Operations of the `tensor` dialect other than slices.

use super::control::set_arguments;
use super::{Frame, Machine, check_type};
use crate::fault::{Fault, fault};
use crate::program::{Elem, Extent, Op, Opcode, Operand};
use crate::value::{Builder, Tensor, Value};

impl Machine<'_> {
    pub(super) fn tensor_op(&mut self, frame: &mut Frame, op: &Op) -> Result<(), Fault> {
        let value = match &op.code {
            Opcode::Extract => self.extract(frame, op)?,
            Opcode::Insert => self.insert(frame, op)?,
            Opcode::Dim => self.dim(frame, op)?,
            Opcode::Rank => Value::Int(frame.get(op.operands[0]).tensor()?.rank() as i64),
            Opcode::Empty => self.empty(frame, op)?,
            Opcode::Splat => self.splat(frame, op)?,
            Opcode::FromElements => self.collect_elements(frame, op)?,
            Opcode::Generate => self.generate(frame, op)?,
            Opcode::Collapse(groups) => self.collapse(frame, op, groups)?,
            Opcode::Expand(extents, groups) => self.expand(frame, op, extents, groups)?,
            Opcode::TensorCast => frame.take(op.operands[0]),
            Opcode::Reshape => self.reshape(frame, op)?,
            Opcode::GatherSlices(dims) => self.gather_slices(frame, op, dims)?,
            Opcode::ScatterSlices(dims) => self.scatter_slices(frame, op, dims)?,
            Opcode::Concat(dim) => self.concat(frame, op, *dim)?,
            Opcode::Pad { low, high } => self.pad(frame, op, low, high)?,
            _ => return fault("internal error: not a tensor op"),
        };
        check_type(&op.result_types[0], &value)?;
        frame.set(op.results[0], value);
        Ok(())
    }

    fn extract(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let tensor = frame.get(op.operands[0]).tensor()?;
        let (position, rest) = self.position(frame, tensor, &op.operands[1..])?;
        let element = match rest {
            [] => tensor.element(position),
            lanes => Value::Tensor(tensor.window(position, lanes.into())),
        };
        self.counts.reads += 1;
        release(frame, op.operands[0]);
        Ok(element)
    }

    fn insert(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let scalar = frame.get(op.operands[0]).clone();
        let mut tensor = frame.take(op.operands[1]).into_tensor()?;
        let (position, _) = self.position(frame, &tensor, &op.operands[2..])?;
        tensor.set(position, &scalar, &mut self.counts)?;
        Ok(Value::Tensor(tensor))
    }

    /// The flat position of an index given by operands, without building the index, and the sizes below it, which are
    /// those of a vector.
    fn position<'t>(
        &self,
        frame: &Frame,
        tensor: &'t Tensor,
        indices: &[Operand],
    ) -> Result<(usize, &'t [usize]), Fault> {
        let mut position = 0;
        for (d, (&size, &operand)) in tensor.shape().iter().zip(indices).enumerate() {
            let i = frame.get(operand).int()?;
            if i < 0 || i as u64 >= size as u64 {
                return fault(format!(
                    "index {i} is out of bounds for dimension {d} of size {size}"
                ));
            }
            position = position * size + i as usize;
        }
        let Some(lanes) = tensor.shape().get(indices.len()..) else {
            return fault(format!(
                "{} indices for a tensor of rank {}",
                indices.len(),
                tensor.rank()
            ));
        };
        Ok((position * lanes.iter().product::<usize>(), lanes))
    }

    fn dim(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let tensor = frame.get(op.operands[0]).first_tensor()?;
        let index = frame.get(op.operands[1]).size()?;
        let Some(&size) = tensor.shape().get(index) else {
            return fault(format!("dimension {index} of a tensor of rank {}", tensor.rank()));
        };
        release(frame, op.operands[0]);
        Ok(Value::Int(size as i64))
    }

    /// The shape of the result: static sizes from its type, dynamic ones from operands in order.
    pub(super) fn result_shape(
        &self,
        frame: &Frame,
        op: &Op,
        operands: &[Operand],
    ) -> Result<Vec<usize>, Fault> {
        let mut dynamic = frame.sizes(operands)?.into_iter();
        let dims = op.result_types[0].dims();
        let shape: Option<Vec<usize>> = dims.iter().map(|d| d.or_else(|| dynamic.next())).collect();
        let Some(shape) = shape else { return fault("lacks a dynamic size") };
        self.element_count(&shape)?;
        Ok(shape)
    }

    /// Elements nobody may read: NaN, or an integer that stands out.
    fn empty(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let shape = self.result_shape(frame, op, &op.operands)?;
        let unset = match op.result_types[0].elem() {
            Elem::Float(_) => Value::Float(f64::NAN),
            Elem::Complex(_) => Value::Complex([f64::NAN; 2]),
            _ => Value::Int(UNSET),
        };
        self.filled(&shape, &unset)
    }

    fn splat(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let shape = self.result_shape(frame, op, &op.operands[1..])?;
        let value = frame.get(op.operands[0]).clone();
        self.counts.writes += self.element_count(&shape)? as u64;
        self.filled(&shape, &value)
    }

    fn filled(&mut self, shape: &[usize], value: &Value) -> Result<Value, Fault> {
        let count = shape.iter().product();
        self.counts.allocated(count);
        Ok(Value::Tensor(match value {
            Value::Float(x) => Tensor::from_floats(shape, vec![*x; count]),
            Value::Complex(x) => Tensor::from_complexes(shape, vec![*x; count]),
            Value::Tensor(lanes) => {
                let mut builder = Builder::new(lanes.is_float(), count);
                (0..count / lanes.len().max(1))
                    .try_for_each(|_| builder.push(&Value::Tensor(lanes.clone())))?;
                builder.finish(&[], &mut self.counts).reshaped(shape.into())
            }
            other => Tensor::from_ints(shape, vec![other.int()?; count]),
        }))
    }

    fn collect_elements(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let shape = self.result_shape(frame, op, &[])?;
        let mut builder = Builder::new(op.result_types[0].elem().is_float(), op.operands.len());
        for &operand in &op.operands {
            builder.push(frame.get(operand))?;
        }
        let elements = builder.finish(&[], &mut self.counts);
        if shape.iter().product::<usize>() != elements.len() {
            return fault("has not as many elements as its type");
        }
        Ok(Value::Tensor(elements.reshaped(shape.into())))
    }

    fn generate(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let shape = self.result_shape(frame, op, &op.operands)?;
        let region = &op.regions[0];
        // The innermost dimensions may be those of vectors.
        let outer = shape[..region.arguments.len().min(shape.len())].to_vec();
        let count = self.element_count(&outer)?;
        let mut builder = Builder::new(op.result_types[0].elem().is_float(), count);
        let mut index = vec![0; outer.len()];
        for _ in 0..count {
            set_arguments(frame, region, index.iter().map(|&i| Value::Int(i as i64)));
            self.run(frame, region)?;
            builder.push(frame.get(region.yields[0]))?;
            advance(&mut index, &outer);
        }
        Ok(Value::Tensor(builder.finish(&[], &mut self.counts).reshaped(shape.into())))
    }

    fn collapse(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        groups: &[Vec<usize>],
    ) -> Result<Value, Fault> {
        let tensor = frame.take(op.operands[0]).into_tensor()?;
        Ok(Value::Tensor(tensor.reshaped(group_sizes(tensor.shape(), groups)?.into())))
    }

    fn expand(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        extents: &[Extent],
        groups: &[Vec<usize>],
    ) -> Result<Value, Fault> {
        let mut dynamic = op.operands[1..].iter();
        let shape = self.extents(frame, extents, &mut dynamic)?;
        let tensor = frame.take(op.operands[0]).into_tensor()?;
        let grouped = group_sizes(&shape, groups)?;
        if grouped != tensor.shape() {
            return fault(format!("cannot expand shape {:?} to {shape:?}", tensor.shape()));
        }
        Ok(Value::Tensor(tensor.reshaped(shape.into())))
    }

    /// Static or dynamic sizes as numbers; dynamic ones come from `operands` in order.
    pub(super) fn extents<'a>(
        &self,
        frame: &Frame,
        extents: &[Extent],
        operands: &mut impl Iterator<Item = &'a Operand>,
    ) -> Result<Vec<usize>, Fault> {
        let mut sizes = Vec::with_capacity(extents.len());
        for extent in extents {
            sizes.push(match extent {
                Extent::Static(n) => Value::Int(*n).size()?,
                Extent::Dynamic => match operands.next() {
                    Some(&operand) => frame.get(operand).size()?,
                    None => return fault("lacks a dynamic operand"),
                },
            });
        }
        Ok(sizes)
    }

    fn concat(&mut self, frame: &mut Frame, op: &Op, dim: usize) -> Result<Value, Fault> {
        let parts: Vec<Tensor> = frame
            .take_all(&op.operands)
            .into_iter()
            .map(Value::into_tensor)
            .collect::<Result<_, _>>()?;
        let Some(first) = parts.first() else { return fault("concatenates nothing") };
        let mut shape = first.shape().to_vec();
        if dim >= shape.len() {
            return fault(format!("dimension {dim} of a tensor of rank {}", shape.len()));
        }
        let agrees = |p: &Tensor| {
            p.rank() == shape.len()
                && (0..shape.len()).all(|d| d == dim || p.shape()[d] == shape[d])
        };
        if let Some(other) = parts.iter().find(|p| !agrees(p)) {
            return fault(format!("cannot join shapes {shape:?} and {:?}", other.shape()));
        }
        shape[dim] = parts.iter().map(|p| p.shape()[dim]).sum();
        let outer: usize = shape[..dim].iter().product();
        let mut builder = Builder::new(first.is_float(), self.element_count(&shape)?);
        for o in 0..outer {
            for part in &parts {
                let run: usize = part.shape()[dim..].iter().product();
                (o * run..(o + 1) * run).try_for_each(|i| builder.push(&part.element(i)))?;
            }
        }
        let tensor = builder.finish(&[], &mut self.counts);
        self.counts.reads += tensor.len() as u64;
        Ok(Value::Tensor(tensor.reshaped(shape.into())))
    }

    fn pad(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        low: &[Extent],
        high: &[Extent],
    ) -> Result<Value, Fault> {
        let mut dynamic = op.operands[1..].iter();
        let low = self.extents(frame, low, &mut dynamic)?;
        let high = self.extents(frame, high, &mut dynamic)?;
        let source = frame.take(op.operands[0]).into_tensor()?;
        let shape: Vec<usize> =
            (0..source.rank()).map(|d| low[d] + source.shape()[d] + high[d]).collect();
        let count = self.element_count(&shape)?;
        let region = &op.regions[0];
        let mut builder = Builder::new(source.is_float(), count);
        let mut index = vec![0; shape.len()];
        for _ in 0..count {
            let inner: Vec<usize> = index
                .iter()
                .zip(&low)
                .map(|(&i, &l): (&usize, &usize)| i.wrapping_sub(l))
                .collect();
            if let Ok(position) = source.position(&inner) {
                builder.push(&source.element(position))?;
            } else {
                set_arguments(frame, region, index.iter().map(|&i| Value::Int(i as i64)));
                self.run(frame, region)?;
                builder.push(frame.get(region.yields[0]))?;
            }
            advance(&mut index, &shape);
        }
        self.counts.reads += source.len() as u64;
        Ok(Value::Tensor(builder.finish(&[], &mut self.counts).reshaped(shape.into())))
    }
}

/// What an integer of a fresh tensor holds until it is written.
pub(super) const UNSET: i64 = 0x5a;

/// Drops an operand that was only looked at and is not used again.
pub(super) fn release(frame: &mut Frame, operand: Operand) {
    if operand.last {
        frame.set(operand.slot, Value::Empty);
    }
}

/// The next index in row-major order.
pub(super) fn advance(index: &mut [usize], shape: &[usize]) {
    for (i, &size) in index.iter_mut().zip(shape).rev() {
        *i += 1;
        if *i < size {
            return;
        }
        *i = 0;
    }
}

/// The product of the sizes in each group of consecutive dimensions.
fn group_sizes(shape: &[usize], groups: &[Vec<usize>]) -> Result<Vec<usize>, Fault> {
    // A scalar is the element of any array of one.
    if groups.is_empty() && shape.iter().all(|&size| size == 1) {
        return Ok(vec![]);
    }
    let size = |d: &usize| shape.get(*d).copied();
    let sizes: Option<Vec<usize>> = groups.iter().map(|g| g.iter().map(size).product()).collect();
    match sizes {
        Some(sizes) if groups.iter().map(Vec::len).sum::<usize>() == shape.len() => Ok(sizes),
        _ => fault(format!("cannot group shape {shape:?}")),
    }
}
