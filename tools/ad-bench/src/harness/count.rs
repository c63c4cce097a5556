//! Instructions and bytes: what a call costs, the same on every run whatever else a machine does.
//!
//! Instructions are those of Valgrind's callgrind, in code for processors with AVX2 and FMA
//! (x86-64-v3), of a call of an entry from Python; some hundred of them pass the arguments. Bytes
//! are the most that arguments and compiled code held at once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::measure;
use super::problem::{Problem, Size};
use super::tool::Builder;
use super::worker::{Setting, Worker};
use crate::driver::Job;

/// What [`Builder::cpu`] must be.
pub const CPU: &str = "x86-64-v3";
/// How much a count may grow before it is an error: other versions of the C library and of LLVM
/// count differently.
const SLACK: f64 = 1.05;
/// How many instructions a count may grow beside that: versions of Python pass arguments differently.
const PYTHON: u64 = 1_000;

/// What one call of an entry costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Instructions that are executed.
    pub instructions: u64,
    /// The most bytes that are held at once.
    pub bytes: u64,
}

/// The counts of entries, by problem, size and entry.
pub type Counts = BTreeMap<String, Count>;

/// Counts for both entries of a problem at a size, with generated arguments.
pub fn count(
    problem: &Problem,
    size: &Size,
    builder: &Builder,
    python: &Setting,
) -> Result<Counts> {
    let library = builder.program(problem)?;
    let arguments = size.arguments(problem, None)?;
    let job = Job::new(&format!("bench/programs/{}.mlir", problem.program), &arguments)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let paths = measure::write(&arguments, &folder)?;
    let profile = folder.path().join("profile");
    let mut setting = python.clone();
    setting.under = ["valgrind", "--tool=callgrind", "-q"].map(OsString::from).to_vec();
    // How Python calls functions of libraries; each call makes a profile.
    setting.under.push("--toggle-collect=ffi_call".into());
    setting.under.push("--dump-after=ffi_call".into());
    setting.under.push(format!("--callgrind-out-file={}", profile.display()).into());
    let mut worker = Worker::start(&setting, &library).context("under valgrind")?;
    worker.load(&paths, &problem.entries())?;
    let mut counts = Counts::new();
    for entry in problem.entries() {
        let next = next(&profile)?;
        worker.run(&entry, 1)?;
        let instructions = total(&next)?;
        ensure!(instructions > 0, "no instructions were counted");
        let bytes = job.time(entry.name, 1)?.1.peak_bytes;
        let name = format!("{} {} {}", problem.name, size.name, entry.name);
        counts.insert(name, Count { instructions, bytes });
    }
    Ok(counts)
}

/// The first of the profiles `PROFILE.1`, `PROFILE.2`, ... that is not there yet.
fn next(profile: &Path) -> Result<PathBuf> {
    let numbered = |number: u32| PathBuf::from(format!("{}.{number}", profile.display()));
    (1..).map(numbered).find(|next| !next.exists()).context("too many profiles")
}

/// The sum of a profile.
fn total(profile: &Path) -> Result<u64> {
    let text = fs::read_to_string(profile).context("valgrind wrote no profile")?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    total.and_then(|line| line.trim().parse().ok()).context("a profile without sum")
}

/// Where counts are above those of a file, line by line; counts that the file lacks are, too.
pub fn compare(counts: &Counts, known: &Counts) -> String {
    let mut report = String::new();
    for (name, count) in counts {
        let Some(before) = known.get(name) else {
            let _ = writeln!(report, "{name}: not known");
            continue;
        };
        for (what, now, before, more) in [
            ("instructions", count.instructions, before.instructions, PYTHON),
            ("bytes", count.bytes, before.bytes, 0),
        ] {
            if now as f64 > before as f64 * SLACK + more as f64 {
                let _ = writeln!(report, "{name}: {now} {what}, not {before}");
            }
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_before_is_reported() {
        let counts = |instructions, bytes| {
            Counts::from([("a n1 objective".to_owned(), Count { instructions, bytes })])
        };
        let known = counts(1_000_000, 100);
        assert_eq!(compare(&counts(1_050_999, 90), &known), "");
        assert_eq!(
            compare(&counts(1_051_001, 90), &known),
            "a n1 objective: 1051001 instructions, not 1000000\n"
        );
        assert_eq!(compare(&counts(900_000, 106), &known), "a n1 objective: 106 bytes, not 100\n");
        assert_eq!(compare(&known, &Counts::new()), "a n1 objective: not known\n");
    }
}
