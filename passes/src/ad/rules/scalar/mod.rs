//! Differentiates: scalar operations, also elementwise on vectors and tensors.
//!
//! Primal: `y = op(x_0, ..., x_n)`.
//! Forward sweep: the operation; `y_dot = sum of partial_i * x_i_dot`.
//! Return sweep: `x_i_bar += partial_i * y_bar` [FUT 2, equations 2 and 3], in the
//! forms of [ZYG Table 1]; partials reuse `y` where that saves work.
//! Source: tables `arith::TABLE`, `math::TABLE`, `complex::TABLE`, a row per
//! operation: the partial derivative with respect to each operand and the domain
//! that random tests draw the operands from.
//! Requires: operands and result have one shape.
//! Ensures: constant work per element.
//! Edge cases: see "Note [Kinks and singularities]" at the end.
//! Tests: test/ad/{jvp,vjp,numeric}/scalar-*.mlir; every row against difference
//! quotients in tools/ad-check/tests/scalar_table.rs.

mod arith;
mod complex;
mod math;
mod vector;

use std::iter;

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt, float_width};
use melior::ir::{Type, ValueLike};

use super::Rule;
use crate::{
    ad::{jvp::Jvp, vjp::Vjp},
    support::{
        builder::{Builder, CMP_EQ, CMP_SGT, Is},
        diag::Result,
    },
};

/// A partial derivative, or the condition of one.
type Formula = for<'c> fn(&Scalar<'_, 'c>) -> Val<'c>;

/// The partial derivative with respect to one operand.
#[derive(Clone, Copy)]
pub enum Partial {
    /// The result does not depend on the operand, or only in steps.
    Zero,
    /// The derivative passes unchanged.
    One,
    /// The derivative passes negated.
    MinusOne,
    /// The derivative is multiplied by the value.
    Times(Formula),
    /// The derivative is divided by the value.
    Over(Formula),
    /// The derivative passes where the condition holds, and is zero elsewhere: it
    /// is chosen, not multiplied by 0 or 1, so that no NaN arises.
    Where(Formula),
    /// The derivative passes where the condition does not hold.
    Unless(Formula),
    /// The derivative is multiplied by the second value where the condition holds,
    /// and is zero elsewhere.
    TimesWhere(Formula, Formula),
    /// The derivative is cast to the type it is needed in.
    Cast,
}

/// Where random tests draw operands from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// Any number of moderate size.
    Real,
    /// Away from zero, either sign.
    NonZero,
    /// Positive numbers away from zero.
    Positive,
    /// Strictly between -1 and 1.
    Unit,
    /// Greater than 1.
    AboveOne,
    /// Away from the points where the operation jumps or has a kink.
    Smooth,
}

/// The derivative of one scalar operation.
pub struct Row {
    /// The operation's name.
    pub name: &'static str,
    /// The partial derivative with respect to each operand.
    pub partials: &'static [Partial],
    /// The domain of all operands.
    pub domain: Domain,
}

/// A row of a table.
const fn row(name: &'static str, partials: &'static [Partial], domain: Domain) -> Row {
    Row { name, partials, domain }
}

/// Every scalar operation on floats with one result that has a derivative.
pub fn table() -> impl Iterator<Item = &'static Row> {
    arith::TABLE.iter().chain(math::TABLE)
}

/// The rules of all scalar operations.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static dyn Rule)> {
    let sincos = iter::once((math::SINCOS, &math::SinCos as &dyn Rule));
    let real = table().chain(vector::TABLE).map(|row| (row.name, row as &dyn Rule));
    real.chain(sincos).chain(complex::rules())
}

/// An application of a scalar operation in the new code.
pub struct Scalar<'a, 'c> {
    /// Where code goes.
    pub b: &'a Builder<'c>,
    /// The operands.
    pub x: &'a [Val<'c>],
    /// The result.
    pub y: Val<'c>,
}

impl<'c> Scalar<'_, 'c> {
    /// A constant of the result's type and sizes.
    pub fn constant(&self, value: f64) -> Val<'c> {
        self.b.float_like(self.y, value)
    }

    /// A float operation whose result has the type of its first operand.
    pub fn float(&self, name: &str, x: &[Val<'c>]) -> Val<'c> {
        self.b.float_op(name, x)
    }

    /// `x` multiplied by itself.
    pub fn square(&self, x: Val<'c>) -> Val<'c> {
        self.b.mul(x, x)
    }

    /// `x` multiplied by a constant.
    pub fn scaled(&self, factor: f64, x: Val<'c>) -> Val<'c> {
        self.b.mul(x, self.constant(factor))
    }

    /// 1 divided by `x`. Where several tangents or cotangents are divided by the same number, they are
    /// multiplied by this, which is computed once.
    pub fn reciprocal(&self, x: Val<'c>) -> Val<'c> {
        self.b.div(self.b.float_like(x, 1.0), x)
    }

    /// A comparison of two floats.
    pub fn compare(&self, is: Is, x: Val<'c>, y: Val<'c>) -> Val<'c> {
        self.b.compare_floats(is, x, y)
    }

    /// Whether two integers are equal.
    pub fn same_int(&self, x: Val<'c>, y: Val<'c>) -> Val<'c> {
        self.b.compare(CMP_EQ, x, y)
    }

    /// `factor x^(n-1)` by a power with an integer exponent `n`. The exponent 0 is replaced so that
    /// `0 * 0^-1` does not arise; below the lowest integer there is none, and `x^n` is divided by `x`.
    pub fn power_below(&self, name: &str, factor: Val<'c>) -> Val<'c> {
        let (b, x, n) = (self.b, self.x[0], self.x[1]);
        let (zero, one) = (b.int_like(n, 0), b.int_like(n, 1));
        let less = b.sub(b.select(self.same_int(n, zero), one, n), one);
        let wraps = b.compare(CMP_SGT, less, n);
        let power = self.float(name, &[x, b.select(wraps, n, less)]);
        b.mul(factor, b.div(power, b.select(wraps, x, self.constant(1.0))))
    }

    /// -1 or 1, the sign of a float; zeros have signs too.
    pub fn sign(&self, x: Val<'c>) -> Val<'c> {
        self.float("math.copysign", &[self.constant(1.0), x])
    }
}

use Partial::{Cast, MinusOne, One, Over, Times, TimesWhere, Unless, Where, Zero};

impl Rule for Row {
    fn flows<'c>(&self, op: Op<'c>, flows: &mut crate::ad::activity::Flows) {
        for (operand, partial) in op.operand_list().into_iter().zip(self.partials) {
            if !matches!(partial, Zero) {
                flows.edges(&[operand], &op.result_list());
            }
        }
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        let copy = jvp.copy(op);
        let Some(y) = copy.res(0) else { return Ok(()) };
        let x = copy.operand_list();
        let b = jvp.b.with_fastmath_of(op);
        let mut sum: Option<Val<'c>> = None;
        for (i, operand) in op.operand_list().into_iter().enumerate() {
            let Some(x_dot) = jvp.tangent(operand) else { continue };
            let term = apply(self.partials.get(i), &Scalar { b: &b, x: &x, y }, x_dot, y.r#type());
            if let Some(term) = term {
                sum = Some(sum.map_or(term, |sum| b.add(sum, term)));
            }
        }
        if let (Some(result), Some(sum)) = (op.res(0), sum) {
            jvp.set_tangent(result, sum);
        }
        Ok(())
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let Some(result) = op.res(0) else { return Ok(()) };
        let Some(y_bar) = vjp.cotangents.take(result) else { return Ok(()) };
        let operands = op.operand_list();
        let (x, y) = (vjp.primal_list(&operands), vjp.primal(result));
        let b = vjp.b.with_fastmath_of(op);
        for (i, operand) in operands.into_iter().enumerate() {
            if !vjp.is_active(operand) {
                continue;
            }
            let (scalar, partial) = (Scalar { b: &b, x: &x, y }, self.partials.get(i));
            if let Some(x_bar) = apply(partial, &scalar, y_bar, operand.r#type()) {
                let x_bar = mask(vjp, partial, &scalar, y_bar, x_bar);
                vjp.add_dense(operand, x_bar)?;
            }
        }
        Ok(())
    }
}

/// A partial derivative applied to a tangent or cotangent; none for zero.
fn apply<'c>(
    partial: Option<&Partial>,
    scalar: &Scalar<'_, 'c>,
    derivative: Val<'c>,
    wanted: Type<'c>,
) -> Option<Val<'c>> {
    let b = scalar.b;
    match partial? {
        Zero => None,
        One => Some(derivative),
        MinusOne => Some(b.neg(derivative)),
        Times(factor) => Some(b.mul(derivative, factor(scalar))),
        Over(divisor) => Some(b.div(derivative, divisor(scalar))),
        Where(condition) => Some(where_or_zero(b, condition(scalar), derivative)),
        Unless(condition) => {
            let zero = b.zeros_like(derivative);
            Some(b.select(condition(scalar), zero, derivative))
        }
        TimesWhere(condition, factor) => {
            let product = b.mul(derivative, factor(scalar));
            Some(where_or_zero(b, condition(scalar), product))
        }
        Cast => Some(cast(b, derivative, wanted)),
    }
}

/// Keeps what is known of zeros that come from a choice: see `ad/mask.rs`.
fn mask<'c>(
    vjp: &mut Vjp<'_, 'c>,
    partial: Option<&Partial>,
    scalar: &Scalar<'_, 'c>,
    y_bar: Val<'c>,
    x_bar: Val<'c>,
) -> Val<'c> {
    let b = scalar.b;
    let chosen = match partial {
        Some(Where(condition) | TimesWhere(condition, _)) => Some(condition(scalar)),
        Some(Unless(condition)) => Some(b.not(condition(scalar))),
        _ => None,
    };
    let inherited = vjp.masks.get(y_bar);
    let x_bar = match (partial, inherited) {
        (Some(Times(_) | TimesWhere(..) | Over(_)), Some(condition)) if !is_scaling(x_bar) => {
            where_or_zero(b, condition, x_bar)
        }
        _ => x_bar,
    };
    match (chosen, inherited) {
        (Some(condition), _) => vjp.mask(x_bar, y_bar, condition),
        (None, Some(condition)) => vjp.masks.set(x_bar, condition),
        (None, None) => {}
    }
    x_bar
}

/// Whether the value is a product with a constant, which keeps a zero zero.
fn is_scaling(value: Val<'_>) -> bool {
    let by_constant = |op: Op<'_>| {
        op.op_name() == "arith.mulf"
            && op
                .opnd(1)
                .and_then(|factor| factor.defining_op())
                .is_some_and(|factor| factor.op_name() == "arith.constant")
    };
    value.defining_op().is_some_and(by_constant)
}

/// The derivative where the condition holds, else zero.
fn where_or_zero<'c>(b: &Builder<'c>, condition: Val<'c>, derivative: Val<'c>) -> Val<'c> {
    b.select(condition, derivative, b.zeros_like(derivative))
}

/// The number in a float type of another width; of a sum that was made short, all of it.
fn cast<'c>(b: &Builder<'c>, value: Val<'c>, wanted: Type<'c>) -> Val<'c> {
    let (from, to) = (float_width(value.r#type().scalar()), float_width(wanted.scalar()));
    if value.r#type() == wanted {
        value
    } else if from < to {
        b.as_term(value, wanted)
    } else {
        b.val("arith.truncf", &[value], wanted)
    }
}

// Note [Kinks and singularities]
//
// Where an operation has a kink, its derivative is one of the one-sided ones or
// their mean; where it jumps, the derivative is that of the pieces beside it:
//
// | Operation | At | Derivative |
// |---|---|---|
// | `maximumf` `minimumf` `maxnumf` `minnumf` | a tie | all of it to the first operand |
// | `maximumf` `minimumf` | a NaN operand | all of it to the second operand |
// | `maxnumf` `minnumf` | a NaN operand | all of it to the operand that is returned |
// | `clampf` | the value equals a bound, or is NaN | all of it to the value |
// | `absf` `copysign` | zero | 0 |
// | `floor` `ceil` `round` `roundeven` `trunc` | everywhere | 0 |
// | `remf` | a multiple of the divisor | 1 and `-trunc(x / y)` as elsewhere |
//
// Where a derivative is infinite (`sqrt`, `cbrt`, `log` at 0, `asin` at 1) it
// follows IEEE arithmetic: infinity, or NaN if the incoming derivative is 0. A
// cotangent that is 0 because the value was not chosen stays 0 (`ad/mask.rs`).
// Powers are exact where they are defined: `x**0` has derivative 0 and `x**1` has
// derivative 1, also at `x = 0`, for `powf` and `fpowi`. The derivative of `powf`
// by its exponent is `log(x) * y`, and 0 at `x = 0` with a positive exponent; it
// is NaN for a negative base, where only integer exponents have values. `atan2`
// at the origin is NaN.
//
// `atan2`, `asinh` and `acosh` have derivatives wherever the type has a number for
// them: operands that are not small themselves are not squared, because the squares
// leave f16 at 256 already.
//
// A divisor so small that its reciprocal is infinite, which takes a subnormal number,
// makes the derivatives of a quotient infinite, or NaN if the incoming one is 0.
//
// A derived operation inherits the fast-math flags of the primal one, except
// `nnan` and `ninf`: that values are finite says nothing about derivatives.
