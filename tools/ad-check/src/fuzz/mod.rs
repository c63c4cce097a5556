//! Random testing: generate a program, differentiate it, and hold every way of running it against the oracle.
//!
//! A supervisor hands ranges of cases to worker processes, so that a case that crashes the compiler is one failed case.
//! Failures are shrunk and written as lit files.

mod judge;
mod options;
mod supervise;

pub use judge::{Judge, Verdict, differentiate};
pub use options::Options;

use crate::executor::Executor;
use crate::random::{generate, lit_file, shrink};
use melior::Context;
use std::process::ExitCode;

/// Makes the executor for compiled code, if this binary has one.
pub type Compiled<'a> = Option<&'a dyn for<'c> Fn(&'c Context) -> Box<dyn Executor + 'c>>;

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
    if let Some(case) = options.show {
        return show(&options, case, compiled);
    }
    supervise::supervise(&options)
}

/// Runs a range of cases and reports each on a line of standard output.
fn worker(options: &Options, range: (u64, u64), compiled: Compiled) {
    let context = ad_dialect::context();
    let executor = compiled.map(|make| make(&context));
    let judge = Judge::new(&context, executor.as_deref());
    for case in range.0..range.1 {
        println!("start {case}");
        let tree = generate(case, options.settings);
        match judge.judge(&tree, case) {
            Verdict::Pass => println!("pass {case}"),
            Verdict::Skip(reason) => println!("skip {case} {reason}"),
            Verdict::Fail(reason) => println!("fail {case} {}", reason.replace('\n', "\\n")),
        }
    }
}

/// Runs one case, shrinks it if it fails, and prints it as a lit file.
fn show(options: &Options, case: u64, compiled: Compiled) -> ExitCode {
    let context = ad_dialect::context();
    let executor = compiled.map(|make| make(&context));
    let judge = Judge::new(&context, executor.as_deref());
    let tree = generate(case, options.settings);
    let verdict = judge.judge(&tree, case);
    let Verdict::Fail(reason) = verdict else {
        println!("{}", lit_file(&tree, case, &format!("{verdict:?}")));
        return ExitCode::SUCCESS;
    };
    let kind = Verdict::kind_of(&reason);
    let mut fails = |t: &_| match judge.judge(t, case) {
        Verdict::Fail(reason) => Verdict::kind_of(&reason) == kind,
        _ => false,
    };
    let small = if options.shrink { shrink(&tree, options.budget, &mut fails) } else { tree };
    let reason = match judge.judge(&small, case) {
        Verdict::Fail(reason) => reason,
        other => format!("{other:?}"),
    };
    println!("{}", lit_file(&small, case, &reason));
    ExitCode::FAILURE
}
