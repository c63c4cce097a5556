//! Predicates of the tensor language, which `arith` computes as truth values.

use ad_dialect::{
    atl::{Affine, Comparison, operands_and_map},
    ir::Val,
};

use super::site::{Raised, plus};
use crate::support::builder::{Builder, CMP_EQ, CMP_NE, CMP_SGE, CMP_SGT, CMP_SLE, CMP_SLT};

/// A predicate.
#[derive(Clone)]
pub enum Truth<'c> {
    /// One that always or never holds.
    Known(bool),
    /// A comparison.
    Compare(Comparison, Affine<'c>, Affine<'c>),
    /// An element of a mask.
    Member(Val<'c>, Vec<Affine<'c>>),
    /// A truth value that is computed in front of the operation.
    Value(Val<'c>),
    /// All of some.
    And(Vec<Truth<'c>>),
    /// One of some.
    Or(Vec<Truth<'c>>),
}

impl<'c> Truth<'c> {
    /// A comparison as in `arith.cmpi`; none for one of unsigned numbers.
    pub fn comparison(predicate: i64, left: Affine<'c>, right: Affine<'c>) -> Option<Self> {
        use Comparison::{Equal, Less, LessOrEqual};
        Some(match predicate {
            CMP_EQ => Self::Compare(Equal, left, right),
            CMP_NE => Self::Or(vec![
                Self::Compare(Less, left.clone(), right.clone()),
                Self::Compare(Less, right, left),
            ]),
            CMP_SLT => Self::Compare(Less, left, right),
            CMP_SLE => Self::Compare(LessOrEqual, left, right),
            CMP_SGT => Self::Compare(Less, right, left),
            CMP_SGE => Self::Compare(LessOrEqual, right, left),
            _ => return None,
        })
    }

    /// `from <= place < from + size`, without what the place's own range says: `whole` if it goes
    /// from zero to the size.
    pub fn between(
        place: &Affine<'c>,
        from: &Affine<'c>,
        size: &Affine<'c>,
        whole: bool,
    ) -> Raised<Self> {
        let starts = from.terms.is_empty() && from.constant == 0;
        if whole && starts {
            return Ok(Self::Known(true));
        }
        if size.terms.is_empty() && size.constant == 1 {
            return Ok(Self::Compare(Comparison::Equal, place.clone(), from.clone()));
        }
        let end = plus(from, size, 1)?;
        let before = Self::Compare(Comparison::Less, place.clone(), end);
        let after = Self::Compare(Comparison::LessOrEqual, from.clone(), place.clone());
        Ok(if starts { before } else { Self::and(vec![after, before]) })
    }

    /// All of some predicates.
    pub fn and(parts: Vec<Self>) -> Self {
        if parts.iter().any(|part| matches!(part, Self::Known(false))) {
            return Self::Known(false);
        }
        let mut parts: Vec<_> =
            parts.into_iter().filter(|part| !matches!(part, Self::Known(true))).collect();
        match parts.len() {
            0 => Self::Known(true),
            1 => parts.swap_remove(0),
            _ => Self::And(parts),
        }
    }

    /// One of some predicates.
    pub fn or(parts: Vec<Self>) -> Self {
        if parts.iter().any(|part| matches!(part, Self::Known(true))) {
            return Self::Known(true);
        }
        let mut parts: Vec<_> =
            parts.into_iter().filter(|part| !matches!(part, Self::Known(false))).collect();
        match parts.len() {
            0 => Self::Known(false),
            1 => parts.swap_remove(0),
            _ => Self::Or(parts),
        }
    }

    /// The predicate that holds where this one does not. The language has no negation: it goes
    /// down to the comparisons, and masks are negated as a whole in front of the operation.
    pub fn negated(&self, outer: &Builder<'c>) -> Self {
        use Comparison::{Equal, Less, LessOrEqual};
        let all = |parts: &[Self]| parts.iter().map(|part| part.negated(outer)).collect();
        match self {
            Self::Known(known) => Self::Known(!known),
            Self::Compare(Less, left, right) => {
                Self::Compare(LessOrEqual, right.clone(), left.clone())
            }
            Self::Compare(LessOrEqual, left, right) => {
                Self::Compare(Less, right.clone(), left.clone())
            }
            Self::Compare(Equal, left, right) => Self::or(vec![
                Self::Compare(Less, left.clone(), right.clone()),
                Self::Compare(Less, right.clone(), left.clone()),
            ]),
            Self::Member(mask, at) => Self::Member(outer.not(*mask), at.clone()),
            Self::Value(value) => Self::Value(outer.not(*value)),
            Self::And(parts) => Self::or(all(parts)),
            Self::Or(parts) => Self::and(all(parts)),
        }
    }

    /// The truth value.
    pub fn emit(&self, b: &Builder<'c>) -> Raised<Val<'c>> {
        let map = |places: &[Affine<'c>]| {
            let map = operands_and_map(b.context(), places);
            map.ok_or_else(|| "compares what is not affine".to_owned())
        };
        let joined = |name: &str, parts: &[Self]| {
            let parts = parts.iter().map(|part| part.emit(b)).collect::<Raised<Vec<_>>>()?;
            let joined = parts.into_iter().reduce(|joined, part| b.same(name, &[joined, part]));
            joined.ok_or_else(|| "joins no predicates".to_owned())
        };
        match self {
            Self::Known(known) => Ok(b.truth(*known)),
            Self::Value(value) => Ok(*value),
            Self::And(parts) => joined("arith.andi", parts),
            Self::Or(parts) => joined("arith.ori", parts),
            Self::Compare(comparison, left, right) => {
                let (operands, map) = map(&[left.clone(), right.clone()])?;
                let comparison = b.i32_attr(comparison.number());
                let attributes = [("comparison", comparison), ("map", map)];
                Ok(b.val_with("atl.compare", &operands, b.bool_type(), &attributes))
            }
            Self::Member(mask, at) => {
                let (indices, map) = map(at)?;
                let segments = b.i32s_attr(&[1, indices.len() as i32]);
                let operands = [vec![*mask], indices].concat();
                let attributes = [("map", map), ("operandSegmentSizes", segments)];
                Ok(b.val_with("atl.member", &operands, b.bool_type(), &attributes))
            }
        }
    }
}
