//! Tasks of the project that are more than one shell command: `cargo xtask NAME`.

mod demo;
mod pages;
mod scaffold;
mod tidy;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK
  demo              differentiate the Gaussian mixture example and fit it to real data
  pages [FILE]      write docs/tensor-language.md, or FILE: examples, derivatives, costs
  tidy              check what no compiler checks: tests, citations, headers of rules
  new-rule DIALECT.OP   make a rule file and its tests, to be filled in
  new-op DIALECT.OP     make the tests of an operation, to be filled in
  new-pass NAME         make a pass and its test, to be filled in";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["demo"] => demo::run(),
        ["pages"] => pages::run(&root(), &root().join("docs/tensor-language.md")),
        ["pages", file] => pages::run(&root(), Path::new(file)),
        ["tidy"] => tidy::run(&root()),
        ["new-rule", operation] => scaffold::new_rule(&root(), operation),
        ["new-op", operation] => scaffold::new_op(&root(), operation),
        ["new-pass", pass] => scaffold::new_pass(&root(), pass),
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

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
