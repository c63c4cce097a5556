//! Whether predicates over integers contradict or follow from each other.
//!
//! The questions are about unions of systems ([`systems`](crate::systems)); who
//! answers them is not part of the calculus. Sizes and indices are any integers: a
//! size may be negative, as it is any number that does not change, such as an
//! offset.

use crate::affine::Affine;
use crate::predicate::Predicate;
use crate::subset::is_subset;
use crate::systems::{Bound, System, Union, predicate_of, system_of, union_of, unions_of};

/// No quantifier becomes more inequalities.
const MOST_INEQUALITIES: usize = 16;

/// What is known about systems over integers.
pub trait Oracle {
    /// Whether no integers satisfy a system over some variables. False where that is
    /// not known.
    fn is_empty(&self, variables: usize, system: &System) -> bool;

    /// A system without locals that follows from a system over some variables, if
    /// one is known: the nearer to it, the better.
    fn shadow(&self, variables: usize, system: &System) -> Option<System>;
}

/// Whether no integers satisfy any of some systems.
fn is_empty(oracle: &dyn Oracle, union: &Union) -> bool {
    union.systems.iter().all(|system| oracle.is_empty(union.variables, system))
}

/// Whether some predicates contradict each other.
pub fn contradict(oracle: &dyn Oracle, predicates: &[Predicate]) -> bool {
    predicates.contains(&Predicate::False) || is_empty(oracle, &union_of(predicates))
}

/// Whether a predicate, not a constant, contradicts others. Which of them contradict
/// each other does not matter.
pub fn excludes(oracle: &dyn Oracle, known: &[Predicate], predicate: &Predicate) -> bool {
    match unions_of(known, predicate, Bound::Weaker) {
        Some([known, other]) => is_empty(oracle, &known.and(&other)),
        None => false,
    }
}

/// Whether a predicate holds wherever all of `known` do.
pub fn implies(oracle: &dyn Oracle, known: &[Predicate], predicate: &Predicate) -> bool {
    let is_without = |other| excludes(oracle, known, &other);
    match predicate {
        _ if is_said(known, predicate) => true,
        Predicate::True => true,
        Predicate::False => contradict(oracle, known),
        Predicate::And(parts) => parts.iter().all(|part| implies(oracle, known, part)),
        Predicate::NotNegative(value) => is_without(is_below_zero(value)),
        Predicate::Zero(value) => {
            is_without(is_below_zero(value)) && is_without(is_below_zero(&value.times(-1)))
        }
        Predicate::Or(_) | Predicate::Exists(..) | Predicate::Related(..) => {
            let unions = unions_of(known, predicate, Bound::Same);
            unions.is_some_and(|[known, other]| is_subset(oracle, &known, &other))
        }
    }
}

/// Whether one of `known` says what a predicate says, or one of the parts of a
/// disjunction.
fn is_said(known: &[Predicate], predicate: &Predicate) -> bool {
    let is_said_of = |part: &Predicate| known.iter().any(|fact| fact.is_like(part));
    match predicate {
        Predicate::Or(parts) => is_said_of(predicate) || parts.iter().any(is_said_of),
        _ => is_said_of(predicate),
    }
}

/// That a value is less than zero.
fn is_below_zero(value: &Affine) -> Predicate {
    Predicate::less(value, &Affine::constant(0))
}

/// A quantifier without its index, where `known` holds: what its bounds say, if
/// there always is an integer between them.
pub fn projected(
    oracle: &dyn Oracle,
    known: &[Predicate],
    exists: &Predicate,
) -> Option<Predicate> {
    let (union, terms) = system_of(exists)?;
    let shadow = oracle.shadow(union.variables, union.systems.first()?)?;
    if shadow.inequalities.len() > MOST_INEQUALITIES {
        return None;
    }
    let shadow = predicate_of(&shadow, &terms);
    let known = [known, shadow.conjuncts()].concat();
    implies(oracle, &known, exists).then_some(shadow)
}
