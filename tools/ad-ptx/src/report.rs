//! What kernels did, as JSON, where `AD_PTX_REPORT` says.

use std::{collections::BTreeMap, fmt::Write, path::PathBuf};

use crate::{launch::Outcome, program::CLASSES};

/// What one kernel did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// How often it was launched.
    pub launches: u64,
    /// Threads of all launches.
    pub threads: u64,
    /// Instructions by class.
    pub counts: [u64; CLASSES.len()],
    /// Launches that failed.
    pub failures: u64,
}

/// All kernels, by name.
#[derive(Default)]
pub struct Report {
    /// Where it is written.
    path: Option<PathBuf>,
    entries: BTreeMap<String, Entry>,
    is_new: bool,
}

impl Report {
    /// A report that is written to a file, or nowhere.
    pub fn new(path: Option<PathBuf>) -> Self {
        Self { path, ..Self::default() }
    }

    /// Notes a launch.
    pub fn add(&mut self, kernel: &str, threads: u64, outcome: &Outcome) {
        let entry = self.entries.entry(kernel.to_owned()).or_default();
        entry.launches += 1;
        entry.threads += threads;
        entry.failures += u64::from(outcome.failed.is_some());
        for (sum, count) in entry.counts.iter_mut().zip(outcome.counts) {
            *sum += count;
        }
        self.is_new = true;
    }

    /// What a kernel did.
    pub fn entry(&self, kernel: &str) -> Option<&Entry> {
        self.entries.get(kernel)
    }

    /// Writes the file, if there is anything new.
    pub fn write(&mut self) {
        let Some(path) = self.path.as_ref().filter(|_| self.is_new) else { return };
        self.is_new = false;
        if let Err(error) = std::fs::write(path, self.json()) {
            eprintln!("ad-ptx: {}: {error}", path.display());
        }
    }

    /// One line for each kernel. Names of kernels have no characters that JSON does not take.
    pub fn json(&self) -> String {
        let mut text = String::from("{\n");
        for (number, (name, entry)) in self.entries.iter().enumerate() {
            let comma = if number == 0 { "" } else { ",\n" };
            let Entry { launches, threads, failures, .. } = entry;
            let _ = write!(
                text,
                "{comma}  \"{name}\": {{\"launches\": {launches}, \"threads\": {threads}, \"failures\": {failures}"
            );
            for (class, count) in CLASSES.iter().zip(entry.counts) {
                let _ = write!(text, ", \"{class}\": {count}");
            }
            text.push('}');
        }
        text.push_str("\n}\n");
        text
    }
}
