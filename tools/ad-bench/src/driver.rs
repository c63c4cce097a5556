//! Runs entries of programs through the `ad-opt` binary, as a user would.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::LazyLock;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::array::{Array, Data};

/// The root of the source tree.
#[must_use]
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// How a program ends: with 1 where something was not as it should be, or went wrong, which it says.
#[must_use]
pub fn exit_code(outcome: Result<bool>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the ADBench data: `adbench` in `AD_OPT_DATA`, or in `shared/data` beside the source
/// tree. `None` if it is not there.
#[must_use]
pub fn adbench_data() -> Option<PathBuf> {
    let data = match env::var_os("AD_OPT_DATA") {
        Some(path) => PathBuf::from(path),
        None => root().parent()?.join("shared/data"),
    };
    let folder = data.join("adbench");
    folder.join("golden.json").is_file().then_some(folder)
}

/// Times that `ad-opt run --repeat` measured.
pub struct Timing {
    /// Seconds from the text of the program to machine code.
    pub compile: f64,
    /// Seconds of every repetition.
    pub runs: Vec<f64>,
    /// The most bytes that inputs and compiled code held at once.
    pub peak_bytes: u64,
}

impl Timing {
    /// The middle repetition, in seconds.
    #[must_use]
    pub fn median(&self) -> f64 {
        let mut runs = self.runs.clone();
        runs.sort_by(f64::total_cmp);
        runs.get(runs.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// A program with its arguments, which lie in files for as long as this value lives.
pub struct Job {
    driver: PathBuf,
    program: PathBuf,
    arguments: Vec<String>,
    calls: usize,
    folder: TempDir,
}

impl Job {
    /// Writes the arguments; `program` is relative to the source tree.
    pub fn new(program: &str, arguments: &[Array]) -> Result<Self> {
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        let driver = target.join("release/ad-opt");
        ensure!(driver.is_file(), "{} is not built: run `make build`", driver.display());
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let arguments = arguments
            .iter()
            .enumerate()
            .map(|(position, array)| {
                argument(array, &folder.path().join(format!("in{position}.npy")))
            })
            .collect::<Result<_>>()?;
        Ok(Self { driver, program: root().join(program), arguments, calls: 1, folder })
    }

    /// The same for so many calls, one behind the other: their arguments follow each other, and so do their results. The
    /// program is compiled once.
    #[must_use]
    pub fn with_calls(self, calls: usize) -> Self {
        Self { calls, ..self }
    }

    /// The same in single precision: the program with `f32` in place of `f64`, and numbers rounded.
    pub fn in_f32(program: &str, arguments: &[Array]) -> Result<Self> {
        let arguments: Vec<Array> = arguments.iter().map(Array::rounded).collect();
        let mut job = Self::new(program, &arguments)?;
        let text = fs::read_to_string(&job.program)
            .with_context(|| format!("cannot read {}", job.program.display()))?;
        job.program = job.folder.path().join("program.mlir");
        fs::write(&job.program, in_f32(&text))?;
        Ok(job)
    }

    /// The results of an entry.
    pub fn run(&self, entry: &str) -> Result<Vec<Array>> {
        Ok(self.results(&mut self.command("run", entry))?.0)
    }

    /// The results of an entry on an emulated GPU, with races detected.
    pub fn emulate(&self, entry: &str) -> Result<Vec<Array>> {
        Ok(self.results(self.command("run", entry).arg("--target=gpu-emulate"))?.0)
    }

    /// The results of an entry as kernels: on an emulated GPU, and as PTX if that can be made, with its name.
    pub fn kernels(&self, entry: &str) -> Result<Vec<(&'static str, Vec<Array>)>> {
        let mut found = vec![("emulated kernels", self.emulate(entry)?)];
        if let Some(toolkit) = toolkit() {
            let driver = self.driver.with_file_name("libad_ptx.so");
            ensure!(driver.is_file(), "{} is not built: run `make build`", driver.display());
            let mut command = self.command("run", entry);
            command.arg("--target=cuda").env("AD_CUDA_DRIVER", driver);
            command.env("AD_CUDA_TOOLKIT", toolkit);
            found.push(("PTX", self.results(&mut command)?.0));
        }
        Ok(found)
    }

    /// The results of an entry, and the times of `repeat` further runs.
    pub fn time(&self, entry: &str, repeat: usize) -> Result<(Vec<Array>, Timing)> {
        let mut command = self.command("run", entry);
        command.arg(format!("--repeat={repeat}"));
        let (arrays, messages) = self.results(&mut command)?;
        Ok((arrays, timing(&messages)?))
    }

    /// Runs a command that writes its results to a folder; also gives what it says on stderr.
    fn results(&self, command: &mut Command) -> Result<(Vec<Array>, String)> {
        let folder = self.folder.path().join("out");
        fs::create_dir_all(&folder)?;
        command.arg(format!("--output-dir={}", folder.display()));
        let output = command.output().context("cannot start ad-opt")?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "{command:?} failed:\n{messages}");
        let arrays = (0..)
            .map(|position| folder.join(format!("{position}.npy")))
            .take_while(|path| path.is_file())
            .map(|path| Array::read(&path))
            .collect::<Result<_>>()?;
        fs::remove_dir_all(&folder)?;
        Ok((arrays, messages))
    }

    /// The report of `ad-opt check`, and whether the check passed.
    pub fn check(&self, entry: &str) -> Result<(String, bool)> {
        ensure!(self.calls == 1, "one call is checked at a time");
        let output = self.command("check", entry).output().context("cannot start ad-opt")?;
        let mut report = String::from_utf8_lossy(&output.stdout).into_owned();
        report.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok((report, output.status.success()))
    }

    fn command(&self, verb: &str, entry: &str) -> Command {
        let mut command = Command::new(&self.driver);
        command.arg(verb).arg(&self.program).arg(format!("--entry={entry}"));
        command.args(self.arguments.iter().map(|value| format!("--input={value}")));
        if self.calls != 1 {
            command.arg(format!("--calls={}", self.calls));
        }
        command
    }
}

/// The folder with NVIDIA's library of math, without which there is no PTX of most programs: what `AD_CUDA_TOOLKIT`
/// names, or what `make cuda` got. If there is none, that is said once.
fn toolkit() -> Option<PathBuf> {
    static FOUND: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        let folder = match env::var_os("AD_CUDA_TOOLKIT") {
            Some(folder) => PathBuf::from(folder),
            None => root().join("target/cuda/nvidia/cuda_nvcc"),
        };
        let is_there = folder.join("nvvm/libdevice/libdevice.10.bc").is_file();
        if !is_there {
            eprintln!(
                "kernels are not tried as PTX: {} has no libdevice; make cuda gets it",
                folder.display()
            );
        }
        is_there.then_some(folder)
    });
    FOUND.clone()
}

/// The text of a program in single precision; of numbers in bits there may be the infinities.
fn in_f32(text: &str) -> String {
    let narrowed = text
        .replace("0xFFF0000000000000", "0xFF800000")
        .replace("0x7FF0000000000000", "0x7F800000")
        .replace("f64", "f32");
    let line = |line: &str| match line.split_once("complex.constant [") {
        // The parts are `f64` unless it is said.
        Some((before, parts)) => {
            let parts = parts.replacen(", ", " : f32, ", 1).replacen(']', " : f32]", 1);
            format!("{before}complex.constant [{parts}\n")
        }
        None => format!("{line}\n"),
    };
    narrowed.lines().map(line).collect()
}

/// A literal for a scalar, the path of a new file for an array.
fn argument(array: &Array, path: &Path) -> Result<String> {
    match &array.data {
        Data::F64(elements) if array.shape.is_empty() => Ok(format!("{:?}", elements[0])),
        Data::F32(elements) if array.shape.is_empty() => Ok(format!("{:?}", elements[0])),
        Data::I64(elements) if array.shape.is_empty() => Ok(elements[0].to_string()),
        _ => {
            array.write(path)?;
            Ok(path.display().to_string())
        }
    }
}

/// Reads the one JSON line that `--repeat` prints.
fn timing(stderr: &str) -> Result<Timing> {
    let line = stderr.lines().rev().find(|line| line.starts_with('{'));
    let report: Value = serde_json::from_str(line.context("ad-opt run printed no times")?)?;
    let runs = report["runs_s"].as_array().context("no 'runs_s' in the times")?;
    Ok(Timing {
        compile: report["compile_s"].as_f64().context("no 'compile_s' in the times")?,
        runs: runs.iter().filter_map(Value::as_f64).collect(),
        peak_bytes: report["peak_bytes"].as_u64().context("no 'peak_bytes' in the times")?,
    })
}
