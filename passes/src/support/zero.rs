//! What is known to be zero.

use ad_dialect::ir::{OpExt, TyExt, Val, ValExt};
use melior::ir::{Attribute, ValueLike, attribute::DenseElementsAttribute};

use super::combinator::strip_casts;

/// Whether every element is known to be zero.
pub fn is_zero(value: Val<'_>) -> bool {
    let Some(op) = strip_casts(value).defining_op() else { return false };
    match op.op_name() {
        "arith.constant" | "complex.constant" => op.attr("value").is_some_and(is_zero_attribute),
        "linalg.fill" | "tensor.splat" | "soac.replicate" => op.opnd(0).is_some_and(is_zero),
        _ => false,
    }
}

fn is_zero_attribute(attribute: Attribute<'_>) -> bool {
    const ZEROS: [&str; 2] = ["0.000000e+00", "-0.000000e+00"];
    if let Ok(dense) = DenseElementsAttribute::try_from(attribute) {
        let inner = |zero| format!("dense<{zero}>");
        return dense.is_splat()
            && ZEROS.map(inner).iter().any(|zero| attribute.to_string().starts_with(zero));
    }
    let text = attribute.to_string();
    match text.strip_prefix('[') {
        Some(parts) => parts
            .trim_end_matches(']')
            .split(", ")
            .all(|part| ZEROS.iter().any(|zero| part.starts_with(zero))),
        None => ZEROS.iter().any(|zero| text.starts_with(zero)),
    }
}

/// Whether the value is a float or complex number, or a tensor of them.
pub fn is_number(value: Val<'_>) -> bool {
    let scalar = value.r#type().scalar();
    scalar.is_float_type() || scalar.is_complex_type()
}
