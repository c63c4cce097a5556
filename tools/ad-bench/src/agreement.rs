//! What loops and kernels of a program have to agree on, in double and in single precision.

use anyhow::{Context, Result, ensure};

use crate::array::Array;
use crate::driver::Job;

/// How far kernels in double precision may be from what is expected, relative to the largest number of an array.
const DOUBLE: f64 = 1e-12;

/// The same in single precision, where sums are in another order.
pub const SINGLE: f64 = 1e-5;

/// A program as it is, and in single precision.
pub struct Programs {
    /// As it is.
    pub double: Job,
    single: Job,
}

impl Programs {
    /// A program of double precision, relative to the source tree, with its arguments.
    pub fn new(program: &str, arguments: &[Array]) -> Result<Self> {
        let single = Job::in_f32(program, arguments)?;
        Ok(Self { double: Job::new(program, arguments)?, single })
    }

    /// The same for so many calls, whose arguments follow each other.
    #[must_use]
    pub fn with_calls(self, calls: usize) -> Self {
        let Self { double, single } = self;
        Self { double: double.with_calls(calls), single: single.with_calls(calls) }
    }

    /// Kernels give what loops give.
    pub fn agree(&self, entry: &str) -> Result<()> {
        self.agree_in_f64(entry)?;
        self.agree_in_f32(entry)
    }

    /// Kernels give what loops give, in double precision.
    pub fn agree_in_f64(&self, entry: &str) -> Result<()> {
        self.agree_with(entry, &to_f64(&self.double.run(entry)?))
    }

    /// Kernels give what is expected, in double precision.
    pub fn agree_with<E: AsRef<[f64]>>(&self, entry: &str, expected: &[E]) -> Result<()> {
        for (device, results) in self.double.kernels(entry)? {
            compare(&results, &format!("{entry} by {device}"), expected)?;
        }
        Ok(())
    }

    /// Kernels give what loops give, in single precision.
    pub fn agree_in_f32(&self, entry: &str) -> Result<()> {
        agree_in_f32(&self.single, entry, SINGLE)
    }
}

/// Kernels of a program of single precision give what its loops give.
pub fn agree_in_f32(job: &Job, entry: &str, tolerance: f64) -> Result<()> {
    let expected = to_f64(&job.run(entry)?);
    for (device, results) in job.kernels(entry)? {
        compare_to(&results, &format!("{entry} in f32 by {device}"), &expected, tolerance)?;
    }
    Ok(())
}

fn to_f64(arrays: &[Array]) -> Vec<Vec<f64>> {
    arrays.iter().map(|array| array.to_f64().into_owned()).collect()
}

/// Compares arrays of double precision; what is not finite must be the same.
pub fn compare<E: AsRef<[f64]>>(results: &[Array], entry: &str, expected: &[E]) -> Result<()> {
    for array in results {
        array.numbers().with_context(|| entry.to_owned())?;
    }
    compare_to(results, entry, expected, DOUBLE)
}

fn compare_to<E: AsRef<[f64]>>(
    results: &[Array],
    entry: &str,
    expected: &[E],
    tolerance: f64,
) -> Result<()> {
    ensure!(results.len() == expected.len(), "{entry} gave {} results", results.len());
    for (position, (found, expected)) in results.iter().zip(expected).enumerate() {
        let (found, expected) = (found.to_f64(), expected.as_ref());
        compare_numbers(&found, expected, tolerance)
            .with_context(|| format!("{entry}, result {position}"))?;
    }
    Ok(())
}

fn compare_numbers(found: &[f64], expected: &[f64], tolerance: f64) -> Result<()> {
    ensure!(found.len() == expected.len(), "{} elements, not {}", found.len(), expected.len());
    let finite = expected.iter().filter(|e| e.is_finite());
    let largest = finite.fold(f64::MIN_POSITIVE, |a, b| a.max(b.abs()));
    for (f, e) in found.iter().zip(expected) {
        let is_same = f == e || f.is_nan() && e.is_nan();
        ensure!(is_same || (f - e).abs() <= tolerance * largest, "{f}, not {e}");
    }
    Ok(())
}
