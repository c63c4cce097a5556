//! Attributes from MLIR.

use super::Handle;
use super::types::decode_type;
use crate::fault::{Fault, fault};
use crate::program::{Elem, Extent, FloatKind, Type};
use crate::value::{Tensor, Value};
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

/// Dense elements, read at their own width.
fn dense(attribute: Attribute) -> Result<Value, Fault> {
    let ty = decode_type(attribute.r#type(), false)?;
    let Ok(dense) = DenseElementsAttribute::try_from(attribute) else {
        return unsupported(attribute);
    };
    let Some(shape) = ty.dims().iter().copied().collect::<Option<Vec<usize>>>() else {
        return unsupported(attribute);
    };
    let n = dense.len();
    let tensor = match ty.elem() {
        Elem::Float(FloatKind::F64) => (0..n)
            .map(|i| dense.f64_element(i))
            .collect::<Result<_, _>>()
            .map(|v| Tensor::from_floats(&shape, v)),
        Elem::Float(FloatKind::F32) => (0..n)
            .map(|i| dense.f32_element(i).map(f64::from))
            .collect::<Result<_, _>>()
            .map(|v| Tensor::from_floats(&shape, v)),
        Elem::Complex(_) => complexes(&attribute.to_string(), n)
            .map(|v| Tensor::from_complexes(&shape, v))
            .ok_or_else(|| melior::Error::AttributeExpected("complex elements", String::new())),
        Elem::Float(_) => return unsupported(attribute),
        elem => (0..n)
            .map(|i| dense_integer(&dense, elem, i))
            .collect::<Result<_, _>>()
            .map(|v| Tensor::from_ints(&shape, v)),
    };
    tensor.map(Value::Tensor).or_else(|_| unsupported(attribute))
}

/// Reads `dense<[(1.0,2.0), (3.0,4.0)]>`, in which one element may stand for all.
fn complexes(text: &str, count: usize) -> Option<Vec<[f64; 2]>> {
    let body = text.strip_prefix("dense<")?.split('>').next()?;
    let part = |text: &str| text.trim().parse().ok();
    let pairs: Option<Vec<[f64; 2]>> = body
        .split('(')
        .skip(1)
        .map(|pair| {
            let (re, im) = pair.split(')').next()?.split_once(',')?;
            Some([part(re)?, part(im)?])
        })
        .collect();
    match pairs?.as_slice() {
        &[one] => Some(vec![one; count]),
        all => (all.len() == count).then(|| all.to_vec()),
    }
}

fn dense_integer(
    dense: &DenseElementsAttribute,
    elem: Elem,
    i: usize,
) -> Result<i64, melior::Error> {
    match elem {
        Elem::Int(1) => dense.bool_element(i).map(i64::from),
        Elem::Int(8) => dense.i8_element(i).map(i64::from),
        Elem::Int(16) => dense.i16_element(i).map(i64::from),
        Elem::Int(32) => dense.i32_element(i).map(i64::from),
        Elem::Index => dense.index_element(i).map(|x| x as i64),
        Elem::Int(64) => dense.i64_element(i),
        _ => Err(melior::Error::AttributeExpected(
            "integer elements of a common width",
            dense.to_string(),
        )),
    }
}
