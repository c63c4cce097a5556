//! Random programs: interpreter, compiled code and numeric oracle against each other:
//! `ad-fuzz --count=10000 --seed=1 --jobs=2`.

use std::process::ExitCode;

use ad_check::executor::Executor;
use ad_run::{Options, executor::Jit};
use melior::Context;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ad_check::fuzz::main(&arguments, &compiled)
}

/// LLVM takes half of the time of a case at level 3, so only one case in four is compiled at it.
fn compiled<'c>(context: &'c Context) -> Vec<Box<dyn Executor + 'c>> {
    let options = |level| Options { level, ..Options::default() };
    [3, 0, 0, 0].map(|level| Box::new(Jit::new(context, options(level))) as _).into()
}
