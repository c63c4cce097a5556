//! Disjunctions of bounds of one value as one interval.

use crate::affine::Affine;
use crate::predicate::Predicate;
use std::collections::BTreeSet;

/// Parts of a disjunction, with one in place of two that differ only in the
/// intervals where a value is, if the intervals touch.
pub fn merged(mut parts: Vec<Predicate>) -> Vec<Predicate> {
    let mut place = 0;
    while place < parts.len() {
        let found = (place + 1..parts.len()).find_map(|other| {
            let both = either(&parts[place], &parts[other])?;
            Some((other, both))
        });
        match found {
            Some((other, both)) => {
                parts.remove(other);
                parts.remove(place);
                if !parts.contains(&both) {
                    parts.insert(0, both);
                }
                place = 0;
            }
            None => place += 1,
        }
    }
    parts.sort();
    parts
}

/// Where a value is: from a least to a largest number, where there are any.
struct Interval {
    value: Affine,
    least: Option<i64>,
    most: Option<i64>,
}

/// A conjunction that says the same as the disjunction of two.
fn either(left: &Predicate, right: &Predicate) -> Option<Predicate> {
    let [left, right] = [left, right].map(|part| part.conjuncts().iter().collect::<BTreeSet<_>>());
    let common = left.intersection(&right).map(|part| (*part).clone());
    let [own, other] = [(&left, &right), (&right, &left)]
        .map(|(part, other)| interval(&part.difference(other).copied().collect::<Vec<_>>()));
    let (own, other) = (own?, other?);
    let is_gap = |most: Option<i64>, least: Option<i64>| match (most, least) {
        (Some(most), Some(least)) => most.saturating_add(1) < least,
        _ => false,
    };
    if own.value != other.value || is_gap(own.most, other.least) || is_gap(other.most, own.least) {
        return None;
    }
    let least = own.least.zip(other.least).map(|(own, other)| own.min(other));
    let most = own.most.zip(other.most).map(|(own, other)| own.max(other));
    let least = least.map(|least| Predicate::not_negative(own.value.plus_constant(-least)));
    let most = most.map(|most| Predicate::not_negative(own.value.times(-1).plus_constant(most)));
    Some(Predicate::and(common.chain(least).chain(most)))
}

/// The interval that some bounds say.
fn interval(bounds: &[&Predicate]) -> Option<Interval> {
    let mut found: Option<Interval> = None;
    for bound in bounds {
        let (value, is_equality) = match bound {
            Predicate::Zero(value) => (value, true),
            Predicate::NotNegative(value) => (value, false),
            _ => return None,
        };
        // `0 <= factor * linear + offset`, where the first term of `linear` has a
        // positive factor.
        let factor = value.terms().next()?.1.signum();
        let linear = value.plus_constant(-value.offset()).times(factor);
        let limit = value.offset().checked_neg()? * factor;
        let found =
            found.get_or_insert(Interval { value: linear.clone(), least: None, most: None });
        if found.value != linear {
            return None;
        }
        if is_equality || factor > 0 {
            found.least = found.least.max(Some(limit));
        }
        if is_equality || factor < 0 {
            found.most = Some(found.most.map_or(limit, |most| most.min(limit)));
        }
    }
    found
}
