//! Random programs: interpreter, compiled code and numeric oracle against each other:
//! `ad-fuzz --count=10000 --seed=1 --jobs=2`, and with `--target=gpu-emulate` kernels in place of compiled loops, with
//! `--target=cuda` kernels on a GPU, or where `AD_CUDA_DRIVER` names `libad_ptx.so`, as PTX on this computer.

use std::{env, process::ExitCode};

use ad_check::executor::Executor;
use ad_run::{Options, Target, executor::Jit};
use melior::Context;

/// Tells the processes that judge cases what the command was asked for.
const TARGET: &str = "AD_FUZZ_TARGET";

fn main() -> ExitCode {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let target = arguments.iter().position(|argument| argument.starts_with("--target="));
    if let Some(position) = target {
        let argument = arguments.remove(position);
        let name = argument.trim_start_matches("--target=");
        if !["cpu", "gpu-emulate", "cuda"].contains(&name) {
            eprintln!("ad-fuzz: unknown target '{name}'; there are cpu, gpu-emulate and cuda");
            return ExitCode::FAILURE;
        }
        // SAFETY: there are no other threads yet.
        #[allow(unsafe_code)]
        unsafe {
            env::set_var(TARGET, name);
        }
    }
    ad_check::fuzz::main(&arguments, &compiled)
}

/// LLVM takes half of the time of a case at level 3, so only one case in four is compiled at it.
fn compiled<'c>(context: &'c Context) -> Vec<Box<dyn Executor + 'c>> {
    let target = match env::var(TARGET).as_deref() {
        Ok("gpu-emulate") => {
            ad_emulate::configure(ad_emulate::Settings {
                detect_races: true,
                ..ad_emulate::Settings::default()
            });
            Target::Emulate { accesses: true }
        }
        Ok("cuda") => Target::Cuda,
        _ => Target::Cpu,
    };
    let options = |level| Options { level, target, ..Options::default() };
    // At level 0, LLVM takes minutes to select instructions for calls that launch kernels with many arguments.
    let low = if target == Target::Cuda { 1 } else { 0 };
    [3, low, low, low].map(|level| Box::new(Jit::new(context, options(level))) as _).into()
}
