//! Random testing: generate a program, differentiate it, and hold every way of running it against the oracle.
//!
//! A supervisor hands ranges of cases to worker processes, so that a case that crashes the compiler is one failed case.
//! Failures are shrunk and written as lit files.

mod case;
mod judge;
mod options;
mod sensitivity;
mod supervise;

pub use case::Case;
pub use judge::{Judge, Verdict, differentiate};
pub use options::{Kind, Options};

use crate::executor::Executor;
use crate::random::{Choices, generate, lit_file, shrink, shrink_choices};
use melior::Context;
use std::io::Read;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Makes the executors for compiled code that this binary has, which cases use in turn.
pub type Compiled<'a> = &'a dyn for<'c> Fn(&'c Context) -> Vec<Box<dyn Executor + 'c>>;

/// The command: `ad-fuzz --count=N --seed=S …`.
pub fn main(arguments: &[String], compiled: Compiled) -> ExitCode {
    let options = match Options::parse(arguments) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if let Some(range) = options.worker {
        worker(&options, range, compiled);
        return ExitCode::SUCCESS;
    }
    if options.judge {
        judge_input(&options, compiled);
        return ExitCode::SUCCESS;
    }
    if let Some(case) = options.show {
        return show(&options, case);
    }
    supervise::supervise(&options)
}

/// A context without threads: worker processes are as many as cores, and programs are small.
fn single_threaded() -> Context {
    let context = ad_dialect::context();
    context.enable_multi_threading(false);
    context
}

/// Runs a range of cases and reports each on a line of standard output.
fn worker(options: &Options, range: (u64, u64), compiled: Compiled) {
    let context = single_threaded();
    let executors = compiled(&context);
    let judge = Judge::new(&context, &executors, options.compiled_one_in);
    let watch = Watch::start(options.patience);
    for case in range.0..range.1 {
        println!("start {case}");
        watch.reset();
        let made = match options.kind {
            Kind::Language => Case::of_language(case),
            Kind::Blocks => Case::of_blocks(&mut Choices::random(case), case),
            Kind::Arrays => Case::new(&generate(case, options.settings), case),
        };
        match judge.judge(&made) {
            Verdict::Pass => println!("pass {case}"),
            Verdict::Skip(reason) => println!("skip {case} {reason}"),
            Verdict::Fail(reason) => println!("fail {case} {}", reason.replace('\n', "\\n")),
        }
    }
}

/// Judges the case on standard input, as one line on standard output.
fn judge_input(options: &Options, compiled: Compiled) {
    let _watch = Watch::start(options.patience);
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    let Some(case) = read.ok().and_then(|_| Case::read(&text)) else {
        println!("malformed");
        return;
    };
    let context = single_threaded();
    let executors = compiled(&context);
    let verdict = Judge::new(&context, &executors, options.compiled_one_in).judge(&case);
    match verdict {
        Verdict::Pass => println!("pass"),
        Verdict::Skip(reason) => println!("skip {reason}"),
        Verdict::Fail(reason) => println!("fail {}", reason.replace('\n', "\\n")),
    }
}

/// Judges one case, shrinks it if it fails, and prints it as a lit file.
///
/// Every trial is a process of its own, so that crashes shrink too.
fn show(options: &Options, case: u64) -> ExitCode {
    match options.kind {
        Kind::Language => return show_text(&Case::of_language(case)),
        Kind::Blocks => return show_text(&small_blocks(options, case)),
        Kind::Arrays => {}
    }
    let tree = generate(case, options.settings);
    let verdict = supervise::judge_apart(&Case::new(&tree, case));
    let Verdict::Fail(reason) = verdict else {
        println!("{}", lit_file(&tree, case, &format!("{verdict:?}")));
        return ExitCode::SUCCESS;
    };
    let kind = Verdict::kind_of(&reason);
    let mut last = reason.clone();
    let mut fails = |t: &_| match supervise::judge_apart(&Case::new(t, case)) {
        Verdict::Fail(reason) if Verdict::kind_of(&reason) == kind => {
            last = reason;
            true
        }
        _ => false,
    };
    let small = if options.shrink { shrink(&tree, options.budget, &mut fails) } else { tree };
    println!("{}", lit_file(&small, case, &last));
    ExitCode::FAILURE
}

/// Judges a case and prints it as it is.
fn show_text(case: &Case) -> ExitCode {
    let verdict = supervise::judge_apart(case);
    println!("// {verdict:?}\n{}", case.write());
    if let Verdict::Fail(_) = verdict { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A case of a control-flow graph, shrunk if it fails.
fn small_blocks(options: &Options, case: u64) -> Case {
    let mut choices = Choices::random(case);
    let made = Case::of_blocks(&mut choices, case);
    let Verdict::Fail(reason) = supervise::judge_apart(&made) else { return made };
    if !options.shrink {
        return made;
    }
    let again = |draws: &[usize]| Case::of_blocks(&mut Choices::again(draws.to_vec()), case);
    let small = shrink_choices(choices.into_drawn(), options.budget, &mut |draws| {
        let verdict = supervise::judge_apart(&again(draws));
        matches!(&verdict, Verdict::Fail(other) if Verdict::kind_of(other) == Verdict::kind_of(&reason))
    });
    again(&small)
}

/// Ends the process when a case takes too long, whatever the main thread is stuck in.
struct Watch(Arc<Mutex<Instant>>);

impl Watch {
    fn start(patience: u64) -> Watch {
        let since = Arc::new(Mutex::new(Instant::now()));
        let shared = since.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(200));
                let waited = shared.lock().map_or(0, |since| since.elapsed().as_secs());
                if waited >= patience {
                    println!("hang");
                    std::process::abort();
                }
            }
        });
        Watch(since)
    }

    fn reset(&self) {
        if let Ok(mut since) = self.0.lock() {
            *since = Instant::now();
        }
    }
}
