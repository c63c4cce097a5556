//! Types from MLIR.

use crate::fault::{Fault, fault};
use crate::program::{Elem, FloatKind, TensorType, Type};
use melior::ir::r#type::{IntegerType, RankedTensorType, ShapedTypeLike};
use melior::ir::{Type as MlirType, TypeLike};

/// Decodes a type; with `promote`, every float is an `f64`.
pub fn decode_type(ty: MlirType, promote: bool) -> Result<Type, Fault> {
    if let Some(inner) = ty.to_string().strip_prefix("!soac.acc<tensor<") {
        return match inner.strip_suffix(">>").and_then(|t| tensor_from_text(t, promote)) {
            Some(tensor) => Ok(Type::Acc(tensor)),
            None => fault(format!("the interpreter has no values of type {ty}")),
        };
    }
    if !ty.is_ranked_tensor() {
        return decode_elem(ty, promote).map(Type::Scalar);
    }
    let Ok(tensor) = RankedTensorType::try_from(ty) else {
        return fault("internal error: not a tensor type");
    };
    let elem = decode_elem(tensor.element(), promote)?;
    let mut dims = Vec::with_capacity(tensor.rank());
    for d in 0..tensor.rank() {
        dims.push(dimension(&tensor, d)?);
    }
    Ok(Type::Tensor(TensorType { elem, dims }))
}

fn dimension(tensor: &RankedTensorType, d: usize) -> Result<Option<usize>, Fault> {
    use melior::ir::r#type::DimSize;
    match tensor.dim_size(d) {
        Ok(DimSize::Static(n)) => Ok(usize::try_from(n).ok()),
        Ok(DimSize::Dynamic) => Ok(None),
        Err(_) => fault("internal error: a tensor type without that dimension"),
    }
}

fn decode_elem(ty: MlirType, promote: bool) -> Result<Elem, Fault> {
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

/// Reads the inside of a tensor type, such as `?x3xf64`: the parameter of an accumulator type.
fn tensor_from_text(mut text: &str, promote: bool) -> Option<TensorType> {
    let mut dims = Vec::new();
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
        assert!(tensor_from_text("4xcomplex<f32>", false).is_none());
    }
}
