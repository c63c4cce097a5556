//! `ad-growth PASSES FILE ...`: runs passes over each module in a process of its own, and prints the numbers of these processes,
//! so that Valgrind can tell what each of them did.
//!
//! The processes begin where the passes have been run once, over the first module: what is loaded, read and made once is in none
//! of them, and costs its time once.

use std::{env, fs, process::ExitCode};

use ad_passes::pipeline;
use anyhow::{Context as _, Result, bail, ensure};
use melior::{Context, ir::Module};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some((passes, files)) = arguments.split_first() else {
        eprintln!("usage: ad-growth PASSES FILE ...");
        return ExitCode::FAILURE;
    };
    match run(passes, files) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ad-growth: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(passes: &str, files: &[String]) -> Result<()> {
    let context = ad_dialect::context();
    // A process has one thread of its parent's; what several wait for each other is no work, either.
    context.enable_multi_threading(false);
    let texts: Vec<_> = files
        .iter()
        .map(|file| fs::read_to_string(file).with_context(|| format!("cannot read {file}")))
        .collect::<Result<_>>()?;
    if let Some(first) = texts.first() {
        transform(&context, first, passes)?;
    }
    for (file, text) in files.iter().zip(&texts) {
        println!("{}", apart(|| transform(&context, text, passes)).with_context(|| file.clone())?);
    }
    Ok(())
}

/// Runs passes over a module.
fn transform(context: &Context, text: &str, passes: &str) -> Result<()> {
    let mut module = Module::parse(context, text).context("is no module")?;
    pipeline::run(context, &mut module, passes).map_err(anyhow::Error::msg)
}

/// Does something in a process of its own, and returns its number when it has ended.
#[allow(unsafe_code)]
fn apart(work: impl FnOnce() -> Result<()>) -> Result<i32> {
    // SAFETY: there is one thread; the new process ends without what would be done at the end of this one.
    unsafe {
        let process = libc::fork();
        ensure!(process >= 0, "no process can be started");
        if process == 0 {
            libc::_exit(i32::from(work().is_err()));
        }
        let mut status = 0;
        ensure!(libc::waitpid(process, &mut status, 0) == process, "a process was lost");
        if status != 0 {
            bail!("fails");
        }
        Ok(process)
    }
}
