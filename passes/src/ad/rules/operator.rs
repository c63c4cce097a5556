//! What the operator of a reduction, scan or histogram is: the one place where the
//! special rules [FUT 5.1.1] look for +, *, min and max. Operators on rows that do
//! anything else element by element are in `elementwise`.
//!
//! An operator on a tuple is looked at component by component. A component counts if
//! it reads its own two operands only, in either order; as rows they may be combined
//! by one operation on whole tensors or by a map. `arith.minnumf` and `arith.maxnumf`
//! are minimum and maximum like the others, and so is a comparison of both operands
//! followed by a choice between them. Integers have no derivative, so that operators
//! on them are not looked at.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, bool_like, int_of};
use melior::ir::ValueLike;

use crate::{
    ad::activity::carries_derivative,
    support::builder::{Builder, Is, same_value},
};

/// What an operator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A sum of floats or complex numbers.
    Add,
    /// A product of floats or complex numbers.
    Mul,
    /// The lesser one of two floats.
    Min,
    /// The greater one of two floats.
    Max,
}

/// Whether the operator does the same with each component that has a derivative, by
/// itself, and there is one.
pub fn is_each(op: Op<'_>, kind: Kind) -> bool {
    let Some(body) = op.body(0) else { return false };
    let components = op.result_list().into_iter().zip(Operator::components(body));
    let mut active = components.filter(|(result, _)| carries_derivative(*result)).peekable();
    active.peek().is_some()
        && active.all(|(_, operator)| operator.is_some_and(|it| it.kind == kind))
}

/// An operator on two values, or on the elements of two rows.
#[derive(Clone, Copy)]
pub struct Operator<'c> {
    /// What it does.
    pub kind: Kind,
    /// The operation that gives the result.
    op: Op<'c>,
    /// Whether its left operand comes second.
    commuted: bool,
    /// Of a comparison and a choice, the comparison.
    choice: Option<Choice<'c>>,
}

/// A comparison that says which operand is chosen.
#[derive(Clone, Copy)]
struct Choice<'c> {
    compare: Op<'c>,
    /// Whether the comparison has the right operand first.
    commuted: bool,
}

impl<'c> Operator<'c> {
    /// Of each component of the operator on tuples that a body is, what it does; none
    /// where it is something else.
    pub fn components(body: Blk<'c>) -> Vec<Option<Self>> {
        let yielded = body.ends();
        let arguments = body.arg_list();
        let (left, right) = arguments.split_at(yielded.len().min(arguments.len()));
        let pairs = left.iter().zip(right).zip(yielded);
        pairs.map(|((&l, &r), value)| Self::of(value, l, r)).collect()
    }

    /// The operator that gives the value from `l` and `r`.
    pub fn of(value: Val<'c>, l: Val<'c>, r: Val<'c>) -> Option<Self> {
        let op = value.defining_op()?;
        if op.op_name() == "arith.select" {
            return Self::of_choice(op, l, r);
        }
        let commuted = order(&op.operand_list(), l, r)?;
        if op.op_name() != "soac.map" {
            return Some(Self { kind: kind_of(op)?, op, commuted, choice: None });
        }
        let body = op.body(0)?;
        let [a, b] = body.arg_list()[..] else { return None };
        let (l, r) = if commuted { (b, a) } else { (a, b) };
        Self::of(body.term()?.opnd(value.position())?, l, r)
    }

    /// `c = l < r; select c l r` and its like.
    fn of_choice(op: Op<'c>, l: Val<'c>, r: Val<'c>) -> Option<Self> {
        let compare = op.opnd(0)?.defining_op().filter(|c| c.op_name() == "arith.cmpf")?;
        let commuted = order(&op.operand_list()[1..], l, r)?;
        let choice = Choice { compare, commuted: order(&compare.operand_list(), l, r)? };
        let less = match int_of(compare.attr("predicate")?)? {
            4 | 5 | 11 | 12 => true,
            2 | 3 | 9 | 10 => false,
            _ => return None,
        };
        let is_min = less == (choice.commuted == commuted);
        let kind = if is_min { Kind::Min } else { Kind::Max };
        Some(Self { kind, op, commuted, choice: Some(choice) })
    }

    /// Emits the operator on two values of one type, which may be the elements of
    /// what it works on.
    pub fn apply(&self, b: &Builder<'c>, l: Val<'c>, r: Val<'c>) -> Val<'c> {
        let operands = ordered(self.commuted, l, r);
        match self.choice {
            Some(choice) => b.select(choice.emit(b, l, r), operands[0], operands[1]),
            None => b.with_fastmath_of(self.op).float_op(self.op.op_name(), &operands),
        }
    }

    /// Of a minimum or maximum: whether the result is the right operand and not the
    /// left one as well. Of two NaNs, the left one counts as the result.
    pub fn right_wins(&self, b: &Builder<'c>, l: Val<'c>, r: Val<'c>) -> Val<'c> {
        if let Some(choice) = self.choice {
            let first = choice.emit(b, l, r);
            let right = if self.commuted { first } else { b.not(first) };
            return b.same("arith.andi", &[right, b.compare_floats(Is::NotEqual, l, r)]);
        }
        // Better, or one of them is NaN, but not the one that would have to be a number then.
        let better = if self.kind == Kind::Min { Is::LessOrNan } else { Is::GreaterOrNan };
        let number = if self.keeps_nan() { l } else { r };
        let is_number = b.compare_floats(Is::NotNan, number, number);
        b.same("arith.andi", &[b.compare_floats(better, r, l), is_number])
    }

    /// Whether it is one operation, and not a comparison and a choice.
    pub fn is_one_operation(&self) -> bool {
        self.choice.is_none()
    }

    /// Of a minimum or maximum: whether a NaN among the elements is always the result.
    pub fn keeps_nan(&self) -> bool {
        ["arith.minimumf", "arith.maximumf"].contains(&self.op.op_name())
    }
}

impl<'c> Choice<'c> {
    fn emit(&self, b: &Builder<'c>, l: Val<'c>, r: Val<'c>) -> Val<'c> {
        let mut attributes = vec![];
        for name in ["predicate", "fastmath"] {
            attributes.extend(self.compare.attr(name).map(|attribute| (name, attribute)));
        }
        let operands = ordered(self.commuted, l, r);
        b.val_with("arith.cmpf", &operands, bool_like(l.r#type()), &attributes)
    }
}

/// Whether two operands are `r` and `l` and not `l` and `r`; none if they are neither.
fn order<'c>(operands: &[Val<'c>], l: Val<'c>, r: Val<'c>) -> Option<bool> {
    match *operands {
        [a, b] if same_value(a, l) && same_value(b, r) => Some(false),
        [a, b] if same_value(a, r) && same_value(b, l) => Some(true),
        _ => None,
    }
}

fn ordered<'c>(commuted: bool, l: Val<'c>, r: Val<'c>) -> [Val<'c>; 2] {
    if commuted { [r, l] } else { [l, r] }
}

fn kind_of(op: Op<'_>) -> Option<Kind> {
    match op.op_name() {
        "arith.addf" | "complex.add" => Some(Kind::Add),
        "arith.mulf" | "complex.mul" => Some(Kind::Mul),
        "arith.minimumf" | "arith.minnumf" => Some(Kind::Min),
        "arith.maximumf" | "arith.maxnumf" => Some(Kind::Max),
        _ => None,
    }
}
