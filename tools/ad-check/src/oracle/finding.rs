//! What differences say about one entry of a jvp.

use std::fmt;

/// Differences that are less accurate, relative to the derivative, confirm nothing.
const USELESS: f64 = 1e-3;
/// Differences that are less accurate refute nothing, unless the jvp is no number.
const VOID: f64 = 0.1;
/// Estimated errors may be too small by so much.
const ERRORS: f64 = 10.0;

/// One entry of a jvp beside the limit of difference quotients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The entry.
    pub jvp: f64,
    /// How far the jvp is from the limit; NaN where it is NaN. At a kink, from the slopes to either side and what is
    /// between them.
    pub off: f64,
    /// The estimated error of the limit; infinite where there is none.
    pub error: f64,
    /// What `off` and `error` are relative to.
    pub scale: f64,
    /// The slopes to either side differ.
    pub kink: bool,
    /// The limit is what rounding may leave of zero.
    pub small: bool,
    /// Why there is no limit, if there is none.
    doubt: Doubt,
}

/// Why nothing can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Results are infinite or NaN.
    NotFinite,
    /// Results at the end of a step are infinite or NaN, whatever the step.
    NotFiniteBeside,
    /// Quotients have no limit that the steps reach.
    NoLimit,
}

impl Doubt {
    /// Whether something is infinite or NaN.
    pub fn is_of_finiteness(self) -> bool {
        matches!(self, Doubt::NotFinite | Doubt::NotFiniteBeside)
    }
}

/// What follows from a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The jvp is the derivative.
    Ok,
    /// It is not.
    Failed,
    /// The jvp could be compared with nothing.
    Inconclusive(Doubt),
}

impl Finding {
    /// A jvp beside a limit and its error, where less than `floor` is what rounding may leave of zero.
    pub fn new(jvp: f64, limit: f64, error: f64, floor: f64) -> Finding {
        let (off, scale) = ((jvp - limit).abs(), limit.abs().max(floor));
        let small = limit.abs() < floor;
        Finding { jvp, off, error, scale, small, kink: false, doubt: Doubt::NoLimit }
    }

    /// The same beside slopes that differ.
    pub fn at_kink(self) -> Finding {
        Finding { kink: true, small: false, ..self }
    }

    /// Nothing to compare with.
    pub fn doubtful(doubt: Doubt) -> Finding {
        Finding {
            jvp: 0.0,
            off: 0.0,
            error: f64::INFINITY,
            scale: 0.0,
            kink: false,
            small: false,
            doubt,
        }
    }

    /// How far the jvp is from the limit, relative to the larger one of them; infinite where it is NaN.
    pub fn distance(&self) -> f64 {
        match self.off / self.scale.max(self.jvp.abs()) {
            _ if self.off == 0.0 => 0.0,
            distance if distance.is_nan() => f64::INFINITY,
            distance => distance,
        }
    }

    /// Whether steps of another size may tell more.
    pub fn is_open(&self, tolerance: f64) -> bool {
        match self.verdict(tolerance) {
            Verdict::Inconclusive(doubt) => doubt != Doubt::NotFinite,
            Verdict::Ok => self.small,
            Verdict::Failed => true,
        }
    }

    /// The estimated error of the limit, relative to the derivative.
    pub fn accuracy(&self) -> f64 {
        if self.error == 0.0 { 0.0 } else { self.error / self.scale }
    }

    /// What this says of a jvp that may be off by `tolerance`. Limits that are less accurate are held to their accuracy.
    pub fn verdict(&self, tolerance: f64) -> Verdict {
        let accuracy = self.accuracy();
        let allowed = if accuracy <= tolerance { tolerance } else { tolerance + ERRORS * accuracy };
        match accuracy {
            a if a.is_finite() && self.off.is_nan() => Verdict::Failed,
            a if a <= VOID && self.off > allowed * self.scale => Verdict::Failed,
            a if a <= USELESS => Verdict::Ok,
            _ => Verdict::Inconclusive(self.doubt),
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Doubt::NotFinite => "results are not finite",
            Doubt::NotFiniteBeside => "results are not finite beside the inputs",
            Doubt::NoLimit => "differences do not converge",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_held_to_their_accuracy() {
        let verdict = |off, error| Finding::new(1.0 + off, 1.0, error, 1.0).verdict(1e-7);
        assert_eq!(verdict(1e-8, 1e-9), Verdict::Ok);
        assert_eq!(verdict(1e-6, 1e-9), Verdict::Failed);
        assert_eq!(verdict(1e-6, 1e-6), Verdict::Ok);
        assert_eq!(verdict(1e-2, 1e-4), Verdict::Failed);
        assert_eq!(verdict(1e-2, 1e-2), Verdict::Inconclusive(Doubt::NoLimit));
        assert_eq!(verdict(-2.0, 1e-2), Verdict::Failed);
        assert_eq!(verdict(1e9, 0.5), Verdict::Inconclusive(Doubt::NoLimit));
        assert_eq!(verdict(f64::NAN, 1e-2), Verdict::Failed);
    }

    #[test]
    fn nothing_is_no_error() {
        assert_eq!(Finding::new(0.0, 0.0, 0.0, 0.0).verdict(1e-7), Verdict::Ok);
        assert_eq!(Finding::new(1e-30, 0.0, 0.0, 0.0).verdict(1e-7), Verdict::Failed);
        let nowhere = Finding::doubtful(Doubt::NotFinite);
        assert_eq!(nowhere.verdict(1e-7), Verdict::Inconclusive(Doubt::NotFinite));
    }
}
