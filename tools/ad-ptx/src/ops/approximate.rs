//! Functions of the hardware that are only near: here they are right but for the last rounding, where the reference
//! does not say that bits are ignored. The sign of a number, and what kind of number it is.

use super::{Operation, Plan, float::Finish};
use crate::{
    types::{F32, F64, PRED},
    value::{Compute, binary, unary},
};

/// The family.
pub fn plan(op: &Operation) -> Result<Option<Plan>, String> {
    match op.name {
        "testp" => return test(op).map(Some),
        "copysign" => return copy_sign(op).map(Some),
        _ => {}
    }
    let is_approximate = op.has("approx") || op.has("full") && op.name == "div";
    if !is_approximate {
        return Ok(None);
    }
    op.allow(&["approx", "full", "ftz"])?;
    let ty = op.ty()?;
    if ty == F64 {
        let compute = match op.name {
            "rcp" if op.has("ftz") => unary(|a: f64| upper(1.0 / upper(flushed(a)))),
            "rsqrt" if op.has("ftz") => unary(|a: f64| upper(1.0 / upper(flushed(a)).sqrt())),
            "rsqrt" => unary(|a: f64| 1.0 / a.sqrt()),
            _ => return op.refuse(),
        };
        return Ok(Some(Plan::new(F64, &[F64], compute)));
    }
    if ty != F32 {
        return op.refuse();
    }
    let finish = Finish { flush: op.has("ftz"), saturate: false };
    if op.name == "div" {
        let compute =
            binary(move |a: f32, b: f32| finish.result(finish.operand(a) / finish.operand(b)));
        return Ok(Some(Plan::new(F32, &[F32, F32], compute)));
    }
    let f: fn(f64) -> f64 = match op.name {
        "rcp" => f64::recip,
        "sqrt" => f64::sqrt,
        "rsqrt" => |a| 1.0 / a.sqrt(),
        "ex2" => f64::exp2,
        "lg2" => f64::log2,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tanh" => f64::tanh,
        _ => return op.refuse(),
    };
    let compute = unary(move |a: f32| finish.result(f(f64::from(finish.operand(a))) as f32));
    Ok(Some(Plan::new(F32, &[F32], compute)))
}

/// The upper half of a number: the lower one is neither read nor written.
fn upper(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0xffff_ffff)
}

fn flushed(x: f64) -> f64 {
    if x.is_subnormal() { 0f64.copysign(x) } else { x }
}

fn test(op: &Operation) -> Result<Plan, String> {
    op.allow(&["finite", "infinite", "number", "notanumber", "normal", "subnormal"])?;
    let ty = op.ty()?;
    let what = op.parts.first().copied().unwrap_or_default().to_owned();
    macro_rules! of {
        ($T:ty) => {{
            let f: fn($T) -> bool = match what.as_str() {
                "finite" => |a| a.is_finite(),
                "infinite" => |a| a.is_infinite(),
                "number" => |a| !a.is_nan(),
                "notanumber" => |a| a.is_nan(),
                "normal" => |a| a.is_normal(),
                "subnormal" => |a| a.is_subnormal(),
                _ => return op.refuse(),
            };
            unary(f)
        }};
    }
    let compute = match ty {
        F32 => of!(f32),
        F64 => of!(f64),
        _ => return op.refuse(),
    };
    Ok(Plan::new(PRED, &[ty], compute))
}

/// The sign is that of the first operand.
fn copy_sign(op: &Operation) -> Result<Plan, String> {
    op.allow(&[])?;
    let ty = op.ty()?;
    let compute: Compute = match ty {
        F32 => binary(|a: f32, b: f32| b.copysign(a)),
        F64 => binary(|a: f64, b: f64| b.copysign(a)),
        _ => return op.refuse(),
    };
    Ok(Plan::new(ty, &[ty, ty], compute))
}
