//! The text files of the ADBench suite, as arguments in the order of the programs' entries.

use std::fs;
use std::path::Path;
use std::str::{FromStr, SplitAsciiWhitespace};

use anyhow::{Context, Result, bail, ensure};

use crate::array::Array;

/// Reads the file of a problem: `gmm`, `ba`, `lstm` or `hand`.
pub fn read(problem: &str, path: &Path) -> Result<Vec<Array>> {
    match problem {
        "gmm" => read_gmm(path),
        "ba" => read_ba(path),
        "lstm" => read_lstm(path),
        "hand" => read_hand(path),
        _ => bail!("'{problem}' is no problem of ADBench"),
    }
}

fn parse<T>(path: &Path, parser: impl FnOnce(&str) -> Result<T>) -> Result<T> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parser(&text).with_context(|| format!("in {}", path.display()))
}

/// Reads a `gmm` file: `d K n`, then alphas, means, inverse covariance factors, points, gamma, m.
pub fn read_gmm(path: &Path) -> Result<Vec<Array>> {
    parse(path, parse_gmm)
}

fn parse_gmm(text: &str) -> Result<Vec<Array>> {
    let mut words = Words::of(text);
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
    words.end()?;
    Ok(arguments)
}

/// Reads a `ba` file: `n m p`, then one camera, point, weight and feature, which all cameras, points
/// and observations share. Observation o sees camera `o mod n` and point `o mod m`.
pub fn read_ba(path: &Path) -> Result<Vec<Array>> {
    parse(path, parse_ba)
}

fn parse_ba(text: &str) -> Result<Vec<Array>> {
    let mut words = Words::of(text);
    let n: usize = words.next("the number of cameras")?;
    let m: usize = words.next("the number of points")?;
    let p: usize = words.next("the number of observations")?;
    let arguments = vec![
        Array::f64(&[n, 11], words.numbers(11, "the camera")?.repeat(n))?,
        Array::f64(&[m, 3], words.numbers(3, "the point")?.repeat(m))?,
        Array::f64(&[p], words.numbers(1, "the weight")?.repeat(p))?,
        Array::f64(&[p, 2], words.numbers(2, "the feature")?.repeat(p))?,
        Array::i64(&[p, 2], (0..p).flat_map(|o| [(o % n) as i64, (o % m) as i64]).collect())?,
    ];
    words.end()?;
    Ok(arguments)
}

/// Reads an `lstm` file: `l c b`, then weights and biases of each layer, the extra parameters, the
/// state and the sequence.
pub fn read_lstm(path: &Path) -> Result<Vec<Array>> {
    parse(path, parse_lstm)
}

fn parse_lstm(text: &str) -> Result<Vec<Array>> {
    let mut words = Words::of(text);
    let l: usize = words.next("the number of layers")?;
    let c: usize = words.next("the length of the sequence")?;
    let b: usize = words.next("the number of bits")?;
    let arguments = vec![
        words.array(&[2 * l, 4 * b], "main parameters")?,
        words.array(&[3, b], "extra parameters")?,
        words.array(&[2 * l, b], "state")?,
        words.array(&[c, b], "sequence")?,
    ];
    words.end()?;
    Ok(arguments)
}

/// Reads a `hand` file and the model in the folder `model` beside it. A folder whose name has
/// `complicated` in it holds problems with barycentric coordinates.
pub fn read_hand(path: &Path) -> Result<Vec<Array>> {
    let folder = path.parent().with_context(|| format!("{} has no folder", path.display()))?;
    let complicated =
        folder.file_name().is_some_and(|f| f.to_string_lossy().contains("complicated"));
    let [theta, us, corr, points] = parse(path, |text| parse_hand(text, complicated))?;
    let model = folder.join("model");
    let [parents, relative, inverse] = parse(&model.join("bones.txt"), parse_bones)?;
    let [positions, weights] =
        parse(&model.join("vertices.txt"), |text| parse_vertices(text, parents.shape[0]))?;
    let triangles = parse(&model.join("triangles.txt"), parse_triangles)?;
    Ok(vec![theta, us, parents, relative, inverse, positions, weights, triangles, corr, points])
}

/// `p ntheta`, a vertex or triangle and a point per row, coordinates if there are any, theta.
fn parse_hand(text: &str, complicated: bool) -> Result<[Array; 4]> {
    let mut words = Words::of(text);
    let p: usize = words.next("the number of points")?;
    let parameters: usize = words.next("the number of parameters")?;
    let (mut corr, mut points) = (vec![], vec![]);
    for _ in 0..p {
        corr.push(words.next("the correspondences")?);
        points.extend(words.numbers(3, "the points")?);
    }
    let us = words.array(&[if complicated { p } else { 0 }, 2], "the coordinates")?;
    let theta = words.array(&[parameters], "theta")?;
    words.end()?;
    Ok([theta, us, Array::i64(&[p], corr)?, Array::f64(&[p, 3], points)?])
}

/// `name:parent:16 numbers:16 numbers` per bone, both matrices row by row.
fn parse_bones(text: &str) -> Result<[Array; 3]> {
    let (mut parents, mut relative, mut inverse) = (vec![], vec![], vec![]);
    for line in text.lines() {
        let mut fields = Fields { rest: line.split(':') };
        fields.next::<String>("the name of a bone")?;
        parents.push(fields.next("the parent of a bone")?);
        relative.extend(fields.numbers(16, "a relative transform")?);
        inverse.extend(fields.numbers(16, "an inverse transform")?);
    }
    let nb = parents.len();
    Ok([
        Array::i64(&[nb], parents)?,
        Array::f64(&[nb, 4, 4], relative)?,
        Array::f64(&[nb, 4, 4], inverse)?,
    ])
}

/// `x:y:z:` and five fields we do not need, then the number of weights, then `bone:weight` pairs.
fn parse_vertices(text: &str, bones: usize) -> Result<[Array; 2]> {
    let (mut positions, mut weights) = (vec![], vec![]);
    for line in text.lines() {
        let mut fields = Fields { rest: line.split(':') };
        positions.extend(fields.numbers(3, "a vertex")?);
        fields.numbers(5, "a vertex")?;
        let mut row = vec![0.0; bones];
        for _ in 0..fields.next::<usize>("the number of weights")? {
            let bone: usize = fields.next("the bone of a weight")?;
            *row.get_mut(bone).with_context(|| format!("there is no bone {bone}"))? +=
                fields.next::<f64>("a weight")?;
        }
        weights.extend(row);
    }
    let nv = positions.len() / 3;
    Ok([Array::f64(&[nv, 3], positions)?, Array::f64(&[nv, bones], weights)?])
}

/// `a:b:c` per triangle.
fn parse_triangles(text: &str) -> Result<Array> {
    let mut corners = vec![];
    for line in text.lines() {
        let mut fields = Fields { rest: line.split(':') };
        for _ in 0..3 {
            corners.push(fields.next("a triangle")?);
        }
    }
    Array::i64(&[corners.len() / 3, 3], corners)
}

/// The fields of a line of a model file.
struct Fields<'a> {
    rest: std::str::Split<'a, char>,
}

impl Fields<'_> {
    fn next<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let field = self.rest.next().with_context(|| format!("a line ends before {what}"))?;
        field.trim().parse().ok().with_context(|| format!("'{field}' is no value for {what}"))
    }

    fn numbers(&mut self, count: usize, what: &str) -> Result<Vec<f64>> {
        (0..count).map(|_| self.next(what)).collect()
    }
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

    fn numbers(&mut self, count: usize, what: &str) -> Result<Vec<f64>> {
        (0..count).map(|_| self.next(what)).collect()
    }

    fn array(&mut self, shape: &[usize], what: &str) -> Result<Array> {
        Array::f64(shape, self.numbers(shape.iter().product(), what)?)
    }

    fn end(&mut self) -> Result<()> {
        ensure!(self.rest.next().is_none(), "text after the last value");
        Ok(())
    }
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        Self { rest: text.split_ascii_whitespace() }
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

    #[test]
    fn ba_repeats() -> Result<()> {
        let arguments = parse_ba("2 3 4\n 1 2 3 4 5 6 7 8 9 10 11\n 1 2 3\n 0.5\n 7 8")?;
        assert_eq!(arguments[0].shape, [2, 11]);
        assert_eq!(arguments[2], Array::f64(&[4], vec![0.5; 4])?);
        assert_eq!(arguments[4], Array::i64(&[4, 2], vec![0, 0, 1, 1, 0, 2, 1, 0])?);
        Ok(())
    }

    #[test]
    fn lstm_order() -> Result<()> {
        let text: Vec<String> = (0..18).map(|i| i.to_string()).collect();
        let arguments = parse_lstm(&format!("1 5 1 {}", text.join(" ")))?;
        assert_eq!(arguments[1], Array::f64(&[3, 1], vec![8.0, 9.0, 10.0])?);
        assert_eq!(arguments[3].shape, [5, 1]);
        Ok(())
    }

    #[test]
    fn hand_order() -> Result<()> {
        let [theta, us, corr, points] = parse_hand("1 2\n4 1 2 3\n0.25 0.5\n7\n8", true)?;
        assert_eq!(theta, Array::f64(&[2], vec![7.0, 8.0])?);
        assert_eq!(us, Array::f64(&[1, 2], vec![0.25, 0.5])?);
        assert_eq!(corr, Array::i64(&[1], vec![4])?);
        assert_eq!(points, Array::f64(&[1, 3], vec![1.0, 2.0, 3.0])?);
        Ok(())
    }

    #[test]
    fn hand_model() -> Result<()> {
        let matrix = ["1"; 16].join(":");
        let [parents, ..] = parse_bones(&format!("wrist:-1:{matrix}:{matrix}\n"))?;
        assert_eq!(parents, Array::i64(&[1], vec![-1])?);
        let [_, weights] = parse_vertices("1:2:3:0:0:0:0:0:2:1:0.75:0:0.25\n", 2)?;
        assert_eq!(weights, Array::f64(&[1, 2], vec![0.25, 0.75])?);
        let error = parse_vertices("1:2:3:0:0:0:0:0:1:2:1\n", 2).unwrap_err();
        assert_eq!(error.to_string(), "there is no bone 2");
        assert_eq!(
            parse_triangles("1:2\n").unwrap_err().to_string(),
            "a line ends before a triangle"
        );
        Ok(())
    }
}
