//! A real data set that any Debian machine can fetch: the Wisconsin diagnostic breast cancer
//! measurements, which ship as a 120 kB table inside the scikit-learn package.
//!
//! The table comes from Debian's `python3-sklearn` package (2 MB, downloaded and unpacked but not
//! installed, so neither root nor Python is needed) or, failing that, from the wheel on PyPI. It is
//! kept, so that the next run needs no network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

const TABLE: &str = "sklearn/datasets/data/breast_cancer.csv";

/// The data set: one row of measurements per tumour.
pub struct Measurements {
    /// What to call it.
    pub source: &'static str,
    /// The number of measurements per row.
    pub dimension: usize,
    /// Row by row; every column has mean 0 and standard deviation 1.
    pub points: Vec<f64>,
    /// Per row, 0 for malignant and 1 for benign.
    pub labels: Vec<usize>,
}

/// Reads the data set, fetching it into `folder` first if it is not there.
pub fn breast_cancer(folder: &Path) -> Result<Measurements> {
    let path = folder.join("breast_cancer.csv");
    if !path.is_file() {
        fetch(folder, &path)?;
    }
    let text = fs::read_to_string(&path)?;
    parse(&text)
        .with_context(|| format!("{} is damaged: delete it to fetch it again", path.display()))
}

/// The header line is `rows,columns,label names`; the others are numbers and end with the label.
fn parse(text: &str) -> Result<Measurements> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let header: Vec<&str> = lines.next().context("no header")?.split(',').collect();
    ensure!(header.len() >= 2, "the header does not give the size");
    let (n, d): (usize, usize) = (header[0].parse()?, header[1].parse()?);
    let mut points = Vec::with_capacity(n * d);
    let mut labels = Vec::with_capacity(n);
    for line in lines {
        let row = line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        ensure!(row.len() == d + 1, "a row has {} numbers, expected {}", row.len(), d + 1);
        points.extend(&row[..d]);
        labels.push(if row[d] == 0.0 { 0 } else { 1 });
    }
    ensure!(labels.len() == n, "{} rows, expected {n}", labels.len());
    standardise(&mut points, n, d);
    Ok(Measurements {
        source: "breast cancer (Wisconsin, diagnostic)",
        dimension: d,
        points,
        labels,
    })
}

/// Shifts and scales every column to mean 0 and standard deviation 1.
fn standardise(points: &mut [f64], n: usize, d: usize) {
    for column in 0..d {
        let entries = || (0..n).map(|row| row * d + column);
        let mean = entries().map(|at| points[at]).sum::<f64>() / n as f64;
        let variance = entries().map(|at| (points[at] - mean).powi(2)).sum::<f64>() / n as f64;
        for at in entries() {
            points[at] = (points[at] - mean) / variance.sqrt();
        }
    }
}

/// Gets the table from the first source that works.
fn fetch(folder: &Path, path: &Path) -> Result<()> {
    let download = folder.join("download");
    let unpacked = folder.join("unpacked");
    let mut failures = Vec::new();
    for (name, source) in [
        ("Debian's python3-sklearn", debian as fn(&Path, &Path) -> Result<PathBuf>),
        ("scikit-learn on PyPI", pypi),
    ] {
        eprintln!("fetching the data set from {name} ...");
        for temporary in [&download, &unpacked] {
            if temporary.exists() {
                fs::remove_dir_all(temporary)?;
            }
            fs::create_dir_all(temporary)?;
        }
        match source(&download, &unpacked) {
            Ok(table) => {
                // Moved into place, so that a broken-off copy is never taken for the table.
                let partial = path.with_extension("part");
                fs::copy(&table, &partial).with_context(|| format!("no {}", table.display()))?;
                fs::rename(&partial, path)?;
                fs::remove_dir_all(&download)?;
                fs::remove_dir_all(&unpacked)?;
                return Ok(());
            }
            Err(error) => failures.push(format!("{name}: {error:#}")),
        }
    }
    anyhow::bail!(
        "cannot fetch the data set; put scikit-learn's breast_cancer.csv at {}\n  {}",
        path.display(),
        failures.join("\n  ")
    )
}

fn debian(download: &Path, unpacked: &Path) -> Result<PathBuf> {
    let get = |folder: &Path| {
        let mut command = Command::new("apt-get");
        quiet(command.args(["download", "--quiet", "python3-sklearn"]).current_dir(folder))
    };
    // A machine without package lists needs them first; that takes root.
    if get(download).is_err() {
        quiet(Command::new("apt-get").args(["update", "--quiet"]))?;
        get(download)?;
    }
    quiet(Command::new("dpkg-deb").arg("-x").arg(only_file(download)?).arg(unpacked))?;
    Ok(unpacked.join("usr/lib/python3/dist-packages").join(TABLE))
}

fn pypi(download: &Path, unpacked: &Path) -> Result<PathBuf> {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest"]);
    quiet(pip.arg(download).arg("scikit-learn"))?;
    let mut unzip = Command::new("python3");
    quiet(unzip.args(["-m", "zipfile", "-e"]).arg(only_file(download)?).arg(unpacked))?;
    Ok(unpacked.join(TABLE))
}

/// Runs a command; what it says matters only if it fails.
fn quiet(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot start {name}"))?;
    let message = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name}: {}", message.lines().last().unwrap_or("failed"));
    Ok(())
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    let entry = fs::read_dir(folder)?.next().context("nothing was downloaded")?;
    Ok(entry?.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_standardised() -> Result<()> {
        let table = parse("2,2,malignant,benign\n1.0,10,0\n3.0,30,1\n")?;
        assert_eq!(table.points, [-1.0, -1.0, 1.0, 1.0]);
        assert_eq!(table.labels, [0, 1]);
        Ok(())
    }

    #[test]
    fn damaged_tables_are_refused() {
        for text in ["", "2\n", "2,2\n1,2,0\n", "1,2\n1,0\n", "1,1\nx,0\n"] {
            assert!(parse(text).is_err());
        }
    }
}
