//! What one core of the machine can do at best, as `bench/peaks.cpp` measures it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

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
            flops: value("multiply-add")?,
        })
    }

    /// For the description of the machine.
    #[must_use]
    pub fn describe(&self) -> [(String, String); 2] {
        let of = |bytes: f64| format!("{:.1}", bytes * 1e-9);
        let (triad, scale, sum) = (of(self.triad), of(self.scale), of(self.sum));
        [
            (
                "memory, one core".to_owned(),
                format!("triad {triad}, scale {scale}, sum {sum} GB/s"),
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

    #[test]
    fn lines_are_read() {
        let peaks = Peaks::read("triad 12.5\nscale 10\nsum 14\nmultiply-add 50.25\n").unwrap();
        assert!((peaks.triad - 12.5e9).abs() < 1.0 && (peaks.flops - 50.25e9).abs() < 1.0);
        assert_eq!(peaks.describe()[0].1, "triad 12.5, scale 10.0, sum 14.0 GB/s");
        let missing = Peaks::read("triad 12.5\n").unwrap_err();
        assert_eq!(missing.to_string(), "peaks says nothing of scale");
    }
}
