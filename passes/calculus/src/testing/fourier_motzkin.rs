//! Elimination after Fourier and Motzkin, for tests of what asks an oracle.
//!
//! It knows less than a library of integer sets and is much slower where there are
//! many inequalities; tests of the calculus need no more.

use crate::affine::{Affine, Size, Term};
use crate::oracle::Oracle;
use crate::predicate::Predicate;
use crate::systems::System;
use std::collections::{BTreeMap, BTreeSet};

/// Solves equalities, then eliminates one term after the other (Fourier and
/// Motzkin) over the rationals, with every inequality tightened to what integers can
/// satisfy. It gives up on what becomes large.
#[derive(Clone, Copy, Debug, Default)]
pub struct FourierMotzkin;

/// No system of more inequalities than this is looked at.
const MOST_INEQUALITIES: usize = 100;

/// No number beyond this is computed with, so that nothing overflows.
const MOST: i64 = 1 << 30;

/// Why a system is not looked at any further.
enum Stop {
    Empty,
    Unknown,
}

/// Inequalities `0 <= terms + constant`: for the terms the least constant.
#[derive(Default)]
struct Inequalities(BTreeMap<Affine, i64>);

impl Oracle for FourierMotzkin {
    fn is_empty(&self, _: usize, system: &System) -> bool {
        let [equalities, inequalities] = values(system);
        matches!(contradiction(equalities, inequalities), Err(Stop::Empty))
    }

    fn shadow(&self, variables: usize, system: &System) -> Option<System> {
        let [equalities, inequalities] = values(system);
        if !equalities.is_empty() {
            return None;
        }
        let mut left = Inequalities::default();
        for value in inequalities {
            left.add(value).ok()?;
        }
        for local in variables..variables + system.locals {
            left.eliminate(Term::Size(Size(local as u32))).ok()?;
        }
        let row = |(value, constant): (&Affine, &i64)| {
            let factor = |column| value.coefficient(Term::Size(Size(column)));
            (0..variables as u32).map(factor).chain([*constant]).collect()
        };
        let inequalities = left.0.iter().map(row).collect();
        Some(System { inequalities, ..System::default() })
    }
}

/// The equalities and inequalities of a system, with a size for each column.
fn values(system: &System) -> [Vec<Affine>; 2] {
    [&system.equalities, &system.inequalities].map(|rows| {
        let value = |row: &Vec<i64>| {
            let (constant, factors) = row.split_last().expect("a row has a constant");
            let terms = factors
                .iter()
                .zip(0..)
                .map(|(factor, column)| Affine::size(Size(column)).times(*factor));
            terms.fold(Affine::constant(*constant), |sum, term| sum.plus(&term))
        };
        rows.iter().map(value).collect()
    })
}

/// `Err(Stop::Empty)` if equalities and inequalities contradict each other.
fn contradiction(mut equalities: Vec<Affine>, mut inequalities: Vec<Affine>) -> Result<(), Stop> {
    for value in equalities.iter().chain(&inequalities) {
        small(value.clone())?;
    }
    while let Some(next) = equalities.pop() {
        let next = match Predicate::zero(next) {
            Predicate::Zero(value) => value,
            Predicate::False => return Err(Stop::Empty),
            _ => continue,
        };
        let unit = next.terms().find(|(_, factor)| factor.abs() == 1);
        let Some((term, factor)) = unit else {
            inequalities.extend([next.clone(), next.times(-1)]);
            continue;
        };
        for value in equalities.iter_mut().chain(&mut inequalities) {
            let multiple = value.coefficient(term) * factor;
            *value = small(value.minus(&next.times(multiple)))?;
        }
    }
    let mut system = Inequalities::default();
    for value in inequalities {
        system.add(value)?;
    }
    while let Some(term) = system.cheapest() {
        system.eliminate(term)?;
    }
    Ok(())
}

/// The value, if all its numbers are small.
fn small(value: Affine) -> Result<Affine, Stop> {
    let is_small = value.terms().all(|(_, factor)| factor.abs() < MOST);
    match is_small && value.offset().abs() < MOST {
        true => Ok(value),
        false => Err(Stop::Unknown),
    }
}

impl Inequalities {
    fn add(&mut self, value: Affine) -> Result<(), Stop> {
        let value = match Predicate::not_negative(value) {
            Predicate::NotNegative(value) => small(value)?,
            Predicate::False => return Err(Stop::Empty),
            _ => return Ok(()),
        };
        let constant = value.offset();
        let least = self.0.entry(value.plus_constant(-constant)).or_insert(constant);
        *least = constant.min(*least);
        match self.0.len() > MOST_INEQUALITIES {
            true => Err(Stop::Unknown),
            false => Ok(()),
        }
    }

    /// How many inequalities bound a term from below, and from above.
    fn bounds(&self, term: Term) -> [usize; 2] {
        let factors = || self.0.keys().map(|value| value.coefficient(term));
        [factors().filter(|factor| *factor > 0).count(), factors().filter(|f| *f < 0).count()]
    }

    /// The term whose elimination leaves the fewest inequalities.
    fn cheapest(&self) -> Option<Term> {
        let terms = self.0.keys().flat_map(|value| value.terms().map(|(term, _)| term));
        let terms: BTreeSet<Term> = terms.collect();
        terms.into_iter().min_by_key(|term| {
            let [below, above] = self.bounds(*term);
            (below * above) as i64 - (below + above) as i64
        })
    }

    fn eliminate(&mut self, term: Term) -> Result<(), Stop> {
        let all = std::mem::take(&mut self.0).into_iter();
        let all = all.map(|(value, constant)| value.plus_constant(constant));
        let (with, without): (Vec<Affine>, Vec<Affine>) =
            all.partition(|value| value.coefficient(term) != 0);
        let (below, above): (Vec<Affine>, Vec<Affine>) =
            with.into_iter().partition(|value| value.coefficient(term) > 0);
        for value in without {
            self.add(value)?;
        }
        for lower in &below {
            for upper in &above {
                let (up, down) = (lower.coefficient(term), -upper.coefficient(term));
                self.add(lower.times(down).plus(&upper.times(up)))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::{Affine, Index, Size};
    use crate::oracle::contradict;
    use crate::predicate::Predicate;

    fn is_empty(constraints: &[Predicate]) -> bool {
        contradict(&FourierMotzkin, constraints)
    }

    fn at_least(value: &Affine, least: i64) -> Predicate {
        Predicate::not_negative(value.plus_constant(-least))
    }

    #[test]
    fn contradictions_are_found() {
        let [i, j] = [0, 1].map(|name| Affine::index(Index(name)));
        let n = Affine::size(Size(0));
        assert!(!is_empty(&[]));
        assert!(is_empty(&[Predicate::False]));
        // A cycle.
        assert!(is_empty(&[Predicate::less(&i, &j), Predicate::less(&j, &i)]));
        assert!(!is_empty(&[Predicate::less(&i, &j), Predicate::less(&j, &n)]));
        // Sizes and indices may be negative.
        assert!(!is_empty(&[Predicate::less(&n, &Affine::constant(0))]));
        assert!(!is_empty(&[Predicate::less(&i, &Affine::constant(0))]));
        // An equality is put into the others.
        let is_next = Predicate::equal(&i, &j.plus_constant(1));
        assert!(is_empty(&[is_next.clone(), Predicate::less(&i, &j)]));
        assert!(!is_empty(&[is_next, Predicate::less(&j, &i)]));
    }

    #[test]
    fn only_integers_count() {
        let [i, j] = [0, 1].map(|name| Affine::index(Index(name)));
        // 1 <= 2 i <= 1, and 2 i = 4 j + 1.
        let twice = i.times(2);
        assert!(is_empty(&[at_least(&twice, 1), at_least(&twice.times(-1), -1)]));
        let odd = j.times(4).plus_constant(1);
        assert!(is_empty(&[Predicate::equal(&twice, &odd)]));
        // 2 i = 3 j has more solutions than zero.
        let even = Predicate::equal(&twice, &j.times(3));
        assert!(!is_empty(&[even.clone(), at_least(&i, 1)]));
        assert!(is_empty(&[even, at_least(&i, 1), at_least(&i.times(-1), -1), at_least(&j, 1)]));
    }

    #[test]
    fn what_is_not_affine_is_not_known() {
        let i = Affine::index(Index(0));
        let related = Predicate::Related(crate::predicate::Relation(0), vec![i.clone()]);
        assert!(!is_empty(&[related]));
        let huge = Affine::constant(i64::MAX);
        assert!(!is_empty(&[Predicate::equal(&i, &huge), Predicate::less(&i, &huge)]));
    }
}
