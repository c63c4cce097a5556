//! Atomic operations: what they write, of what was there and one or two operands.

use crate::{
    ops::Operation,
    types::{B16, B32, B64, F32, F64, Kind, S32, S64, Type, U32, U64},
    value::Value,
};

/// The new value of an old one, and the operands.
pub type Atomic = Box<dyn Fn(u64, u64, u64) -> u64 + Send + Sync>;

fn of<T: Value + 'static>(f: impl Fn(T, T) -> T + Send + Sync + 'static) -> Option<Atomic> {
    Some(Box::new(move |old, a, _| f(T::from_bits(old), T::from_bits(a)).bits()))
}

/// What an operation with a name does for a type.
pub fn named(op: &Operation, name: &str, ty: Type) -> Option<Atomic> {
    macro_rules! sized {
        ($f:expr; $($ty:pat => $T:ty),*) => {
            match ty { $($ty => of::<$T>($f),)* _ => None }
        };
    }
    match name {
        "add" => match ty {
            // Sums in global memory have no numbers below the normal ones.
            F32 if op.has("shared") => of(|a: f32, b: f32| a + b),
            F32 => of(|a: f32, b: f32| flushed(flushed(a) + flushed(b))),
            F64 => of(|a: f64, b: f64| a + b),
            U32 | S32 => of(u32::wrapping_add),
            U64 => of(u64::wrapping_add),
            _ => None,
        },
        "min" => sized!(|a, b| a.min(b); U32 => u32, U64 => u64, S32 => i32, S64 => i64),
        "max" => sized!(|a, b| a.max(b); U32 => u32, U64 => u64, S32 => i32, S64 => i64),
        "inc" if ty == U32 => of(|a: u32, b: u32| if a >= b { 0 } else { a + 1 }),
        "dec" if ty == U32 => of(|a: u32, b: u32| if a == 0 || a > b { b } else { a - 1 }),
        "and" | "or" | "xor" | "exch" if [B32, B64].contains(&ty) => match name {
            "and" => of(|a: u64, b: u64| a & b),
            "or" => of(|a: u64, b: u64| a | b),
            "xor" => of(|a: u64, b: u64| a ^ b),
            _ => of(|_: u64, b: u64| b),
        },
        "cas" if [B16, B32, B64].contains(&ty) && ty.kind == Kind::Bits => {
            Some(Box::new(|old, expected, new| if old == expected { new } else { old }))
        }
        _ => None,
    }
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}
