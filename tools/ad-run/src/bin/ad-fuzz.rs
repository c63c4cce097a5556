//! Random programs: interpreter, compiled code and numeric oracle against each other:
//! `ad-fuzz --count=10000 --seed=1 --jobs=2`.

use std::process::ExitCode;

use ad_check::executor::Executor;
use ad_run::executor::Jit;
use melior::Context;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ad_check::fuzz::main(&arguments, Some(&compiled))
}

fn compiled<'c>(context: &'c Context) -> Box<dyn Executor + 'c> {
    Box::new(Jit::new(context))
}
