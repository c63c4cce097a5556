//! The driver. `ad-opt run`, `compile`, `check` and `jacobian` are ours; everything else
//! is handed, as it is, to MLIR's own driver library.

mod arguments;
mod check;
mod compile;
mod jacobian;
mod progress;
mod run;

use std::{
    ffi::{CString, c_char, c_int},
    fmt::Display,
    io::{self, Write},
    os::unix::ffi::OsStringExt,
    process::ExitCode,
};

// OptMain.cpp calls what these two export.
use ad_dialect as _;
use ad_passes as _;
use clap::Parser;

/// Runs, compiles and checks programs with derivatives; all other arguments are those of mlir-opt.
#[derive(Parser)]
#[command(name = "ad-opt", version)]
enum Command {
    /// Differentiate, compile and run a function of a module.
    Run(run::Arguments),
    /// Differentiate and compile functions of a module to a library with a C header.
    Compile(compile::Arguments),
    /// Compare derivatives with central differences, and vjp with jvp.
    ///
    /// Elements of about one size move together, by steps of their size, and each result is judged by itself. At a kink the
    /// jvp may be anything between the slopes to either side. Where nothing can be compared, because results are not finite
    /// or differences do not converge, the check is inconclusive, and fails.
    Check(check::Arguments),
    /// Compute a sparse Jacobian by few directional derivatives.
    ///
    /// Columns without a common row are computed together by one jvp, or rows without a common column by one vjp. Elements of
    /// results are the rows, elements of arguments the columns; both are numbered one result or argument after the other, each in
    /// row-major order. Which entries there are is found at the inputs, structurally: those that happen to be zero
    /// count, but not those of branches that are not taken. The Hessian of an objective is the Jacobian of its
    /// gradient.
    Jacobian(jacobian::Arguments),
}

fn main() -> ExitCode {
    let first = std::env::args_os().nth(1);
    match first.as_ref().and_then(|first| first.to_str()) {
        Some("run" | "compile" | "check" | "jacobian") => match Command::parse() {
            Command::Run(arguments) => command(|| run::main(arguments)),
            Command::Compile(arguments) => command(|| compile::main(arguments)),
            Command::Check(arguments) => command(|| check::main(arguments)),
            Command::Jacobian(arguments) => command(|| jacobian::main(arguments)),
        },
        _ => opt_main(),
    }
}

/// Runs one of our commands; an error is printed and becomes the exit status 1.
fn command(run: impl FnOnce() -> anyhow::Result<()> + Send) -> ExitCode {
    match ad_run::on_large_stack(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            match error.downcast_ref::<ad_run::Located>() {
                Some(located) => say(located),
                None => say(format_args!("ad-opt: error: {error:#}")),
            }
            ExitCode::FAILURE
        }
    }
}

/// Prints for whoever looks; nobody may.
fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Hands all arguments to MLIR's own driver.
#[allow(unsafe_code)]
fn opt_main() -> ExitCode {
    unsafe extern "C" {
        fn ad_opt_main(argc: c_int, argv: *mut *mut c_char, version: *const c_char) -> c_int;
    }
    let mut argv: Vec<*mut c_char> = std::env::args_os()
        .map(|argument| CString::new(argument.into_vec()).unwrap_or_default().into_raw())
        .collect();
    let argc = argv.len() as c_int;
    argv.push(std::ptr::null_mut());
    let version = concat!(env!("CARGO_PKG_VERSION"), "\0");
    // SAFETY: `argv` has `argc` strings and a null pointer, which live for ever.
    let code = unsafe { ad_opt_main(argc, argv.as_mut_ptr(), version.as_ptr().cast()) };
    ExitCode::from(u8::from(code != 0))
}
