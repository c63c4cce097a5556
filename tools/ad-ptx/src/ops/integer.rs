//! Arithmetic of integers.

use super::{Operation, Plan, by_integer};
use crate::{
    types::{Kind, Type},
    value::{Compute, binary, ternary, unary},
};

/// The family.
pub fn plan(op: &Operation) -> Result<Option<Plan>, String> {
    const NAMES: [&str; 12] =
        ["add", "sub", "mul", "mad", "mul24", "div", "rem", "abs", "neg", "min", "max", "sad"];
    let Ok(ty) = op.ty() else { return Ok(None) };
    let carries = op.parts.contains(&"cc");
    if !NAMES.contains(&op.name) || !matches!(ty.kind, Kind::Signed | Kind::Unsigned) || carries {
        return Ok(None);
    }
    let part = op.parts.first().copied().unwrap_or_default();
    let plan = match (op.name, part) {
        ("mul" | "mad", "wide") => {
            op.allow(&["wide"])?;
            return widened(op, ty).map(Some);
        }
        ("mul" | "mad", "lo" | "hi") => {
            op.allow(&["lo", "hi"])?;
            if op.name == "mul" { product(ty, part == "hi") } else { sum(ty, part == "hi") }
        }
        ("add" | "sub", "sat") if ty == crate::types::S32 => {
            op.allow(&["sat"])?;
            let f = if op.name == "add" { i32::saturating_add } else { i32::saturating_sub };
            Some(binary(f))
        }
        _ => {
            op.allow(&[])?;
            simple(op.name, ty)
        }
    };
    let Some(compute) = plan else { return op.refuse() };
    let count = match op.name {
        "abs" | "neg" => 1,
        "mad" | "sad" => 3,
        _ => 2,
    };
    Ok(Some(Plan::new(ty, &vec![ty; count], compute)))
}

/// A division by zero gives all ones, as it does on the hardware; nothing is promised.
fn simple(name: &str, ty: Type) -> Option<Compute> {
    by_integer!(ty, T => match name {
        "add" => binary(T::wrapping_add),
        "sub" => binary(T::wrapping_sub),
        "div" => binary(|a: T, b: T| if b == 0 { !0 } else { a.wrapping_div(b) }),
        "rem" => binary(|a: T, b: T| if b == 0 { a } else { a.wrapping_rem(b) }),
        "abs" => unary(|a: T| {
            #[allow(unused_comparisons, clippy::absurd_extreme_comparisons)]
            if a < 0 { a.wrapping_neg() } else { a }
        }),
        "neg" => unary(T::wrapping_neg),
        "min" => binary(<T as Ord>::min),
        "max" => binary(<T as Ord>::max),
        "sad" => ternary(|a: T, b: T, c: T| (a.abs_diff(b) as T).wrapping_add(c)),
        _ => return None,
    })
}

/// The upper or the lower half of a product.
fn product(ty: Type, high: bool) -> Option<Compute> {
    by_integer!(ty, T => match high {
        true => binary(|a: T, b: T| ((a as i128).wrapping_mul(b as i128) >> T::BITS) as T),
        false => binary(T::wrapping_mul),
    })
}

/// The same, and a sum.
fn sum(ty: Type, high: bool) -> Option<Compute> {
    by_integer!(ty, T => match high {
        true => ternary(|a: T, b: T, c: T| (((a as i128).wrapping_mul(b as i128) >> T::BITS) as T).wrapping_add(c)),
        false => ternary(|a: T, b: T, c: T| a.wrapping_mul(b).wrapping_add(c)),
    })
}

/// A product of twice the width, and a sum.
fn widened(op: &Operation, ty: Type) -> Result<Plan, String> {
    let is_sum = op.name == "mad";
    let wide = Type { bits: ty.bits * 2, ..ty };
    macro_rules! of {
        ($narrow:ty, $wide:ty) => {
            match is_sum {
                true => ternary(|a: $narrow, b: $narrow, c: $wide| {
                    <$wide>::from(a).wrapping_mul(<$wide>::from(b)).wrapping_add(c)
                }),
                false => {
                    binary(|a: $narrow, b: $narrow| <$wide>::from(a).wrapping_mul(<$wide>::from(b)))
                }
            }
        };
    }
    let compute = match (ty.kind, ty.bits) {
        (Kind::Signed, 16) => of!(i16, i32),
        (Kind::Signed, 32) => of!(i32, i64),
        (_, 16) => of!(u16, u32),
        (_, 32) => of!(u32, u64),
        _ => return op.refuse(),
    };
    let operands = if is_sum { vec![ty, ty, wide] } else { vec![ty, ty] };
    Ok(Plan::new(wide, &operands, compute))
}
