//! What the oracle found.

use super::finding::{Doubt, Finding, Verdict};
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
    /// For programs with floats of 16 bits, of which bf16 has a mantissa of 8.
    pub const F16: Tolerance = Tolerance { differences: 2e-2, transpose: 2e-2, primal: 1e-2 };
    /// For programs with other floats narrower than `f64`.
    pub const F32: Tolerance = Tolerance { differences: 1e-4, transpose: 1e-3, primal: 1e-5 };
}

/// The errors of one differentiated argument, relative to the size of the derivative.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentReport {
    /// Position of the argument.
    pub argument: usize,
    /// Of jvp against difference quotients.
    pub compared: Compared,
    /// Of the transpose identity between vjp and jvp.
    pub transpose: f64,
}

/// A jvp beside difference quotients, all entries together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    /// The largest error of an entry of the jvp; infinite when one is NaN and the other is not.
    pub differences: f64,
    /// The estimated error of the difference quotients that entries were compared with: the largest one, or if entries are
    /// wrong the smallest one of theirs.
    pub quotient: f64,
    /// Slopes to both sides of the inputs differ, where the jvp need only lie between them.
    pub kink: bool,
    /// Some entry is wrong.
    pub failed: bool,
    /// How many entries could be compared.
    pub count: usize,
    /// Why another one could not; rather that something is not finite than anything else.
    pub doubt: Option<Doubt>,
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

impl Compared {
    /// Adds what was found about one more entry.
    pub fn add(&mut self, finding: &Finding, tolerance: &Tolerance) {
        let accuracy = finding.accuracy();
        match finding.verdict(tolerance.differences) {
            Verdict::Inconclusive(doubt) => {
                if self.doubt.is_none_or(|_| doubt.is_of_finiteness()) {
                    self.doubt = Some(doubt);
                }
                return;
            }
            Verdict::Ok if self.failed => {}
            Verdict::Ok => self.quotient = self.quotient.max(accuracy),
            Verdict::Failed if self.failed => self.quotient = self.quotient.min(accuracy),
            Verdict::Failed => (self.failed, self.quotient) = (true, accuracy),
        }
        self.count += 1;
        self.kink |= finding.kink;
        self.differences = self.differences.max(finding.distance());
    }

    /// Whether the difference quotients are accurate enough to judge by.
    pub fn is_conclusive(&self, tolerance: &Tolerance) -> bool {
        self.quotient <= tolerance.differences
    }

    /// Whether the jvp is the derivative, as far as it could be compared.
    pub fn verdict(&self) -> Verdict {
        match self.doubt {
            _ if self.failed => Verdict::Failed,
            Some(doubt) if self.count == 0 => Verdict::Inconclusive(doubt),
            _ => Verdict::Ok,
        }
    }
}

impl ArgumentReport {
    /// Whether both equations hold. Where results are not finite, neither says anything; and where some are not, or are not
    /// beside the inputs, their derivatives may be NaN, which the transpose adds up with the others.
    pub fn verdict(&self, tolerance: &Tolerance) -> Verdict {
        let doubt = self.compared.doubt.filter(|doubt| doubt.is_of_finiteness());
        match (self.compared.verdict(), doubt) {
            (verdict @ Verdict::Inconclusive(Doubt::NotFinite), _) => verdict,
            (Verdict::Failed, _) => Verdict::Failed,
            (_, Some(doubt)) if self.transpose.is_infinite() => Verdict::Inconclusive(doubt),
            _ if self.transpose > tolerance.transpose => Verdict::Failed,
            (verdict, _) => verdict,
        }
    }

    /// The verdict in words.
    pub fn remark(&self, tolerance: &Tolerance) -> String {
        let word = match self.verdict(tolerance) {
            Verdict::Inconclusive(doubt) => return format!("inconclusive ({doubt})"),
            Verdict::Ok => "ok",
            Verdict::Failed => "FAILED",
        };
        let compared = &self.compared;
        if compared.kink {
            format!("{word} (at a kink: any value between the one-sided slopes)")
        } else if !compared.is_conclusive(tolerance) {
            format!("{word} (differences are accurate to {:.1e} only)", compared.quotient)
        } else {
            match compared.doubt {
                Some(doubt) if word == "ok" => format!("ok (but for where {doubt})"),
                _ => word.into(),
            }
        }
    }
}

impl Report {
    /// Whether every equation was checked and holds.
    pub fn passed(&self) -> bool {
        !self.failed() && self.inconclusive().next().is_none()
    }

    /// Whether some equation does not hold.
    pub fn failed(&self) -> bool {
        let failed = |a: &ArgumentReport| a.verdict(&self.tolerance) == Verdict::Failed;
        self.primal > self.tolerance.primal || self.arguments.iter().any(failed)
    }

    /// The arguments whose derivatives could be compared with nothing, and why.
    pub fn inconclusive(&self) -> impl Iterator<Item = (usize, Doubt)> + '_ {
        self.arguments.iter().filter_map(|a| match a.verdict(&self.tolerance) {
            Verdict::Inconclusive(doubt) => Some((a.argument, doubt)),
            _ => None,
        })
    }

    /// The largest error of jvp against difference quotients.
    pub fn worst_differences(&self) -> f64 {
        self.arguments.iter().map(|a| a.compared.differences).fold(0.0, f64::max)
    }

    /// The largest error of vjp against jvp.
    pub fn worst_transpose(&self) -> f64 {
        self.arguments.iter().map(|a| a.transpose).fold(0.0, f64::max)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for a in &self.arguments {
            write!(f, "argument {}: ", a.argument)?;
            write!(f, "jvp against differences {:.1e}, ", a.compared.differences)?;
            write!(f, "vjp against jvp {:.1e}: ", a.transpose)?;
            writeln!(f, "{}", a.remark(&self.tolerance))?;
        }
        let verdict = if self.primal <= self.tolerance.primal { "ok" } else { "FAILED" };
        write!(f, "primal results: {:.1e}: {verdict}", self.primal)
    }
}
