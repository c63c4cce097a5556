//! What the oracle found.

use std::fmt;

/// How far results may be apart and still agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Between jvp and difference quotients.
    pub differences: f64,
    /// Between vjp and jvp.
    pub transpose: f64,
    /// Between primal results before and after.
    pub primal: f64,
}

impl Tolerance {
    /// For programs that compute in `f64` throughout.
    pub const F64: Tolerance = Tolerance { differences: 1e-7, transpose: 1e-10, primal: 1e-12 };
    /// For programs with narrower floats.
    pub const F32: Tolerance = Tolerance { differences: 1e-4, transpose: 1e-3, primal: 1e-5 };
}

/// The errors of one differentiated argument, relative to the size of the derivative.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentReport {
    /// Position of the argument.
    pub argument: usize,
    /// Of jvp against difference quotients; infinite when one is NaN and the other is not.
    pub differences: f64,
    /// The estimated error of the difference quotients themselves.
    pub quotient: f64,
    /// Of the transpose identity between vjp and jvp.
    pub transpose: f64,
    /// The one-sided slopes differ: the inputs lie on a kink, where the jvp need only lie between them.
    pub kink: bool,
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What ran the derivatives.
    pub executor: String,
    /// One entry per differentiated argument.
    pub arguments: Vec<ArgumentReport>,
    /// Primal results of the derivatives against those of the program.
    pub primal: f64,
    /// What was allowed.
    pub tolerance: Tolerance,
}

impl ArgumentReport {
    /// Whether the difference quotients are accurate enough to judge by.
    pub fn is_conclusive(&self, tolerance: &Tolerance) -> bool {
        self.kink || self.quotient <= tolerance.differences
    }

    /// Whether both equations hold; quotients that did not converge are held to their own accuracy.
    pub fn passed(&self, tolerance: &Tolerance) -> bool {
        let allowed = if self.is_conclusive(tolerance) {
            tolerance.differences
        } else {
            tolerance.differences + 10.0 * self.quotient
        };
        self.transpose <= tolerance.transpose && self.differences <= allowed
    }
}

impl Report {
    /// Whether every equation holds.
    pub fn passed(&self) -> bool {
        self.primal <= self.tolerance.primal
            && self.arguments.iter().all(|a| a.passed(&self.tolerance))
    }

    /// The largest error of jvp against difference quotients.
    pub fn worst_differences(&self) -> f64 {
        self.arguments.iter().map(|a| a.differences).fold(0.0, f64::max)
    }

    /// The largest error of vjp against jvp.
    pub fn worst_transpose(&self) -> f64 {
        self.arguments.iter().map(|a| a.transpose).fold(0.0, f64::max)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for a in &self.arguments {
            let verdict = if a.passed(&self.tolerance) { "ok" } else { "FAILED" };
            write!(f, "argument {}: ", a.argument)?;
            write!(f, "jvp against differences {:.1e}, ", a.differences)?;
            write!(f, "vjp against jvp {:.1e}: {verdict}", a.transpose)?;
            if a.kink {
                write!(f, " (at a kink)")?;
            } else if !a.is_conclusive(&self.tolerance) {
                write!(f, " (differences accurate to {:.1e} only)", a.quotient)?;
            }
            writeln!(f)?;
        }
        let verdict = if self.primal <= self.tolerance.primal { "ok" } else { "FAILED" };
        write!(f, "primal results: {:.1e}: {verdict}", self.primal)
    }
}
