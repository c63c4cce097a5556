//! Predicates over indices [ATL Figure 3].

use crate::affine::{Affine, Index};
use std::collections::HashSet;
use std::fmt;

/// The name of a relation over data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Relation(pub u32);

/// An index that takes the values from 0 to below a size.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// The index.
    pub index: Index,
    /// The size, of sizes and numbers only.
    pub size: Affine,
}

impl Range {
    /// The range of an index.
    pub fn new(index: Index, size: Affine) -> Range {
        Range { index, size }
    }

    /// That `value` is one that the index takes.
    pub fn contains(&self, value: &Affine) -> Predicate {
        Predicate::and([Predicate::not_negative(value.clone()), Predicate::less(value, &self.size)])
    }
}

/// A predicate. What the functions of this file make is flat, sorted, without
/// repetitions and without constants but at the top, so that predicates that are
/// obviously equal are equal values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Predicate {
    /// Always.
    True,
    /// Never.
    False,
    /// The expression is zero.
    Zero(Affine),
    /// The expression is zero or more.
    NotNegative(Affine),
    /// The relation holds between the values.
    Related(Relation, Vec<Affine>),
    /// All hold.
    And(Vec<Predicate>),
    /// Some holds.
    Or(Vec<Predicate>),
    /// Some value of the index makes it true.
    Exists(Range, Box<Predicate>),
}

impl Predicate {
    /// That a value is zero.
    pub fn zero(value: Affine) -> Predicate {
        let divisor = common_divisor(&value);
        if divisor == 0 {
            return Predicate::constant(value.offset() == 0);
        }
        if value.offset() % divisor != 0 {
            return Predicate::False;
        }
        let is_negative = value.terms().next().is_some_and(|(_, factor)| factor < 0);
        let sign = if is_negative { -1 } else { 1 };
        Predicate::Zero(divide(&value, sign * divisor))
    }

    /// That a value is zero or more.
    pub fn not_negative(value: Affine) -> Predicate {
        match common_divisor(&value) {
            0 => Predicate::constant(value.offset() >= 0),
            divisor => Predicate::NotNegative(divide(&value, divisor)),
        }
    }

    /// That two values are equal.
    pub fn equal(left: &Affine, right: &Affine) -> Predicate {
        Predicate::zero(left.minus(right))
    }

    /// That the left value is less than the right one.
    pub fn less(left: &Affine, right: &Affine) -> Predicate {
        Predicate::not_negative(right.minus(left).plus_constant(-1))
    }

    /// Always or never.
    pub fn constant(holds: bool) -> Predicate {
        if holds { Predicate::True } else { Predicate::False }
    }

    /// That all hold.
    pub fn and(parts: impl IntoIterator<Item = Predicate>) -> Predicate {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Predicate::True => {}
                Predicate::False => return Predicate::False,
                Predicate::And(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        let mut all = without_repetitions(all);
        match all.len() {
            0 => Predicate::True,
            1 => all.remove(0),
            _ => Predicate::And(all),
        }
    }

    /// That some holds.
    pub fn or(parts: impl IntoIterator<Item = Predicate>) -> Predicate {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Predicate::False => {}
                Predicate::True => return Predicate::True,
                Predicate::Or(inner) => all.extend(inner),
                other => all.push(other),
            }
        }
        let mut all = without_repetitions(all);
        match all.len() {
            0 => Predicate::False,
            1 => all.remove(0),
            _ => Predicate::Or(all),
        }
    }

    /// That values of `ranges` make `inner` true. An index that `inner` does not
    /// have must still have a value.
    pub fn exists(ranges: &[Range], inner: Predicate) -> Predicate {
        ranges.iter().rev().fold(inner, |inner, range| {
            let has_value = Predicate::not_negative(range.size.plus_constant(-1));
            match inner {
                Predicate::False => Predicate::False,
                inner if !inner.uses(range.index) => Predicate::and([inner, has_value]),
                inner => Predicate::Exists(range.clone(), Box::new(inner)),
            }
        })
    }

    /// The parts that all must hold.
    pub fn conjuncts(&self) -> &[Predicate] {
        match self {
            Predicate::True => &[],
            Predicate::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The number of comparisons, relations and quantifiers.
    pub fn size(&self) -> usize {
        match self {
            Predicate::True | Predicate::False => 0,
            Predicate::And(parts) | Predicate::Or(parts) => parts.iter().map(Self::size).sum(),
            Predicate::Exists(_, inner) => 1 + inner.size(),
            _ => 1,
        }
    }

    /// Whether the index occurs free.
    pub fn uses(&self, index: Index) -> bool {
        match self {
            Predicate::True | Predicate::False => false,
            Predicate::Zero(value) | Predicate::NotNegative(value) => value.uses(index),
            Predicate::Related(_, values) => values.iter().any(|value| value.uses(index)),
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().any(|part| part.uses(index))
            }
            Predicate::Exists(range, inner) => {
                range.size.uses(index) || (range.index != index && inner.uses(index))
            }
        }
    }

    /// This with each free index as `value_of` says, where it says something. No
    /// value may use an index that is bound inside.
    pub fn substitute(&self, value_of: &dyn Fn(Index) -> Option<Affine>) -> Predicate {
        let all = |parts: &[Predicate]| -> Vec<Predicate> {
            parts.iter().map(|part| part.substitute(value_of)).collect()
        };
        match self {
            Predicate::True => Predicate::True,
            Predicate::False => Predicate::False,
            Predicate::Zero(value) => Predicate::zero(value.substitute(value_of)),
            Predicate::NotNegative(value) => Predicate::not_negative(value.substitute(value_of)),
            Predicate::Related(relation, values) => {
                let values = values.iter().map(|value| value.substitute(value_of));
                Predicate::Related(*relation, values.collect())
            }
            Predicate::And(parts) => Predicate::and(all(parts)),
            Predicate::Or(parts) => Predicate::or(all(parts)),
            Predicate::Exists(range, inner) => {
                let outer = |index| (index != range.index).then(|| value_of(index)).flatten();
                let size = range.size.substitute(value_of);
                let range = Range::new(range.index, size);
                Predicate::exists(&[range], inner.substitute(&outer))
            }
        }
    }

    /// Whether another one differs in the names of bound indices only, if at all.
    pub fn is_like(&self, other: &Predicate) -> bool {
        self == other
            || std::mem::discriminant(self) == std::mem::discriminant(other)
                && self.has_quantifier()
                && self.unnamed(&mut vec![]) == other.unnamed(&mut vec![])
    }

    fn has_quantifier(&self) -> bool {
        match self {
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().any(Predicate::has_quantifier)
            }
            Predicate::Exists(..) => true,
            _ => false,
        }
    }

    /// This with indices inside of quantifiers named by how deep they are bound:
    /// `bound` are those that are bound around this one. To compare only, as
    /// quantifiers beside each other have the same names.
    fn unnamed(&self, bound: &mut Vec<Index>) -> Predicate {
        let depth = |depth: usize| Index(u32::MAX - depth as u32);
        let value = |value: &Affine, bound: &[Index]| {
            let place = |index| bound.iter().rposition(|bound| *bound == index);
            value.substitute(&|index| place(index).map(|place| Affine::index(depth(place))))
        };
        let mut all = |parts: &[Predicate]| {
            let mut parts: Vec<_> = parts.iter().map(|part| part.unnamed(bound)).collect();
            parts.sort();
            parts
        };
        match self {
            Predicate::True => Predicate::True,
            Predicate::False => Predicate::False,
            Predicate::Zero(zero) => Predicate::zero(value(zero, bound)),
            Predicate::NotNegative(number) => Predicate::NotNegative(value(number, bound)),
            Predicate::Related(relation, values) => {
                Predicate::Related(*relation, values.iter().map(|of| value(of, bound)).collect())
            }
            Predicate::And(parts) => Predicate::And(all(parts)),
            Predicate::Or(parts) => Predicate::Or(all(parts)),
            Predicate::Exists(range, inner) => {
                let range_of = Range::new(depth(bound.len()), value(&range.size, bound));
                bound.push(range.index);
                let inner = inner.unnamed(bound);
                bound.pop();
                Predicate::Exists(range_of, Box::new(inner))
            }
        }
    }

    /// This with new names for all indices that are bound inside.
    pub fn rename_bound(&self, fresh: &mut dyn FnMut() -> Index) -> Predicate {
        match self {
            Predicate::And(parts) => {
                Predicate::and(parts.iter().map(|part| part.rename_bound(fresh)))
            }
            Predicate::Or(parts) => {
                Predicate::or(parts.iter().map(|part| part.rename_bound(fresh)))
            }
            Predicate::Exists(range, inner) => {
                let index = fresh();
                let renamed = |old| (old == range.index).then(|| Affine::index(index));
                let inner = inner.rename_bound(fresh).substitute(&renamed);
                Predicate::exists(&[Range::new(index, range.size.clone())], inner)
            }
            other => other.clone(),
        }
    }
}

/// Predicates in order, one of those that differ in names of bound indices only.
fn without_repetitions(mut all: Vec<Predicate>) -> Vec<Predicate> {
    all.sort();
    all.dedup();
    let mut seen = HashSet::new();
    all.retain(|part| !part.has_quantifier() || seen.insert(part.unnamed(&mut vec![])));
    all
}

/// The greatest divisor that the multiples of all terms have in common, 0
/// without a term.
fn common_divisor(value: &Affine) -> i64 {
    fn gcd(a: i64, b: i64) -> i64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    value.terms().fold(0, |divisor, (_, factor)| gcd(divisor, factor.abs()))
}

/// `value` with all multiples divided, which leaves no remainder, and the
/// constant divided and rounded down.
fn divide(value: &Affine, divisor: i64) -> Affine {
    let terms = value.terms();
    let rest = terms.fold(Affine::default(), |sum, (term, factor)| {
        sum.plus(&Affine::term(term).times(factor / divisor))
    });
    rest.plus_constant(value.offset().div_euclid(divisor))
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, parts: &[Predicate], word: &str| {
            for (position, part) in parts.iter().enumerate() {
                let separator = if position == 0 { "" } else { word };
                match part {
                    Predicate::And(_) | Predicate::Or(_) => write!(f, "{separator}({part})")?,
                    part => write!(f, "{separator}{part}")?,
                }
            }
            Ok(())
        };
        match self {
            Predicate::True => write!(f, "true"),
            Predicate::False => write!(f, "false"),
            Predicate::Zero(value) => write!(f, "{value} = 0"),
            Predicate::NotNegative(value) => write!(f, "0 <= {value}"),
            Predicate::Related(relation, values) => {
                let values: Vec<String> = values.iter().map(Affine::to_string).collect();
                write!(f, "R{}({})", relation.0, values.join(", "))
            }
            Predicate::And(parts) => list(f, parts, " and "),
            Predicate::Or(parts) => list(f, parts, " or "),
            Predicate::Exists(range, inner) => {
                write!(f, "exists i{} in {}: ({inner})", range.index.0, range.size)
            }
        }
    }
}
