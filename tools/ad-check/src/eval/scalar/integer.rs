//! Integer arithmetic on one element, wrapping to a width of 1 to 64 bits, and conversions.
//!
//! What MLIR leaves undefined (division by zero, signed overflow of a division, a shift by the width or more) is a fault here.

use super::ops::{Cast, CastOp, IntBinary, IntCompare, IntUnary, Wide};
use crate::fault::{Fault, fault};
use crate::program::{Elem, FloatKind};
use crate::value::Value;

/// The stored form of the low `width` bits: sign-extended, but 0 or 1 for `i1`.
pub fn wrap(x: i64, width: u32) -> i64 {
    match width {
        1 => x & 1,
        2..64 => (x << (64 - width)) >> (64 - width),
        _ => x,
    }
}

/// The value read as signed.
pub fn signed(x: i64, width: u32) -> i64 {
    if width == 1 { -(x & 1) } else { x }
}

/// The value read as unsigned.
pub fn unsigned(x: i64, width: u32) -> u64 {
    if width >= 64 { x as u64 } else { x as u64 & ((1 << width) - 1) }
}

pub fn binary(op: IntBinary, width: u32, x: i64, y: i64) -> Result<i64, Fault> {
    use IntBinary::*;
    let (xs, ys) = (signed(x, width), signed(y, width));
    let (xu, yu) = (unsigned(x, width), unsigned(y, width));
    if matches!(op, DivS | DivU | CeilDivS | CeilDivU | FloorDivS | RemS | RemU) && yu == 0 {
        return fault("division by zero");
    }
    if matches!(op, DivS | CeilDivS | FloorDivS)
        && ys == -1
        && wrap(xs.wrapping_neg(), width) == x
        && x != 0
    {
        return fault("signed division overflows");
    }
    if matches!(op, Shl | ShrS | ShrU) && yu >= u64::from(width) {
        return fault(format!("shift by {yu} of a value of {width} bits"));
    }
    let result = match op {
        Add => x.wrapping_add(y),
        Sub => x.wrapping_sub(y),
        Mul => x.wrapping_mul(y),
        DivS => xs.wrapping_div(ys),
        DivU => (xu / yu) as i64,
        CeilDivS => {
            xs.wrapping_div(ys) + i64::from(xs.wrapping_rem(ys) != 0 && (xs < 0) == (ys < 0))
        }
        CeilDivU => xu.div_ceil(yu) as i64,
        FloorDivS => {
            xs.wrapping_div(ys) - i64::from(xs.wrapping_rem(ys) != 0 && (xs < 0) != (ys < 0))
        }
        RemS => xs.wrapping_rem(ys),
        RemU => (xu % yu) as i64,
        And => x & y,
        Or => x | y,
        Xor => x ^ y,
        Shl => x << yu,
        ShrS => xs >> yu,
        ShrU => (xu >> yu) as i64,
        MaxS => xs.max(ys),
        MaxU => xu.max(yu) as i64,
        MinS => xs.min(ys),
        MinU => xu.min(yu) as i64,
        Pow => return power(width, xs, ys),
    };
    Ok(wrap(result, width))
}

/// An integer power; a negative exponent gives the truncated reciprocal.
fn power(width: u32, base: i64, exponent: i64) -> Result<i64, Fault> {
    let odd = exponent & 1 == 1;
    let result = match (base, u64::try_from(exponent)) {
        (0, Err(_)) => return fault("zero to a negative power"),
        (1, Err(_)) => 1,
        (-1, Err(_)) => {
            if odd {
                -1
            } else {
                1
            }
        }
        (_, Err(_)) => 0,
        (base, Ok(mut n)) => {
            let (mut result, mut square) = (1i64, base);
            while n > 0 {
                if n & 1 == 1 {
                    result = result.wrapping_mul(square);
                }
                square = square.wrapping_mul(square);
                n >>= 1;
            }
            result
        }
    };
    Ok(wrap(result, width))
}

pub fn unary(op: IntUnary, width: u32, x: i64) -> i64 {
    let bits = unsigned(x, width);
    match op {
        IntUnary::Abs => wrap(signed(x, width).wrapping_abs(), width),
        IntUnary::LeadingZeros => {
            wrap(i64::from(bits.leading_zeros()) - i64::from(64 - width), width)
        }
        IntUnary::TrailingZeros => wrap(i64::from(bits.trailing_zeros().min(width)), width),
        IntUnary::Ones => wrap(i64::from(bits.count_ones()), width),
    }
}

/// The two results of an extended operation: sum and carry, or the low and the high half of a product.
pub fn wide(op: Wide, width: u32, x: i64, y: i64) -> (i64, i64) {
    let (xu, yu) = (u128::from(unsigned(x, width)), u128::from(unsigned(y, width)));
    let low = |v: i128| wrap(v as i64, width);
    let high = |v: i128| wrap((v >> width) as i64, width);
    match op {
        Wide::AddUi => (low((xu + yu) as i128), i64::from((xu + yu) >> width != 0)),
        Wide::MulUi => {
            let product = xu * yu;
            (wrap(product as i64, width), wrap((product >> width) as i64, width))
        }
        Wide::MulSi => {
            let product = i128::from(signed(x, width)) * i128::from(signed(y, width));
            (low(product), high(product))
        }
    }
}

pub fn compare(op: IntCompare, width: u32, x: i64, y: i64) -> bool {
    use IntCompare::*;
    let (xs, ys) = (signed(x, width), signed(y, width));
    let (xu, yu) = (unsigned(x, width), unsigned(y, width));
    match op {
        Eq => x == y,
        Ne => x != y,
        Slt => xs < ys,
        Sle => xs <= ys,
        Sgt => xs > ys,
        Sge => xs >= ys,
        Ult => xu < yu,
        Ule => xu <= yu,
        Ugt => xu > yu,
        Uge => xu >= yu,
    }
}

/// Converts one element.
///
/// A float outside the range of the integer type, which MLIR leaves undefined, saturates.
pub fn cast(cast: Cast, value: &Value) -> Result<Value, Fault> {
    let from = cast.from.int_width();
    let to = cast.to.int_width();
    Ok(match cast.op {
        CastOp::Float => Value::Float(round_to(cast.to, value.float()?)),
        CastOp::SignedToFloat => Value::Float(int_to_float(cast.to, signed(value.int()?, from))),
        CastOp::UnsignedToFloat => {
            Value::Float(uint_to_float(cast.to, unsigned(value.int()?, from)))
        }
        CastOp::FloatToSigned => {
            let limit = if to >= 64 { i64::MAX } else { (1 << (to - 1)) - 1 };
            Value::Int(wrap((value.float()? as i64).clamp(-limit - 1, limit), to))
        }
        CastOp::FloatToUnsigned => {
            let limit = if to >= 64 { u64::MAX } else { (1 << to) - 1 };
            Value::Int(wrap((value.float()? as u64).min(limit) as i64, to))
        }
        CastOp::Signed => Value::Int(wrap(signed(value.int()?, from), to)),
        CastOp::Unsigned => Value::Int(wrap(unsigned(value.int()?, from) as i64, to)),
        CastOp::Bits => bits(cast, value)?,
    })
}

fn round_to(elem: Elem, x: f64) -> f64 {
    match elem {
        Elem::Float(kind) => kind.round(x),
        _ => x,
    }
}

/// Rounds once, also to a narrower type.
fn int_to_float(elem: Elem, x: i64) -> f64 {
    match elem {
        Elem::Float(FloatKind::F32) => f64::from(x as f32),
        _ => round_to(elem, x as f64),
    }
}

fn uint_to_float(elem: Elem, x: u64) -> f64 {
    match elem {
        Elem::Float(FloatKind::F32) => f64::from(x as f32),
        _ => round_to(elem, x as f64),
    }
}

fn bits(cast: Cast, value: &Value) -> Result<Value, Fault> {
    use FloatKind::{F32, F64};
    Ok(match (cast.from, cast.to) {
        (a, b) if a == b => value.clone(),
        (Elem::Float(F64), Elem::Int(64)) => Value::Int(value.float()?.to_bits() as i64),
        (Elem::Float(F32), Elem::Int(32)) => {
            Value::Int(wrap(i64::from((value.float()? as f32).to_bits()), 32))
        }
        (Elem::Int(64), Elem::Float(F64)) => Value::Float(f64::from_bits(value.int()? as u64)),
        (Elem::Int(32), Elem::Float(F32)) => {
            Value::Float(f64::from(f32::from_bits(value.int()? as u32)))
        }
        (a, b) => {
            return fault(format!("does not support the bits of {} as {}", a.text(), b.text()));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_operations_of_every_kind() {
        use IntBinary::*;
        let table = [
            (Add, 8, 127, 1, -128),
            (Sub, 8, -128, 1, 127),
            (Mul, 8, 16, 16, 0),
            (DivS, 8, -7, 2, -3),
            (DivU, 8, -1, 2, 127),
            (CeilDivS, 8, 7, 2, 4),
            (CeilDivS, 8, -7, 2, -3),
            (CeilDivS, 8, -7, -2, 4),
            (CeilDivU, 8, 7, 2, 4),
            (FloorDivS, 8, -7, 2, -4),
            (FloorDivS, 8, 7, 2, 3),
            (FloorDivS, 8, -7, -2, 3),
            (RemS, 8, -7, 2, -1),
            (RemU, 8, -1, 16, 15),
            (And, 8, 12, 10, 8),
            (Or, 8, 12, 10, 14),
            (Xor, 8, 12, 10, 6),
            (Shl, 8, 1, 7, -128),
            (ShrS, 8, -128, 7, -1),
            (ShrU, 8, -128, 7, 1),
            (MaxS, 8, -1, 1, 1),
            (MaxU, 8, -1, 1, -1),
            (MinS, 8, -1, 1, -1),
            (MinU, 8, -1, 1, 1),
            (Pow, 16, -3, 3, -27),
            (Pow, 16, 2, -1, 0),
            (Pow, 16, -1, -3, -1),
            (Add, 64, i64::MAX, 1, i64::MIN),
            (Add, 1, 1, 1, 0),
            (MaxS, 1, 1, 0, 0),
            (MaxU, 1, 1, 0, 1),
        ];
        for (op, width, x, y, want) in table {
            assert_eq!(binary(op, width, x, y), Ok(want), "{op:?} i{width} {x} {y}");
        }
    }

    #[test]
    fn undefined_operations_are_faults() {
        use IntBinary::*;
        for op in [DivS, DivU, CeilDivS, CeilDivU, FloorDivS, RemS, RemU] {
            assert!(binary(op, 32, 1, 0).is_err(), "{op:?}");
        }
        assert!(binary(DivS, 64, i64::MIN, -1).is_err());
        assert!(binary(FloorDivS, 8, -128, -1).is_err());
        assert_eq!(binary(RemS, 64, i64::MIN, -1), Ok(0));
        for op in [Shl, ShrS, ShrU] {
            assert!(binary(op, 8, 1, 8).is_err(), "{op:?}");
        }
        assert!(binary(Pow, 8, 0, -1).is_err());
    }

    #[test]
    fn unary_operations() {
        assert_eq!(unary(IntUnary::Abs, 8, -5), 5);
        assert_eq!(unary(IntUnary::Abs, 8, -128), -128);
        assert_eq!(unary(IntUnary::LeadingZeros, 8, 1), 7);
        assert_eq!(unary(IntUnary::LeadingZeros, 8, 0), 8);
        assert_eq!(unary(IntUnary::TrailingZeros, 8, -128), 7);
        assert_eq!(unary(IntUnary::TrailingZeros, 8, 0), 8);
        assert_eq!(unary(IntUnary::Ones, 8, -1), 8);
    }

    #[test]
    fn extended_operations() {
        assert_eq!(wide(Wide::AddUi, 8, -1, 1), (0, 1));
        assert_eq!(wide(Wide::AddUi, 8, 1, 1), (2, 0));
        assert_eq!(wide(Wide::MulUi, 8, -1, -1), (1, -2));
        assert_eq!(wide(Wide::MulSi, 8, -128, 2), (0, -1));
        assert_eq!(wide(Wide::MulUi, 64, -1, -1), (1, -2));
    }

    #[test]
    fn comparisons() {
        use IntCompare::*;
        let ops = [Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge];
        let got = |x, y| ops.map(|op| u8::from(compare(op, 8, x, y)));
        assert_eq!(got(-1, 1), [0, 1, 1, 1, 0, 0, 0, 0, 1, 1]);
        assert_eq!(got(1, 1), [1, 0, 0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(got(2, 1), [0, 1, 0, 0, 1, 1, 0, 0, 1, 1]);
        assert!(compare(Slt, 1, 1, 0) && compare(Ult, 1, 0, 1));
    }

    fn convert(op: CastOp, from: Elem, to: Elem, value: Value) -> Value {
        cast(Cast { op, from, to }, &value).unwrap()
    }

    #[test]
    fn conversions() {
        use CastOp::*;
        let (f32, f64) = (Elem::Float(FloatKind::F32), Elem::Float(FloatKind::F64));
        let table = [
            (Float, f64, f32, Value::Float(0.1), Value::Float(f64::from(0.1f32))),
            (Float, f32, f64, Value::Float(0.5), Value::Float(0.5)),
            (SignedToFloat, Elem::Int(8), f64, Value::Int(-1), Value::Float(-1.0)),
            (UnsignedToFloat, Elem::Int(8), f64, Value::Int(-1), Value::Float(255.0)),
            (SignedToFloat, Elem::Int(1), f64, Value::Int(1), Value::Float(-1.0)),
            (UnsignedToFloat, Elem::Int(1), f64, Value::Int(1), Value::Float(1.0)),
            (FloatToSigned, f64, Elem::Int(8), Value::Float(-2.9), Value::Int(-2)),
            (FloatToUnsigned, f64, Elem::Int(8), Value::Float(200.7), Value::Int(-56)),
            (Signed, Elem::Int(8), Elem::Int(16), Value::Int(-1), Value::Int(-1)),
            (Signed, Elem::Int(16), Elem::Int(8), Value::Int(300), Value::Int(44)),
            (Signed, Elem::Index, Elem::Int(32), Value::Int(7), Value::Int(7)),
            (Unsigned, Elem::Int(8), Elem::Int(16), Value::Int(-1), Value::Int(255)),
            (Unsigned, Elem::Int(1), Elem::Int(8), Value::Int(1), Value::Int(1)),
            (Signed, Elem::Int(1), Elem::Int(8), Value::Int(1), Value::Int(-1)),
            (Bits, f64, Elem::Int(64), Value::Float(1.0), Value::Int(0x3ff0_0000_0000_0000)),
            (Bits, Elem::Int(32), f32, Value::Int(0x3f80_0000), Value::Float(1.0)),
        ];
        for (op, from, to, value, want) in table {
            assert_eq!(
                convert(op, from, to, value.clone()),
                want,
                "{op:?} {from:?} {to:?} {value:?}"
            );
        }
    }
}
