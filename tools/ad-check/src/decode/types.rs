//! Types from MLIR.

use crate::fault::{Fault, fault};
use crate::program::{Elem, FloatKind, TensorType, Type};
use ad_dialect::capi;
use melior::ir::r#type::{IntegerType, MemRefType, RankedTensorType, ShapedTypeLike};
use melior::ir::{Type as MlirType, TypeLike};

/// Decodes a type; with `promote`, every float is an `f64`.
pub fn decode_type(ty: MlirType, promote: bool) -> Result<Type, Fault> {
    if let Some(inner) = ty.to_string().strip_prefix("!soac.acc<tensor<") {
        return match inner.strip_suffix(">>").and_then(|t| tensor_from_text(t, promote)) {
            Some(tensor) => Ok(Type::Acc(tensor)),
            None => fault(format!("the interpreter has no values of type {ty}")),
        };
    }
    if let Some(fields) = capi::field_types(ty) {
        let fields = fields.into_iter().map(|field| decode_type(field, promote));
        return Ok(Type::Record(fields.collect::<Result<_, _>>()?));
    }
    if capi::is_tape(ty) {
        return Ok(Type::Tape);
    }
    if capi::function_types(ty).is_some() {
        return Ok(Type::Function);
    }
    if let Ok(memory) = MemRefType::try_from(ty) {
        let dims: Result<Vec<_>, _> = (0..memory.rank()).map(|d| dimension(&memory, d)).collect();
        let elem = match decode_type(memory.element(), promote)? {
            Type::Scalar(elem) => elem,
            Type::Tensor(vector) => vector.elem,
            _ => Elem::Index,
        };
        return Ok(Type::Memory(TensorType { elem, dims: dims? }));
    }
    if let Some(vector) = vector(ty, promote) {
        return Ok(Type::Tensor(vector));
    }
    if capi::is_pair(ty) {
        let (first, second) = capi::pair_types(ty);
        return Ok(Type::Pair(Box::new([
            decode_type(first, promote)?,
            decode_type(second, promote)?,
        ])));
    }
    if !ty.is_ranked_tensor() {
        return decode_elem(ty, promote).map(Type::Scalar);
    }
    let Ok(tensor) = RankedTensorType::try_from(ty) else {
        return fault("internal error: not a tensor type");
    };
    let mut dims = Vec::with_capacity(tensor.rank());
    for d in 0..tensor.rank() {
        dims.push(dimension(&tensor, d)?);
    }
    if capi::is_pair(tensor.element()) {
        return Ok(tensor_of(dims, decode_type(tensor.element(), promote)?));
    }
    // A tensor of vectors is one of their numbers, whose innermost dimensions are those of the vectors.
    let elem = match vector(tensor.element(), promote) {
        Some(vector) => {
            dims.extend(vector.dims);
            vector.elem
        }
        None => decode_elem(tensor.element(), promote)?,
    };
    Ok(Type::Tensor(TensorType { elem, dims }))
}

/// The type of a tensor of numbers, or of pairs, tensors in them included.
fn tensor_of(mut dims: Vec<Option<usize>>, element: Type) -> Type {
    if let Type::Pair(halves) = element {
        return Type::Pair(Box::new(halves.map(|half| tensor_of(dims.clone(), half))));
    }
    dims.extend(element.dims());
    Type::Tensor(TensorType { elem: element.elem(), dims })
}

fn dimension<'c>(tensor: &impl ShapedTypeLike<'c>, d: usize) -> Result<Option<usize>, Fault> {
    use melior::ir::r#type::DimSize;
    match tensor.dim_size(d) {
        Ok(DimSize::Static(n)) => Ok(usize::try_from(n).ok()),
        Ok(DimSize::Dynamic) => Ok(None),
        Err(_) => fault("internal error: a tensor type without that dimension"),
    }
}

fn decode_elem(ty: MlirType, promote: bool) -> Result<Elem, Fault> {
    if let Some(elem) = complex_from_text(&ty.to_string(), promote) {
        return Ok(elem);
    }
    let kind = if ty.is_f64() {
        FloatKind::F64
    } else if ty.is_f32() {
        FloatKind::F32
    } else if ty.is_f16() {
        FloatKind::F16
    } else if ty.to_string() == "bf16" {
        FloatKind::Bf16
    } else if ty.is_index() {
        return Ok(Elem::Index);
    } else {
        return match IntegerType::try_from(ty).map(|t| t.width()) {
            Ok(width @ 1..=64) => Ok(Elem::Int(width)),
            _ => fault(format!("the interpreter has no values of type {ty}")),
        };
    };
    Ok(Elem::Float(if promote { FloatKind::F64 } else { kind }))
}

/// Reads `complex<f64>`.
fn complex_from_text(text: &str, promote: bool) -> Option<Elem> {
    let kind = match text.strip_prefix("complex<")?.strip_suffix('>')? {
        _ if promote => FloatKind::F64,
        "f64" => FloatKind::F64,
        "f32" => FloatKind::F32,
        "f16" => FloatKind::F16,
        "bf16" => FloatKind::Bf16,
        _ => return None,
    };
    Some(Elem::Complex(kind))
}

/// Decodes a vector type: an array of its numbers.
fn vector(ty: MlirType, promote: bool) -> Option<TensorType> {
    if !ty.is_vector() {
        return None;
    }
    tensor_from_text(ty.to_string().strip_prefix("vector<")?.strip_suffix('>')?, promote)
}

/// Reads the inside of a tensor type, such as `?x3xf64`: the parameter of an accumulator type.
fn tensor_from_text(mut text: &str, promote: bool) -> Option<TensorType> {
    let mut dims = Vec::new();
    if let Some((outer, vector)) = text.split_once("vector<") {
        let vector = tensor_from_text(vector.strip_suffix('>')?, promote)?;
        let outer = tensor_from_text(&format!("{outer}i1"), promote)?;
        return Some(TensorType { elem: vector.elem, dims: [outer.dims, vector.dims].concat() });
    }
    while text.starts_with(|c: char| c == '?' || c.is_ascii_digit()) {
        let (size, rest) = text.split_once('x')?;
        dims.push(if size == "?" { None } else { Some(size.parse().ok()?) });
        text = rest;
    }
    let kind = match text {
        "f64" => FloatKind::F64,
        "f32" => FloatKind::F32,
        "f16" => FloatKind::F16,
        "bf16" => FloatKind::Bf16,
        "index" => return Some(TensorType { elem: Elem::Index, dims }),
        _ if text.starts_with("complex<") => {
            return Some(TensorType { elem: complex_from_text(text, promote)?, dims });
        }
        _ => {
            let width = text.strip_prefix('i')?.parse().ok().filter(|w| (1..=64).contains(w))?;
            return Some(TensorType { elem: Elem::Int(width), dims });
        }
    };
    let kind = if promote { FloatKind::F64 } else { kind };
    Some(TensorType { elem: Elem::Float(kind), dims })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_accumulators_are_read() {
        let t = tensor_from_text("?x3xindex", false).unwrap();
        assert_eq!((t.elem, t.dims), (Elem::Index, vec![None, Some(3)]));
        assert_eq!(tensor_from_text("f32", true).unwrap().elem, Elem::Float(FloatKind::F64));
        assert_eq!(tensor_from_text("4xi1", false).unwrap().elem, Elem::Int(1));
        let complex = tensor_from_text("4xcomplex<f32>", false).unwrap();
        assert_eq!((complex.elem, complex.dims), (Elem::Complex(FloatKind::F32), vec![Some(4)]));
        let vectors = tensor_from_text("?xvector<4xf32>", false).unwrap();
        assert_eq!(
            (vectors.elem, vectors.dims),
            (Elem::Float(FloatKind::F32), vec![None, Some(4)])
        );
        assert!(tensor_from_text("4xcomplex<i32>", false).is_none());
    }
}
