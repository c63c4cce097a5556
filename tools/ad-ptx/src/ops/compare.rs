//! Comparisons: `setp` and `set`.

use super::{
    Operation, Plan, by_integer,
    float::{PACKED, format_of},
    half::Format,
};
use crate::{
    types::{B32, F32, F64, Kind, PRED, Type},
    value::{Compute, Frame, Slots, Value},
};

/// The family. `setp` has two predicates as results, and takes a predicate if it combines.
pub fn plan(op: &Operation) -> Result<Option<Plan>, String> {
    if !matches!(op.name, "setp" | "set") {
        return Ok(None);
    }
    let types = op.types();
    let name = op.parts.first().copied().unwrap_or_default();
    let combination = op.parts.iter().find(|part| ["and", "or", "xor"].contains(part));
    let combine: fn(bool, bool) -> bool = match combination {
        None => |a, _| a,
        Some(&"and") => |a, b| a & b,
        Some(&"or") => |a, b| a | b,
        Some(_) => |a, b| a ^ b,
    };
    let combines = combination.is_some();
    if let Some((packed, format)) = PACKED.into_iter().find(|(packed, _)| op.has(packed)) {
        op.allow(&[name, packed, "and", "or", "xor", "ftz"])?;
        let Some(f) = float(name).filter(|_| op.name == "setp") else { return op.refuse() };
        return Ok(Some(halves(f, format, combine, combines)));
    }
    let Some(ty) = types.last().copied() else { return op.refuse() };
    let others: Vec<_> = op
        .parts
        .iter()
        .skip(1)
        .filter(|part| Type::named(part).is_none())
        .filter(|part| !["and", "or", "xor", "ftz"].contains(part))
        .collect();
    let Some(test) = test(name, ty, op.has("ftz")).filter(|_| others.is_empty()) else {
        return op.refuse();
    };
    if op.name == "set" {
        return set(op, &types, test).map(Some);
    }
    let compute: Compute = Box::new(move |frame: &mut Frame, s: &Slots| {
        let holds = test(frame, s[2], s[3]);
        let other = combines && frame.get::<bool>(s[4]);
        frame.set(s[0], combine(holds, other));
        frame.set(s[1], combine(!holds, other));
    });
    let operands = if combines { vec![ty, ty, PRED] } else { vec![ty, ty] };
    let mut plan = Plan::new(PRED, &operands, compute).with_second_predicate();
    if ty.is_integer() {
        plan.class = crate::program::Class::Integer;
    }
    Ok(Some(plan))
}

/// Both halves of a register are compared, each for a predicate of its own.
fn halves(
    f: fn(f64, f64) -> bool,
    format: Format,
    combine: fn(bool, bool) -> bool,
    combines: bool,
) -> Plan {
    let compute: Compute = Box::new(move |frame: &mut Frame, s: &Slots| {
        let [a, b] = [s[2], s[3]].map(|slot| frame.get::<u32>(slot));
        let other = combines && frame.get::<bool>(s[4]);
        for (slot, shift) in [(s[0], 0), (s[1], 16)] {
            let [x, y] = [a, b].map(|bits| format.decode(bits >> shift & 0xffff));
            frame.set(slot, combine(f(x, y), other));
        }
    });
    let operands = if combines { vec![B32, B32, PRED] } else { vec![B32, B32] };
    Plan::new(PRED, &operands, compute).with_second_predicate()
}

/// All ones or 1.0 where the comparison holds.
fn set(op: &Operation, types: &[Type], test: Test) -> Result<Plan, String> {
    let [result, ty] = types else { return op.refuse() };
    let holds: u64 = match *result {
        F32 => u64::from(1f32.to_bits()),
        Type { kind: Kind::Unsigned | Kind::Signed, bits: 32 } => 0xffff_ffff,
        _ => return op.refuse(),
    };
    let compute: Compute = Box::new(move |frame: &mut Frame, s: &Slots| {
        let value = if test(frame, s[1], s[2]) { holds } else { 0 };
        frame.set(s[0], value);
    });
    Ok(Plan::new(*result, &[*ty, *ty], compute))
}

type Test = Box<dyn Fn(&Frame, u32, u32) -> bool + Send + Sync>;

fn of<T: Value + 'static>(f: impl Fn(T, T) -> bool + Send + Sync + 'static) -> Test {
    Box::new(move |frame, a, b| f(frame.get(a), frame.get(b)))
}

fn test(name: &str, ty: Type, flush: bool) -> Option<Test> {
    match ty {
        F32 => {
            let f = float(name)?;
            let read = move |x: f32| match flush && x.is_subnormal() {
                true => 0.0,
                false => f64::from(x),
            };
            Some(of(move |a: f32, b: f32| f(read(a), read(b))))
        }
        F64 => float(name).map(|f| of(f)),
        _ if ty.is_float() => {
            let (f, format) = (float(name)?, format_of(ty)?);
            let read = move |x: u16| format.decode(u32::from(x));
            Some(of(move |a: u16, b: u16| f(read(a), read(b))))
        }
        _ if ty.is_integer() && ty.bits > 8 => integer(name, ty),
        _ => None,
    }
}

fn integer(name: &str, ty: Type) -> Option<Test> {
    let (is_bits, is_signed) = (ty.kind == Kind::Bits, ty.kind == Kind::Signed);
    by_integer!(ty, T => match name {
        "eq" => of(|a: T, b: T| a == b),
        "ne" => of(|a: T, b: T| a != b),
        "lt" if !is_bits => of(|a: T, b: T| a < b),
        "le" if !is_bits => of(|a: T, b: T| a <= b),
        "gt" if !is_bits => of(|a: T, b: T| a > b),
        "ge" if !is_bits => of(|a: T, b: T| a >= b),
        "lo" if !is_bits && !is_signed => of(|a: T, b: T| a < b),
        "ls" if !is_bits && !is_signed => of(|a: T, b: T| a <= b),
        "hi" if !is_bits && !is_signed => of(|a: T, b: T| a > b),
        "hs" if !is_bits && !is_signed => of(|a: T, b: T| a >= b),
        _ => return None,
    })
}

/// Names that end with `u` hold for what is no number, too.
#[allow(clippy::neg_cmp_op_on_partial_ord)]
fn float(name: &str) -> Option<fn(f64, f64) -> bool> {
    Some(match name {
        "eq" => |a, b| a == b,
        "ne" => |a, b| a != b && !a.is_nan() && !b.is_nan(),
        "lt" => |a, b| a < b,
        "le" => |a, b| a <= b,
        "gt" => |a, b| a > b,
        "ge" => |a, b| a >= b,
        "equ" => |a, b| a == b || a.is_nan() || b.is_nan(),
        "neu" => |a, b| a != b,
        "ltu" => |a, b| !(a >= b),
        "leu" => |a, b| !(a > b),
        "gtu" => |a, b| !(a <= b),
        "geu" => |a, b| !(a < b),
        "num" => |a, b| !a.is_nan() && !b.is_nan(),
        "nan" => |a, b| a.is_nan() || b.is_nan(),
        _ => return None,
    })
}
