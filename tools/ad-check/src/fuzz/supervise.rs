//! The supervisor: worker processes, a tally, and the failures found.

use super::case::Case;
use super::judge::Verdict;
use super::options::Options;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Cases per worker process.
const CHUNK: u64 = 50;

#[derive(Default)]
struct Tally {
    passed: u64,
    skipped: u64,
    failed: BTreeMap<u64, String>,
}

impl Tally {
    /// Notes a failure, and says so at once: a long run need not end to be of use.
    fn fail(&mut self, case: u64, reason: String) {
        eprintln!("case {case} fails: {}", reason.lines().next().unwrap_or_default());
        self.failed.insert(case, reason);
    }
}

/// Runs all cases; success when none fails.
pub fn supervise(options: &Options) -> ExitCode {
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(options.seed);
    let end = options.seed + options.count;
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                loop {
                    let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if start >= end || stop(&tally, options) {
                        break;
                    }
                    run_range(start, (start + CHUNK).min(end), &tally);
                    progress(&tally, options);
                }
            });
        }
    });
    let Ok(tally) = tally.into_inner() else { return ExitCode::FAILURE };
    finish(&tally, options)
}

fn stop(tally: &Mutex<Tally>, options: &Options) -> bool {
    tally.lock().is_ok_and(|t| t.failed.len() >= options.most_failures)
}

/// Runs a range in worker processes; a worker that dies takes only its current case with it.
fn run_range(mut start: u64, end: u64, tally: &Mutex<Tally>) {
    while start < end {
        let mut current = start;
        let mut hangs = false;
        let worker = command(&[format!("--worker={start}..{end}")]).spawn();
        let Ok(mut worker) = worker else { return };
        if let Some(output) = worker.stdout.take() {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                hangs |= line == "hang";
                record(&line, &mut current, tally);
            }
        }
        let ended_badly = worker.wait().map_or(true, |status| !status.success());
        if !ended_badly {
            return;
        }
        if let Ok(mut tally) = tally.lock() {
            tally.fail(current, died(hangs));
        }
        start = current + 1;
    }
}

/// The reason of a case whose process did not end by itself.
fn died(hangs: bool) -> String {
    if hangs { "hang: a case takes too long".into() } else { "crash: the process died".into() }
}

/// This program again, with the same settings and other arguments.
fn command(arguments: &[String]) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| "ad-fuzz".into());
    let mut command = Command::new(program);
    let passed_on = std::env::args().skip(1).filter(|a| {
        const KEPT: [&str; 8] = [
            "--atl",
            "--cfg",
            "--without=",
            "--statements=",
            "--depth=",
            "--budget=",
            "--patience=",
            "--compiled-one-in=",
        ];
        KEPT.iter().any(|kept| a.starts_with(kept))
    });
    command.args(passed_on).args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// The verdict on a case, reached in another process.
pub fn judge_apart(case: &Case) -> Verdict {
    let crash = |hangs: bool| Verdict::Fail(died(hangs));
    let child = command(&["--judge".to_string()]).stdin(Stdio::piped()).spawn();
    let Ok(mut child) = child else { return Verdict::Skip("no process".into()) };
    if let Some(mut input) = child.stdin.take() {
        // A process that dies early does not read its input; its status tells.
        let _ = input.write_all(case.write().as_bytes());
    }
    let Ok(output) = child.wait_with_output() else { return crash(false) };
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return crash(text.contains("hang"));
    }
    match text.trim_end().split_once(' ') {
        Some(("fail", reason)) => Verdict::Fail(reason.replace("\\n", "\n")),
        Some(("skip", reason)) => Verdict::Skip(reason.into()),
        _ => Verdict::Pass,
    }
}

fn record(line: &str, current: &mut u64, tally: &Mutex<Tally>) {
    let mut words = line.splitn(3, ' ');
    let (Some(word), Some(Ok(case))) = (words.next(), words.next().map(str::parse)) else { return };
    let rest = words.next().unwrap_or_default();
    let Ok(mut tally) = tally.lock() else { return };
    match word {
        "start" => *current = case,
        "pass" => tally.passed += 1,
        "skip" => tally.skipped += 1,
        "fail" => tally.fail(case, rest.replace("\\n", "\n")),
        _ => {}
    }
}

fn progress(tally: &Mutex<Tally>, options: &Options) {
    if let Ok(tally) = tally.lock()
        && std::io::stderr().is_terminal()
    {
        let done = tally.passed + tally.skipped + tally.failed.len() as u64;
        eprint!("\r{done}/{} programs, {} failed ", options.count, tally.failed.len());
    }
}

/// Prints every failure, shrunk, and the tally.
fn finish(tally: &Tally, options: &Options) -> ExitCode {
    for (case, reason) in &tally.failed {
        println!("// case {case}: {}", reason.lines().collect::<Vec<_>>().join("\n//   "));
        if options.shrink {
            let shown = command(&[format!("--case={case}")]).output();
            let text = shown.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
            println!("{}", text.unwrap_or_default());
        }
    }
    println!(
        "{} programs from seed {}: {} passed, {} skipped, {} failed",
        tally.passed + tally.skipped + tally.failed.len() as u64,
        options.seed,
        tally.passed,
        tally.skipped,
        tally.failed.len()
    );
    if tally.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
