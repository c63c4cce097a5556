//! What MLIR's library of integer sets says to the calculus.
//!
//! It is asked which systems are empty, and for shadows. Its differences of unions
//! and what it makes of locals are not used: those of MLIR 22 are wrong for some
//! systems, and take seconds for some small ones.

use ad_calculus::{oracle::Oracle, systems::System};

use crate::support::presburger::{is_empty, shadow};

/// The oracle of the passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Presburger;

/// No system of more variables and locals is looked at.
const MOST_COLUMNS: usize = 16;

/// No system of more rows is looked at.
const MOST_ROWS: usize = 48;

/// No system with larger factors is looked at. Constants may be large.
const MOST_FACTOR: i64 = 1 << 15;

fn is_small(variables: usize, system: &System) -> bool {
    let rows = || system.equalities.iter().chain(&system.inequalities);
    let mut factors = rows().flat_map(|row| row.iter().rev().skip(1));
    variables + system.locals <= MOST_COLUMNS
        && rows().count() <= MOST_ROWS
        && factors.all(|factor| factor.abs() <= MOST_FACTOR)
}

impl Oracle for Presburger {
    fn is_empty(&self, variables: usize, system: &System) -> bool {
        is_small(variables, system) && is_empty(variables, system)
    }

    fn shadow(&self, variables: usize, system: &System) -> Option<System> {
        is_small(variables, system).then(|| shadow(variables, system)).flatten()
    }
}
