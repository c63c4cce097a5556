//! Ranks and sizes of tensors.

use ad_dialect::ir::{Blk, DYNAMIC, Op, OpExt, TyExt, Val, tensor_type};
use melior::ir::{Type, TypeLike, ValueLike};

use super::{
    property::{Conflict, Facts, Property},
    transfer,
};

/// The property: the rank and the sizes of a tensor.
pub struct Shapes;

/// What is known of the shape of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It is no tensor.
    Scalar,
    /// A tensor of any rank.
    Unranked,
    /// The sizes, as far as they are known.
    Ranked(Vec<Option<i64>>),
}

impl Shape {
    /// The shape of a type.
    pub fn of(r#type: Type<'_>) -> Self {
        if r#type.is_unranked_tensor() {
            return Self::Unranked;
        }
        match r#type.as_tensor() {
            None => Self::Scalar,
            Some(_) => Self::Ranked(
                r#type.shape().into_iter().map(|n| (n != DYNAMIC).then_some(n)).collect(),
            ),
        }
    }

    /// The sizes, if the rank is known.
    pub fn sizes(self) -> Option<Vec<Option<i64>>> {
        match self {
            Self::Ranked(sizes) => Some(sizes),
            _ => None,
        }
    }

    /// The type of a tensor of this shape with the elements of another one.
    pub fn r#type<'c>(&self, like: Type<'c>) -> Type<'c> {
        match self {
            Self::Ranked(sizes) if like.as_tensor().is_some() || like.is_unranked_tensor() => {
                let sizes: Vec<_> = sizes.iter().map(|n| n.unwrap_or(DYNAMIC)).collect();
                tensor_type(&sizes, like.scalar())
            }
            _ => like,
        }
    }

    /// What both of two descriptions of one tensor say.
    pub fn meet(&self, other: &Self) -> Result<Self, Conflict> {
        let conflict = || format!("sizes {} and {} differ", self.text(), other.text());
        match (self, other) {
            (Self::Ranked(a), Self::Ranked(b)) => {
                if a.len() != b.len() {
                    return Err(conflict());
                }
                let both = a.iter().zip(b).map(|(a, b)| match (a, b) {
                    (Some(a), Some(b)) if a != b => Err(conflict()),
                    (a, b) => Ok(a.or(*b)),
                });
                both.collect::<Result<_, _>>().map(Self::Ranked)
            }
            (Self::Unranked, other) => Ok(other.clone()),
            _ => Ok(self.clone()),
        }
    }

    /// The sizes in words, such as `3x?`.
    pub fn text(&self) -> String {
        match self {
            Self::Scalar => "none".to_owned(),
            Self::Unranked => "*".to_owned(),
            Self::Ranked(sizes) if sizes.is_empty() => "()".to_owned(),
            Self::Ranked(sizes) => {
                let text = |n: &Option<i64>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
                sizes.iter().map(text).collect::<Vec<_>>().join("x")
            }
        }
    }
}

/// The shape of a value, as far as it is known.
pub fn shape<'c>(value: Val<'c>, facts: &Facts<'c>) -> Option<Shape> {
    facts.get::<Shapes>(value)
}

impl Property for Shapes {
    type Fact = Shape;

    fn of_type(&self, r#type: Type<'_>) -> Shape {
        Shape::of(r#type)
    }

    fn join(&self, a: &Shape, b: &Shape) -> Shape {
        match (a, b) {
            (Shape::Ranked(a), Shape::Ranked(b)) if a.len() == b.len() => {
                Shape::Ranked(a.iter().zip(b).map(|(a, b)| a.filter(|_| a == b)).collect())
            }
            (Shape::Scalar, _) => Shape::Scalar,
            _ => Shape::Unranked,
        }
    }

    fn refine(&self, fact: &Shape, r#type: Type<'_>) -> Result<Shape, Conflict> {
        fact.meet(&Shape::of(r#type))
    }

    fn transfer<'c>(&self, op: Op<'c>, facts: &Facts<'c>) -> Result<Option<Vec<Shape>>, Conflict> {
        if op.result_list().iter().all(|result| Shape::of(result.r#type()) == Shape::Scalar)
            && !op.op_name().starts_with("soac.")
        {
            return Ok(None);
        }
        transfer::shapes(op, facts)
    }

    fn enter<'c>(&self, op: Op<'c>, body: Blk<'c>, facts: &Facts<'c>) -> Option<Vec<Shape>> {
        transfer::enter(op, body, facts)
    }

    fn of_derivative(&self, of: &Shape) -> Option<Shape> {
        Some(of.clone())
    }
}
