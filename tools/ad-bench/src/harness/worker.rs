//! A process of `bench/worker.py`, which runs the entries of one tool.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::problem::Entry;
use super::tool::Binary;
use crate::array::Array;

/// How workers are started.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The Python interpreter.
    pub python: PathBuf,
    /// The script.
    pub script: PathBuf,
    /// The number of cores that a tool may use.
    pub threads: usize,
    /// A program that runs the interpreter, with its arguments; empty if nothing does.
    pub under: Vec<OsString>,
}

/// A running worker. Dropping it ends the process.
pub struct Worker {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// Names and versions of what the worker runs on.
    pub versions: BTreeMap<String, String>,
}

impl Worker {
    /// Starts a worker for something that is built.
    pub fn start(setting: &Setting, binary: &Binary) -> Result<Self> {
        let python = setting.python.clone().into_os_string();
        let mut command = match setting.under.split_first() {
            None => Command::new(python),
            Some((program, arguments)) => {
                let mut command = Command::new(program);
                // Without packages, which take long to find where each instruction is counted.
                command.args(arguments).arg(python).arg("-S");
                command
            }
        };
        command.arg(&setting.script).arg(binary.kind()).arg(binary.path());
        command.arg(format!("--threads={}", setting.threads));
        // Freed memory is kept, so that a run is not charged for getting its pages from the system
        // once more: as in a program that calls an entry many times.
        command.envs([
            ("PYTHONHASHSEED", "0"),
            ("MALLOC_ARENA_MAX", "1"),
            ("MALLOC_MMAP_MAX_", "0"),
            ("MALLOC_TRIM_THRESHOLD_", "1099511627776"),
            ("MALLOC_TOP_PAD_", "67108864"),
        ]);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", setting.python.display()))?;
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().context("a worker without answers")?);
        let mut worker = Self { process, requests, answers, versions: BTreeMap::new() };
        let ready = worker.answer()?;
        worker.versions = serde_json::from_value(ready["ready"].clone())
            .context("a worker that does not say what it is")?;
        Ok(worker)
    }

    /// Reads the arguments and prepares the entries.
    pub fn load(&mut self, arguments: &[PathBuf], entries: &[Entry]) -> Result<()> {
        let entries: serde_json::Map<String, Value> = entries
            .iter()
            .map(|entry| {
                let code = entry.element.code();
                let types = entry.ranks.iter().map(|rank| json!([code, rank])).collect();
                (entry.name.to_owned(), Value::Array(types))
            })
            .collect();
        self.ask(&json!({"load": arguments, "entries": entries}))?;
        Ok(())
    }

    /// The results of one run, which are written to the folder, and the memory that it took.
    pub fn results(&mut self, entry: &Entry, to: &Path) -> Result<(Vec<Array>, Option<u64>)> {
        std::fs::create_dir_all(to)?;
        let answer = self.ask(&json!({"results": entry.name, "to": to}))?;
        let arrays = (0..entry.ranks.len())
            .map(|position| Array::read(&to.join(format!("{position}.npy"))))
            .collect::<Result<_>>()?;
        Ok((arrays, answer["peak_bytes"].as_u64()))
    }

    /// Seconds of each of so many runs.
    pub fn run(&mut self, entry: &Entry, count: usize) -> Result<Vec<f64>> {
        let answer = self.ask(&json!({"run": entry.name, "count": count}))?;
        let seconds: Vec<f64> = serde_json::from_value(answer["seconds"].clone())
            .context("a worker that gives no times")?;
        ensure!(seconds.len() == count, "{} times of {count} runs", seconds.len());
        Ok(seconds)
    }

    fn ask(&mut self, request: &Value) -> Result<Value> {
        let stream = self.requests.as_mut().context("a worker that takes no requests")?;
        // That the process has died is better said by the missing answer.
        let _ = writeln!(stream, "{request}").and_then(|()| stream.flush());
        self.answer()
    }

    fn answer(&mut self) -> Result<Value> {
        let mut line = String::new();
        if self.answers.read_line(&mut line).context("no answer of a worker")? == 0 {
            let status = self.process.wait()?;
            bail!("the worker ended: {status}");
        }
        let answer: Value = serde_json::from_str(&line).context("an answer that is not JSON")?;
        match answer["error"].as_str() {
            Some(message) => bail!("{message}"),
            None => Ok(answer),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of its requests ends it.
        self.requests = None;
        let _ = self.process.wait();
    }
}
