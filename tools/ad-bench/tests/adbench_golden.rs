//! The problems of ADBench against its golden values, for every data file that is given (the values
//! of F56, of GMM also those of F60), and against finite differences.

use std::path::Path;

use ad_bench::array::Array;
use ad_bench::{adbench, agreement, driver, golden::Golden};
use anyhow::{Result, ensure};

/// Errors are scaled by the largest entry of the array.
const TOLERANCE: f64 = 1e-9;

/// The largest number of elements, of all arguments together, that finite differences are run on.
const CHECKED: usize = 1_000_000;

/// The same that kernels are emulated for, race detection included.
const EMULATED: usize = 20_000;

/// A problem, its program and its entries: the objective and what the golden values call the derivative.
type Problem = (&'static str, &'static str, &'static str, &'static str);

const PROBLEMS: &[Problem] = &[
    ("gmm", "bench/programs/gmm.mlir", "objective", "gradient"),
    ("ba", "bench/programs/ba.mlir", "objective", "jacobian"),
    ("lstm", "bench/programs/lstm.mlir", "objective", "gradient"),
    ("hand/simple_small", "bench/programs/hand.mlir", "objective", "jacobian"),
    (
        "hand/complicated_small",
        "bench/programs/hand.mlir",
        "objective_complicated",
        "jacobian_complicated",
    ),
];

#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
}

impl Count {
    fn add(&mut self, passed: bool) {
        if passed {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }
}

fn main() -> Result<()> {
    let Some(data) = driver::adbench_data() else {
        println!(
            "not run: no ADBench data beside the source tree; AD_OPT_DATA can name the folder above"
        );
        return Ok(());
    };
    let golden = Golden::read(&data.join("golden.json"))?;
    let mut count = Count::default();
    for problem in PROBLEMS {
        let files = golden.files_of(problem.0);
        ensure!(!files.is_empty(), "the golden file has no entries of {}", problem.0);
        for file in files {
            compare(problem, &data, file, &golden, &mut count)?;
        }
    }
    let Count { passed, failed } = count;
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {word}. {passed} passed; {failed} failed; 0 ignored");
    ensure!(failed == 0, "golden values: to {TOLERANCE:e} of the largest entry of an array");
    Ok(())
}

fn compare(
    (problem, program, objective, derivative): &Problem,
    data: &Path,
    file: &str,
    golden: &Golden,
    count: &mut Count,
) -> Result<()> {
    let name = problem.split('/').next().unwrap_or(problem);
    let arguments = adbench::read(name, &data.join(file))?;
    let size: usize = arguments.iter().map(elements).sum();
    let job = driver::Job::new(program, &arguments)?;
    for (entry, part) in [(objective, "objective"), (derivative, "derivative")] {
        let (results, timing) = job.time(entry, 1)?;
        let error = golden.worst_error(file, part, &results)?;
        let milliseconds = timing.median() * 1e3;
        println!("{file:42} {entry:21} error {error:8.1e}  {milliseconds:9.2} ms");
        count.add(error <= TOLERANCE);
        if size <= EMULATED {
            for (device, results) in job.kernels(entry)? {
                let error = golden.worst_error(file, part, &results)?;
                println!("{file:42} {:21} error {error:8.1e}", format!("  by {device}"));
                count.add(error <= TOLERANCE);
            }
            let single = agreement::agree_in_f32(
                &driver::Job::in_f32(program, &arguments)?,
                entry,
                agreement::SINGLE,
            );
            let word = single.as_ref().map_or_else(|error| format!("{error:#}"), |()| "ok".into());
            println!("{file:42} {:21} {word}", "  as kernels in f32");
            count.add(single.is_ok());
        }
    }
    if size > CHECKED {
        println!("{file:42} check                 left out: {size} elements take minutes");
        return Ok(());
    }
    // Reverse against forward mode, forward mode against differences.
    let (report, agree) = job.check(objective)?;
    println!("{file:42} check                 {}", if agree { "ok" } else { &report });
    count.add(agree);
    Ok(())
}

fn elements(array: &Array) -> usize {
    array.shape.iter().product()
}
