//! Differentiates: scalar operations, also elementwise on vectors and tensors.
//!
//! `TABLE` has a row per operation: the partial derivative with respect to each
//! operand, and the domain that random tests draw the operands from. The jvp of
//! a row is `y_dot = sum of partial_i * x_i_dot`, its vjp
//! `x_i_bar += partial_i * y_bar` [FUT 2, equations 2 and 3].
//!
//! A partial that says *where* an operand is taken (`Where`) selects the
//! cotangent instead of multiplying it by 0 or 1, so that no NaN arises from an
//! operand that was not taken.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, bool_like, float_width};
use melior::ir::{Type, ValueLike};

use super::Rule;
use crate::{
    ad::{jvp::Jvp, vjp::Vjp},
    support::{builder::Builder, diag::Result},
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
    /// The factor.
    Times(Formula),
    /// The derivative passes where the condition holds, and is zero elsewhere.
    Where(Formula),
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

    /// An elementwise operation of one operand.
    pub fn unary(&self, name: &str, x: Val<'c>) -> Val<'c> {
        self.b.same(name, &[x])
    }

    /// The comparison of two floats by a predicate of `arith.cmpf`.
    pub fn compare(&self, predicate: i64, x: Val<'c>, y: Val<'c>) -> Val<'c> {
        let predicate = self.b.i64_attr(predicate);
        self.b.val_with("arith.cmpf", &[x, y], bool_like(x.r#type()), &[("predicate", predicate)])
    }
}

/// Predicates of `arith.cmpf`.
pub mod predicate {
    /// Ordered and greater than or equal.
    pub const OGE: i64 = 3;
    /// Ordered and less than or equal.
    pub const OLE: i64 = 5;
}

use Partial::{Cast, MinusOne, One, Times, Where, Zero};

/// Every scalar operation that has a derivative.
pub const TABLE: &[Row] = &[
    Row { name: "arith.addf", partials: &[One, One], domain: Domain::Real },
    Row { name: "arith.subf", partials: &[One, MinusOne], domain: Domain::Real },
    Row {
        name: "arith.mulf",
        partials: &[Times(|s| s.x[1]), Times(|s| s.x[0])],
        domain: Domain::Real,
    },
    Row {
        name: "arith.divf",
        partials: &[
            // d(a/b)/da = 1/b
            Times(|s| s.b.div(s.constant(1.0), s.x[1])),
            // d(a/b)/db = -(a/b)/b
            Times(|s| s.b.neg(s.b.div(s.y, s.x[1]))),
        ],
        domain: Domain::NonZero,
    },
    Row { name: "arith.negf", partials: &[MinusOne], domain: Domain::Real },
    // A tie goes to the first operand.
    Row {
        name: "arith.maximumf",
        partials: &[
            Where(|s| s.compare(predicate::OGE, s.x[0], s.x[1])),
            Where(|s| {
                let first = s.compare(predicate::OGE, s.x[0], s.x[1]);
                not(s.b, first)
            }),
        ],
        domain: Domain::Smooth,
    },
    Row { name: "math.exp", partials: &[Times(|s| s.y)], domain: Domain::Real },
    Row {
        name: "math.log",
        partials: &[Times(|s| s.b.div(s.constant(1.0), s.x[0]))],
        domain: Domain::Positive,
    },
    Row {
        name: "math.sin",
        partials: &[Times(|s| s.unary("math.cos", s.x[0]))],
        domain: Domain::Real,
    },
    Row {
        name: "math.cos",
        partials: &[Times(|s| s.b.neg(s.unary("math.sin", s.x[0])))],
        domain: Domain::Real,
    },
    Row {
        name: "math.sqrt",
        // 1/(2 sqrt x)
        partials: &[Times(|s| s.b.div(s.constant(0.5), s.y))],
        domain: Domain::Positive,
    },
    Row {
        name: "math.tanh",
        // 1 - tanh(x)^2
        partials: &[Times(|s| s.b.sub(s.constant(1.0), s.b.mul(s.y, s.y)))],
        domain: Domain::Real,
    },
    Row { name: "arith.extf", partials: &[Cast], domain: Domain::Real },
    Row { name: "arith.truncf", partials: &[Cast], domain: Domain::Real },
    Row { name: "math.floor", partials: &[Zero], domain: Domain::Smooth },
];

/// The negation of a condition.
fn not<'c>(b: &Builder<'c>, condition: Val<'c>) -> Val<'c> {
    b.same("arith.xori", &[condition, b.int_like(condition, 1)])
}

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
        let b = jvp.b;
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
        let (x, y, b) = (vjp.primal_list(&operands), vjp.primal(result), vjp.b);
        for (i, operand) in operands.into_iter().enumerate() {
            if !vjp.is_active(operand) {
                continue;
            }
            let scalar = Scalar { b: &b, x: &x, y };
            if let Some(x_bar) = apply(self.partials.get(i), &scalar, y_bar, operand.r#type()) {
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
        Where(condition) => {
            let zero = b.float_like(derivative, 0.0);
            Some(b.select(condition(scalar), derivative, zero))
        }
        Cast => Some(cast(b, derivative, wanted)),
    }
}

/// The number in a float type of another width.
fn cast<'c>(b: &Builder<'c>, value: Val<'c>, wanted: Type<'c>) -> Val<'c> {
    let (from, to) = (float_width(value.r#type().scalar()), float_width(wanted.scalar()));
    if value.r#type() == wanted {
        value
    } else if from < to {
        b.val("arith.extf", &[value], wanted)
    } else {
        b.val("arith.truncf", &[value], wanted)
    }
}

/// The row of an operation.
pub fn rule_of(name: &str) -> Option<&'static dyn Rule> {
    TABLE.iter().find(|row| row.name == name).map(|row| row as &dyn Rule)
}
