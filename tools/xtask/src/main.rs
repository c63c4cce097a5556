//! Tasks of the project that are more than one shell command: `cargo xtask NAME`.

mod demo;

use std::env;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK
  demo    differentiate the Gaussian mixture example and fit it to real data";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["demo"] => demo::run(),
        ["--help" | "-h" | "help"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
