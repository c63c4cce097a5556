//! Arithmetic with zeros, and negations.
//!
//! x + 0 = x; 0 - x = -x; x + (-y) = x - y; x - (-y) = x + y; -(-x) = x; acc += 0 is acc.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt};
use melior::ir::{Attribute, ValueLike, attribute::DenseElementsAttribute};

use crate::support::{builder::Builder, combinator::strip_casts, fastmath::allows};

/// The value that the operation's result equals, if it can be said more simply.
pub fn fold<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    let (x, y) = (op.opnd(0), op.opnd(1));
    let b = &b.with_fastmath_of(op);
    match op.op_name() {
        "arith.addf" | "complex.add" => {
            let (x, y) = (x?, y?);
            if is_zero(y) {
                return Some(x);
            }
            if is_zero(x) {
                return Some(y);
            }
            match (negated(x), negated(y)) {
                (_, Some(y)) => Some(b.float_op("arith.subf", &[x, y])),
                (Some(x), None) => Some(b.float_op("arith.subf", &[y, x])),
                _ => None,
            }
        }
        "arith.subf" => {
            let (x, y) = (x?, y?);
            if is_zero(x) {
                return Some(b.float_op("arith.negf", &[y]));
            }
            negated(y).map(|y| b.float_op("arith.addf", &[x, y]))
        }
        "arith.negf" => negated(x?),
        "arith.mulf" => fold_product(op, x?, y?),
        "soac.update_acc" => {
            let value = op.operand_list().last().copied()?;
            is_zero(value).then_some(x?)
        }
        _ => None,
    }
}

/// A product with zero is zero only where infinities and NaNs are ruled out.
fn fold_product<'c>(op: Op<'c>, x: Val<'c>, y: Val<'c>) -> Option<Val<'c>> {
    if !["nnan", "nsz"].iter().all(|flag| allows(op, flag)) {
        return None;
    }
    [x, y].into_iter().find(|factor| is_zero(*factor))
}

fn negated(value: Val<'_>) -> Option<Val<'_>> {
    let op = value.defining_op().filter(|op| op.op_name() == "arith.negf")?;
    op.opnd(0)
}

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
