//! The examples compute what their comments say, by closed formulas worked out here.

use ad_bench::array::Array;
use ad_bench::driver::Job;
use anyhow::{Result, ensure};

/// Results must agree with the formulas to this, relative to the larger of one and the value.
const TOLERANCE: f64 = 1e-13;

fn assert_close(found: &Array, expected: &[f64]) -> Result<()> {
    let found = found.numbers()?;
    ensure!(found.len() == expected.len(), "{found:?} has not the size of {expected:?}");
    for (f, e) in found.iter().zip(expected) {
        ensure!((f - e).abs() <= TOLERANCE * e.abs().max(1.0), "{found:?}, expected {expected:?}");
    }
    Ok(())
}

fn assert_checked(job: &Job, entry: &str) -> Result<()> {
    let (report, passed) = job.check(entry)?;
    ensure!(passed, "ad-opt check of {entry} failed:\n{report}");
    Ok(())
}

#[test]
fn quickstart() -> Result<()> {
    for x in [vec![], vec![2.0], vec![0.0, 0.5, -1.25, 3.0]] {
        let job = Job::new("examples/quickstart.mlir", &[Array::f64(&[x.len()], x.clone())?])?;
        let value = x.iter().map(|x| x * x.sin()).sum();
        assert_close(&job.run("objective")?[0], &[value])?;
        let slopes: Vec<f64> = x.iter().map(|x| x.sin() + x * x.cos()).collect();
        assert_close(&job.run("gradient")?[0], &slopes)?;
        if !x.is_empty() {
            assert_checked(&job, "objective")?;
        }
    }
    Ok(())
}

#[test]
fn logistic() -> Result<()> {
    let (w, b) = ([0.3, -1.2], 0.25);
    let x = [[1.0, 2.0], [-0.5, 0.75], [3.0, -40.0]];
    let t = [1.0, 0.0, 1.0];
    let (w_dot, b_dot) = ([0.7, 0.1], -0.4);
    let mut arguments = vec![
        Array::f64(&[2], w.to_vec())?,
        Array::scalar(b),
        Array::f64(&[3, 2], x.concat())?,
        Array::f64(&[3], t.to_vec())?,
    ];
    let job = Job::new("examples/logistic.mlir", &arguments)?;

    // With p = sigmoid(z): the gradient is the mean of (p - t) (x, 1), and the Hessian times a
    // direction the mean of p (1 - p) <(x, 1), direction> (x, 1).
    let (mut value, mut gradient, mut product) = (0.0, [0.0; 3], [0.0; 3]);
    for (row, label) in x.iter().zip(t) {
        let extended = [row[0], row[1], 1.0];
        let z: f64 = row[0] * w[0] + row[1] * w[1] + b;
        let p = 1.0 / (1.0 + (-z).exp());
        let z_dot = row[0] * w_dot[0] + row[1] * w_dot[1] + b_dot;
        value += (z.max(0.0) + (-z.abs()).exp().ln_1p() - label * z) / 3.0;
        for (at, e) in extended.iter().enumerate() {
            gradient[at] += (p - label) * e / 3.0;
            product[at] += p * (1.0 - p) * z_dot * e / 3.0;
        }
    }
    assert_close(&job.run("objective")?[0], &[value])?;
    let results = job.run("gradient")?;
    assert_close(&results[0], &gradient[..2])?;
    assert_close(&results[1], &gradient[2..])?;
    assert_checked(&job, "objective")?;

    arguments.push(Array::f64(&[2], w_dot.to_vec())?);
    arguments.push(Array::scalar(b_dot));
    let job = Job::new("examples/logistic.mlir", &arguments)?;
    let results = job.run("hessian_product")?;
    assert_close(&results[0], &product[..2])?;
    assert_close(&results[1], &product[2..])
}

/// Two components in two dimensions, five points.
fn small_mixture() -> Result<Vec<Array>> {
    Ok(vec![
        Array::f64(&[2], vec![0.1, -0.3])?,
        Array::f64(&[2, 2], vec![0.5, 1.0, -1.0, 0.25])?,
        Array::f64(&[2, 3], vec![0.1, -0.2, 0.4, 0.0, 0.3, -0.7])?,
        Array::f64(&[5, 2], vec![0.0, 1.0, 0.4, 0.9, -1.1, 0.0, -0.8, 0.7, 1.5, -2.0])?,
        Array::scalar(0.5),
        Array::integer(3),
    ])
}

/// One component in one dimension has a closed form: a Gaussian with its prior.
#[test]
fn gmm_single_gaussian() -> Result<()> {
    let (mean, log_q, gamma, m) = (0.4, -0.3_f64, 1.5_f64, 2.0);
    let x = [1.0, -0.5, 2.25];
    let job = Job::new(
        "examples/gmm.mlir",
        &[
            Array::f64(&[1], vec![0.7])?,
            Array::f64(&[1, 1], vec![mean])?,
            Array::f64(&[1, 1], vec![log_q])?,
            Array::f64(&[3, 1], x.to_vec())?,
            Array::scalar(gamma),
            Array::integer(2),
        ],
    )?;
    let q2 = (2.0 * log_q).exp();
    let squares: f64 = x.iter().map(|x| (x - mean).powi(2)).sum();
    let offsets: f64 = x.iter().map(|x| x - mean).sum();
    // w = d + m + 1 = 4 and log Gamma(w / 2) = log Gamma(2) = 0.
    let constant = 4.0 * (gamma.ln() - 2.0_f64.ln() / 2.0);
    let value = 3.0 * (log_q - 0.5 * (2.0 * std::f64::consts::PI).ln()) - 0.5 * q2 * squares
        + 0.5 * gamma * gamma * q2
        - m * log_q
        - constant;
    assert_close(&job.run("objective")?[0], &[value])?;
    let gradient = job.run("gradient")?;
    assert_close(&gradient[0], &[0.0])?;
    assert_close(&gradient[1], &[q2 * offsets])?;
    assert_close(&gradient[2], &[3.0 - q2 * squares + gamma * gamma * q2 - m])
}

#[test]
fn gmm_agrees_with_finite_differences() -> Result<()> {
    assert_checked(&Job::new("examples/gmm.mlir", &small_mixture()?)?, "objective")
}

/// Second derivatives: forward and reverse mode of what reverse mode made (F04).
#[test]
fn gmm_gradient_agrees_with_finite_differences() -> Result<()> {
    assert_checked(&Job::new("examples/gmm.mlir", &small_mixture()?)?, "gradient")
}

/// The curve starts at the objective, never falls, and ends at the objective of what is returned.
#[test]
fn gmm_fit_climbs() -> Result<()> {
    let mut arguments = small_mixture()?;
    let start = Job::new("examples/gmm.mlir", &arguments)?.run("objective")?;
    arguments.push(Array::scalar(0.01));
    arguments.push(Array::integer(25));
    let mut results = Job::new("examples/gmm.mlir", &arguments)?.run("fit")?;
    ensure!(results.len() == 4, "fit gave {} results", results.len());
    let curve = results.remove(0);
    let curve = curve.numbers()?;
    ensure!(curve.len() == 26, "the curve has {} values", curve.len());
    assert_close(&start[0], &curve[..1])?;
    ensure!(curve.is_sorted() && curve[25] > curve[0] + 0.5, "not a climb: {curve:?}");

    results.extend(small_mixture()?.drain(3..));
    let end = Job::new("examples/gmm.mlir", &results)?.run("objective")?;
    assert_close(&end[0], &curve[25..])
}
