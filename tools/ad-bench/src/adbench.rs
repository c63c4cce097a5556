//! The text files of the ADBench suite, as arguments in the order of the programs' entries.

use std::fs;
use std::path::Path;
use std::str::{FromStr, SplitAsciiWhitespace};

use anyhow::{Context, Result, ensure};

use crate::array::Array;

/// Reads a `gmm` file: `d K n`, then alphas, means, inverse covariance factors, points, gamma, m.
pub fn read_gmm(path: &Path) -> Result<Vec<Array>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse_gmm(&text).with_context(|| format!("in {}", path.display()))
}

fn parse_gmm(text: &str) -> Result<Vec<Array>> {
    let mut words = Words { rest: text.split_ascii_whitespace() };
    let d: usize = words.next("the dimension")?;
    let k: usize = words.next("the number of components")?;
    let n: usize = words.next("the number of points")?;
    let arguments = vec![
        words.array(&[k], "alphas")?,
        words.array(&[k, d], "means")?,
        words.array(&[k, d * (d + 1) / 2], "inverse covariance factors")?,
        words.array(&[n, d], "points")?,
        Array::scalar(words.next("gamma")?),
        Array::integer(words.next("m")?),
    ];
    ensure!(words.rest.next().is_none(), "text after the last value");
    Ok(arguments)
}

/// The words of a file, taken one value at a time.
struct Words<'a> {
    rest: SplitAsciiWhitespace<'a>,
}

impl Words<'_> {
    fn next<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let word = self.rest.next().with_context(|| format!("the file ends before {what}"))?;
        word.parse().ok().with_context(|| format!("'{word}' is no value for {what}"))
    }

    fn array(&mut self, shape: &[usize], what: &str) -> Result<Array> {
        let count: usize = shape.iter().product();
        let elements: Result<Vec<f64>> = (0..count).map(|_| self.next(what)).collect();
        Array::f64(shape, elements?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gmm_order() -> Result<()> {
        let arguments = parse_gmm("1 2 3\n 0.1 0.2\n 1\n2\n 3 4  5 6 7\n 1.5 9")?;
        assert_eq!(arguments[1], Array::f64(&[2, 1], vec![1.0, 2.0])?);
        assert_eq!(arguments[3], Array::f64(&[3, 1], vec![5.0, 6.0, 7.0])?);
        assert_eq!(arguments[5], Array::integer(9));
        Ok(())
    }

    #[test]
    fn gmm_refusals() {
        for (text, message) in [
            ("1 2", "the file ends before the number of points"),
            ("1 1 1 0.5 x", "'x' is no value for means"),
            ("1 1 1 0 0 0 0 1 2 3", "text after the last value"),
            ("-1 1 1", "'-1' is no value for the dimension"),
        ] {
            assert_eq!(parse_gmm(text).unwrap_err().to_string(), message);
        }
    }
}
