//! The report for people, in Markdown.

use std::fmt::Write;

use super::peaks::Peaks;
use super::problem::Group;
use super::problems::PROBLEMS;
use super::report::{Record, Report};
use super::tool::Tool;

const PREFACE: &str = "# Benchmarks

Made by `make bench`; edit nothing here.
[bench/README.md](../../bench/README.md) says how it works, [results.json](results.json) has all figures.

Times are medians in milliseconds: the function itself / its full derivative.
All tools have the same arguments, take turns on the same pinned cores and gave the same results before anything was timed.
A call is made from Python, which costs about a microsecond, and JAX's own dispatch some more; that is included, and is all there is to see in the smallest problems.
The last columns say how many times longer the fastest peer takes (above 1: ad-opt is faster), for each of the two, and how many times longer than the function our derivative takes.
Where memory limits the derivative, one more column compares it with loops as in STREAM, which read and write as many arrays larger than the caches on one core and do next to nothing with them (the best run of each; above 1: our arrays fit in a cache).
";

/// The whole report; `plots` are names of problems that have a plot.
#[must_use]
pub fn markdown(report: &Report, plots: &[&str]) -> String {
    let mut text = PREFACE.to_owned();
    text.push('\n');
    for (name, value) in &report.machine {
        let _ = writeln!(text, "- {name}: {value}");
    }
    for group in Group::ALL {
        let records: Vec<&Record> =
            report.records.iter().filter(|record| record.problem.group == group).collect();
        if !records.is_empty() {
            text.push_str(&section(group, &records, report.peaks, plots));
        }
    }
    text
}

fn section(group: Group, records: &[&Record], peaks: Option<Peaks>, plots: &[&str]) -> String {
    let tools: Vec<Tool> = [Tool::AdOpt, Tool::OneCore, Tool::Cpp, Tool::Jax]
        .into_iter()
        .filter(|tool| records.iter().any(|record| record.measured.contains_key(tool)))
        .collect();
    let mut text = format!("\n## {}\n\n| problem | size |", group.title());
    for tool in &tools {
        let _ = write!(text, " {} |", tool.title());
    }
    text.push_str(" best peer / ad-opt | derivative / primal |");
    // Where memory limits any of the problems.
    let peaks = peaks.filter(|_| records.iter().any(|record| !record.problem.passes.is_empty()));
    if peaks.is_some() {
        text.push_str(" STREAM / derivative |");
    }
    text.push_str("\n|---|---|");
    text.push_str(&"---:|".repeat(tools.len() + 2 + usize::from(peaks.is_some())));
    text.push('\n');
    for record in records {
        let _ = write!(text, "| {} | {} |", record.problem.name, record.size.name);
        for &tool in &tools {
            let cell = record.medians(tool).map(|[primal, derivative]| {
                format!("{} / {}", digits(primal * 1e3), digits(derivative * 1e3))
            });
            let _ = write!(text, " {} |", cell.unwrap_or_else(|| "-".to_owned()));
        }
        let ratio = record.best_ratio().map(|[p, d]| format!("{} / {}", digits(p), digits(d)));
        let overhead = record.medians(Tool::AdOpt).map(|[p, d]| digits(d / p));
        let or_none = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
        let _ = write!(text, " {} | {} |", or_none(ratio), or_none(overhead));
        if let Some(peaks) = peaks {
            let share = record.share_of_stream(&peaks).map(digits);
            let _ = write!(text, " {} |", or_none(share));
        }
        text.push('\n');
    }
    for problem in PROBLEMS.iter().filter(|problem| problem.group == group) {
        if records.iter().any(|record| record.problem.name == problem.name) {
            for without in problem.without {
                let (name, sizes) = (problem.name, without.sizes.join(" "));
                let (peer, reason) = (without.peer.title(), without.reason);
                let _ = writeln!(text, "\n{}: {peer} {reason}.", format!("{name} {sizes}").trim());
            }
        }
    }
    let images: Vec<String> = plots
        .iter()
        .filter(|plot| records.iter().any(|record| record.problem.name == **plot))
        .map(|plot| format!("![{plot}]({plot}.svg)"))
        .collect();
    if !images.is_empty() {
        let _ = writeln!(text, "\n{}", images.join("\n"));
    }
    text
}

/// A measurement in one line, for the terminal.
#[must_use]
pub fn line(record: &Record) -> String {
    let mut text = format!("{:20} {:20}", record.problem.name, record.size.name);
    for &tool in record.measured.keys() {
        if let Some([primal, derivative]) = record.medians(tool) {
            let (primal, derivative) = (digits(primal * 1e3), digits(derivative * 1e3));
            let _ = write!(text, " {:6} {primal:>8} / {derivative:<8}", tool.name());
        }
    }
    if let Some([primal, derivative]) = record.best_ratio() {
        let _ = write!(text, " ratio {} / {}", digits(primal), digits(derivative));
    }
    text
}

/// Three digits that count.
fn digits(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let places = 2 - value.abs().log10().floor() as i32;
    format!("{value:.*}", places.clamp(0, 9) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        for (value, text) in
            [(1.0, "1.00"), (12.345, "12.3"), (1234.5, "1234"), (0.001_234, "0.00123"), (0.0, "0")]
        {
            assert_eq!(digits(value), text);
        }
    }
}
