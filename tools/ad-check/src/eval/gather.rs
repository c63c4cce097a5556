//! `tensor.gather`, `tensor.scatter` and `tensor.reshape`: shapes and positions that are values.

use super::tensor::advance;
use super::{Frame, Machine};
use crate::fault::{Fault, fault};
use crate::program::Op;
use crate::value::{Builder, Tensor, Value};

/// Where the elements of a gathered tensor lie in the whole one.
struct Coordinates {
    indices: Tensor,
    /// The dimension that each coordinate is an index of.
    dims: Vec<usize>,
    /// The sizes of the whole tensor.
    whole: Vec<usize>,
    /// The sizes of the gathered one, with the rank kept.
    sizes: Vec<usize>,
}

impl Coordinates {
    fn new(indices: Tensor, dims: &[usize], whole: &[usize]) -> Result<Coordinates, Fault> {
        let Some((&count, leading)) = indices.shape().split_last() else {
            return fault("has indices without dimension");
        };
        if count != dims.len() || dims.iter().any(|&d| d >= whole.len()) {
            return fault(format!("{count} coordinates for dimensions {dims:?}"));
        }
        let mut sizes = leading.to_vec();
        sizes.extend((0..whole.len()).map(|d| if dims.contains(&d) { 1 } else { whole[d] }));
        Ok(Coordinates { indices, dims: dims.to_vec(), whole: whole.to_vec(), sizes })
    }

    /// The flat position in the whole tensor of an element of the gathered one.
    fn position(&self, index: &[usize]) -> Result<usize, Fault> {
        let leading = self.sizes.len() - self.whole.len();
        let mut inner = index[leading..].to_vec();
        for (k, &d) in self.dims.iter().enumerate() {
            let at = [&index[..leading], &[k]].concat();
            inner[d] = self.indices.element(self.indices.position(&at)?).size()?;
        }
        let mut position = 0;
        for (d, (&i, &size)) in inner.iter().zip(&self.whole).enumerate() {
            if i >= size {
                return fault(format!(
                    "index {i} is out of bounds for dimension {d} of size {size}"
                ));
            }
            position = position * size + i;
        }
        Ok(position)
    }
}

impl Machine<'_> {
    pub(super) fn gather_slices(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        dims: &[usize],
    ) -> Result<Value, Fault> {
        let source = frame.take(op.operands[0]).into_tensor()?;
        let indices = frame.take(op.operands[1]).into_tensor()?;
        let coordinates = Coordinates::new(indices, dims, source.shape())?;
        let count = self.element_count(&coordinates.sizes)?;
        let mut builder = Builder::new(source.is_float(), count);
        let mut index = vec![0; coordinates.sizes.len()];
        for _ in 0..count {
            builder.push(&source.element(coordinates.position(&index)?))?;
            advance(&mut index, &coordinates.sizes);
        }
        self.counts.reads += count as u64;
        // Dimensions of size 1 may be dropped.
        let leading = coordinates.sizes.len() - source.rank();
        let kept = |d: &usize| *d < leading || !dims.contains(&(d - leading));
        let shape: Vec<usize> = if op.result_types[0].dims().len() == coordinates.sizes.len() {
            coordinates.sizes
        } else {
            (0..coordinates.sizes.len()).filter(kept).map(|d| coordinates.sizes[d]).collect()
        };
        Ok(Value::Tensor(builder.finish(&[], &mut self.counts).reshaped(shape.into())))
    }

    /// In order of the indices.
    pub(super) fn scatter_slices(
        &mut self,
        frame: &mut Frame,
        op: &Op,
        dims: &[usize],
    ) -> Result<Value, Fault> {
        let source = frame.take(op.operands[0]).into_tensor()?;
        let mut target = frame.take(op.operands[1]).into_tensor()?;
        let indices = frame.take(op.operands[2]).into_tensor()?;
        let coordinates = Coordinates::new(indices, dims, target.shape())?;
        if self.element_count(&coordinates.sizes)? != source.len() {
            return fault(format!("writes shape {:?} to {:?}", source.shape(), coordinates.sizes));
        }
        let mut index = vec![0; coordinates.sizes.len()];
        for i in 0..source.len() {
            let position = coordinates.position(&index)?;
            target.set(position, &source.element(i), &mut self.counts)?;
            advance(&mut index, &coordinates.sizes);
        }
        self.counts.reads += source.len() as u64;
        Ok(Value::Tensor(target))
    }

    pub(super) fn reshape(&mut self, frame: &mut Frame, op: &Op) -> Result<Value, Fault> {
        let source = frame.take(op.operands[0]).into_tensor()?;
        let shape = frame.take(op.operands[1]).into_tensor()?;
        let sizes: Vec<usize> =
            (0..shape.len()).map(|d| shape.element(d).size()).collect::<Result<_, _>>()?;
        if self.element_count(&sizes)? != source.len() {
            return fault(format!("cannot reshape {:?} to {sizes:?}", source.shape()));
        }
        Ok(Value::Tensor(source.reshaped(sizes.into())))
    }
}
