//! What one core of the machine can do at best, as `bench/peaks.cpp` measures it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::problem::Pass;
use super::tool;

/// The peaks of one core.
#[derive(Clone, Copy, Debug)]
pub struct Peaks {
    /// Bytes per second of `a[i] = b[i] + s c[i]` on arrays larger than the caches, counted as STREAM
    /// does: 24 for each i.
    pub triad: f64,
    /// Those of `a[i] = s b[i]`, 16 for each i.
    pub scale: f64,
    /// Those of `s += b[i]`, 8 for each i.
    pub sum: f64,
    /// Those of `a[i] = s`, 8 for each i.
    pub fill: f64,
    /// Float operations per second of multiply-adds on doubles in registers.
    pub flops: f64,
}

impl Peaks {
    /// Compiles and runs the program in a folder for what is built.
    pub fn measure(source: &Path, target: &Path) -> Result<Self> {
        let program = target.join("peaks");
        let mut compile = Command::new(tool::clang());
        compile.args(["-std=c++20", "-O3", "-march=native", "-Wall"]).arg(source);
        tool::run(compile.arg("-o").arg(&program))?;
        let output = Command::new(&program).output().context("cannot start peaks")?;
        ensure!(output.status.success(), "peaks failed");
        Self::read(&String::from_utf8_lossy(&output.stdout))
    }

    /// From lines `NAME VALUE` in 1e9 per second.
    fn read(text: &str) -> Result<Self> {
        let values: BTreeMap<&str, &str> =
            text.lines().filter_map(|line| line.split_once(' ')).collect();
        let value = |name: &str| -> Result<f64> {
            let text = values.get(name).with_context(|| format!("peaks says nothing of {name}"))?;
            Ok(text.trim().parse::<f64>()? * 1e9)
        };
        Ok(Self {
            triad: value("triad")?,
            scale: value("scale")?,
            sum: value("sum")?,
            fill: value("fill")?,
            flops: value("multiply-add")?,
        })
    }

    /// The seconds that loops without arithmetic take for each element to read and write what some passes do: each like
    /// the loop above that reads and writes most alike.
    #[must_use]
    pub fn seconds(&self, passes: &[Pass]) -> f64 {
        let seconds = |pass: &Pass| {
            let rate = match (pass.reads, pass.writes) {
                (_, 0) => self.sum,
                (0, _) => self.fill,
                (reads, writes) if reads <= writes => self.scale,
                _ => self.triad,
            };
            (8 * (pass.reads + pass.writes)) as f64 / rate
        };
        passes.iter().map(seconds).sum()
    }

    /// For the description of the machine.
    #[must_use]
    pub fn describe(&self) -> [(String, String); 2] {
        let of = |bytes: f64| format!("{:.1}", bytes * 1e-9);
        let [triad, scale, sum, fill] = [self.triad, self.scale, self.sum, self.fill].map(of);
        [
            (
                "memory, one core".to_owned(),
                format!("triad {triad}, scale {scale}, sum {sum}, fill {fill} GB/s"),
            ),
            (
                "multiply-adds, one core".to_owned(),
                format!("{:.1} GFlop/s in f64", self.flops * 1e-9),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "triad 24\nscale 16\nsum 8\nfill 4\nmultiply-add 50.25\n";

    #[test]
    fn lines_are_read() {
        let peaks = Peaks::read(LINES).unwrap();
        assert!((peaks.triad - 24e9).abs() < 1.0 && (peaks.flops - 50.25e9).abs() < 1.0);
        assert_eq!(peaks.describe()[0].1, "triad 24.0, scale 16.0, sum 8.0, fill 4.0 GB/s");
        let missing = Peaks::read("triad 12.5\n").unwrap_err();
        assert_eq!(missing.to_string(), "peaks says nothing of scale");
    }

    #[test]
    fn passes_are_timed_by_the_loop_like_them() {
        let peaks = Peaks::read(LINES).unwrap();
        let nanoseconds = |reads, writes| 1e9 * peaks.seconds(&[Pass { reads, writes }]);
        for (pass, expected) in [((2, 0), 2.0), ((0, 1), 2.0), ((1, 1), 1.0), ((2, 1), 1.0)] {
            assert!((nanoseconds(pass.0, pass.1) - expected).abs() < 1e-9, "{pass:?}");
        }
        let both = [Pass { reads: 1, writes: 0 }, Pass { reads: 4, writes: 4 }];
        assert!((1e9 * peaks.seconds(&both) - 5.0).abs() < 1e-9);
    }
}
