//! The derivatives of `complex`.
//!
//! A cotangent is the seed times df/dz, not conjugated: a cotangent c and a tangent
//! t of a complex number have the product Re(c t). Holomorphic operations so have
//! rows like those of real numbers. For an operation that is linear over the real
//! numbers only, `t -> p t + q conj(t)`, the cotangent is `p c + conj(q c)`.
//!
//! | Primal | Forward sweep | Return sweep |
//! |---|---|---|
//! | `y = re z` | `y_dot = re z_dot` | `z_bar += (y_bar, 0)` |
//! | `y = im z` | `y_dot = im z_dot` | `z_bar += (0, -y_bar)` |
//! | `y = (a, b)` | `y_dot = (a_dot, b_dot)` | `a_bar += re y_bar`, `b_bar -= im y_bar` |
//! | `y = conj z` | `y_dot = conj z_dot` | `z_bar += conj y_bar` |
//! | `y = abs z` | `y_dot = re (conj u z_dot)` | `z_bar += y_bar conj u` |
//! | `y = angle z` | `y_dot = im (conj u z_dot)/abs z` | `z_bar += y_bar/abs z (-i conj u)` |
//! | `y = sign z` | `y_dot = (z_dot - y^2 conj z_dot)/(2 abs z)` | `z_bar += (y_bar - conj(y^2 y_bar))/(2 abs z)` |
//!
//! with `u = sign z`.
//! Edge cases: `abs`, `angle` and `sign` have derivative 0 at 0. Powers are exact
//! where they are defined, as for real numbers: `z**0` has derivative 0 and `z**1`
//! derivative 1, also at `z = 0`; by its exponent a power has derivative 0 at
//! `z = 0`. Where a derivative is infinite (`sqrt`, `log` at 0) it follows IEEE
//! arithmetic.

use ad_dialect::ir::{Op, OpExt, Val, part_type};
use melior::ir::{Type, ValueLike};

use super::{
    Domain::{NonZero, Positive, Real},
    MinusOne, One, Over, Row, Scalar, Times, Zero, row, where_or_zero,
};
use crate::{
    ad::{jvp::Jvp, rules::Rule, vjp::Vjp},
    support::{builder::Builder, diag::Result},
};

/// A row per holomorphic operation.
pub const TABLE: &[Row] = &[
    row("complex.neg", &[MinusOne], Real),
    row("complex.add", &[One, One], Real),
    row("complex.sub", &[One, MinusOne], Real),
    row("complex.mul", &[Times(|s| s.x[1]), Times(|s| s.x[0])], Real),
    // as `arith.divf`: one division, also for several seeds
    row(
        "complex.div",
        &[Times(|s| s.reciprocal(s.x[1])), Times(|s| s.b.neg(s.b.mul(s.y, s.reciprocal(s.x[1]))))],
        NonZero,
    ),
    row("complex.exp", &[Times(|s| s.y)], Real),
    row("complex.expm1", &[Times(|s| s.b.add(s.y, s.constant(1.0)))], Real),
    row("complex.log", &[Over(|s| s.x[0])], Positive),
    row("complex.log1p", &[Over(|s| s.b.add(s.x[0], s.constant(1.0)))], Positive),
    row("complex.pow", &[Times(pow_by_base), Times(pow_by_exponent)], Positive),
    row("complex.powi", &[Times(powi_by_base), Zero], NonZero),
    row("complex.sqrt", &[Over(|s| s.scaled(2.0, s.y))], Positive),
    row("complex.rsqrt", &[Times(|s| s.b.mul(s.scaled(-0.5, s.y), s.square(s.y)))], Positive),
    row("complex.sin", &[Times(|s| s.float("complex.cos", s.x))], Real),
    row("complex.cos", &[Times(|s| s.b.neg(s.float("complex.sin", s.x)))], Real),
    row("complex.tan", &[Times(|s| s.b.add(s.square(s.y), s.constant(1.0)))], Real),
    row("complex.tanh", &[Times(|s| s.b.sub(s.constant(1.0), s.square(s.y)))], Real),
    row(
        "complex.atan2",
        &[
            Times(|s| s.b.div(s.x[1], square_sum(s))),
            Times(|s| s.b.neg(s.b.div(s.x[0], square_sum(s)))),
        ],
        NonZero,
    ),
];

/// The rules of all complex operations.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static dyn Rule)> {
    let holomorphic = TABLE.iter().map(|row| (row.name, row as &dyn Rule));
    let others = REAL_LINEAR.iter().map(|row| (row.name, row as &dyn Rule));
    holomorphic.chain(others).chain([("complex.create", &Create as &dyn Rule)])
}

/// `w z^(w-1)`; the exponent 0 is replaced so that `0 * 0^-1` does not arise.
fn pow_by_base<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let one = s.constant(1.0);
    let less = s.b.sub(s.b.select(is_zero(s, s.x[1]), one, s.x[1]), one);
    s.b.mul(s.x[1], s.float("complex.pow", &[s.x[0], less]))
}

/// `log(z) z^w`, with 0 for the logarithm at 0.
fn pow_by_exponent<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let base = s.b.select(is_zero(s, s.x[0]), s.constant(1.0), s.x[0]);
    s.b.mul(s.float("complex.log", &[base]), s.y)
}

/// `n z^(n-1)`
fn powi_by_base<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let (z, n) = (s.x[0], s.x[1]);
    let part = part_type(z.r#type());
    let factor = s.b.val("arith.sitofp", &[n], part);
    let factor = create(s.b, factor, s.b.number(part, 0.0), z.r#type());
    s.power_below("complex.powi", factor)
}

fn square_sum<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    s.b.add(s.square(s.x[0]), s.square(s.x[1]))
}

fn is_zero<'c>(s: &Scalar<'_, 'c>, z: Val<'c>) -> Val<'c> {
    s.b.val("complex.eq", &[z, s.b.number(z.r#type(), 0.0)], s.b.bool_type())
}

/// How a tangent or a cotangent passes through an operation with one operand.
type Linear = for<'c> fn(&Scalar<'_, 'c>, Val<'c>) -> Val<'c>;

/// The derivative of an operation that is not holomorphic, of one operand.
struct RealLinear {
    name: &'static str,
    /// From the operand's tangent to the result's.
    jvp: Linear,
    /// From the result's cotangent to the operand's.
    vjp: Linear,
}

/// A row per operation that is not holomorphic.
const REAL_LINEAR: &[RealLinear] = &[
    RealLinear {
        name: "complex.re",
        jvp: |s, z_dot| part(s, "complex.re", z_dot),
        vjp: |s, y_bar| create(s.b, y_bar, s.b.zeros_like(y_bar), s.x[0].r#type()),
    },
    RealLinear {
        name: "complex.im",
        jvp: |s, z_dot| part(s, "complex.im", z_dot),
        vjp: |s, y_bar| create(s.b, s.b.zeros_like(y_bar), s.b.neg(y_bar), s.x[0].r#type()),
    },
    RealLinear {
        name: "complex.conj",
        jvp: |s, z_dot| s.float("complex.conj", &[z_dot]),
        vjp: |s, y_bar| s.float("complex.conj", &[y_bar]),
    },
    RealLinear {
        name: "complex.abs",
        jvp: |s, z_dot| part(s, "complex.re", s.b.mul(conj_sign(s), z_dot)),
        vjp: |s, y_bar| scaled(s, y_bar, conj_sign(s)),
    },
    RealLinear {
        name: "complex.angle",
        jvp: |s, z_dot| {
            s.b.div(part(s, "complex.im", s.b.mul(conj_sign(s), z_dot)), size_or_one(s))
        },
        vjp: |s, y_bar| {
            let u = s.float("complex.sign", s.x);
            let (a, b) = (part(s, "complex.re", u), part(s, "complex.im", u));
            // -i (a - ib) = -b - ia
            let turned = create(s.b, s.b.neg(b), s.b.neg(a), u.r#type());
            scaled(s, s.b.div(y_bar, size_or_one(s)), turned)
        },
    },
    RealLinear {
        name: "complex.sign",
        jvp: |s, z_dot| {
            let turned = s.b.mul(s.square(s.y), s.float("complex.conj", &[z_dot]));
            tangential(s, s.b.sub(z_dot, turned))
        },
        vjp: |s, y_bar| {
            let turned = s.float("complex.conj", &[s.b.mul(s.square(s.y), y_bar)]);
            tangential(s, s.b.sub(y_bar, turned))
        },
    },
];

impl Rule for RealLinear {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let copy = jvp.copy(op);
        let (Some(z), Some(result), Some(y)) = (op.opnd(0), op.res(0), copy.res(0)) else {
            return Ok(());
        };
        let Some(z_dot) = jvp.tangent(z) else { return Ok(()) };
        let (b, x) = (jvp.b.with_fastmath_of(op), copy.operand_list());
        let y_dot = (self.jvp)(&Scalar { b: &b, x: &x, y }, z_dot);
        jvp.set_tangent(result, y_dot);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(z), Some(result)) = (op.opnd(0), op.res(0)) else { return Ok(()) };
        let Some(y_bar) = vjp.cotangents.take(result) else { return Ok(()) };
        let (b, x) = (vjp.b.with_fastmath_of(op), vjp.primal_list(&op.operand_list()));
        let mut z_bar = (self.vjp)(&Scalar { b: &b, x: &x, y: vjp.primal(result) }, y_bar);
        if let Some(condition) = vjp.masks.get(y_bar) {
            z_bar = where_or_zero(&b, condition, z_bar);
            vjp.masks.set(z_bar, condition);
        }
        vjp.add_dense(z, z_bar)
    }
}

/// `complex.create`
struct Create;

impl Rule for Create {
    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        jvp.copy(op);
        let (Some(re), Some(im), Some(y)) = (op.opnd(0), op.opnd(1), op.res(0)) else {
            return Ok(());
        };
        let (re_dot, im_dot) = (jvp.tangent_or_zero(re), jvp.tangent_or_zero(im));
        let y_dot = create(&jvp.b, re_dot, im_dot, y.r#type());
        jvp.set_tangent(y, y_dot);
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let (Some(re), Some(im), Some(y)) = (op.opnd(0), op.opnd(1), op.res(0)) else {
            return Ok(());
        };
        let Some(y_bar) = vjp.cotangents.take(y) else { return Ok(()) };
        let condition = vjp.masks.get(y_bar);
        let float = part_type(y.r#type());
        for (part, name) in [(re, "complex.re"), (im, "complex.im")] {
            if !vjp.is_active(part) {
                continue;
            }
            let mut bar = vjp.b.val(name, &[y_bar], float);
            if name == "complex.im" {
                bar = vjp.b.neg(bar);
            }
            if let Some(condition) = condition {
                vjp.masks.set(bar, condition);
            }
            vjp.add_dense(part, bar)?;
        }
        Ok(())
    }
}

/// The complex number with the given parts.
fn create<'c>(b: &Builder<'c>, re: Val<'c>, im: Val<'c>, complex: Type<'c>) -> Val<'c> {
    b.val("complex.create", &[re, im], complex)
}

/// A real number that an operation gives for a complex one.
fn part<'c>(s: &Scalar<'_, 'c>, name: &str, z: Val<'c>) -> Val<'c> {
    s.b.val(name, &[z], part_type(z.r#type()))
}

/// The complex number multiplied by a real one.
fn scaled<'c>(s: &Scalar<'_, 'c>, factor: Val<'c>, z: Val<'c>) -> Val<'c> {
    let re = s.b.mul(factor, part(s, "complex.re", z));
    let im = s.b.mul(factor, part(s, "complex.im", z));
    create(s.b, re, im, z.r#type())
}

/// `conj(sign z)`, 0 at 0.
fn conj_sign<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    s.float("complex.conj", &[s.float("complex.sign", s.x)])
}

/// `abs z`, and 1 at 0, where what is divided by it is 0.
fn size_or_one<'c>(s: &Scalar<'_, 'c>) -> Val<'c> {
    let size = part(s, "complex.abs", s.x[0]);
    s.b.select(is_zero(s, s.x[0]), s.b.number(size.r#type(), 1.0), size)
}

/// The number divided by `2 abs z`, and 0 at 0.
fn tangential<'c>(s: &Scalar<'_, 'c>, number: Val<'c>) -> Val<'c> {
    let half = s.b.number(part_type(number.r#type()), 0.5);
    let quotient = scaled(s, s.b.div(half, size_or_one(s)), number);
    s.b.select(is_zero(s, s.x[0]), s.b.zeros_like(number), quotient)
}
