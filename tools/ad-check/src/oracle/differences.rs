//! A derivative along a line beside difference quotients, result by result.
//!
//! Central differences have an error in even powers of the step, so halving the step and extrapolating (Richardson, as
//! organised by Ridders) gains two orders per level. The slopes to either side have an error in all powers and are
//! extrapolated too: where their limits differ there is a kink, and where they differ at each step only there is curvature.
//!
//! Every result is judged by itself, at its own scale. That an extrapolation has converged can be an accident, where one
//! of its terms vanishes or rounding repeats. A jvp agrees if any limit that seems to have converged is the same, because
//! an accident is not where the jvp is; it takes a limit whose error was estimated from all smaller steps too to refute it.

use super::finding::{Doubt, Finding, Verdict};
use crate::numbers::largest;

/// A program along a line: from a step to outputs.
pub type Line<'f> = dyn FnMut(f64) -> Result<Vec<f64>, String> + 'f;

/// The largest step where all that moves is about as large as the direction.
pub const FIRST_STEP: f64 = 1.0 / 128.0;
const LEVELS: usize = 16;
/// A share of the tolerance that is good enough to stop early.
const ENOUGH: f64 = 0.1;
/// Extrapolation multiplies errors of one-sided slopes by at most so much, the product of (2^k + 1) / (2^k - 1).
const AMPLIFIED: f64 = 8.3;
/// The slopes to either side differ if they do so by more than so many times their errors.
const KINK_ERRORS: f64 = 10.0;
/// What changes by less than this share as the step is quartered does not vanish with the step.
const JUMP: f64 = 0.1;
/// Over steps of the last levels, what has no first two powers is rounding.
const TINY: usize = LEVELS - 3;
/// A derivative may be off by so much of what it is computed from, which is what rounding leaves of zero.
const ROUNDED: f64 = 1e-12;

/// Outputs at both ends of a step.
struct Sample {
    step: f64,
    before: Vec<f64>,
    after: Vec<f64>,
}

/// A jvp to judge.
pub struct Judge<'a> {
    /// The outputs of the program at the inputs.
    pub centre: &'a [f64],
    /// What should be their derivatives along a line.
    pub jvp: &'a [f64],
    /// The magnitude of the largest number that is known of the program.
    pub size: f64,
    /// By how much steps are off by the rounding of what moves, in units of the line.
    pub lost: f64,
    /// How far the jvp may be off, relative to the derivative.
    pub tolerance: f64,
}

impl Judge<'_> {
    /// What differences along the line say, by steps of `first_step` and less.
    ///
    /// Fails where the program does, and where it has another number of outputs at all steps.
    pub fn compare(&self, f: &mut Line, first_step: f64) -> Result<Vec<Finding>, String> {
        let count = self.centre.len();
        let mut findings = vec![Finding::doubtful(Doubt::NoLimit); count];
        let mut samples: Vec<Sample> = Vec::new();
        let mut step = first_step;
        let floor = ROUNDED * FIRST_STEP / first_step / self.tolerance;
        for _ in 0..LEVELS {
            let sample = Sample { step, before: f(-step)?, after: f(step)? };
            step /= 2.0;
            if sample.before.len() != count || sample.after.len() != count {
                samples.clear();
                continue;
            }
            samples.push(sample);
            let mut settled = samples.len() > 1;
            for (i, finding) in findings.iter_mut().enumerate() {
                if !is_settled(finding, self.tolerance) {
                    *finding = Output::new(self, i, &samples, floor).examine();
                    settled &= is_settled(finding, self.tolerance);
                }
            }
            if settled {
                break;
            }
        }
        if samples.len() < 2 {
            return Err("the number of results depends on the inputs".into());
        }
        Ok(findings)
    }
}

/// Smaller steps would not tell more.
fn is_settled(finding: &Finding, tolerance: f64) -> bool {
    !finding.kink && finding.off.max(finding.error) <= ENOUGH * tolerance * finding.scale
}

/// One output, and what its derivative should be.
struct Output<'a> {
    centre: f64,
    jvp: f64,
    tolerance: f64,
    samples: &'a [Sample],
    /// Which one it is in the samples.
    index: usize,
    /// By how much the output is off by rounding, also that of the steps.
    noise: f64,
    /// The same without what shows on the way to the output: what jumps looks like rounding, too.
    least: f64,
    /// A derivative that is smaller is what rounding leaves of zero.
    floor: f64,
}

/// By how much output `i` is off, over three steps so small that neither curvature nor a kink show.
fn rounding(steps: &[Sample], i: usize, centre: f64) -> f64 {
    let bends = steps.iter().map(|s| (s.after[i] - centre) - (centre - s.before[i]));
    // These weights leave nothing of the step and its square.
    let rest: f64 = bends.zip([1.0, -6.0, 8.0]).map(|(bend, weight)| weight * bend).sum();
    if rest.is_finite() { rest.abs() / 8.0 } else { 0.0 }
}

/// Where slopes lead as steps shrink.
struct Limit {
    value: f64,
    /// An estimate, infinite where there is no limit.
    error: f64,
    /// The limit that agrees with the jvp, and its error, if one does.
    agreeing: Option<(f64, f64)>,
    /// All slopes are numbers.
    finite: bool,
}

/// The most accurate extrapolation of one order.
struct Candidate {
    value: f64,
    error: f64,
    /// The share that its rounding has in that of the last step.
    weight: f64,
}

impl Candidate {
    /// Compares with the extrapolation over the next step. Where that is off by rounding, this one was by half as much.
    fn refine(&mut self, value: f64, error: f64) {
        self.weight /= 2.0;
        self.error = self.error.max(error * self.weight);
        if error < self.error {
            *self = Candidate { value, error, weight: 1.0 };
        }
    }
}

impl<'a> Output<'a> {
    fn new(judge: &Judge, index: usize, samples: &'a [Sample], floor: f64) -> Output<'a> {
        let (centre, jvp) = (judge.centre[index], judge.jvp[index]);
        let tiny = samples.windows(3).skip(TINY - 2);
        let magnified = tiny.map(|steps| rounding(steps, index, centre)).fold(0.0, f64::max);
        let noise = magnified.max(f64::EPSILON * centre.abs());
        let floor = floor * (noise / f64::EPSILON).min(judge.size);
        let lost = if jvp.is_finite() { judge.lost * jvp.abs() } else { 0.0 };
        let least = lost.max(f64::EPSILON * centre.abs());
        let noise = noise.max(lost);
        Output { centre, jvp, tolerance: judge.tolerance, samples, index, noise, least, floor }
    }

    /// What the samples say.
    fn examine(&self) -> Finding {
        if !self.centre.is_finite() {
            return Finding::doubtful(Doubt::NotFinite);
        }
        if let Some(finding) = self.beside_a_jump() {
            return finding;
        }
        let (i, samples, noise) = (self.index, self.samples, self.noise);
        let slope = |from: f64, to: f64, step: f64| (step, (to - from) / step);
        let central = samples.iter().map(|s| slope(s.before[i], s.after[i], 2.0 * s.step));
        let before = samples.iter().map(|s| slope(s.before[i], self.centre, s.step));
        let after = samples.iter().map(|s| slope(self.centre, s.after[i], s.step));
        let central = self.limit(central, 4.0, 2.0 * noise);
        let before = self.limit(before, 2.0, AMPLIFIED * noise);
        let after = self.limit(after, 2.0, AMPLIFIED * noise);

        let error = before.error + after.error;
        let scale = self.scale(largest(&[before.value, after.value]));
        let gap = (before.value - after.value).abs();
        let kink = gap > KINK_ERRORS * error + self.tolerance * scale;
        // There may be a kink so near that only the last steps do not reach it.
        if kink && (central.agreeing.is_none() || error <= self.tolerance * scale) {
            let (low, high) = (before.value.min(after.value), before.value.max(after.value));
            return Finding::new(self.jvp, self.jvp.clamp(low, high), error, scale).at_kink();
        }
        let mean = (before.value + after.value) / 2.0;
        let (value, error) = match central.agreeing {
            Some(agreeing) => agreeing,
            None if central.error <= error => (central.value, central.error),
            None => (mean, error),
        };
        match error.is_finite() {
            true => Finding::new(self.jvp, value, error, self.floor),
            false if central.finite => Finding::doubtful(Doubt::NoLimit),
            false => Finding::doubtful(Doubt::NotFiniteBeside),
        }
    }

    /// Where the output jumps to one side of the point, its slope is that to the other side.
    fn beside_a_jump(&self) -> Option<Finding> {
        let sides = [-1.0, 1.0].map(|sign| {
            let at =
                |s: &Sample| if sign < 0.0 { s.before[self.index] } else { s.after[self.index] };
            let steps: Vec<_> =
                self.samples.iter().map(|s| (s.step, at(s) - self.centre)).collect();
            (sign, steps)
        });
        let [before, after] = sides.each_ref().map(|(_, steps)| self.jumps(steps));
        if before == after {
            return None;
        }
        let (sign, steps) = &sides[usize::from(before)];
        let slopes = steps.iter().map(|(step, change)| (*step, sign * change / step));
        let limit = self.limit(slopes, 2.0, AMPLIFIED * self.least);
        let found = Finding::new(self.jvp, limit.value, limit.error, self.floor).at_kink();
        let agrees = found.verdict(self.tolerance) == Verdict::Ok;
        Some(if agrees { found } else { Finding::doubtful(Doubt::NoLimit) })
    }

    /// Whether changes to one side of the point do not vanish with the step: over three of them, each half of the one
    /// before, even those at a cusp do.
    fn jumps(&self, changes: &[(f64, f64)]) -> bool {
        let [.., (_, far), _, (_, near)] = changes else { return false };
        near.is_finite()
            && near.abs() > KINK_ERRORS * self.least
            && (far - near).abs() <= JUMP * near.abs()
    }

    /// What errors of a derivative are relative to.
    fn scale(&self, derivative: f64) -> f64 {
        derivative.abs().max(self.floor)
    }

    /// The limit of slopes over steps each half of the one before.
    ///
    /// By `base` the first power of the step in the error falls from one to the next, and `noise` is the error of a slope
    /// times its step.
    fn limit(&self, slopes: impl Iterator<Item = (f64, f64)>, base: f64, noise: f64) -> Limit {
        let mut limit = Limit { value: 0.0, error: f64::INFINITY, agreeing: None, finite: true };
        let mut row: Vec<f64> = Vec::with_capacity(LEVELS);
        let mut best: Vec<Candidate> = Vec::with_capacity(LEVELS);
        let mut closest = self.tolerance;
        for (step, slope) in slopes {
            if !slope.is_finite() {
                row.clear();
                limit.finite = false;
                continue;
            }
            let (mut fine, mut power) = (slope, 1.0);
            for (order, coarse) in row.iter_mut().enumerate() {
                power *= base;
                let value = (power * fine - *coarse) / (power - 1.0);
                let error = (value - fine).abs().max((value - *coarse).abs()).max(noise / step);
                *coarse = fine;
                fine = value;
                let apart = error.max((self.jvp - value).abs()) / self.scale(value);
                if apart <= closest {
                    closest = apart;
                    limit.agreeing = Some((value, error));
                }
                match best.get_mut(order) {
                    Some(best) => best.refine(value, error),
                    None => best.push(Candidate { value, error, weight: 1.0 }),
                }
            }
            row.push(fine);
        }
        for candidate in best.iter().filter(|candidate| candidate.error.is_finite()) {
            if candidate.error < limit.error {
                (limit.value, limit.error) = (candidate.value, candidate.error);
            }
        }
        limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: f64 = 1e-7;

    /// What is found at `x` with steps of the size of `stride` about the slope `jvp` over it.
    fn along(x: f64, stride: f64, f: impl Fn(f64) -> f64, jvp: f64) -> Finding {
        let mut line = |h| Ok(vec![f(x + h * stride)]);
        let centre = line(0.0).unwrap();
        let judge = Judge {
            centre: &centre,
            jvp: &[jvp],
            size: 1e3,
            lost: f64::EPSILON,
            tolerance: TOLERANCE,
        };
        judge.compare(&mut line, FIRST_STEP).unwrap()[0]
    }

    fn at(x: f64, f: impl Fn(f64) -> f64, jvp: f64) -> Finding {
        along(x, 1.0, f, jvp)
    }

    fn verdict(finding: &Finding) -> Verdict {
        finding.verdict(TOLERANCE)
    }

    #[test]
    fn smooth_functions_reach_nine_digits() {
        for (x, f, jvp) in [
            (0.7, f64::sin as fn(f64) -> f64, 0.7f64.cos()),
            (1.5, f64::exp, 1.5f64.exp()),
            (0.05, f64::ln, 20.0),
            (3.0, |x| x * x * x, 27.0),
            (2.0, |_| 5.0, 0.0),
        ] {
            let got = at(x, f, jvp);
            assert!(got.distance() <= 1e-9 && got.accuracy() <= 1e-8 && !got.kink, "{got:?}");
            for wrong in [jvp * (1.0 + 1e-6) + 1e-9, 1.01 * jvp + 1e-9, -jvp - 1e-9, f64::NAN] {
                let got = at(x, f, wrong);
                assert_eq!(verdict(&got), Verdict::Failed, "{x} {wrong}: {got:?}");
            }
        }
    }

    #[test]
    fn every_result_has_its_own_scale() {
        let f = |h: f64| Ok(vec![1e12 * (1.0 + h).sin(), 1e-12 * (1.0 + h).sin()]);
        let centre = f(0.0).unwrap();
        let found = |error: f64| {
            let jvp = [1e12 * 1f64.cos(), (1.0 + error) * 1e-12 * 1f64.cos()];
            let judge = Judge {
                centre: &centre,
                jvp: &jvp,
                size: 1e12,
                lost: f64::EPSILON,
                tolerance: TOLERANCE,
            };
            let found = judge.compare(&mut { f }, FIRST_STEP).unwrap();
            [verdict(&found[0]), verdict(&found[1])]
        };
        assert_eq!(found(0.0), [Verdict::Ok, Verdict::Ok]);
        assert_eq!(found(0.01), [Verdict::Ok, Verdict::Failed]);
    }

    #[test]
    fn rounding_of_a_large_value_is_part_of_the_error() {
        // The derivative is a hundred millionth of the value.
        let f = |x: f64| 1.0 + 1e-8 * x * x * x;
        assert_eq!(verdict(&at(0.5, f, 0.75e-8)), Verdict::Ok);
        assert_eq!(verdict(&at(0.5, f, 0.76e-8)), Verdict::Failed);
    }

    #[test]
    fn rounding_on_the_way_is_part_of_the_error() {
        // What is added and taken away again leaves errors much larger than those of the value.
        for large in [1e3, 1e6, 1e8] {
            let f = |x: f64| ((large + x.sin()) - large) / large;
            let got = at(0.5, f, 0.5f64.cos() / large);
            assert_ne!(verdict(&got), Verdict::Failed, "{got:?}");
            assert!(got.error > 1e-14 / large, "{got:?}");
        }
    }

    #[test]
    fn a_kink_is_seen() {
        for jvp in [-1.0, 0.0, 0.3, 1.0] {
            let got = at(0.0, f64::abs, jvp);
            assert!(got.kink && verdict(&got) == Verdict::Ok, "{got:?}");
        }
        for jvp in [-1.01, 1.00001, 2.0, f64::NAN] {
            assert_eq!(verdict(&at(0.0, f64::abs, jvp)), Verdict::Failed);
        }
    }

    #[test]
    fn a_kink_between_curves_has_the_slopes_of_both() {
        let f = |x: f64| if x > 0.0 { x.exp() } else { 1.0 - (3.0 * x).sin() };
        for (jvp, want) in [(-3.0, Verdict::Ok), (1.0, Verdict::Ok), (1.001, Verdict::Failed)] {
            let got = at(0.0, f, jvp);
            assert!(got.kink && verdict(&got) == want, "{got:?}");
        }
    }

    #[test]
    fn cancellation_is_no_kink() {
        let got = at(0.3, |x| (1e6 + x.sin()) + 1e6 - 1e6, 0.3f64.cos());
        assert!(!got.kink && verdict(&got) == Verdict::Ok, "{got:?}");
    }

    #[test]
    fn curvature_is_no_kink() {
        for x in [1e-30f64, 1e-9, 1e-6, 1e-4, 1e-3] {
            for (f, slope) in [
                (f64::ln as fn(f64) -> f64, 1.0 / x),
                (f64::sqrt, 0.5 / x.sqrt()),
                (|x| 1.0 / x, -1.0 / (x * x)),
                (|x| (1e4 * x).tanh(), 1e4 / (1e4 * x).cosh().powi(2)),
            ] {
                let got = at(x, f, slope);
                assert!(!got.kink && verdict(&got) != Verdict::Failed, "{x}: {got:?}");
                assert_ne!(verdict(&at(x, f, 1.01 * slope)), Verdict::Ok, "{x}");
            }
        }
    }

    #[test]
    fn a_second_derivative_that_jumps_is_no_kink() {
        let got = at(0.0, |x| x.sin() + x * x.abs(), 1.0);
        assert!(!got.kink && got.accuracy() < 1e-7 && verdict(&got) == Verdict::Ok, "{got:?}");
    }

    #[test]
    fn a_kink_beside_the_point_does_not_matter() {
        for x in [1e-2, 1e-3, 1e-5, 1e-7, 1e-9] {
            let got = at(x, f64::abs, 1.0);
            assert_eq!(verdict(&got), Verdict::Ok, "{x}: {got:?}");
        }
        // Among the smallest steps it looks like noise.
        assert_ne!(verdict(&at(1e-6, f64::abs, 1.0)), Verdict::Failed);
        assert_eq!(verdict(&at(0.001, f64::abs, 0.99)), Verdict::Failed);
    }

    #[test]
    fn steps_of_the_size_of_a_number_see_what_it_does() {
        for x in [1e-300f64, 1e-30, 1e-9, 1e30] {
            // Slopes are for steps of the size of x.
            for (f, slope) in [
                (f64::ln as fn(f64) -> f64, 1.0),
                (f64::sqrt, 0.5 * x.sqrt()),
                (|x| 3.0 / x, -3.0 / x),
                (f64::abs, x),
            ] {
                let found = |jvp| verdict(&along(x, x, f, jvp));
                assert_eq!(found(slope), Verdict::Ok, "{x}");
                let wrong = [1.01 * slope, 0.999_999 * slope, 0.0, -slope];
                assert!(wrong.iter().all(|&jvp| found(jvp) == Verdict::Failed), "{x}");
            }
        }
    }

    #[test]
    fn nothing_is_said_where_there_is_no_limit() {
        for (x, f, doubt) in [
            (0.0, f64::ln as fn(f64) -> f64, Doubt::NotFinite),
            (f64::NAN, |x| x, Doubt::NotFinite),
            (f64::INFINITY, |x| x, Doubt::NotFinite),
            (0.0, f64::sqrt, Doubt::NotFiniteBeside),
            (1e-12, f64::ln, Doubt::NotFiniteBeside),
            (0.0, f64::cbrt, Doubt::NoLimit),
        ] {
            for jvp in [0.0, 1.0, f64::INFINITY] {
                let got = at(x, f, jvp);
                assert_eq!(verdict(&got), Verdict::Inconclusive(doubt), "{x} {jvp}: {got:?}");
            }
        }
    }

    #[test]
    fn a_jump_has_the_slope_of_the_side_that_the_point_is_on() {
        let slopes = |x, f: fn(f64) -> f64, slope: f64| {
            let found = |jvp: f64| verdict(&at(x, f, jvp));
            assert_eq!(found(slope), Verdict::Ok, "{x}");
            for wrong in [slope + 0.5, slope - 0.5, f64::NAN] {
                assert_eq!(found(wrong), Verdict::Inconclusive(Doubt::NoLimit), "{x}");
            }
        };
        for x in [2.0, 0.0, -709.0, 1e5] {
            slopes(x, f64::floor, 0.0);
            slopes(x, f64::ceil, 0.0);
        }
        slopes(2.0, |x| x.sin() + x.floor(), 2f64.cos());
    }

    #[test]
    fn what_rounding_leaves_of_zero_is_zero() {
        // Along x the two terms cancel but for rounding.
        let f = |x: f64| 0.9 / x - x * (0.9 / (x * x));
        assert_eq!(verdict(&at(0.7, f, 1e-15)), Verdict::Ok);
        assert_eq!(verdict(&at(0.7, f, 1e-9)), Verdict::Failed);
    }

    #[test]
    fn another_number_of_results_beside_the_point_does_not_matter() {
        let found = |centre: f64, jvp: f64, f: &mut Line| {
            let judge = Judge {
                centre: &[centre],
                jvp: &[jvp],
                size: 1.0,
                lost: f64::EPSILON,
                tolerance: TOLERANCE,
            };
            judge.compare(f, FIRST_STEP)
        };
        let mut sine = |h: f64| Ok(vec![(0.5 + h).sin(); if h > 0.002 { 3 } else { 1 }]);
        let (sin, cos) = 0.5f64.sin_cos();
        assert_eq!(verdict(&found(sin, cos, &mut sine).unwrap()[0]), Verdict::Ok);
        assert_eq!(verdict(&found(sin, sin, &mut sine).unwrap()[0]), Verdict::Failed);
        let mut other = |h: f64| Ok(vec![1.0; if h > 0.0 { 3 } else { 1 }]);
        assert!(found(1.0, 0.0, &mut other).is_err());
    }
}
