//! Run-time values of the reference interpreter.
//!
//! A tensor is a shape over flat row-major storage that several tensors may share.
//! Sharing makes taking a row or copying a value cheap.
//! A tensor that is the only owner of its storage is updated in place, which is what lets a test count the cost of an in-place update.
//! Floats of every width are held as `f64`; the operation that produces one rounds it to its type.
//! Integers are held as `i64`, sign-extended from their width, except `i1`, which is 0 or 1.

use crate::counts::Counts;
use crate::fault::{Fault, fault};
use crate::program::Elem;
use std::sync::Arc;

/// One value: a scalar, a tensor, an accumulator, or a pair.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// Nothing yet, or moved away.
    #[default]
    Empty,
    Float(f64),
    Int(i64),
    /// The real and the imaginary part.
    Complex([f64; 2]),
    Tensor(Tensor),
    /// An accumulator; `None` ignores every update.
    Acc(Option<Tensor>),
    /// Also a tensor of pairs, as the tensors of their halves.
    Pair(Box<[Value; 2]>),
    /// The fields of a record.
    Record(Vec<Value>),
    /// The number of a tape of the run.
    Tape(usize),
    /// The number of a function of the program, and its first arguments.
    Function(usize, Arc<[Value]>),
    /// A buffer.
    Memory(View),
    /// What a read out of bounds gives: upstream moves reads to where they run though nothing
    /// uses them, so the fault is raised by what uses it.
    Poison(Fault),
}

/// Which elements of an allocation a buffer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The number of the allocation.
    pub block: usize,
    /// Where the first element is.
    pub offset: i64,
    /// The sizes.
    pub sizes: Vec<usize>,
    /// How far neighbours along each dimension are apart.
    pub strides: Vec<i64>,
}

/// Flat storage, possibly shared.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Float(Arc<Vec<f64>>),
    Int(Arc<Vec<i64>>),
    Complex(Arc<Vec<[f64; 2]>>),
}

/// A dense row-major array: `shape` over the part of `data` that starts at `offset`.
#[derive(Clone, Debug)]
pub struct Tensor {
    shape: Arc<[usize]>,
    data: Data,
    offset: usize,
}

impl PartialEq for Tensor {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
            && match (&self.data, &other.data) {
                (Data::Float(_), Data::Float(_)) => self.floats() == other.floats(),
                (Data::Int(_), Data::Int(_)) => self.ints() == other.ints(),
                (Data::Complex(_), Data::Complex(_)) => self.complexes() == other.complexes(),
                _ => self.is_empty() && other.is_empty(),
            }
    }
}

impl Value {
    pub fn float(&self) -> Result<f64, Fault> {
        match self {
            Value::Float(x) => Ok(*x),
            other => other.misfit("expects a float"),
        }
    }

    pub fn int(&self) -> Result<i64, Fault> {
        match self {
            Value::Int(x) => Ok(*x),
            other => other.misfit("expects an integer"),
        }
    }

    pub fn complex(&self) -> Result<[f64; 2], Fault> {
        match self {
            Value::Complex(x) => Ok(*x),
            other => other.misfit("expects a complex number"),
        }
    }

    pub fn tensor(&self) -> Result<&Tensor, Fault> {
        match self {
            Value::Tensor(t) => Ok(t),
            other => other.misfit("expects a tensor"),
        }
    }

    pub fn into_tensor(self) -> Result<Tensor, Fault> {
        match self {
            Value::Tensor(t) => Ok(t),
            other => other.misfit("expects a tensor"),
        }
    }

    /// The tensor, or the first one that a tensor of pairs is made of.
    pub fn first_tensor(&self) -> Result<&Tensor, Fault> {
        match self {
            Value::Pair(halves) => halves[0].first_tensor(),
            other => other.tensor(),
        }
    }

    pub fn halves(&self) -> Result<&[Value; 2], Fault> {
        match self {
            Value::Pair(halves) => Ok(halves),
            other => other.misfit("expects a pair"),
        }
    }

    pub fn into_fields(self) -> Result<Vec<Value>, Fault> {
        match self {
            Value::Record(fields) => Ok(fields),
            other => other.misfit("expects a record"),
        }
    }

    pub fn tape(&self) -> Result<usize, Fault> {
        match self {
            Value::Tape(number) => Ok(*number),
            other => other.misfit("expects a tape"),
        }
    }

    pub fn view(&self) -> Result<&View, Fault> {
        match self {
            Value::Memory(view) => Ok(view),
            other => other.misfit("expects a buffer"),
        }
    }

    /// A size or index: a non-negative integer.
    pub fn size(&self) -> Result<usize, Fault> {
        let x = self.int()?;
        usize::try_from(x).or_else(|_| fault(format!("negative size or index {x}")))
    }

    /// The fault of a value that does not fit, or that it is poisoned with.
    pub fn misfit<T>(&self, expects: &str) -> Result<T, Fault> {
        match self {
            Value::Poison(cause) => Err(cause.clone()),
            other => fault(format!("{expects}, got {}", other.describe())),
        }
    }

    /// What this value is, for messages.
    pub fn describe(&self) -> String {
        match self {
            Value::Empty => "no value".into(),
            Value::Float(_) => "a float".into(),
            Value::Int(_) => "an integer".into(),
            Value::Complex(_) => "a complex number".into(),
            Value::Tensor(t) => format!("a tensor of shape {:?}", t.shape()),
            Value::Acc(_) => "an accumulator".into(),
            Value::Pair(_) => "a pair".into(),
            Value::Record(_) => "a record".into(),
            Value::Tape(_) => "a tape".into(),
            Value::Function(..) => "a function".into(),
            Value::Memory(view) => format!("a buffer of shape {:?}", view.sizes),
            Value::Poison(_) => "nothing".into(),
        }
    }

    /// The floats of this value in order, the parts of complex numbers among them; empty for integers.
    pub fn float_elements(&self) -> Vec<f64> {
        match self {
            Value::Float(x) => vec![*x],
            Value::Complex(x) => x.to_vec(),
            Value::Tensor(t) => match (t.floats(), t.complexes()) {
                (Some(x), _) => x.to_vec(),
                (_, Some(x)) => x.as_flattened().to_vec(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// The number of elements of a shape, or a fault when there are more than `limit`.
pub fn element_count(shape: &[usize], limit: usize) -> Result<usize, Fault> {
    let count = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d)).filter(|&n| n <= limit);
    match count {
        Some(n) => Ok(n),
        None => fault(format!("a tensor of shape {shape:?} is too large")),
    }
}

impl Tensor {
    /// Panics when the number of elements does not fit the shape: for callers that made both.
    pub fn from_floats(shape: &[usize], elements: Vec<f64>) -> Tensor {
        assert_eq!(shape.iter().product::<usize>(), elements.len(), "shape and elements disagree");
        Tensor { shape: shape.into(), data: Data::Float(Arc::new(elements)), offset: 0 }
    }

    /// As `from_floats`, for integers.
    pub fn from_ints(shape: &[usize], elements: Vec<i64>) -> Tensor {
        assert_eq!(shape.iter().product::<usize>(), elements.len(), "shape and elements disagree");
        Tensor { shape: shape.into(), data: Data::Int(Arc::new(elements)), offset: 0 }
    }

    /// As `from_floats`, for complex numbers.
    pub fn from_complexes(shape: &[usize], elements: Vec<[f64; 2]>) -> Tensor {
        assert_eq!(shape.iter().product::<usize>(), elements.len(), "shape and elements disagree");
        Tensor { shape: shape.into(), data: Data::Complex(Arc::new(elements)), offset: 0 }
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn is_float(&self) -> bool {
        matches!(self.data, Data::Float(_))
    }

    /// Whether the elements are of this type, as far as there are any.
    pub fn holds(&self, elem: Elem) -> bool {
        match &self.data {
            _ if self.is_empty() => true,
            Data::Float(_) => elem.is_float(),
            Data::Complex(_) => elem.is_complex(),
            Data::Int(_) => !elem.is_float() && !elem.is_complex(),
        }
    }

    /// The elements, if they are floats.
    pub fn floats(&self) -> Option<&[f64]> {
        match &self.data {
            Data::Float(v) => v.get(self.offset..self.offset + self.len()),
            Data::Int(_) | Data::Complex(_) => None,
        }
    }

    /// The elements, if they are integers.
    pub fn ints(&self) -> Option<&[i64]> {
        match &self.data {
            Data::Int(v) => v.get(self.offset..self.offset + self.len()),
            Data::Float(_) | Data::Complex(_) => None,
        }
    }

    /// The elements, if they are complex numbers.
    pub fn complexes(&self) -> Option<&[[f64; 2]]> {
        match &self.data {
            Data::Complex(v) => v.get(self.offset..self.offset + self.len()),
            Data::Float(_) | Data::Int(_) => None,
        }
    }

    /// The element at a flat position, which must be in range.
    pub fn element(&self, position: usize) -> Value {
        match &self.data {
            Data::Float(v) => Value::Float(v[self.offset + position]),
            Data::Int(v) => Value::Int(v[self.offset + position]),
            Data::Complex(v) => Value::Complex(v[self.offset + position]),
        }
    }

    /// Stores a scalar, or the elements of a vector one after the other, at a flat position, which must be in range, copying the storage first when it is shared.
    pub fn set(
        &mut self,
        position: usize,
        value: &Value,
        counts: &mut Counts,
    ) -> Result<(), Fault> {
        counts.writes += 1;
        match value {
            Value::Float(x) => self.floats_mut(counts)?[position] = *x,
            Value::Int(x) => self.ints_mut(counts)?[position] = *x,
            Value::Complex(x) => self.complexes_mut(counts)?[position] = *x,
            Value::Tensor(part) => {
                for i in 0..part.len() {
                    self.set(position + i, &part.element(i), counts)?;
                }
            }
            other => return other.misfit("a tensor holds numbers"),
        }
        Ok(())
    }

    /// The floats for writing; copies the storage first when it is shared.
    pub fn floats_mut(&mut self, counts: &mut Counts) -> Result<&mut [f64], Fault> {
        let (start, length) = (self.offset, self.len());
        let Data::Float(storage) = &mut self.data else {
            return fault("expects a tensor of floats, got integers");
        };
        unshare(storage, &mut self.offset, start, length, counts);
        let start = self.offset;
        Ok(&mut exclusive(storage)[start..start + length])
    }

    /// The complex numbers for writing; copies the storage first when it is shared.
    pub fn complexes_mut(&mut self, counts: &mut Counts) -> Result<&mut [[f64; 2]], Fault> {
        let (start, length) = (self.offset, self.len());
        let Data::Complex(storage) = &mut self.data else {
            return match length {
                0 => Ok(&mut []),
                _ => fault("expects a tensor of complex numbers, got others"),
            };
        };
        unshare(storage, &mut self.offset, start, length, counts);
        let start = self.offset;
        Ok(&mut exclusive(storage)[start..start + length])
    }

    /// The integers for writing; copies the storage first when it is shared.
    pub fn ints_mut(&mut self, counts: &mut Counts) -> Result<&mut [i64], Fault> {
        let (start, length) = (self.offset, self.len());
        let Data::Int(storage) = &mut self.data else {
            return fault("expects a tensor of integers, got floats");
        };
        unshare(storage, &mut self.offset, start, length, counts);
        let start = self.offset;
        Ok(&mut exclusive(storage)[start..start + length])
    }

    /// The same elements under another shape with as many elements.
    pub fn reshaped(&self, shape: Arc<[usize]>) -> Tensor {
        debug_assert_eq!(shape.iter().product::<usize>(), self.len());
        Tensor { shape, data: self.data.clone(), offset: self.offset }
    }

    /// The consecutive elements from `start` on that fill `shape`, sharing storage.
    pub fn window(&self, start: usize, shape: Arc<[usize]>) -> Tensor {
        debug_assert!(start + shape.iter().product::<usize>() <= self.len());
        Tensor { shape, data: self.data.clone(), offset: self.offset + start }
    }

    /// The shape of one element along the outermost dimension.
    pub fn row_shape(&self) -> Arc<[usize]> {
        self.shape.get(1..).unwrap_or_default().into()
    }

    /// The flat position of an index, or a fault that says what is out of bounds.
    pub fn position(&self, index: &[usize]) -> Result<usize, Fault> {
        if index.len() != self.rank() {
            return fault(format!("{} indices for a tensor of rank {}", index.len(), self.rank()));
        }
        self.prefix_position(index)
    }

    /// The flat position of the first element below an index of the leading dimensions.
    pub fn prefix_position(&self, index: &[usize]) -> Result<usize, Fault> {
        let mut position = 0;
        for (d, &size) in self.shape.iter().enumerate() {
            let i = index.get(d).copied();
            if let Some(i) = i
                && i >= size
            {
                return fault(format!(
                    "index {i} is out of bounds for dimension {d} of size {size}"
                ));
            }
            position = position * size + i.unwrap_or(0);
        }
        Ok(position)
    }
}

/// Makes `storage` exclusive to its holder, which then starts at `offset`.
fn unshare<T: Clone>(
    storage: &mut Arc<Vec<T>>,
    offset: &mut usize,
    start: usize,
    length: usize,
    counts: &mut Counts,
) {
    if Arc::get_mut(storage).is_none() {
        counts.allocated(length);
        counts.reads += length as u64;
        counts.writes += length as u64;
        *storage = Arc::new(storage[start..start + length].to_vec());
        *offset = 0;
    }
}

fn exclusive<T: Clone>(storage: &mut Arc<Vec<T>>) -> &mut Vec<T> {
    Arc::make_mut(storage)
}

/// Collects scalars, or tensors of one shape, into a tensor with a new outermost dimension.
pub struct Builder {
    row_shape: Option<Arc<[usize]>>,
    storage: Storage,
    rows: usize,
}

enum Storage {
    Float(Vec<f64>),
    Int(Vec<i64>),
    Complex(Vec<[f64; 2]>),
}

impl Builder {
    /// A builder for `rows` elements of floats or integers; complex numbers are known when they come.
    pub fn new(float: bool, rows: usize) -> Builder {
        let storage = if float {
            Storage::Float(Vec::with_capacity(rows))
        } else {
            Storage::Int(Vec::with_capacity(rows))
        };
        Builder { row_shape: None, storage, rows: 0 }
    }

    /// Appends one element; all must have the same shape.
    pub fn push(&mut self, value: &Value) -> Result<(), Fault> {
        self.expect_complex(value);
        match (value, &mut self.storage) {
            (Value::Complex(x), Storage::Complex(v)) => v.push(*x),
            (Value::Float(x), Storage::Float(v)) => v.push(*x),
            (Value::Int(x), Storage::Int(v)) => v.push(*x),
            (Value::Tensor(t), _) => return self.push_tensor(t),
            (other, _) => return other.misfit("this tensor holds other elements"),
        }
        self.rows += 1;
        Ok(())
    }

    /// Storage for complex numbers, if the first element is one.
    fn expect_complex(&mut self, value: &Value) {
        let is_complex = match value {
            Value::Complex(_) => true,
            Value::Tensor(t) => t.complexes().is_some(),
            _ => false,
        };
        let is_fresh = match &self.storage {
            Storage::Float(v) => v.is_empty(),
            Storage::Int(v) => v.is_empty(),
            Storage::Complex(_) => false,
        };
        if is_complex && is_fresh {
            self.storage = Storage::Complex(Vec::new());
        }
    }

    fn push_tensor(&mut self, t: &Tensor) -> Result<(), Fault> {
        let expected = self.row_shape.get_or_insert_with(|| t.shape.clone());
        if **expected != *t.shape {
            return fault(format!("elements of different shapes {:?} and {:?}", expected, t.shape));
        }
        match (&mut self.storage, t.floats(), t.ints()) {
            (Storage::Float(v), Some(x), _) => v.extend_from_slice(x),
            (Storage::Int(v), _, Some(x)) => v.extend_from_slice(x),
            (Storage::Complex(v), ..) if t.complexes().is_some() => {
                v.extend_from_slice(t.complexes().unwrap_or_default());
            }
            _ if t.is_empty() => {}
            _ => return fault("elements of different types"),
        }
        self.rows += 1;
        Ok(())
    }

    /// The tensor; `default_row` is the shape of an element when there is none.
    pub fn finish(self, default_row: &[usize], counts: &mut Counts) -> Tensor {
        let mut shape = vec![self.rows];
        shape.extend_from_slice(self.row_shape.as_deref().unwrap_or(default_row));
        let tensor = match self.storage {
            Storage::Float(v) => Tensor::from_floats(&shape, v),
            Storage::Int(v) => Tensor::from_ints(&shape, v),
            Storage::Complex(v) => Tensor::from_complexes(&shape, v),
        };
        counts.allocated(tensor.len());
        counts.writes += tensor.len() as u64;
        tensor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_storage_is_copied_once_and_exclusive_storage_is_not() {
        let mut counts = Counts::default();
        let mut a = Tensor::from_floats(&[3], vec![1.0, 2.0, 3.0]);
        let b = a.clone();
        a.set(1, &Value::Float(5.0), &mut counts).unwrap();
        assert_eq!(counts.allocations, 3);
        a.set(2, &Value::Float(6.0), &mut counts).unwrap();
        assert_eq!(counts.allocations, 3);
        assert_eq!(a.floats().unwrap(), [1.0, 5.0, 6.0]);
        assert_eq!(b.floats().unwrap(), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_row_is_a_view() {
        let a = Tensor::from_ints(&[2, 3], vec![1, 2, 3, 4, 5, 6]);
        let row = a.window(3, a.row_shape());
        assert_eq!(row.ints().unwrap(), [4, 5, 6]);
        assert_eq!(a.position(&[1, 2]).unwrap(), 5);
        assert!(a.position(&[1, 3]).is_err());
        assert!(a.position(&[1]).is_err());
    }

    #[test]
    fn a_written_row_leaves_the_array_alone() {
        let mut counts = Counts::default();
        let a = Tensor::from_floats(&[2, 2], vec![1.0, 2.0, 3.0, 4.0]);
        let mut row = a.window(2, a.row_shape());
        row.set(0, &Value::Float(9.0), &mut counts).unwrap();
        assert_eq!(row.floats().unwrap(), [9.0, 4.0]);
        assert_eq!(a.floats().unwrap(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(counts.allocations, 2);
    }

    #[test]
    fn irregular_rows_are_refused() {
        let mut builder = Builder::new(true, 2);
        builder.push(&Value::Tensor(Tensor::from_floats(&[1], vec![1.0]))).unwrap();
        assert!(builder.push(&Value::Tensor(Tensor::from_floats(&[2], vec![1.0, 2.0]))).is_err());
    }

    #[test]
    fn an_oversized_shape_is_a_fault() {
        assert!(element_count(&[usize::MAX, 2], usize::MAX).is_err());
        assert!(element_count(&[3, 2], 5).is_err());
        assert_eq!(element_count(&[0, usize::MAX], 5).ok(), Some(0));
    }
}
