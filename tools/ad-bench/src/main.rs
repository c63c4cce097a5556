//! `ad-bench`: times the programs of `bench/programs` beside hand-written C++ and JAX.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ad_bench::driver;
use ad_bench::harness::measure::measure;
use ad_bench::harness::peaks::Peaks;
use ad_bench::harness::problem::{Problem, Size};
use ad_bench::harness::problems::{PROBLEMS, check_names};
use ad_bench::harness::report::{Record, Report};
use ad_bench::harness::tool::{Binary, Builder, Tool};
use ad_bench::harness::worker::Setting;
use ad_bench::harness::{machine, table};
use anyhow::{Context, Result, bail, ensure};
use clap::Parser;

/// Times the benchmark programs beside their peers, after all have given the same results.
#[derive(Parser)]
#[command(name = "ad-bench", version)]
struct Options {
    /// Only this problem (repeatable)
    #[arg(long = "problem", value_name = "NAME")]
    problems: Vec<String>,
    /// Only sizes of this name (repeatable)
    #[arg(long = "size", value_name = "NAME")]
    sizes: Vec<String>,
    /// Only this peer: cpp, jax, one-core (ad-opt without threads), or none (repeatable)
    #[arg(long = "peer", value_name = "NAME")]
    peers: Vec<String>,
    /// Only the smallest size of each problem
    #[arg(long)]
    quick: bool,
    /// Runs of every entry [default: at least 5, and half a second]
    #[arg(long, value_name = "N")]
    runs: Option<usize>,
    /// Cores that each tool may use
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Where to write results.json, README.md and plots [default: docs/benchmarks if everything is
    /// run, target/benchmarks otherwise]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The Python that runs the tools; JAX must be installed for it, or is left out
    #[arg(long, value_name = "PATH", default_value = "python3")]
    python: PathBuf,
    /// The compiler [default: ad-opt beside this program]
    #[arg(long, value_name = "PATH")]
    compiler: Option<PathBuf>,
    /// The folder with cpp/NAME.cpp and jax/NAME.py [default: bench]
    #[arg(long, value_name = "DIR")]
    peers_from: Option<PathBuf>,
    /// List problems and sizes, and run nothing
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    driver::exit_code(run(&Options::parse()))
}

fn run(options: &Options) -> Result<bool> {
    let chosen = options.problems()?;
    if options.list {
        for (problem, sizes) in &chosen {
            let names: Vec<&str> = sizes.iter().map(|size| size.name).collect();
            println!("{:20} {}", problem.name, names.join(" "));
        }
        return Ok(true);
    }
    ensure!(options.runs != Some(0), "--runs=0 measures nothing");
    let cores = std::thread::available_parallelism()?.get();
    let threads = options.threads;
    ensure!((1..=cores).contains(&threads), "--threads={threads} of {cores} cores");
    let mut session = Session::new(options)?;
    for (problem, sizes) in chosen {
        session.problem(problem, &sizes);
    }
    session.finish()
}

impl Options {
    /// The problems and sizes to run.
    fn problems(&self) -> Result<Vec<(&'static Problem, Vec<&'static Size>)>> {
        check_names(&self.problems)?;
        let wanted =
            |names: &[String], name: &str| names.is_empty() || names.iter().any(|n| n == name);
        let mut chosen = Vec::new();
        for problem in PROBLEMS.iter().filter(|p| wanted(&self.problems, p.name)) {
            let count = if self.quick { 1 } else { problem.sizes.len() };
            let sizes: Vec<&Size> = problem
                .sizes
                .iter()
                .take(count)
                .filter(|size| wanted(&self.sizes, size.name))
                .collect();
            if !sizes.is_empty() {
                chosen.push((problem, sizes));
            }
        }
        ensure!(!chosen.is_empty(), "no problem has such a size: see --list");
        Ok(chosen)
    }

    /// The peers to run.
    fn tools(&self) -> Result<Vec<Tool>> {
        let can = |tool: &Tool| *tool != Tool::OneCore || self.threads > 1;
        if self.peers.is_empty() {
            return Ok(Tool::PEERS.into_iter().filter(can).collect());
        }
        let mut tools = BTreeSet::new();
        for name in self.peers.iter().filter(|name| *name != "none") {
            match Tool::PEERS.iter().find(|tool| tool.name() == name) {
                Some(tool) if !can(tool) => bail!("{name} is what ad-opt itself is: see --threads"),
                Some(&tool) => tools.insert(tool),
                None => bail!("no peer '{name}': there are cpp, jax, one-core and none"),
            };
        }
        Ok(tools.into_iter().collect())
    }

    fn complete(&self) -> bool {
        self.problems.is_empty() && self.sizes.is_empty() && self.peers.is_empty() && !self.quick
    }

    fn output(&self) -> PathBuf {
        let usual = if self.complete() { "docs/benchmarks" } else { "target/benchmarks" };
        self.output.clone().unwrap_or_else(|| driver::root().join(usual))
    }
}

/// One run of this program.
struct Session<'a> {
    options: &'a Options,
    peers: Vec<Tool>,
    builder: Builder,
    setting: Setting,
    data: Option<PathBuf>,
    /// Keeps the folder of what is built.
    _target: tempfile::TempDir,
    records: Vec<Record>,
    versions: BTreeMap<String, String>,
    errors: Vec<String>,
}

impl<'a> Session<'a> {
    fn new(options: &'a Options) -> Result<Self> {
        let bench = driver::root().join("bench");
        let compiler = match &options.compiler {
            Some(path) => path.clone(),
            None => env::current_exe()
                .context("cannot tell where this program is")?
                .with_file_name("ad-opt"),
        };
        ensure!(compiler.is_file(), "{} is not built: run `make build`", compiler.display());
        let setting = Setting {
            python: options.python.clone(),
            script: bench.join("worker.py"),
            threads: options.threads,
            under: vec![],
        };
        let target = tempfile::tempdir().context("cannot make a temporary folder")?;
        let builder = Builder {
            compiler,
            programs: bench.join("programs"),
            peers: options.peers_from.clone().unwrap_or(bench),
            target: target.path().to_path_buf(),
            cpu: "native",
            threads: options.threads,
        };
        let mut peers = options.tools()?;
        if peers.contains(&Tool::Jax) && !has_jax(&options.python) {
            let python = options.python.display();
            ensure!(
                !options.peers.iter().any(|name| name == Tool::Jax.name()),
                "{python} has no JAX: `make bench` installs it, or name another with --python"
            );
            eprintln!("left out: jax, which {python} does not have (`make bench` installs it)");
            peers.retain(|&tool| tool != Tool::Jax);
        }
        Ok(Self {
            options,
            peers,
            builder,
            setting,
            data: driver::adbench_data(),
            _target: target,
            records: Vec::new(),
            versions: BTreeMap::new(),
            errors: Vec::new(),
        })
    }

    fn problem(&mut self, problem: &'static Problem, sizes: &[&'static Size]) {
        let binaries = match self.build(problem) {
            Ok(binaries) => binaries,
            Err(error) => return self.report(&format!("{}: {error:#}", problem.name)),
        };
        for size in sizes {
            let name = format!("{} {}", problem.name, size.name);
            if let Err(error) = self.size(problem, size, &binaries) {
                self.report(&format!("{name}: {error:#}"));
            }
        }
    }

    /// Builds ours and all peers that there are; one that does not build is reported and left out.
    fn build(&mut self, problem: &Problem) -> Result<Vec<(Tool, Binary)>> {
        let mut binaries = vec![(Tool::AdOpt, self.builder.program(problem)?)];
        for tool in self.peers.clone() {
            if !problem.sizes.iter().any(|size| problem.can(tool, size)) {
                continue;
            }
            match self.builder.peer(tool, problem) {
                Ok(Some(binary)) => binaries.push((tool, binary)),
                Ok(None) => {
                    eprintln!("{}: nobody has written the peer {}", problem.name, tool.name())
                }
                Err(error) => self.report(&format!("{}: {}: {error:#}", problem.name, tool.name())),
            }
        }
        Ok(binaries)
    }

    fn size(
        &mut self,
        problem: &'static Problem,
        size: &'static Size,
        binaries: &[(Tool, Binary)],
    ) -> Result<()> {
        let data = self.data.as_deref();
        let exists = |folder: &Path| size.file.is_some_and(|file| folder.join(file).is_file());
        let from_file = data.is_some_and(exists);
        let arguments = size.arguments(problem, data)?;
        let able = |(tool, _): &&(Tool, Binary)| problem.can(*tool, size);
        let binaries: Vec<(Tool, Binary)> = binaries.iter().filter(able).cloned().collect();
        let outcome = measure(problem, &arguments, &binaries, &self.setting, self.options.runs)?;
        self.versions.extend(outcome.versions);
        for error in &outcome.errors {
            self.report(&format!("{} {}: {error}", problem.name, size.name));
        }
        if let Some(measured) = outcome.measured {
            let record = Record { problem, size, from_file, measured };
            println!("{}", table::line(&record));
            self.records.push(record);
        }
        Ok(())
    }

    fn report(&mut self, error: &str) {
        eprintln!("error: {error}");
        self.errors.push(error.to_owned());
    }

    /// Writes everything down; false if there were errors.
    fn finish(self) -> Result<bool> {
        let mut machine = machine::describe(&self.builder.compiler, self.options.threads);
        machine.extend(self.versions);
        let target = self.builder.target.as_path();
        let peaks = match Peaks::measure(&driver::root().join("bench/peaks.cpp"), target) {
            Ok(peaks) => Some(peaks),
            Err(error) => {
                eprintln!("left out: peaks of the machine: {error:#}");
                None
            }
        };
        machine.extend(peaks.iter().flat_map(Peaks::describe));
        let output = self.options.output();
        Report { machine, peaks, records: self.records }.write(&output)?;
        println!("written: {}", output.display());
        if !self.errors.is_empty() {
            eprintln!("{} error(s):", self.errors.len());
            for error in &self.errors {
                eprintln!("  {error}");
            }
        }
        Ok(self.errors.is_empty())
    }
}

/// Whether JAX is installed for a Python.
fn has_jax(python: &Path) -> bool {
    let search = "import importlib.util as u, sys; sys.exit(u.find_spec('jax') is None)";
    std::process::Command::new(python)
        .args(["-c", search])
        .status()
        .is_ok_and(|status| status.success())
}
