//! Dense row-major arrays of any element type; a scalar is an array without dimensions.

use std::alloc::Layout;

use anyhow::{Result, anyhow};
use bytemuck::{Pod, Zeroable};

use crate::{Element, signature::display_shape};

/// As many bytes as a cache line or the widest vector register, so aligned.
#[repr(C, align(64))]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Line([u8; 64]);

/// A dense row-major array in memory of its own.
#[derive(Clone)]
pub struct Array {
    element: Element,
    shape: Vec<usize>,
    lines: Vec<Line>,
    bytes: usize,
}

impl Array {
    /// An array of zeros, if it fits in memory.
    pub fn zeros(element: Element, shape: &[usize]) -> Result<Self> {
        let size = byte_count(element, shape);
        let too_large =
            || anyhow!("an array of {element} of shape {} is too large", display_shape(shape));
        let bytes = size.ok_or_else(too_large)?;
        let count = bytes.div_ceil(size_of::<Line>());
        Layout::array::<Line>(count).map_err(|_| too_large())?;
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).map_err(|_| too_large())?;
        lines.resize(count, Line::zeroed());
        Ok(Self { element, shape: shape.to_vec(), lines, bytes })
    }

    /// A scalar from the bytes of one element.
    pub fn scalar(element: Element, bytes: &[u8]) -> Self {
        let mut lines = vec![Line::zeroed()];
        let size = element.size();
        bytemuck::cast_slice_mut(&mut lines)[..size].copy_from_slice(&bytes[..size]);
        Self { element, shape: vec![], lines, bytes: size }
    }

    /// An array of one dimension; its elements have the size of `element`.
    pub fn list<T: Pod>(element: Element, elements: &[T]) -> Result<Self> {
        let mut array = Self::zeros(element, &[elements.len()])?;
        array.elements_mut().copy_from_slice(elements);
        Ok(array)
    }

    /// The element type.
    pub fn element(&self) -> Element {
        self.element
    }

    /// The size of every dimension, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.bytes / self.element.size()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The elements as bytes in the order of this machine.
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.lines)[..self.bytes]
    }

    /// The elements for writing.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.bytes]
    }

    /// The elements, if `T` has their size.
    pub fn elements<T: Pod>(&self) -> &[T] {
        bytemuck::cast_slice(self.bytes())
    }

    /// The elements for writing, if `T` has their size.
    pub fn elements_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.bytes_mut())
    }
}

/// The bytes of an array, unless there are more than addresses.
pub fn byte_count(element: Element, shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    let bytes = shape.iter().try_fold(element.size(), |bytes, &size| bytes.checked_mul(size))?;
    (bytes <= isize::MAX as usize).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_arrays_are_refused() {
        assert!(Array::zeros(Element::F64, &[usize::MAX, 2]).is_err());
        assert!(Array::zeros(Element::F64, &[1 << 60]).is_err());
        assert!(Array::zeros(Element::F64, &[usize::MAX, 0]).unwrap().is_empty());
    }

    #[test]
    fn elements_are_aligned() {
        let array = Array::zeros(Element::F32, &[3, 5]).unwrap();
        assert_eq!(array.elements::<f32>().len(), 15);
        assert_eq!(array.bytes().as_ptr() as usize % 64, 0);
    }
}
