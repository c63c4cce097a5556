//! `ad-count`: instructions and bytes of the benchmark programs at their smallest sizes, compared with
//! those of `bench/counts.json`.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use ad_bench::driver;
use ad_bench::harness::count::{self, CPU, Counts};
use ad_bench::harness::problems::{PROBLEMS, check_names};
use ad_bench::harness::tool::Builder;
use ad_bench::harness::worker::Setting;
use anyhow::{Context, Result};
use clap::Parser;

/// Counts instructions and bytes of the benchmark programs; needs Valgrind.
#[derive(Parser)]
#[command(name = "ad-count", version)]
struct Options {
    /// This problem (repeatable) [default: those in the file, or all to update it]
    #[arg(long = "problem", value_name = "NAME")]
    problems: Vec<String>,
    /// What to compare with [default: bench/counts.json]
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
    /// Write the counts to that file instead
    #[arg(long)]
    update: bool,
}

fn main() -> ExitCode {
    driver::exit_code(run(&Options::parse()))
}

/// The interpreter itself: what `python3` names may be a script that starts it, which Valgrind does not
/// follow.
fn interpreter() -> Result<PathBuf> {
    let program = "import sys; print(sys.executable)";
    let output = Command::new("python3").args(["-c", program]).output();
    let output = output.context("cannot start python3")?;
    Ok(String::from_utf8(output.stdout)?.trim().into())
}

fn run(options: &Options) -> Result<bool> {
    let bench = driver::root().join("bench");
    let file = options.counts.clone().unwrap_or_else(|| bench.join("counts.json"));
    check_names(&options.problems)?;
    let mut known: Counts = match fs::read_to_string(&file) {
        Ok(text) => {
            serde_json::from_str(&text).with_context(|| format!("in {}", file.display()))?
        }
        Err(error) if !options.update => {
            return Err(error).with_context(|| format!("cannot read {}", file.display()));
        }
        Err(_) => Counts::new(),
    };
    let target = tempfile::tempdir().context("cannot make a temporary folder")?;
    let builder = Builder {
        compiler: env::current_exe()?.with_file_name("ad-opt"),
        programs: bench.join("programs"),
        peers: bench.clone(),
        target: target.path().to_path_buf(),
        cpu: CPU,
        threads: 1,
    };
    let python = Setting {
        python: interpreter()?,
        script: bench.join("worker.py"),
        threads: 1,
        under: vec![],
    };
    let is_known = |name: &str| known.keys().any(|key| key.split(' ').next() == Some(name));
    let wanted = |name: &str| match options.problems.is_empty() {
        true => options.update || is_known(name),
        false => options.problems.iter().any(|n| n == name),
    };
    let mut counts = Counts::new();
    for problem in PROBLEMS.iter().filter(|problem| wanted(problem.name)) {
        let Some(size) = problem.sizes.first() else { continue };
        let here = count::count(problem, size, &builder, &python)
            .with_context(|| format!("{} {}", problem.name, size.name))?;
        for (name, count) in &here {
            println!("{name}: {} instructions, {} bytes", count.instructions, count.bytes);
        }
        counts.extend(here);
    }
    if options.update {
        known.extend(counts);
        let text = serde_json::to_string_pretty(&known)? + "\n";
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        return Ok(true);
    }
    let report = count::compare(&counts, &known);
    eprint!("{report}");
    println!("{} entries, {} counts above what is known", counts.len(), report.lines().count());
    Ok(report.is_empty())
}
