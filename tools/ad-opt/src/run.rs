//! `ad-opt run`: differentiate, compile and run a function of a module.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use ad_run::{Array, Compiled, Diagnostics, Outcome, guard, inputs, outputs};
use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{
    arguments::{Call, FastMath, Target, TensorCores, Threads},
    progress, say,
};

/// The arguments of `ad-opt run`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub call: Call,
    /// Write the results as DIR/0.npy, DIR/1.npy, ... instead of printing them.
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
    /// Also write the machine code as an object file, to look at it with llvm-objdump.
    #[arg(long, value_name = "FILE")]
    pub save_object: Option<PathBuf>,
    /// What to compile for.
    #[arg(long, value_enum, default_value_t = Target::Cpu)]
    pub target: Target,
    /// With --target=gpu-emulate, the order of threads and blocks is drawn anew for each seed; 0 by default.
    #[arg(long, value_name = "N")]
    pub emulate_seed: Option<u64>,
    /// With --target=gpu-emulate, whether accesses of different threads to the same memory are an error, where no
    /// barrier is between them; true by default. Looking for them takes most of the time.
    #[arg(long, value_name = "BOOL")]
    pub emulate_races: Option<bool>,
    /// With --target=gpu-emulate, write to FILE what the kernels of the first call asked of memory, as JSON by kernel:
    /// requests of 32 threads, the bytes of the sectors these moved, and more, as docs/benchmarks/gpu.md explains.
    #[arg(long, value_name = "FILE")]
    pub emulate_report: Option<PathBuf>,
    #[command(flatten)]
    pub tensor_cores: TensorCores,
    #[command(flatten)]
    pub fast_math: FastMath,
    #[command(flatten)]
    pub threads: Threads,
    /// Call the function N times, once behind the other in one process, with as many --input as it has arguments for each
    /// call; results follow each other as if they were of one call.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "repeat",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub calls: u32,
    /// Run N more times after the first, and print the times in seconds, and the most bytes that inputs and compiled
    /// code held at once, as one line of JSON on stderr. With a GPU, also how many kernels the last run launched, the
    /// most bytes on the device, and the bytes copied there and back.
    #[arg(long, value_name = "N")]
    pub repeat: Option<usize>,
}

/// Runs the command.
pub fn main(arguments: Arguments) -> Result<()> {
    arguments.target.check(arguments.threads.threads)?;
    let tensor_cores = arguments.tensor_cores.for_target(arguments.target)?;
    let of_emulation = [
        ("seed", arguments.emulate_seed.is_some()),
        ("races", arguments.emulate_races.is_some()),
        ("report", arguments.emulate_report.is_some()),
    ];
    if let Some((name, _)) = of_emulation.iter().find(|(_, is_given)| *is_given)
        && arguments.target != Target::GpuEmulate
    {
        bail!("--emulate-{name} is for --target=gpu-emulate only");
    }
    if arguments.target == Target::Cuda {
        ad_run::find_cuda()?;
    }
    let start = Instant::now();
    let context = ad_dialect::context();
    let _diagnostics = Diagnostics::new(&context, true);
    let Call { entry, input, .. } = &arguments.call;
    let (module, signature) = arguments.call.load(&context, "run")?;
    let inputs = inputs::load_calls(input, &signature, arguments.calls as usize)?;
    let parsed = start.elapsed();

    let start = Instant::now();
    let spinner = progress::spinner("compiling");
    let options = ad_run::Options {
        fast_math: arguments.fast_math.fast_math.clone(),
        threads: arguments.threads.threads.into(),
        target: configure(&arguments),
        tensor_cores,
        ..ad_run::Options::default()
    };
    let compiled = ad_run::compile(&context, module, &[entry], &options)?;
    spinner.finish_and_clear();
    let compile_seconds = (parsed + start.elapsed()).as_secs_f64();

    if let Some(path) = &arguments.save_object {
        compiled.write_object(path)?;
    }
    guard::install();
    let mut first = compiled.run(entry, &inputs[0])?;
    if let Some(path) = &arguments.emulate_report {
        write_requests(path)?;
    }
    for inputs in &inputs[1..] {
        first.results.extend(compiled.run(entry, inputs)?.results);
    }
    let report = match arguments.repeat {
        Some(count) => Some(repeat(&compiled, entry, &inputs[0], count, compile_seconds, &first)?),
        None => None,
    };
    give(&first.results, &arguments)?;
    if let Some(report) = report {
        say(report);
    }
    Ok(())
}

/// What to compile for; sets the emulator up.
fn configure(arguments: &Arguments) -> ad_run::Target {
    match arguments.target {
        Target::GpuEmulate => {
            let settings = ad_emulate::Settings {
                seed: arguments.emulate_seed.unwrap_or(0),
                detect_races: arguments.emulate_races.unwrap_or(true),
                count_requests: arguments.emulate_report.is_some(),
            };
            ad_emulate::configure(settings);
            ad_run::Target::Emulate { accesses: settings.detect_races || settings.count_requests }
        }
        Target::Cuda => ad_run::Target::Cuda,
        Target::Cpu => ad_run::Target::Cpu,
    }
}

/// Runs `count` more times; the report is one line of JSON.
fn repeat(
    compiled: &Compiled,
    entry: &str,
    inputs: &[Array],
    count: usize,
    compile_seconds: f64,
    first: &Outcome,
) -> Result<String> {
    let bar = progress::bar(count as u64, "running");
    let mut seconds = vec![];
    let mut peak = first.peak_bytes;
    let mut device = first.device;
    for _ in 0..count {
        let outcome = compiled.run(entry, inputs)?;
        seconds.push(outcome.seconds);
        peak = peak.max(outcome.peak_bytes);
        device = outcome.device;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut report = serde_json::json!({
        "compile_s": compile_seconds,
        "runs_s": seconds,
        "peak_bytes": peak,
    });
    if let Some(device) = device {
        report["device"] = serde_json::json!({
            "launches": device.launches,
            "peak_bytes": device.peak_bytes,
            "to_device_bytes": device.to_device_bytes,
            "to_host_bytes": device.to_host_bytes,
        });
    }
    Ok(report.to_string())
}

/// Writes what kernels asked of memory.
fn write_requests(path: &Path) -> Result<()> {
    let kernels: serde_json::Map<_, _> = ad_emulate::take_requests()
        .into_iter()
        .map(|(name, requests)| (name, serde_json::json!(requests)))
        .collect();
    let text = serde_json::to_string_pretty(&kernels)?;
    fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
}

/// Prints the results, or writes them to files.
fn give(results: &[Array], arguments: &Arguments) -> Result<()> {
    if let Some(folder) = &arguments.output_dir {
        return outputs::write(results, folder);
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let elided = outputs::print(results, &mut out).and_then(|elided| out.flush().map(|()| elided));
    let elided = match elided {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => vec![],
        other => other.context("cannot print the results")?,
    };
    for position in elided {
        say(format_args!(
            "ad-opt: note: result {position} is elided; --output-dir=DIR writes all of it"
        ));
    }
    Ok(())
}
