//! Whether the integers of one union of systems are in another one.
//!
//! They are, if what is left without each system of the other is empty. Outside of
//! a system is where one of its rows fails; its locals are eliminated before.

use crate::oracle::Oracle;
use crate::systems::{MOST, System, Union};

/// No more is asked for one union.
const MOST_QUESTIONS: usize = 200;

/// Whether all integers that satisfy a system on the left satisfy one on the right.
/// False where that is not known.
pub fn is_subset(oracle: &dyn Oracle, left: &Union, right: &Union) -> bool {
    let outside = right
        .systems
        .iter()
        .filter_map(|system| Some((system, outside(right.variables, system)?)))
        .collect::<Vec<_>>();
    let mut questions = Questions { oracle, variables: left.variables, left: MOST_QUESTIONS };
    left.systems.iter().all(|system| questions.is_covered(system, &outside))
}

struct Questions<'a> {
    oracle: &'a dyn Oracle,
    variables: usize,
    left: usize,
}

impl Questions<'_> {
    /// Whether all of a system is in some of others, of which there is what is outside
    /// of them, too.
    fn is_covered(&mut self, system: &System, others: &[(&System, Vec<System>)]) -> bool {
        if self.is_empty(system) {
            return true;
        }
        let Some(((other, outside), rest)) = others.split_first() else { return false };
        if self.is_empty(&system.and(other, self.variables)) {
            return self.is_covered(system, rest);
        }
        outside.iter().all(|part| self.is_covered(&system.and(part, self.variables), rest))
    }

    fn is_empty(&mut self, system: &System) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.oracle.is_empty(self.variables, system)
    }
}

/// What is outside of a system, or more.
fn outside(variables: usize, system: &System) -> Option<Vec<System>> {
    let of_local =
        |row: &&Vec<i64>| row[variables..].iter().rev().skip(1).any(|factor| *factor != 0);
    let fixed = system.equalities.iter().find(of_local);
    match (system.locals, fixed) {
        (0, _) => Some(failures(system)),
        (1, Some(fixed)) => {
            let mut all = failures(&substituted(variables, system, fixed));
            all.extend(no_multiple(variables, fixed));
            Some(all)
        }
        (_, Some(_)) => None,
        (_, None) => {
            let mut system = system.clone();
            while system.locals > 0 {
                system = dark_shadow(variables, &system);
                if system.inequalities.iter().flatten().any(|number| number.abs() >= MOST) {
                    return None;
                }
            }
            Some(failures(&system))
        }
    }
}

/// Where a row fails, for each of a system without locals.
fn failures(system: &System) -> Vec<System> {
    let both = system.equalities.iter().flat_map(|row| [row.clone(), times(row, -1)]);
    let rows = both.chain(system.inequalities.iter().cloned());
    let failures = rows.map(|row| {
        let inequalities = vec![plus(&times(&row, -1), -1)];
        System { inequalities, ..System::default() }
    });
    failures.collect()
}

/// A system for the value that an equality gives its one local, wherever there is a
/// value.
fn substituted(variables: usize, system: &System, fixed: &[i64]) -> System {
    let factor = fixed[variables];
    let rows = |rows: &[Vec<i64>]| {
        let rows = rows.iter().map(|row| {
            let scaled = times(row, factor.abs());
            let by = times(fixed, row[variables] * factor.signum());
            let mut sum: Vec<i64> = scaled.iter().zip(by).map(|(row, by)| row - by).collect();
            sum.remove(variables);
            sum
        });
        rows.collect()
    };
    System {
        locals: 0,
        equalities: rows(&system.equalities),
        inequalities: rows(&system.inequalities),
    }
}

/// Where an equality gives its one local no value: between two multiples.
fn no_multiple(variables: usize, fixed: &[i64]) -> Option<System> {
    let factor = fixed[variables].abs();
    // The last multiple below is `factor` times a local.
    let mut rest = fixed.to_vec();
    rest[variables] = -factor;
    let inequalities = vec![plus(&rest, -1), plus(&times(&rest, -1), factor - 1)];
    (factor > 1).then(|| System { locals: 1, equalities: vec![], inequalities })
}

/// A system without the last local, for which there is a value wherever the new one
/// holds: bounds `low <= a x` and `b x <= high` have one where
/// `b low + (a - 1)(b - 1) <= a high`, and everywhere they have one if `a` or `b`
/// is 1.
fn dark_shadow(variables: usize, system: &System) -> System {
    let place = variables + system.locals - 1;
    let mut inequalities = Vec::new();
    for lower in &system.inequalities {
        if lower[place] == 0 {
            inequalities.push(lower.clone());
        }
        for upper in system.inequalities.iter().filter(|_| lower[place] > 0) {
            let (up, down) = (lower[place], -upper[place]);
            if down > 0 {
                let sum = times(lower, down).into_iter().zip(times(upper, up));
                let sum: Vec<i64> = sum.map(|(lower, upper)| lower + upper).collect();
                inequalities.push(plus(&sum, -(up - 1) * (down - 1)));
            }
        }
    }
    let mut equalities = system.equalities.clone();
    for row in equalities.iter_mut().chain(&mut inequalities) {
        row.remove(place);
    }
    System { locals: system.locals - 1, equalities, inequalities }
}

fn times(row: &[i64], factor: i64) -> Vec<i64> {
    row.iter().map(|number| factor * number).collect()
}

fn plus(row: &[i64], number: i64) -> Vec<i64> {
    let (constant, factors) = row.split_last().expect("a row has a constant");
    [factors, &[constant + number]].concat()
}
