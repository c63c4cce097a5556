//! Runs a problem at one size with every tool: compares results, then takes times.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::compare;
use super::problem::{Entry, Problem};
use super::tool::{Binary, Tool};
use super::worker::{Setting, Worker};
use crate::array::Array;

/// Seconds that the runs of an entry take, at least, if their number is not given.
const ENOUGH: f64 = 0.5;
/// Runs of an entry, at least, if their number is not given.
const FEWEST: usize = 5;
/// Runs of an entry, at most: where a run takes microseconds.
const MOST: usize = 10_000;
/// Seconds that a tool has before it is another's turn.
const TURN: f64 = 0.02;

/// The runs of one entry of one tool, in seconds.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    seconds: Vec<f64>,
    /// The memory that one run took beside its arguments, if known.
    pub peak_bytes: Option<u64>,
}

impl Runs {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.seconds.len()
    }

    /// The middle one, or the mean of the two in the middle.
    #[must_use]
    pub fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted.get(sorted.len() / 2) {
            None => f64::NAN,
            Some(&upper) if sorted.len() % 2 == 1 => upper,
            Some(&upper) => {
                let lower = sorted.get(sorted.len() / 2 - 1).copied().unwrap_or(upper);
                f64::midpoint(lower, upper)
            }
        }
    }

    /// The shortest one.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::NAN, f64::min)
    }

    /// How many runs are to follow, if `wanted` is the number, or there is no number.
    fn next(&self, wanted: Option<usize>) -> usize {
        let done = self.seconds.len();
        if let Some(wanted) = wanted {
            return wanted.saturating_sub(done).min(1);
        }
        let total: f64 = self.seconds.iter().sum();
        if done >= MOST || (done >= FEWEST && total >= ENOUGH) {
            return 0;
        }
        let turn = if done == 0 { 1.0 } else { TURN * done as f64 / total.max(1e-9) };
        (turn as usize).clamp(1, MOST - done)
    }
}

/// The runs of a tool: of the objective and of the derivative.
pub type Pair = [Runs; 2];

/// What was measured at one size.
pub type Measured = BTreeMap<Tool, Pair>;

/// A tool at work.
struct Contestant {
    tool: Tool,
    worker: Worker,
    pair: Pair,
}

/// What a measurement came to.
pub struct Outcome {
    /// Times, if all tools agreed.
    pub measured: Option<Measured>,
    /// What is wrong, line by line.
    pub errors: Vec<String>,
    /// Names and versions of what the workers ran on.
    pub versions: BTreeMap<String, String>,
}

/// Measures a problem at one size: `binaries` begin with ours. A peer that fails is reported and left
/// out; results that differ are reported and nothing is timed.
pub fn measure(
    problem: &Problem,
    arguments: &[Array],
    binaries: &[(Tool, Binary)],
    setting: &Setting,
    runs: Option<usize>,
) -> Result<Outcome> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let paths = write(arguments, &folder)?;
    let mut outcome = Outcome { measured: None, errors: Vec::new(), versions: BTreeMap::new() };
    let mut contestants: Vec<Contestant> = Vec::new();
    let mut reference: Option<[Vec<Array>; 2]> = None;
    let mut agree = true;
    for (tool, binary) in binaries {
        let (contestant, results) = match prepare(*tool, binary, problem, &paths, setting, &folder)
        {
            Ok(prepared) => prepared,
            Err(error) => {
                outcome.errors.push(format!("{}: {error:#}", tool.name()));
                continue;
            }
        };
        outcome.versions.extend(contestant.worker.versions.clone());
        contestants.push(contestant);
        let Some(expected) = &reference else {
            reference = Some(results);
            continue;
        };
        let first = contestants.first().map_or("", |first| first.tool.name());
        for ((entry, left), right) in problem.entries().iter().zip(expected).zip(&results) {
            if let Some(difference) = differ(entry, left, right) {
                agree = false;
                outcome.errors.push(format!(
                    "{}: {} and {first} disagree: {difference}",
                    entry.name,
                    tool.name()
                ));
            }
        }
    }
    if agree && !contestants.is_empty() {
        match race(&mut contestants, problem, runs) {
            Ok(()) => {
                let pairs = contestants.into_iter().map(|c| (c.tool, c.pair));
                outcome.measured = Some(pairs.collect());
            }
            Err(error) => outcome.errors.push(format!("{error:#}")),
        }
    }
    Ok(outcome)
}

/// Writes arguments to files of a folder.
pub(super) fn write(arguments: &[Array], folder: &TempDir) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for (position, array) in arguments.iter().enumerate() {
        let path = folder.path().join(format!("argument{position}.npy"));
        array.write(&path)?;
        paths.push(path);
    }
    Ok(paths)
}

/// Starts a tool and takes the results of both entries.
fn prepare(
    tool: Tool,
    binary: &Binary,
    problem: &Problem,
    paths: &[PathBuf],
    setting: &Setting,
    folder: &TempDir,
) -> Result<(Contestant, [Vec<Array>; 2])> {
    let mut worker = Worker::start(setting, binary)?;
    worker.load(paths, &problem.entries())?;
    let (mut pair, mut results) = (Pair::default(), [Vec::new(), Vec::new()]);
    for ((entry, runs), arrays) in problem.entries().iter().zip(&mut pair).zip(&mut results) {
        let to = folder.path().join("results");
        (*arrays, runs.peak_bytes) = worker.results(entry, &to).context(entry.name)?;
    }
    Ok((Contestant { tool, worker, pair }, results))
}

/// What is wrong between the results of two tools.
fn differ(entry: &Entry, left: &[Array], right: &[Array]) -> Option<String> {
    match compare::deviation(entry, left, right) {
        Err(error) => Some(error.to_string()),
        Ok(deviation) => {
            let tolerance = entry.element.tolerance();
            (deviation.size > tolerance).then(|| format!("{deviation} (tolerance {tolerance:.0e})"))
        }
    }
}

/// Takes times, turn by turn, so that what else the machine does meets all tools alike. Each round begins with another
/// tool, for what a tool leaves in the caches is met by the next one.
fn race(contestants: &mut [Contestant], problem: &Problem, runs: Option<usize>) -> Result<()> {
    loop {
        let mut idle = true;
        for contestant in &mut *contestants {
            for (entry, taken) in problem.entries().iter().zip(&mut contestant.pair) {
                let count = taken.next(runs);
                if count > 0 {
                    idle = false;
                    let seconds = contestant
                        .worker
                        .run(entry, count)
                        .with_context(|| format!("{}: {}", entry.name, contestant.tool.name()))?;
                    taken.seconds.extend(seconds);
                }
            }
        }
        if idle {
            return Ok(());
        }
        contestants.rotate_left(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(seconds: &[f64]) -> Runs {
        Runs { seconds: seconds.to_vec(), peak_bytes: None }
    }

    #[test]
    fn statistics() {
        assert_eq!(runs(&[3.0, 1.0, 2.0]).median(), 2.0);
        assert_eq!(runs(&[4.0, 1.0, 2.0, 3.0]).median(), 2.5);
        assert_eq!(runs(&[3.0, 1.0, 2.0]).min(), 1.0);
        assert!(runs(&[]).median().is_nan());
    }

    #[test]
    fn enough_runs() {
        assert_eq!(runs(&[]).next(None), 1);
        assert_eq!(runs(&[0.004]).next(None), 5);
        assert_eq!(runs(&[1.0]).next(None), 1);
        assert_eq!(runs(&[1.0; 5]).next(None), 0);
        assert_eq!(runs(&[1e-7; MOST]).next(None), 0);
        assert_eq!(runs(&[1.0; 5]).next(Some(7)), 1);
        assert_eq!(runs(&[1.0; 7]).next(Some(7)), 0);
    }
}
