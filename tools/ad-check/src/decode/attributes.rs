//! Attributes from MLIR.

use super::Handle;
use super::types::decode_type;
use crate::fault::{Fault, fault};
use crate::program::{Elem, Extent, FloatKind, Type};
use crate::value::{Tensor, Value};
use ad_dialect::capi::element_bytes;
use half::{bf16, f16};
use melior::ir::attribute::{
    ArrayAttribute, Attribute, AttributeLike, DenseElementsAttribute, DenseI64ArrayAttribute,
    FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, StringAttribute,
};
use melior::ir::operation::OperationLike;

/// The value of an integer attribute, if there is one of that name.
pub fn integer(op: Handle, name: &str) -> Option<i64> {
    let attribute = op.attribute(name).ok()?;
    IntegerAttribute::try_from(attribute).ok().map(|a| a.signed_value())
}

pub fn string<'c>(op: Handle<'c, '_>, name: &str) -> Option<&'c str> {
    let attribute = op.attribute(name).ok()?;
    StringAttribute::try_from(attribute).ok().map(|a| a.value())
}

/// The name that a flat symbol reference gives.
pub fn symbol<'c>(op: Handle<'c, '_>, name: &str) -> Option<&'c str> {
    let attribute = op.attribute(name).ok()?;
    FlatSymbolRefAttribute::try_from(attribute).ok().map(|a| a.value())
}

/// The numbers of a dense `i64` array attribute.
pub fn numbers(op: Handle, name: &str) -> Result<Vec<i64>, Fault> {
    let array = op.attribute(name).ok().and_then(|a| DenseI64ArrayAttribute::try_from(a).ok());
    let Some(array) = array else { return fault(format!("lacks the attribute '{name}'")) };
    let elements: Result<Vec<i64>, _> = (0..array.len()).map(|i| array.element(i)).collect();
    elements.or_else(|_| fault(format!("has a malformed attribute '{name}'")))
}

/// Static numbers with a marker where an operand gives the number.
pub fn extents(op: Handle, name: &str) -> Result<Vec<Extent>, Fault> {
    const DYNAMIC: i64 = i64::MIN;
    let extent = |n| if n == DYNAMIC { Extent::Dynamic } else { Extent::Static(n) };
    Ok(numbers(op, name)?.into_iter().map(extent).collect())
}

/// Groups of dimensions: an array of arrays of integers.
pub fn groups(op: Handle, name: &str) -> Result<Vec<Vec<usize>>, Fault> {
    let Some(outer) = op.attribute(name).ok().and_then(elements) else {
        return fault(format!("lacks the attribute '{name}'"));
    };
    let group = |a: Attribute| -> Option<Vec<usize>> {
        let dim = |a| usize::try_from(IntegerAttribute::try_from(a).ok()?.signed_value()).ok();
        elements(a)?.into_iter().map(dim).collect()
    };
    let groups: Option<Vec<Vec<usize>>> = outer.into_iter().map(group).collect();
    groups.map_or_else(|| fault(format!("has a malformed attribute '{name}'")), Ok)
}

/// The elements of an array attribute.
pub fn elements(attribute: Attribute) -> Option<Vec<Attribute>> {
    let array = ArrayAttribute::try_from(attribute).ok()?;
    (0..array.len()).map(|i| array.element(i).ok()).collect()
}

/// A constant: an integer, a float, or dense elements.
pub fn constant(attribute: Attribute, promote: bool) -> Result<Value, Fault> {
    let ty = decode_type(attribute.r#type(), promote)?;
    match ty {
        Type::Scalar(Elem::Float(_)) => match FloatAttribute::try_from(attribute) {
            Ok(a) => Ok(Value::Float(a.value())),
            Err(_) => unsupported(attribute),
        },
        Type::Scalar(Elem::Complex(_)) => unsupported(attribute),
        Type::Scalar(elem) => match IntegerAttribute::try_from(attribute) {
            Ok(a) => Ok(Value::Int(crate::eval::scalar::integer::wrap(
                a.signed_value(),
                elem.int_width(),
            ))),
            Err(_) => unsupported(attribute),
        },
        Type::Tensor(_) => dense(attribute),
        Type::Acc(_)
        | Type::Pair(_)
        | Type::Record(_)
        | Type::Tape
        | Type::Function
        | Type::Memory(_) => unsupported(attribute),
    }
}

/// The value of `complex.constant`: its two parts.
pub fn complex_constant(attribute: Attribute) -> Result<Value, Fault> {
    let parts: Option<Vec<f64>> = elements(attribute).and_then(|parts| {
        parts.into_iter().map(|part| Some(FloatAttribute::try_from(part).ok()?.value())).collect()
    });
    match parts.as_deref() {
        Some(&[re, im]) => Ok(Value::Complex([re, im])),
        _ => unsupported(attribute),
    }
}

fn unsupported<T>(attribute: Attribute) -> Result<T, Fault> {
    fault(format!("has a constant that the interpreter does not read: {attribute}"))
}

/// Dense elements, or those of a resource, read at their own width.
fn dense(attribute: Attribute) -> Result<Value, Fault> {
    let ty = decode_type(attribute.r#type(), false)?;
    let shape = ty.dims().iter().copied().collect::<Option<Vec<usize>>>();
    let tensor = shape.and_then(|shape| {
        let count = shape.iter().product();
        Some(match ty.elem() {
            Elem::Float(kind) => Tensor::from_floats(&shape, floats(attribute, kind, count, 1)?),
            Elem::Complex(kind) => {
                let parts = floats(attribute, kind, count, 2)?;
                let pairs = parts.chunks_exact(2).map(|part| [part[0], part[1]]);
                Tensor::from_complexes(&shape, pairs.collect())
            }
            elem => Tensor::from_ints(&shape, integers(attribute, elem, count)?),
        })
    });
    tensor.map_or_else(|| unsupported(attribute), |tensor| Ok(Value::Tensor(tensor)))
}

/// The floats of so many elements, each of some parts.
fn floats(attribute: Attribute, kind: FloatKind, count: usize, parts: usize) -> Option<Vec<f64>> {
    let shape = [count, parts];
    match kind {
        FloatKind::F16 => numbers_of(attribute, shape, |b| f16::from_le_bytes(b).to_f64()),
        FloatKind::Bf16 => numbers_of(attribute, shape, |b| bf16::from_le_bytes(b).to_f64()),
        FloatKind::F32 => numbers_of(attribute, shape, |b| f64::from(f32::from_le_bytes(b))),
        FloatKind::F64 => numbers_of(attribute, shape, f64::from_le_bytes),
    }
}

fn integers(attribute: Attribute, elem: Elem, count: usize) -> Option<Vec<i64>> {
    let shape = [count, 1];
    match elem.int_width() {
        1 => match DenseElementsAttribute::try_from(attribute) {
            Ok(dense) => (0..count).map(|i| dense.bool_element(i).map(i64::from).ok()).collect(),
            Err(_) => numbers_of(attribute, shape, |b| i64::from(u8::from_le_bytes(b))),
        },
        8 => numbers_of(attribute, shape, |b| i64::from(i8::from_le_bytes(b))),
        16 => numbers_of(attribute, shape, |b| i64::from(i16::from_le_bytes(b))),
        32 => numbers_of(attribute, shape, |b| i64::from(i32::from_le_bytes(b))),
        64 => numbers_of(attribute, shape, i64::from_le_bytes),
        _ => None,
    }
}

/// The parts, of `N` bytes each, of so many elements, as MLIR has them in memory: of all, or of one that all are equal to.
fn numbers_of<const N: usize, T: Copy>(
    attribute: Attribute,
    [count, parts]: [usize; 2],
    number: impl Fn([u8; N]) -> T,
) -> Option<Vec<T>> {
    let bytes = element_bytes(attribute)?;
    let is_resource = DenseElementsAttribute::try_from(attribute).is_err();
    let all = bytes.chunks_exact(N).map(|bytes| bytes.try_into().ok().map(&number));
    let all: Vec<T> = all.collect::<Option<_>>()?;
    match bytes.len() {
        length if length == N * parts * count => Some(all),
        length if length == N * parts && !is_resource => Some(all.repeat(count)),
        _ => None,
    }
}
