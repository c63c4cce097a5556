//! `lower-math-to-polynomials`: exponentials as arithmetic, where there are many of them.
//!
//! ```text
//! exp x = 2^k (1 + part)           k = round (x / log 2),  r = x - k log 2,  |r| <= log(2) / 2
//! tanh |x| = d / (d + 2)           part = exp r - 1 = r + r^2 (c_2 + c_3 r + c_4 r^2 + ...)
//!                                  d = exp (2 |x|) - 1 = 2^k part + (2^k - 1)
//! ```
//!
//! Of all polynomials of this form and degree, the one with these coefficients has the least relative error
//! as exp r - 1 (Remez's algorithm, in 60 digits): 1.8e-17 in f64, 1.4e-8 in f32. The series needs two, or
//! one, more terms for that. Its sums are taken in pairs (Estrin's scheme), because what comes after waits for
//! the last of them.
//!
//! Arithmetic is vectorised as it stands, is as good in the iterations that no whole vector is left
//! for, and keeps the values around it in registers, which a call does not. It replaces operations on
//! vectors and those of innermost loops; a result that the next iteration waits for comes sooner from
//! the C library.
//!
//! exp is off by less than 1.1 units in the last place, tanh by less than 3. Results overflow, underflow
//! gradually, and hand NaN on as those of the C library do; tanh keeps the sign of zero.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt, float_width};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, operation::OperationLike, r#type::IntegerType},
};

use crate::support::{
    builder::{Builder, Is},
    diag::Result,
    region::{free_values, is_outside},
};

/// A format of floats.
struct Format {
    /// Bits of the significand after the point.
    fraction: i64,
    /// The exponent of 1.
    bias: i64,
    /// Adding it to a small number leaves the nearest integer in the lowest bits.
    shift: f64,
    /// log 2, so short that a multiple by an exponent is exact, and the rest.
    log_2: [f64; 2],
    /// exp is infinite from the first on, and 0 up to the second.
    range: [f64; 2],
    /// 2 |x| from where tanh |x| is 1.
    saturation: f64,
    /// The coefficients of the polynomial, from that of the square on.
    coefficients: &'static [f64],
}

const F64: Format = Format {
    fraction: 52,
    bias: 1023,
    shift: 6_755_399_441_055_744.0,
    log_2: [f64::from_bits(0x3FE6_2E42_FEFA_3800), f64::from_bits(0x3D2E_F357_93C7_6730)],
    range: [710.0, -746.0],
    saturation: 40.0,
    coefficients: &[
        0.500_000_000_000_000_6,
        0.166_666_666_666_665_88,
        0.041_666_666_666_576_77,
        0.008_333_333_333_389_606,
        0.001_388_888_893_156_256,
        0.000_198_412_697_188_521_7,
        2.480_150_527_543_085_5e-5,
        2.755_740_773_445_277_3e-6,
        2.762_603_745_559_718_3e-7,
        2.505_369_666_290_957_7e-8,
    ],
};

const F32: Format = Format {
    fraction: 23,
    bias: 127,
    shift: 12_582_912.0,
    log_2: [0.693_145_751_953_125, 1.428_606_765_330_187e-6],
    range: [89.0, -104.0],
    saturation: 20.0,
    coefficients: &[
        0.499_999_981_541_135_56,
        0.166_665_436_215_417_18,
        0.041_667_199_777_412_595,
        0.008_366_520_554_743_039,
        0.001_388_252_796_358_345_3,
    ],
};

/// Runs the pass; returns how many operations were replaced.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if matches!(op.op_name(), "math.exp" | "math.tanh") && is_one_of_many(op) {
            found.push(op);
        }
    });
    let mut replaced = 0;
    for op in found {
        let (Some(x), Some(result), Some(block)) = (op.opnd(0), op.res(0), op.block()) else {
            continue;
        };
        let format = match float_width(x.r#type().scalar()) {
            64 => &F64,
            32 => &F32,
            _ => continue,
        };
        let Some(contract) = Attribute::parse(context, "#arith.fastmath<contract>") else {
            continue;
        };
        let writer = Writer { b: Builder::before(context, op, block), contract, format, like: x };
        result.replace_all_uses(match op.op_name() {
            "math.exp" => writer.exp(x),
            _ => writer.tanh(x),
        });
        op.erase();
        replaced += 1;
    }
    Ok(replaced)
}

/// Whether an operation is on a vector, or in an innermost loop that LLVM may vectorise.
fn is_one_of_many(op: Op<'_>) -> bool {
    let is_vector = op.res(0).is_some_and(|result| result.r#type().is_vector_type());
    let innermost = |around: Op<'_>| {
        let mut is_innermost = true;
        around.for_each(&mut |inner| {
            let is_loop = inner.key() != around.key() && is_loop(inner.op_name());
            is_innermost &= !is_loop;
        });
        is_innermost && !is_carried_to(around, op)
    };
    is_vector || op.parent().is_some_and(|around| is_loop(around.op_name()) && innermost(around))
}

fn is_loop(name: &str) -> bool {
    matches!(name, "scf.for" | "scf.parallel" | "scf.while") || name.starts_with("linalg.")
}

/// Whether an operation in the body of a loop depends on a result of the iteration before.
fn is_carried_to<'c>(around: Op<'c>, op: Op<'c>) -> bool {
    let is_for = around.op_name() == "scf.for";
    let mut pending = op.operand_list();
    let mut seen = std::collections::HashSet::new();
    while let Some(value) = pending.pop() {
        if is_outside(around, value) || !seen.insert(value.key()) {
            continue;
        }
        match value.defining_op() {
            Some(definition) => {
                pending.extend(definition.operand_list());
                pending.extend(free_values(&definition.blocks()));
            }
            None if is_for && value.position() > 0 => return true,
            None => {}
        }
    }
    around.op_name() == "scf.while"
}

/// Writes the arithmetic for one operation.
struct Writer<'a, 'c> {
    b: Builder<'c>,
    /// What is computed here is no expression of the program, so products and sums may be fused.
    contract: Attribute<'c>,
    format: &'a Format,
    /// A value of the type.
    like: Val<'c>,
}

/// exp x as the parts of a product: `2^k (1 + part)`.
struct Parts<'c> {
    /// k plus the shift.
    shifted: Val<'c>,
    part: Val<'c>,
}

impl<'c> Writer<'_, 'c> {
    /// `2^k (1 + part)`, in two steps, because 2^k may be out of range where the result is not.
    fn exp(&self, x: Val<'c>) -> Val<'c> {
        let [high, low] = self.format.range;
        let x = self.within(x, low, high);
        let Parts { shifted, part } = self.parts(x);
        let half = self.shifted(x, std::f64::consts::LOG2_E / 2.0);
        let rest = self.b.same("arith.subi", &[self.bits(shifted), self.bits(half)]);
        let (first, second) = (self.power(self.bits(half)), self.power(rest));
        self.apply("arith.mulf", self.multiply_add(first, part, first), second)
    }

    fn tanh(&self, x: Val<'c>) -> Val<'c> {
        let end = self.format.saturation;
        let size = self.b.val_with("math.absf", &[x], x.r#type(), &[]);
        let double = self.apply("arith.addf", size, size);
        let Parts { shifted, part } = self.parts(self.at_most(double, end));
        let power = self.power(self.bits(shifted));
        let less = self.apply("arith.subf", power, self.number(1.0));
        let d = self.multiply_add(power, part, less);
        let quotient = self.apply("arith.divf", d, self.apply("arith.addf", d, self.number(2.0)));
        self.apply("math.copysign", quotient, x)
    }

    fn parts(&self, x: Val<'c>) -> Parts<'c> {
        let shifted = self.shifted(x, std::f64::consts::LOG2_E);
        let k = self.apply("arith.subf", shifted, self.number(self.format.shift));
        let r = self.format.log_2.iter().fold(x, |rest, &part| {
            self.apply("arith.subf", rest, self.apply("arith.mulf", k, self.number(part)))
        });
        let s = self.apply("arith.mulf", r, r);
        let coefficients: Vec<_> =
            self.format.coefficients.iter().map(|&c| self.number(c)).collect();
        Parts { shifted, part: self.multiply_add(s, self.polynomial(r, &coefficients), r) }
    }

    /// `c[0] + x c[1] + x^2 c[2] + ...`, of at least one term.
    fn polynomial(&self, x: Val<'c>, coefficients: &[Val<'c>]) -> Val<'c> {
        if coefficients.len() > 3 {
            let sum = |pair: &[Val<'c>]| match *pair {
                [low, high] => self.multiply_add(x, high, low),
                _ => pair[0],
            };
            let sums: Vec<_> = coefficients.chunks(2).map(sum).collect();
            return self.polynomial(self.apply("arith.mulf", x, x), &sums);
        }
        let (last, before) =
            (coefficients[coefficients.len() - 1], coefficients.iter().rev().skip(1));
        before.fold(last, |sum, &c| self.multiply_add(x, sum, c))
    }

    /// The shift plus the integer that is nearest to a multiple of x.
    fn shifted(&self, x: Val<'c>, factor: f64) -> Val<'c> {
        self.multiply_add(x, self.number(factor), self.number(self.format.shift))
    }

    /// The bits of a number, as an integer.
    fn bits(&self, x: Val<'c>) -> Val<'c> {
        self.b.val("arith.bitcast", &[x], self.integer_type())
    }

    /// 2^k, given an integer whose lowest bits are k.
    fn power(&self, bits: Val<'c>) -> Val<'c> {
        let k = self.b.same("arith.shli", &[bits, self.b.int_like(bits, self.format.fraction)]);
        let one = self.b.int_like(bits, self.format.bias << self.format.fraction);
        self.b.val("arith.bitcast", &[self.b.same("arith.addi", &[k, one])], self.like.r#type())
    }

    fn integer_type(&self) -> Type<'c> {
        let float = self.like.r#type();
        let bits = float_width(float.scalar()) as u32;
        let scalar = IntegerType::new(self.b.context(), bits).into();
        let lanes: Vec<_> = float.lanes().into_iter().map(|lanes| lanes as u64).collect();
        if lanes.is_empty() { scalar } else { Type::vector(&lanes, scalar) }
    }

    /// The nearest number within bounds, or NaN.
    fn within(&self, x: Val<'c>, low: f64, high: f64) -> Val<'c> {
        let (x, low) = (self.at_most(x, high), self.number(low));
        self.b.select(self.b.compare_floats(Is::Less, x, low), low, x)
    }

    /// The lesser of a value, which may be NaN, and a number.
    fn at_most(&self, x: Val<'c>, high: f64) -> Val<'c> {
        let high = self.number(high);
        self.b.select(self.b.compare_floats(Is::Greater, x, high), high, x)
    }

    fn number(&self, value: f64) -> Val<'c> {
        self.b.number(self.like.r#type(), value)
    }

    fn multiply_add(&self, x: Val<'c>, y: Val<'c>, z: Val<'c>) -> Val<'c> {
        self.apply("arith.addf", self.apply("arith.mulf", x, y), z)
    }

    fn apply(&self, name: &str, x: Val<'c>, y: Val<'c>) -> Val<'c> {
        self.b.val_with(name, &[x, y], x.r#type(), &[("fastmath", self.contract)])
    }
}
