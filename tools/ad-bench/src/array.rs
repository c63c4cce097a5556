//! Row-major arrays of the element types that the benchmark problems use, and their `.npy` form.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use npyz::{DType, NpyFile, TypeChar, WriterBuilder};

/// The elements of an [`Array`], row by row.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Double precision numbers.
    F64(Vec<f64>),
    /// Single precision numbers.
    F32(Vec<f32>),
    /// Indices and counts.
    I64(Vec<i64>),
}

/// A dense array; without dimensions it is a scalar.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The size of every dimension, outermost first.
    pub shape: Vec<usize>,
    /// As many elements as the product of `shape`.
    pub data: Data,
}

impl Array {
    /// An array of numbers; the element count must fit the shape.
    pub fn f64(shape: &[usize], elements: Vec<f64>) -> Result<Self> {
        let count: usize = shape.iter().product();
        ensure!(
            elements.len() == count,
            "{} elements do not fill the shape {shape:?}",
            elements.len()
        );
        Ok(Self { shape: shape.to_vec(), data: Data::F64(elements) })
    }

    /// An array of numbers rounded to single precision; the element count must fit the shape.
    pub fn f32(shape: &[usize], elements: &[f64]) -> Result<Self> {
        Ok(Self::f64(shape, elements.to_vec())?.rounded())
    }

    /// The same with numbers rounded to single precision.
    #[must_use]
    pub fn rounded(&self) -> Self {
        let data = match &self.data {
            Data::F64(elements) => Data::F32(elements.iter().map(|&v| v as f32).collect()),
            other => other.clone(),
        };
        Self { shape: self.shape.clone(), data }
    }

    /// An array of integers; the element count must fit the shape.
    pub fn i64(shape: &[usize], elements: Vec<i64>) -> Result<Self> {
        let count: usize = shape.iter().product();
        ensure!(
            elements.len() == count,
            "{} integers do not fill the shape {shape:?}",
            elements.len()
        );
        Ok(Self { shape: shape.to_vec(), data: Data::I64(elements) })
    }

    /// A scalar number.
    #[must_use]
    pub fn scalar(value: f64) -> Self {
        Self { shape: Vec::new(), data: Data::F64(vec![value]) }
    }

    /// A scalar integer.
    #[must_use]
    pub fn integer(value: i64) -> Self {
        Self { shape: Vec::new(), data: Data::I64(vec![value]) }
    }

    /// The elements of an array of double precision numbers.
    pub fn numbers(&self) -> Result<&[f64]> {
        match &self.data {
            Data::F64(elements) => Ok(elements),
            Data::F32(_) => bail!("expected double precision, found single"),
            Data::I64(_) => bail!("expected floating-point elements, found integers"),
        }
    }

    /// The elements of an array of any type as double precision numbers.
    #[must_use]
    pub fn to_f64(&self) -> Cow<'_, [f64]> {
        match &self.data {
            Data::F64(elements) => Cow::Borrowed(elements),
            Data::F32(elements) => elements.iter().map(|&v| f64::from(v)).collect(),
            Data::I64(elements) => elements.iter().map(|&v| v as f64).collect(),
        }
    }

    /// The square root of the sum of squares.
    pub fn norm(&self) -> Result<f64> {
        let squares: Vec<f64> = self.numbers()?.iter().map(|v| v * v).collect();
        Ok(pairwise_sum(&squares).sqrt())
    }

    /// Writes the array as a `.npy` file.
    pub fn write(&self, path: &Path) -> Result<()> {
        let context = || format!("cannot write {}", path.display());
        let mut file = BufWriter::new(File::create(path).with_context(context)?);
        let shape: Vec<u64> = self.shape.iter().map(|&size| size as u64).collect();
        match &self.data {
            Data::F64(elements) => write_elements(&mut file, &shape, elements),
            Data::F32(elements) => write_elements(&mut file, &shape, elements),
            Data::I64(elements) => write_elements(&mut file, &shape, elements),
        }
        .and_then(|()| file.flush())
        .with_context(context)
    }

    /// Reads a `.npy` file of `f64`, `f32` or `i64` elements in row-major order.
    pub fn read(path: &Path) -> Result<Self> {
        let context = || format!("cannot read {}", path.display());
        let file = BufReader::new(File::open(path).with_context(context)?);
        let npy = NpyFile::new(file).with_context(context)?;
        ensure!(npy.order() == npyz::Order::C, "{} is not in row-major order", path.display());
        let shape = npy.shape().iter().map(|&size| size as usize).collect();
        let kind = match npy.dtype() {
            DType::Plain(text) => (text.type_char(), text.size_field()),
            other => bail!("{} has the element type {}", path.display(), other.descr()),
        };
        let data = match kind {
            (TypeChar::Float, 8) => Data::F64(npy.into_vec().with_context(context)?),
            (TypeChar::Float, 4) => Data::F32(npy.into_vec().with_context(context)?),
            (TypeChar::Int, 8) => Data::I64(npy.into_vec().with_context(context)?),
            _ => bail!("{} has elements of none of f64, f32 and i64", path.display()),
        };
        Ok(Self { shape, data })
    }
}

/// The sum by halves, whose rounding error does not grow with the number of elements as it does
/// from left to right.
#[must_use]
pub fn pairwise_sum(elements: &[f64]) -> f64 {
    if elements.len() <= 128 {
        return elements.iter().sum();
    }
    let (left, right) = elements.split_at(elements.len() / 2);
    pairwise_sum(left) + pairwise_sum(right)
}

fn write_elements<T>(file: &mut impl Write, shape: &[u64], elements: &[T]) -> std::io::Result<()>
where
    T: npyz::AutoSerialize + npyz::Serialize + Copy,
{
    use npyz::NpyWriter;
    let options = npyz::WriteOptions::new().default_dtype().shape(shape);
    let mut writer: NpyWriter<T, _> = options.writer(file).begin_nd()?;
    writer.extend(elements.iter().copied())?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npy_round_trip() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.npy");
        let arrays = [
            Array::f64(&[2, 3], vec![1.0, -2.5, 3.0, 4.0, 1e-300, f64::INFINITY])?,
            Array::f64(&[0, 3], Vec::new())?,
            Array::f32(&[3], &[0.1, -1e30, 2.0])?,
            Array::scalar(0.1),
            Array::integer(-7),
        ];
        for array in arrays {
            array.write(&path)?;
            assert_eq!(Array::read(&path)?, array);
        }
        Ok(())
    }

    #[test]
    fn shape_must_fit() {
        assert!(Array::f64(&[2, 2], vec![1.0]).is_err());
        assert!(Array::i64(&[0], vec![1]).is_err());
    }
}
