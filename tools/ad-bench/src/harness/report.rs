//! What was measured, and its machine-readable form.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::measure::{Measured, Pair};
use super::peaks::Peaks;
use super::problem::{Problem, Size};
use super::tool::Tool;
use super::{plot, table};

/// A problem at one size, measured.
pub struct Record {
    /// The problem.
    pub problem: &'static Problem,
    /// The size.
    pub size: &'static Size,
    /// Whether the arguments came from a data file.
    pub from_file: bool,
    /// The times of all tools.
    pub measured: Measured,
}

impl Record {
    /// How many times longer than ours a peer takes: objective and derivative.
    #[must_use]
    pub fn ratio(&self, peer: Tool) -> Option<[f64; 2]> {
        let (ours, theirs) = (self.medians(Tool::AdOpt)?, self.medians(peer)?);
        Some([theirs[0] / ours[0], theirs[1] / ours[1]])
    }

    /// The ratio of the fastest peer, separately for objective and derivative.
    #[must_use]
    pub fn best_ratio(&self) -> Option<[f64; 2]> {
        let ratios = Tool::PEERS.iter().filter_map(|&peer| self.ratio(peer));
        ratios.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1])])
    }

    /// Seconds of objective and derivative.
    #[must_use]
    pub fn medians(&self, tool: Tool) -> Option<[f64; 2]> {
        let [primal, derivative] = self.measured.get(&tool)?;
        Some([primal.median(), derivative.median()])
    }

    /// What distinguishes the sizes of the problem.
    #[must_use]
    pub fn amount(&self) -> f64 {
        (self.problem.axis.count)(self.size.dims)
    }

    /// What part of our derivative's time loops without arithmetic would take, if memory is what limits it: the best
    /// run of each, as STREAM has it.
    #[must_use]
    pub fn share_of_stream(&self, peaks: &Peaks) -> Option<f64> {
        let elements = *self.size.dims.first()? as f64;
        let [_, derivative] = self.measured.get(&Tool::AdOpt)?;
        let passes = Some(self.problem.passes).filter(|passes| !passes.is_empty())?;
        Some(elements * peaks.seconds(passes) / derivative.min())
    }

    fn json(&self, peaks: Option<Peaks>) -> Value {
        let names = self.problem.entries().map(|entry| entry.name);
        let both = |values: [f64; 2]| json!({names[0]: values[0], names[1]: values[1]});
        let tools =
            self.measured.iter().map(|(tool, pair)| (tool.name().to_owned(), times(names, pair)));
        let ratios = Tool::PEERS
            .iter()
            .filter_map(|&peer| Some((peer.name().to_owned(), both(self.ratio(peer)?))));
        let overheads = self.measured.keys().filter_map(|&tool| {
            let [primal, derivative] = self.medians(tool)?;
            Some((tool.name().to_owned(), json!(derivative / primal)))
        });
        let of_stream = peaks.and_then(|peaks| self.share_of_stream(&peaks));
        json!({
            "stream_over_derivative": of_stream,
            "problem": self.problem.name,
            "size": self.size.name,
            "dimensions": self.size.dims,
            "data": if self.from_file { "file" } else { "generated" },
            "tools": tools.collect::<Map<_, _>>(),
            "peer_over_ad-opt": ratios.collect::<Map<_, _>>(),
            "derivative_over_primal": overheads.collect::<Map<_, _>>(),
        })
    }
}

fn times(names: [&str; 2], pair: &Pair) -> Value {
    let entries = names.iter().zip(pair).map(|(name, runs)| {
        let value = json!({
            "runs": runs.count(),
            "median_s": runs.median(),
            "min_s": runs.min(),
            "peak_bytes": runs.peak_bytes,
        });
        ((*name).to_owned(), value)
    });
    Value::Object(entries.collect())
}

/// All that is written down.
pub struct Report {
    /// Names and values.
    pub machine: BTreeMap<String, String>,
    /// What one core can do at best, if that was measured.
    pub peaks: Option<Peaks>,
    /// In the order of the table of problems.
    pub records: Vec<Record>,
}

impl Report {
    /// Writes `results.json`, `README.md` and the plots to a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let records: Vec<Value> =
            self.records.iter().map(|record| record.json(self.peaks)).collect();
        let json = json!({"machine": self.machine, "results": records});
        let plots = plot::write(self, folder)?;
        save(folder, "results.json", &format!("{json:#}\n"))?;
        save(folder, "README.md", &table::markdown(self, &plots))
    }
}

fn save(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
