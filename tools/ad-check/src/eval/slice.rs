//! `tensor.extract_slice` and `tensor.insert_slice`.

use super::{Frame, Machine, check_type};
use crate::eval::tensor::advance;
use crate::fault::{Fault, fault};
use crate::program::{Op, SliceSpec};
use crate::value::{Builder, Tensor, Value};

/// A slice with its numbers known and checked against the tensor it is taken from.
pub(super) struct Slice {
    offsets: Vec<usize>,
    sizes: Vec<usize>,
    strides: Vec<usize>,
}

impl Slice {
    /// The flat position of an index within the slice.
    fn position(&self, shape: &[usize], index: &[usize]) -> usize {
        let coordinate = |d: usize| self.offsets[d] + index[d] * self.strides[d];
        (0..shape.len()).fold(0, |p, d| p * shape[d] + coordinate(d))
    }

    /// Offsets, sizes and strides, which are within a shape.
    pub(super) fn parts(self, shape: &[usize]) -> Result<[Vec<usize>; 3], Fault> {
        check_bounds(&self, shape)?;
        Ok([self.offsets, self.sizes, self.strides])
    }

    /// Whether the slice is one run of consecutive elements.
    fn is_contiguous(&self, shape: &[usize]) -> bool {
        let first = self.sizes.iter().position(|&n| n != 1).unwrap_or(shape.len());
        let full = |d: usize| self.sizes[d] == shape[d];
        let dense = |d: usize| self.sizes[d] == 1 || self.strides[d] == 1;
        (first + 1..shape.len()).all(full) && (first..shape.len()).all(dense)
    }

    /// The shape without the dropped dimensions.
    fn reduced(&self, spec: &SliceSpec) -> Vec<usize> {
        let kept = self.sizes.iter().zip(&spec.dropped).filter(|(_, dropped)| !**dropped);
        kept.map(|(&n, _)| n).collect()
    }
}

impl Machine<'_> {
    /// Operands: the source, then dynamic offsets, sizes and strides.
    pub(super) fn extract_slice(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        spec: &SliceSpec,
    ) -> Result<(), Fault> {
        let slice = self.slice(frame, op, spec, 1)?;
        let source = frame.take(op.operands[0]).into_tensor()?;
        check_bounds(&slice, source.shape())?;
        let shape = slice.reduced(spec);
        let count = self.element_count(&shape)?;
        let result = if count == 0 {
            if source.is_float() {
                Tensor::from_floats(&shape, vec![])
            } else if source.complexes().is_some() {
                Tensor::from_complexes(&shape, vec![])
            } else {
                Tensor::from_ints(&shape, vec![])
            }
        } else if slice.is_contiguous(source.shape()) {
            let start = slice.position(source.shape(), &vec![0; source.rank()]);
            source.window(start, shape.into())
        } else {
            self.gather(&source, &slice, count)?.reshaped(shape.into())
        };
        let value = Value::Tensor(result);
        check_type(&op.result_types[0], &value)?;
        frame.set(op.results[0], value);
        Ok(())
    }

    fn gather(&mut self, source: &Tensor, slice: &Slice, count: usize) -> Result<Tensor, Fault> {
        let mut builder = Builder::new(source.is_float(), count);
        let mut index = vec![0; source.rank()];
        for _ in 0..count {
            builder.push(&source.element(slice.position(source.shape(), &index)))?;
            advance(&mut index, &slice.sizes);
        }
        self.counts.reads += count as u64;
        Ok(builder.finish(&[], &mut self.counts))
    }

    /// Operands: the slice's new contents, the destination, then dynamic offsets, sizes and strides.
    pub(super) fn insert_slice(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        spec: &SliceSpec,
    ) -> Result<(), Fault> {
        let slice = self.slice(frame, op, spec, 2)?;
        let source = frame.take(op.operands[0]).into_tensor()?;
        let target = frame.take(op.operands[1]).into_tensor()?;
        let target = self.insert_into(target, &slice, source, spec)?;
        frame.set(op.results[0], Value::Tensor(target));
        Ok(())
    }

    /// The target with the slice replaced.
    pub(super) fn insert_into(
        &mut self,
        mut target: Tensor,
        slice: &Slice,
        source: Tensor,
        spec: &SliceSpec,
    ) -> Result<Tensor, Fault> {
        check_bounds(slice, target.shape())?;
        if source.shape() != slice.reduced(spec) {
            return fault(format!(
                "inserts shape {:?} where the slice has shape {:?}",
                source.shape(),
                slice.reduced(spec)
            ));
        }
        let shape = target.shape().to_vec();
        let mut index = vec![0; shape.len()];
        for i in 0..source.len() {
            target.set(slice.position(&shape, &index), &source.element(i), &mut self.counts)?;
            advance(&mut index, &slice.sizes);
        }
        self.counts.reads += source.len() as u64;
        Ok(target)
    }

    pub(super) fn slice(
        &self,
        frame: &Frame,
        op: &Op,
        spec: &SliceSpec,
        first: usize,
    ) -> Result<Slice, Fault> {
        let mut dynamic = op.operands[first..].iter();
        let offsets = self.extents(frame, &spec.offsets, &mut dynamic)?;
        let sizes = self.extents(frame, &spec.sizes, &mut dynamic)?;
        let strides = self.extents(frame, &spec.strides, &mut dynamic)?;
        Ok(Slice { offsets, sizes, strides })
    }
}

fn check_bounds(slice: &Slice, shape: &[usize]) -> Result<(), Fault> {
    if slice.sizes.len() != shape.len() {
        return fault(format!(
            "a slice of rank {} of a tensor of rank {}",
            slice.sizes.len(),
            shape.len()
        ));
    }
    for (d, &size) in shape.iter().enumerate() {
        let (offset, count, stride) = (slice.offsets[d], slice.sizes[d], slice.strides[d]);
        let last = count.saturating_sub(1).saturating_mul(stride).saturating_add(offset);
        if (count > 0 && last >= size) || offset > size {
            return fault(format!(
                "offset {offset}, size {count}, stride {stride} is out of bounds for dimension {d} of size {size}"
            ));
        }
    }
    Ok(())
}
