//! Differentiates: `soac.reduce` when the operator is the product of two floats.
//!
//! Primal: `y = reduce (*) 1 as`
//! Forward sweep: one map-reduce gives `y`, the product `p` of the elements that are
//! not zero, and the number `zeros` of those that are.
//! Return sweep:
//! ```text
//! as_bar += if zeros <= 1 and p is neither infinite nor NaN nor has lost digits
//!           then map (\a -> (if a == 0 then p else y / a) * y_bar) as
//!           else the general rule
//! ```
//! so without a zero every element receives `y / a * y_bar`, with one zero that
//! element receives the product of the others and these receive nothing, and with
//! more zeros nobody receives anything.
//! Source: [FUT 5.1.1] (multiplication). The paper gives zero as a constant to the
//! elements beside a single zero, and to all if there are more zeros. That is right
//! for a first derivative only: see "Note [Derivatives at zeros]".
//! Requires: the neutral element is one.
//! Ensures: work and depth of the reduction; no scan is executed unless there are two
//! zeros, or the product leaves the range of normal numbers.
//! Edge cases: the empty array has an empty adjoint. Where `p` overflows or underflows,
//! quotients would lose the products of the others, which may be ordinary numbers; the
//! general rule multiplies these. An infinite or undefined element is such a case. An
//! active neutral element receives `y * y_bar`. A constant other than one is no neutral
//! element, and goes to the general rule.
//! Tests: test/ad/jvp/reduce-mul.mlir, test/ad/vjp/reduce-mul.mlir,
//! test/ad/numeric/reduce-mul.mlir, tools/ad-check/tests/reductions.rs.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt, array_of, float_width};
use melior::ir::{Type, ValueLike, attribute::FloatAttribute};

use super::{general, inputs, neutrals, reduce_flows, reduce_jvp};
use crate::{
    ad::{
        activity::Flows,
        jvp::Jvp,
        rules::{
            Rule,
            operator::{Kind, Operator},
        },
        vjp::Vjp,
    },
    support::{
        builder::{Builder, CMP_SLE, Is},
        diag::{Result, internal_error},
    },
};

/// The rule for products.
pub struct ReduceMul;

impl Rule for ReduceMul {
    fn applies(&self, op: Op<'_>) -> bool {
        operator(op).is_some() && !is_constant_but_one(op)
    }

    fn flows<'c>(&self, op: Op<'c>, flows: &mut Flows) {
        reduce_flows(op, flows);
    }

    fn jvp<'c>(&self, op: Op<'c>, jvp: &mut Jvp<'_, 'c>) -> Result<()> {
        reduce_jvp(op, jvp)
    }

    fn vjp<'c>(&self, op: Op<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<()> {
        let [input] = inputs(op)[..] else { return Ok(()) };
        let y_bar = op.res(0).and_then(|y| vjp.cotangents.take(y));
        let (Some(y_bar), Some(operator)) = (y_bar, operator(op)) else { return Ok(()) };
        if vjp.is_active(input) {
            let forward = Forward::replace(op, operator, vjp)?;
            let b = vjp.b;
            let divides = forward.divides(&b);
            let a_bar = b.if_else(divides, &[input.r#type()], |inner, taken| {
                vjp.at(inner, |vjp| {
                    if taken {
                        quotients(vjp, vjp.primal(input), &forward, y_bar)
                    } else {
                        general::element_cotangents(op, vjp, &[Some(y_bar)])
                    }
                })
            })?;
            if let Some(a_bar) = a_bar.res(0) {
                vjp.add_dense(input, a_bar)?;
            }
        }
        general::neutral_cotangents(op, vjp, &[Some(y_bar)])
    }
}

/// The operator, if it is the product of two floats of a type with known limits.
fn operator<'c>(op: Op<'c>) -> Option<Operator<'c>> {
    let [component] = Operator::components(op.body(0)?)[..] else { return None };
    let r#type = op.res(0)?.r#type();
    component.filter(|it| it.kind == Kind::Mul && least_normal(r#type).is_some())
}

fn is_constant_but_one(op: Op<'_>) -> bool {
    let constant = neutrals(op).first().and_then(|neutral| neutral.defining_op());
    constant
        .and_then(|constant| FloatAttribute::try_from(constant.attr("value")?).ok())
        .is_some_and(|value| value.value() != 1.0)
}

/// The least positive number of a float type that is represented with all digits.
fn least_normal(float: Type<'_>) -> Option<f64> {
    match (float.to_string().as_str(), float_width_of(float)?) {
        ("bf16", _) | (_, 32) => Some(f64::from(f32::MIN_POSITIVE)),
        ("f16", _) => Some(f64::from(2.0f32).powi(-14)),
        (_, 64) => Some(f64::MIN_POSITIVE),
        _ => None,
    }
}

fn float_width_of(float: Type<'_>) -> Option<u32> {
    (float.is_float_type() && float == float.scalar()).then(|| float_width(float))
}

/// What the forward sweep computes: `y`, `p` and `zeros` of the header.
struct Forward<'c> {
    product: Val<'c>,
    of_others: Val<'c>,
    zeros: Val<'c>,
}

impl<'c> Forward<'c> {
    /// Computes them in place of the reduction.
    fn replace(op: Op<'c>, operator: Operator<'c>, vjp: &mut Vjp<'_, 'c>) -> Result<Self> {
        let ([input], [neutral]) = (&inputs(op)[..], &neutrals(op)[..]) else {
            return Err(internal_error(op, "product of several arrays"));
        };
        let (a, e) = (vjp.primal(*input), vjp.primal(*neutral));
        let b = vjp.at_copy_of(op)?;
        let counts = array_of(a.r#type().shape()[0], b.index_type());
        let parts = b.map(&[a], &[], &[a.r#type(), counts], |b, element| {
            let (is_zero, other) = without_zero(&b, element[0]);
            Ok(vec![other, b.select(is_zero, b.index(1), b.index(0))])
        })?;
        let neutrals = [e, b.one(e.r#type()), b.index(0)];
        let new = b.reduce(&[a, parts[0], parts[1]], &neutrals, |b, x| {
            let [y, p] = [0, 1].map(|k| operator.apply(&b, x[k], x[k + 3]));
            Ok(vec![y, p, b.add(x[2], x[5])])
        })?;
        vjp.replace_results(op, &new[..1]);
        Ok(Self { product: new[0], of_others: new[1], zeros: new[2] })
    }

    /// Whether the products of the other elements are quotients.
    fn divides(&self, b: &Builder<'c>) -> Val<'c> {
        let p = self.of_others;
        let size = b.same("math.absf", &[p]);
        let least = b.float_like(p, least_normal(p.r#type()).unwrap_or(f64::MIN_POSITIVE));
        let not_small = b.compare_floats(Is::AtLeast, size, least);
        let not_large = b.compare_floats(Is::Less, size, b.float_like(p, f64::INFINITY));
        let few = b.compare(CMP_SLE, self.zeros, b.index(1));
        b.same("arith.andi", &[few, b.same("arith.andi", &[not_small, not_large])])
    }
}

/// Whether a number is zero, and one in its place if it is.
fn without_zero<'c>(b: &Builder<'c>, a: Val<'c>) -> (Val<'c>, Val<'c>) {
    let is_zero = b.compare_floats(Is::Equal, a, b.float_like(a, 0.0));
    (is_zero, b.select(is_zero, b.float_like(a, 1.0), a))
}

/// The cotangents of the elements when at most one is zero.
fn quotients<'c>(
    vjp: &mut Vjp<'_, 'c>,
    a: Val<'c>,
    forward: &Forward<'c>,
    y_bar: Val<'c>,
) -> Result<Vec<Val<'c>>> {
    let b = vjp.b;
    b.map(&[a], &[], &[a.r#type()], |inner, element| {
        vjp.at(inner, |vjp| {
            let (is_zero, other) = without_zero(&inner, element[0]);
            let quotient = inner.div(forward.product, other);
            let partial = inner.select(is_zero, forward.of_others, quotient);
            Ok(vec![vjp.product(y_bar, partial)])
        })
    })
}

// Note [Derivatives at zeros]
//
// A derivative may be differentiated again, where the values do not say enough: of
// x * y at (0, 0) both first derivatives are zero, but the mixed second one is 1. So
// what the return sweep emits must be equal to the derivative around the point and
// not only at it, as long as no decision (`a == 0`, the branch) comes out
// differently. With no or one zero `y / a` is, for every a that is not zero, the
// product of the others in a whole neighbourhood, and so is `p` for the a that is
// zero. With two zeros no quotient is left that would do, and the general rule
// multiplies: its exclusive products are polynomials.
