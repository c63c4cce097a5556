//! Random programs against the oracle: `ad-fuzz --count=10000 --seed=1 --jobs=2`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ad_check::fuzz::main(&arguments, None)
}
