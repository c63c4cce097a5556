//! Conversions: `cvt`.

use super::{
    Operation, Plan, by_integer,
    float::{Finish, format_of},
    half,
    rounding::{Rounding, integer_to_f32, integer_to_f64, to_f32},
};
use crate::{
    program::Class,
    types::{F32, F64, Kind, TF32, Type},
    value::{Compute, Value, unary},
};

/// The family.
pub fn plan(op: &Operation) -> Result<Option<Plan>, String> {
    if op.name != "cvt" {
        return Ok(None);
    }
    op.allow(&["rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "ftz", "sat"])?;
    let types = op.types();
    let [to, from] = *types.as_slice() else { return op.refuse() };
    let how = How {
        to,
        from,
        rounding: Rounding::among(&op.parts, ""),
        integral: Rounding::among(&op.parts, "i"),
        away: op.has("rna"),
        finish: Finish { flush: op.has("ftz"), saturate: op.has("sat") },
        result_bits: op.result_bits,
    };
    let compute = match (from.is_float(), to.is_float()) {
        (false, false) => how.integers(),
        (false, true) => how.to_float(),
        (true, false) => how.to_integer(),
        (true, true) => how.floats(),
    };
    let Some(compute) = compute else { return op.refuse() };
    Ok(Some(Plan::new(to, &[from], compute).loose(Class::Convert)))
}

struct How {
    to: Type,
    from: Type,
    rounding: Option<Rounding>,
    integral: Option<Rounding>,
    away: bool,
    finish: Finish,
    result_bits: u32,
}

impl How {
    fn has_rounding(&self) -> bool {
        self.rounding.is_some() || self.integral.is_some() || self.away
    }

    /// To a width, with or without the bounds of the type.
    fn integers(&self) -> Option<Compute> {
        let (to, from, bits) = (self.to, self.from, self.result_bits);
        if self.has_rounding() || to.kind == Kind::Predicate || from.kind == Kind::Predicate {
            return None;
        }
        if self.finish.saturate {
            return by_integer!(from, T => unary(move |a: T| clamped(a as i128, to, bits)));
        }
        if from.kind == Kind::Signed && from.bits < to.bits || to.kind == Kind::Signed {
            return by_integer!(from, T => unary(move |a: T| wrapped(a as i128, to, bits)));
        }
        let mask = u64::MAX >> (64 - from.bits.min(to.bits));
        Some(unary(move |a: u64| a & mask))
    }

    /// Integers that are not exact are rounded.
    fn to_float(&self) -> Option<Compute> {
        let rounding = self.rounding?;
        let finish = self.finish;
        match self.to {
            F64 => by_integer!(self.from, T => match rounding {
                Rounding::Nearest => unary(|a: T| a as f64),
                _ => unary(move |a: T| integer_to_f64(a as i128, rounding)),
            }),
            F32 => by_integer!(self.from, T => match rounding {
                Rounding::Nearest => unary(move |a: T| finish.result(a as f32)),
                _ => unary(move |a: T| finish.result(integer_to_f32(a as i128, rounding))),
            }),
            to => {
                let format = format_of(to)?;
                by_integer!(self.from, T => unary(move |a: T| {
                    // What f64 does not hold is far beyond what either format tells apart from its neighbour.
                    format.encode(a as f64, rounding, false) as u16
                }))
            }
        }
    }

    /// A reader of a floating-point number as an f64, and `.ftz` on the way.
    fn reader(&self) -> Option<impl Fn(u64) -> f64 + Send + Sync + Copy + 'static> {
        let (from, finish) = (self.from, self.finish);
        let format = format_of(from);
        if from != F32 && from != F64 && format.is_none() {
            return None;
        }
        Some(move |bits: u64| match format {
            Some(format) => format.decode(bits as u32),
            None if from == F32 => finish.operand(<f32 as Value>::from_bits(bits)).into(),
            None => <f64 as Value>::from_bits(bits),
        })
    }

    /// Beyond the bounds of the type are its bounds; what is no number is zero, or the top bit for 64 bits.
    fn to_integer(&self) -> Option<Compute> {
        let (to, rounding, bits) = (self.to, self.integral?, self.result_bits);
        if to.kind == Kind::Bits || to.kind == Kind::Predicate {
            return None;
        }
        let read = self.reader()?;
        let wide = self.from == F64 || to.bits == 64;
        Some(unary(move |a: u64| {
            let x = read(a);
            if x.is_nan() {
                return if wide { 1 << (to.bits - 1) } else { 0 };
            }
            clamped(rounding.integral(x) as i128, to, bits)
        }))
    }

    fn floats(&self) -> Option<Compute> {
        let read = self.reader()?;
        let (to, from, finish, integral) = (self.to, self.from, self.finish, self.integral);
        let away = self.away;
        // To fewer bits there must be a rounding, to more bits there is none.
        let narrows = to.bits < from.bits || to == TF32;
        if narrows != (self.rounding.is_some() || away) || integral.is_some() && to != from {
            return None;
        }
        let rounding = self.rounding.unwrap_or(Rounding::Nearest);
        let whole = move |x: f64| integral.map_or(x, |direction| direction.integral(x));
        Some(match to {
            F64 => unary(move |a: u64| whole(read(a))),
            F32 => unary(move |a: u64| finish.result(to_f32(whole(read(a)), rounding))),
            TF32 => unary(move |a: u64| half::TF32.encode(read(a), rounding, away) << 13),
            _ => {
                let format = format_of(to)?;
                unary(move |a: u64| format.encode(whole(read(a)), rounding, false) as u16)
            }
        })
    }
}

/// Into the bounds of a type.
fn clamped(value: i128, to: Type, result_bits: u32) -> u64 {
    let (least, most) = match to.kind {
        Kind::Signed => (-(1i128 << (to.bits - 1)), (1i128 << (to.bits - 1)) - 1),
        _ => (0, (1i128 << to.bits) - 1),
    };
    wrapped(value.clamp(least, most), to, result_bits)
}

/// The lower bits; a sign goes on in a wider register.
fn wrapped(value: i128, to: Type, result_bits: u32) -> u64 {
    let unused = 64 - to.bits;
    match to.kind {
        Kind::Signed => {
            let extended = (value as i64) << unused >> unused;
            extended as u64 & (u64::MAX >> (64 - result_bits.clamp(8, 64)))
        }
        _ => value as u64 & (u64::MAX >> unused),
    }
}
