//! Golden values: what a program must compute for a data file.
//!
//! A file maps the name of a data file to the expected arrays of `objective` and `derivative`. A
//! small array is given by its `values`; a large one by its `sum`, its Euclidean norm `l2` and some
//! entries `at` (pairs of flat index and value).

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::array::{Array, pairwise_sum};

/// All expectations of one file of golden values.
pub struct Golden {
    files: serde_json::Map<String, Value>,
}

impl Golden {
    /// Reads a file of golden values.
    pub fn read(path: &Path) -> Result<Self> {
        let context = || format!("cannot read {}", path.display());
        let text = fs::read_to_string(path).with_context(context)?;
        match serde_json::from_str(&text).with_context(context)? {
            Value::Object(files) => Ok(Self { files }),
            _ => bail!("{} is not a JSON object", path.display()),
        }
    }

    /// The data files of a problem, in order.
    #[must_use]
    pub fn files_of(&self, problem: &str) -> Vec<&str> {
        let prefix = format!("{problem}/");
        self.files.keys().map(String::as_str).filter(|name| name.starts_with(&prefix)).collect()
    }

    /// The worst error of `results` against `part` (`objective` or `derivative`) of a data file,
    /// each array scaled by its largest entry.
    pub fn worst_error(&self, file: &str, part: &str, results: &[Array]) -> Result<f64> {
        let expected = self
            .files
            .get(file)
            .and_then(|entry| entry.get(part))
            .and_then(Value::as_array)
            .with_context(|| format!("no golden {part} for {file}"))?;
        ensure!(
            expected.len() == results.len(),
            "{file}: {part} has {} arrays, expected {}",
            results.len(),
            expected.len()
        );
        let mut worst = 0.0_f64;
        for (position, (expected, result)) in expected.iter().zip(results).enumerate() {
            let error = compare(expected, result)
                .with_context(|| format!("{file}: array {position} of {part}"))?;
            worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
        }
        Ok(worst)
    }
}

/// The worst scaled error among everything that `expected` says about the array.
fn compare(expected: &Value, result: &Array) -> Result<f64> {
    let shape: Vec<usize> = serde_json::from_value(expected["shape"].clone())?;
    ensure!(shape == result.shape, "has shape {:?}, expected {shape:?}", result.shape);
    let found = result.numbers()?;

    let mut pairs: Vec<(f64, f64)> = Vec::new();
    if let Some(values) = expected.get("values") {
        let values: Vec<f64> = serde_json::from_value(values.clone())?;
        ensure!(values.len() == found.len(), "golden values do not fill the shape");
        pairs.extend(found.iter().copied().zip(values));
    }
    if let Some(entries) = expected.get("at") {
        let entries: Vec<(usize, f64)> = serde_json::from_value(entries.clone())?;
        for (index, value) in entries {
            pairs.push((*found.get(index).context("golden index out of bounds")?, value));
        }
    }
    ensure!(!pairs.is_empty(), "the golden file gives no entries");
    let largest = pairs
        .iter()
        .map(|pair| pair.1.abs())
        .chain(found.iter().map(|v| v.abs()))
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut errors: Vec<f64> = pairs.iter().map(|(f, e)| (f - e).abs() / largest).collect();

    if let Some(l2) = expected.get("l2").and_then(Value::as_f64) {
        let scale = l2.abs().max(f64::MIN_POSITIVE);
        errors.push((result.norm()? - l2).abs() / scale);
        // A sum may cancel to nothing, so its error is measured on the scale of the norm.
        if let Some(sum) = expected.get("sum").and_then(Value::as_f64) {
            errors.push((pairwise_sum(found) - sum).abs() / scale);
        }
    }
    // A value that is not a number is an infinite error; `max` would drop it.
    Ok(errors.into_iter().fold(
        0.0,
        |worst, error| {
            if error.is_nan() { f64::INFINITY } else { worst.max(error) }
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_statement_counts() -> Result<()> {
        let array = Array::f64(&[2], vec![3.0, 4.0])?;
        let exact = json!({"shape": [2], "l2": 5.0, "sum": 7.0, "at": [[1, 4.0]]});
        assert_eq!(compare(&exact, &array)?, 0.0);
        for (key, wrong) in [("l2", json!(5.5)), ("sum", json!(7.5)), ("at", json!([[1, 4.4]]))] {
            let mut changed = exact.clone();
            changed[key] = wrong;
            assert!((compare(&changed, &array)? - 0.1).abs() < 0.01);
        }
        Ok(())
    }

    #[test]
    fn not_a_number_is_an_error() -> Result<()> {
        let array = Array::f64(&[1], vec![f64::NAN])?;
        assert_eq!(compare(&json!({"shape": [1], "values": [1.0]}), &array)?, f64::INFINITY);
        Ok(())
    }

    #[test]
    fn shapes_must_agree() -> Result<()> {
        let array = Array::f64(&[1], vec![1.0])?;
        assert!(compare(&json!({"shape": [1, 1], "values": [1.0]}), &array).is_err());
        Ok(())
    }
}
