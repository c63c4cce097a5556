//! Arithmetic of floating-point numbers.

use super::{
    Operation, Plan,
    half::{self, Format},
    rounding::{Rounding, directed_f32, directed_f64, two_sum},
};
use crate::{
    types::{B32, BF16, F16, F32, F64, Type},
    value::{Compute, Frame, binary, ternary, unary},
};

const NAMES: [&str; 12] =
    ["add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "abs", "neg", "min", "max"];

/// Registers with two numbers.
pub const PACKED: [(&str, half::Format); 2] = [("f16x2", half::F16), ("bf16x2", half::BF16)];

/// The family.
pub fn plan(op: &Operation) -> Result<Option<Plan>, String> {
    let is_own = NAMES.contains(&op.name);
    if let Some((name, format)) = PACKED.into_iter().find(|(name, _)| is_own && op.has(name)) {
        op.allow(&["rn", "NaN", name])?;
        let Some(one) = of_format(op.name, format, op.has("NaN")) else { return op.refuse() };
        return Ok(Some(Plan::new(B32, &vec![B32; count(op.name)], in_halves(one))));
    }
    let Ok(ty) = op.ty() else { return Ok(None) };
    if !is_own || !ty.is_float() || op.has("approx") || op.has("full") {
        return Ok(None);
    }
    op.allow(&["rn", "rz", "rm", "rp", "ftz", "sat", "NaN", "noftz"])?;
    let rounding = Rounding::among(&op.parts, "");
    let must_round = matches!(op.name, "fma" | "mad" | "div" | "rcp" | "sqrt");
    if must_round && rounding.is_none() || op.has("ftz") && ty == F64 {
        return op.refuse();
    }
    let rounding = rounding.unwrap_or(Rounding::Nearest);
    let nan = op.has("NaN");
    let compute = match ty {
        F32 => {
            single(op.name, rounding, nan, Finish { flush: op.has("ftz"), saturate: op.has("sat") })
        }
        F64 => double(op.name, rounding, nan),
        F16 => of_format(op.name, half::F16, nan),
        BF16 => of_format(op.name, half::BF16, nan),
        _ => None,
    };
    let Some(compute) = compute else { return op.refuse() };
    Ok(Some(Plan::new(ty, &vec![ty; count(op.name)], compute)))
}

fn count(name: &str) -> usize {
    match name {
        "fma" | "mad" => 3,
        "rcp" | "sqrt" | "abs" | "neg" => 1,
        _ => 2,
    }
}

/// What `.ftz` and `.sat` do.
#[derive(Clone, Copy)]
pub struct Finish {
    /// Numbers below the normal ones are zero.
    pub flush: bool,
    /// Results are between 0 and 1.
    pub saturate: bool,
}

impl Finish {
    /// An operand.
    pub fn operand(self, x: f32) -> f32 {
        if self.flush && x.is_subnormal() { 0f32.copysign(x) } else { x }
    }

    /// A result.
    pub fn result(self, x: f32) -> f32 {
        let x = self.operand(x);
        match self.saturate {
            true if x.is_nan() => 0.0,
            true => x.clamp(0.0, 1.0) + 0.0,
            false => x,
        }
    }
}

/// The larger or the smaller of two; of a number and none, the number.
macro_rules! extreme {
    ($a:expr, $b:expr, $nan:expr, $T:ty, $first:expr) => {{
        let (a, b) = ($a, $b);
        match (a.is_nan(), b.is_nan()) {
            (true, true) => <$T>::NAN,
            (true, false) | (false, true) if $nan => <$T>::NAN,
            (true, false) => b,
            (false, true) => a,
            // -0 is below +0.
            _ if a == b => {
                if $first == a.is_sign_negative() {
                    a
                } else {
                    b
                }
            }
            _ if (a < b) == $first => a,
            _ => b,
        }
    }};
}

fn single(name: &str, rounding: Rounding, nan: bool, finish: Finish) -> Option<Compute> {
    let one = |f: fn(f32, Rounding) -> f32| {
        unary(move |a: f32| finish.result(f(finish.operand(a), rounding)))
    };
    let two = |f: fn(f32, f32, Rounding) -> f32| {
        binary(move |a: f32, b: f32| {
            finish.result(f(finish.operand(a), finish.operand(b), rounding))
        })
    };
    Some(match name {
        "add" => two(|a, b, r| directed(a + b, two_sum(f64::from(a), f64::from(b)), r)),
        "sub" => two(|a, b, r| directed(a - b, two_sum(f64::from(a), f64::from(-b)), r)),
        "mul" => two(|a, b, r| directed(a * b, (f64::from(a) * f64::from(b), 0.0), r)),
        "div" => two(|a, b, r| {
            let q = a / b;
            directed_f32(q, rest_of_quotient(q.into(), a.into(), b.into()) as f32, r)
        }),
        "rcp" => one(|a, r| {
            let q = 1.0 / a;
            directed_f32(q, rest_of_quotient(q.into(), 1.0, a.into()) as f32, r)
        }),
        "sqrt" => one(|a, r| {
            let root = a.sqrt();
            directed_f32(root, f64::from(root).mul_add(-f64::from(root), a.into()) as f32, r)
        }),
        "fma" | "mad" => ternary(move |a: f32, b: f32, c: f32| {
            let [a, b, c] = [a, b, c].map(|x| finish.operand(x));
            let exact = two_sum(f64::from(a) * f64::from(b), f64::from(c));
            finish.result(directed(a.mul_add(b, c), exact, rounding))
        }),
        "abs" => unary(move |a: f32| finish.operand(a).abs()),
        "neg" => unary(move |a: f32| -finish.operand(a)),
        "min" => binary(move |a: f32, b: f32| {
            extreme!(finish.operand(a), finish.operand(b), nan, f32, true)
        }),
        "max" => binary(move |a: f32, b: f32| {
            extreme!(finish.operand(a), finish.operand(b), nan, f32, false)
        }),
        _ => return None,
    })
}

/// Rounds to f32 what is known exactly as the sum of two numbers.
fn directed(nearest: f32, (sum, rest): (f64, f64), rounding: Rounding) -> f32 {
    if rounding == Rounding::Nearest {
        return nearest;
    }
    if nearest.is_infinite() && sum.is_finite() {
        return directed_f32(nearest, -nearest.signum(), rounding);
    }
    let left = (sum - f64::from(nearest)) + rest;
    directed_f32(nearest, if left == 0.0 { 0.0 } else { left.signum() as f32 }, rounding)
}

/// The sign of what a quotient leaves out.
fn rest_of_quotient(q: f64, a: f64, b: f64) -> f64 {
    let rest = q.mul_add(-b, a);
    if rest == 0.0 { 0.0 } else { rest.signum() * b.signum() }
}

fn double(name: &str, rounding: Rounding, nan: bool) -> Option<Compute> {
    if rounding == Rounding::Nearest {
        return nearest(name, nan);
    }
    let one = |f: fn(f64) -> (f64, f64)| {
        unary(move |a: f64| {
            let (nearest, rest) = f(a);
            directed_f64(nearest, rest, rounding)
        })
    };
    let two = |f: fn(f64, f64) -> (f64, f64)| {
        binary(move |a: f64, b: f64| {
            let (nearest, rest) = f(a, b);
            directed_f64(nearest, rest, rounding)
        })
    };
    Some(match name {
        "add" => two(two_sum),
        "sub" => two(|a, b| two_sum(a, -b)),
        "mul" => two(|a, b| (a * b, a.mul_add(b, -(a * b)))),
        "div" => two(|a, b| (a / b, rest_of_quotient(a / b, a, b))),
        "rcp" => one(|a| (1.0 / a, rest_of_quotient(1.0 / a, 1.0, a))),
        "sqrt" => one(|a| (a.sqrt(), a.sqrt().mul_add(-a.sqrt(), a))),
        "fma" | "mad" => ternary(move |a: f64, b: f64, c: f64| {
            let nearest = a.mul_add(b, c);
            // Boldo and Muller: the product and the sum in parts that are exact.
            let product = a * b;
            let (first, second) = two_sum(c, a.mul_add(b, -product));
            let (third, fourth) = two_sum(product, first);
            directed_f64(nearest, ((third - nearest) + fourth) + second, rounding)
        }),
        _ => return None,
    })
}

fn nearest(name: &str, nan: bool) -> Option<Compute> {
    Some(match name {
        "add" => binary(|a: f64, b: f64| a + b),
        "sub" => binary(|a: f64, b: f64| a - b),
        "mul" => binary(|a: f64, b: f64| a * b),
        "div" => binary(|a: f64, b: f64| a / b),
        "rcp" => unary(|a: f64| 1.0 / a),
        "sqrt" => unary(f64::sqrt),
        "fma" | "mad" => ternary(|a: f64, b: f64, c: f64| a.mul_add(b, c)),
        "abs" => unary(f64::abs),
        "neg" => unary(|a: f64| -a),
        "min" => binary(move |a: f64, b: f64| extreme!(a, b, nan, f64, true)),
        "max" => binary(move |a: f64, b: f64| extreme!(a, b, nan, f64, false)),
        _ => return None,
    })
}

/// Half precision: f64 holds sums and products of two numbers, so that they are rounded once.
fn of_format(name: &str, format: Format, nan: bool) -> Option<Compute> {
    let read = move |bits: u16| format.decode(u32::from(bits));
    let write = move |x: f64| format.encode(x, Rounding::Nearest, false) as u16;
    let two = |f: fn(f64, f64, bool) -> f64| {
        binary(move |a: u16, b: u16| write(f(read(a), read(b), nan)))
    };
    Some(match name {
        "add" => two(|a, b, _| a + b),
        "sub" => two(|a, b, _| a - b),
        "mul" => two(|a, b, _| a * b),
        "min" => two(|a, b, nan| extreme!(a, b, nan, f64, true)),
        "max" => two(|a, b, nan| extreme!(a, b, nan, f64, false)),
        "fma" => ternary(move |a: u16, b: u16, c: u16| write(read(a).mul_add(read(b), read(c)))),
        "abs" => unary(|a: u16| a & 0x7fff),
        "neg" => unary(|a: u16| a ^ 0x8000),
        _ => return None,
    })
}

/// What is done to numbers of 16 bits, done to both halves of registers.
fn in_halves(one: Compute) -> Compute {
    Box::new(move |frame, s| {
        let halves = [0, 16].map(|shift| {
            let mut slots = s.map(|slot| (frame.get::<u32>(slot) >> shift) as u16).map(u64::from);
            one(&mut Frame { slots: &mut slots, carry: frame.carry }, &[0, 1, 2, 3, 4, 5]);
            slots[0] << shift
        });
        frame.set(s[0], halves[0] | halves[1]);
    })
}

/// The type of half precision with a name of its own.
pub fn format_of(ty: Type) -> Option<Format> {
    match ty {
        F16 => Some(half::F16),
        BF16 => Some(half::BF16),
        _ => None,
    }
}
