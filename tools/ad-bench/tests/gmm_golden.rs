//! The main example against the golden values of ADBench, for every data file that is given.

use ad_bench::{adbench, driver, golden::Golden};
use anyhow::{Result, ensure};

/// Errors are scaled by the largest entry of the array.
const TOLERANCE: f64 = 1e-9;

fn main() -> Result<()> {
    let Some(data) = driver::adbench_data() else {
        println!(
            "not run: no ADBench data beside the source tree; AD_OPT_DATA can name the folder above"
        );
        return Ok(());
    };
    let golden = Golden::read(&data.join("golden.json"))?;
    let files = golden.files_of("gmm");
    ensure!(!files.is_empty(), "the golden file has no gmm entries");
    let (mut passed, mut failed) = (0, 0);
    for file in files {
        let job = driver::Job::new("examples/gmm.mlir", &adbench::read_gmm(&data.join(file))?)?;
        for (entry, part) in [("objective", "objective"), ("gradient", "derivative")] {
            let (results, timing) = job.time(entry, 1)?;
            let error = golden.worst_error(file, part, &results)?;
            let milliseconds = timing.median() * 1e3;
            println!("{file:28} {entry:10} error {error:8.1e}  {milliseconds:9.2} ms");
            if error <= TOLERANCE {
                passed += 1;
            } else {
                failed += 1;
            }
        }
        // Reverse against forward mode, forward mode against differences.
        let (report, agree) = job.check("objective")?;
        println!("{file:28} check      {}", if agree { "ok" } else { &report });
        if agree {
            passed += 1;
        } else {
            failed += 1;
        }
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("test result: {word}. {passed} passed; {failed} failed; 0 ignored");
    ensure!(failed == 0, "golden values: to {TOLERANCE:e} of the largest entry of an array");
    Ok(())
}
