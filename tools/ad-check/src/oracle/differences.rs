//! Difference quotients along a line, extrapolated to step zero.
//!
//! Central differences have an error in even powers of the step, so halving the step and extrapolating (Richardson, as
//! organised by Ridders) gains two orders per level; the entry with the smallest estimated error is the answer.

use crate::numbers::largest;

/// A derivative along a line.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The derivative of every output.
    pub value: Vec<f64>,
    /// An estimate of the error of `value`, relative to its scale.
    pub error: f64,
    /// The scale that errors are relative to.
    pub scale: f64,
    /// The slopes just before and just after the point, when they differ: the point is a kink.
    pub kink: Option<(Vec<f64>, Vec<f64>)>,
}

const FIRST_STEP: f64 = 1.0 / 128.0;
const LEVELS: usize = 11;
/// Good enough to stop early.
const ENOUGH: f64 = 1e-11;
/// The step of the one-sided slopes, and how far they may differ on a smooth function.
const KINK_STEP: f64 = 1.0 / (1 << 22) as f64;
const KINK_GAP: f64 = 1e-3;
/// How many units in the last place a value may be off by its own rounding.
const ROUNDING: f64 = 256.0;
/// Steps so small that what is not linear about a smooth function is its rounding.
const NOISE_STEPS: [f64; 2] = [1.0 / (1u64 << 36) as f64, 1.5 / (1u64 << 36) as f64];

/// The derivative at 0 of `f`, which maps a step to outputs.
pub fn derivative(
    f: &mut dyn FnMut(f64) -> Result<Vec<f64>, String>,
    centre: &[f64],
) -> Result<Quotient, String> {
    let floor = 1e-5 * largest(centre).min(1e300);
    let noise = noise(f, centre)?;
    let mut best = Quotient { value: vec![], error: f64::INFINITY, scale: floor, kink: None };
    let mut previous: Vec<Vec<f64>> = Vec::new();
    let mut step = FIRST_STEP;
    for _ in 0..LEVELS {
        let Some(quotient) = central(f, step, centre.len())? else {
            previous.clear();
            step /= 2.0;
            continue;
        };
        let row = extrapolated(quotient, &previous);
        let rounding = noise / step;
        for (order, entry) in row.iter().enumerate().skip(1) {
            let scale = largest(entry).max(floor);
            let steps = gap(entry, &row[order - 1]).max(gap(entry, &previous[order - 1]));
            let error = steps.max(rounding) / scale;
            if error < best.error || scale == 0.0 {
                let error = if scale == 0.0 { 0.0 } else { error };
                best = Quotient { value: entry.clone(), error, scale, kink: None };
            }
        }
        previous = row;
        step /= 2.0;
        if best.error < ENOUGH {
            break;
        }
    }
    if previous.len() < 2 {
        return Err("the number of results depends on the inputs".into());
    }
    best.kink = kink(f, centre, best.scale)?;
    Ok(best)
}

/// By how much values are off by rounding: their own, or more if what is computed on the way to
/// them magnifies it.
fn noise(
    f: &mut dyn FnMut(f64) -> Result<Vec<f64>, String>,
    centre: &[f64],
) -> Result<f64, String> {
    let mut noise = f64::EPSILON * largest(centre);
    for step in NOISE_STEPS {
        let (after, before) = (f(step)?, f(-step)?);
        let bends = after.iter().zip(&before).zip(centre).map(|((a, b), c)| (a - c) - (c - b));
        let bend = largest(&bends.collect::<Vec<_>>());
        noise = if bend.is_nan() { noise } else { noise.max(bend) };
    }
    Ok(noise)
}

/// The next row of the tableau from a new difference quotient and the row before.
fn extrapolated(quotient: Vec<f64>, previous: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut row = vec![quotient];
    let mut power = 1.0;
    for coarse in previous {
        power *= 4.0;
        let fine = &row[row.len() - 1];
        row.push(fine.iter().zip(coarse).map(|(f, c)| (power * f - c) / (power - 1.0)).collect());
    }
    row
}

/// A central difference quotient; none where a step leads to another number of results than `count`.
fn central(
    f: &mut dyn FnMut(f64) -> Result<Vec<f64>, String>,
    h: f64,
    count: usize,
) -> Result<Option<Vec<f64>>, String> {
    let (after, before) = (f(h)?, f(-h)?);
    if [&after, &before].iter().any(|moved| moved.len() != count) {
        return Ok(None);
    }
    Ok(Some(after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * h)).collect()))
}

fn gap(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    let gap = largest(&difference);
    if gap.is_nan() { f64::INFINITY } else { gap }
}

/// The slopes from the left and from the right.
type Slopes = (Vec<f64>, Vec<f64>);

/// The two one-sided slopes, if they differ by more than curvature and rounding explain.
fn kink(
    f: &mut dyn FnMut(f64) -> Result<Vec<f64>, String>,
    centre: &[f64],
    scale: f64,
) -> Result<Option<Slopes>, String> {
    let h = KINK_STEP;
    let slope = |moved: Vec<f64>, h: f64| -> Vec<f64> {
        moved.iter().zip(centre).map(|(m, c)| (m - c) / h).collect()
    };
    let (before, after) = (slope(f(-h)?, -h), slope(f(h)?, h));
    let curvature = KINK_GAP * scale.max(largest(&before)).max(largest(&after));
    let rounding = ROUNDING * f64::EPSILON * largest(centre) / h;
    let differ = gap(&before, &after) > curvature + rounding;
    Ok(differ.then_some((before, after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, f: impl Fn(f64) -> f64) -> Quotient {
        let centre = [f(x)];
        derivative(&mut |h| Ok(vec![f(x + h)]), &centre).unwrap()
    }

    #[test]
    fn smooth_functions_reach_nine_digits() {
        for (x, f, want) in [
            (0.7, f64::sin as fn(f64) -> f64, 0.7f64.cos()),
            (1.5, f64::exp, 1.5f64.exp()),
            (0.05, f64::ln, 20.0),
            (3.0, |x| x * x * x, 27.0),
            (2.0, |_| 5.0, 0.0),
        ] {
            let got = at(x, f);
            assert!((got.value[0] - want).abs() <= 1e-9 * want.abs(), "{got:?} {want}");
            assert!(got.kink.is_none());
        }
    }

    #[test]
    fn rounding_of_a_large_value_is_part_of_the_error() {
        // The derivative is a hundred millionth of the value.
        let got = at(0.5, |x| 1.0 + 1e-8 * x * x * x);
        assert!((got.value[0] - 0.75e-8).abs() <= got.error * got.scale, "{got:?}");
    }

    #[test]
    fn rounding_on_the_way_is_part_of_the_error() {
        // What is added and taken away again leaves errors a thousand times those of the value.
        let got = at(0.5, |x| ((1e3 + x.sin()) - 1e3) * 1e-3);
        assert!((got.value[0] - 1e-3 * 0.5f64.cos()).abs() <= got.error * got.scale, "{got:?}");
        assert!(got.error > 1e-11, "{got:?}");
    }

    #[test]
    fn a_kink_is_seen() {
        let got = at(0.0, f64::abs);
        let (before, after) = got.kink.unwrap();
        assert_eq!((before[0], after[0]), (-1.0, 1.0));
    }

    #[test]
    fn cancellation_is_no_kink() {
        assert!(at(0.3, |x| (1e6 + x.sin()) + 1e6 - 1e6).kink.is_none());
    }

    #[test]
    fn another_number_of_results_beside_the_point_does_not_matter() {
        let f = |h: f64| Ok(vec![(0.5 + h).sin(); if h > 0.002 { 3 } else { 1 }]);
        let got = derivative(&mut { f }, &[0.5f64.sin()]).unwrap();
        assert!((got.value[0] - 0.5f64.cos()).abs() < 1e-9, "{got:?}");
        let f = |h: f64| Ok(vec![1.0; if h > 0.0 { 3 } else { 1 }]);
        assert!(derivative(&mut { f }, &[1.0]).is_err());
    }

    #[test]
    fn a_kink_beside_the_point_does_not_matter() {
        let got = at(0.001, f64::abs);
        assert!(got.kink.is_none());
        assert!((got.value[0] - 1.0).abs() < 1e-8);
    }
}
