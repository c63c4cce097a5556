//! `make demo`: fit the Gaussian mixture of `examples/gmm.mlir` to real data.
//!
//! The program and its derivative run through `ad-opt run`; nothing numerical happens here but
//! preparing the data and counting which point went to which component.

mod data;

use ad_bench::array::Array;
use ad_bench::driver::{Job, root};
use anyhow::{Context, Result, ensure};

const PROGRAM: &str = "examples/gmm.mlir";
const COMPONENTS: usize = 2;
const GAMMA: f64 = 0.1;
const WISHART_M: i64 = 0;
const FIRST_STEP: f64 = 0.01;
const ITERATIONS: usize = 200;
const REPEAT: usize = 20;

/// Runs the demonstration; an error if a check fails or the likelihood does not grow.
pub fn run() -> Result<()> {
    let measurements = data::breast_cancer(&root().join("target/demo"))?;
    let (n, d) = (measurements.labels.len(), measurements.dimension);
    println!("program    {PROGRAM}");
    println!("data       {}: {n} points of dimension {d}, standardised", measurements.source);

    let mut arguments = starting_point(&measurements.points, d)?;
    arguments.push(Array::f64(&[n, d], measurements.points.clone())?);
    arguments.push(Array::scalar(GAMMA));
    arguments.push(Array::integer(WISHART_M));

    let job = Job::new(PROGRAM, &arguments)?;
    report_derivative(&job)?;
    arguments.push(Array::scalar(FIRST_STEP));
    arguments.push(Array::integer(ITERATIONS as i64));
    let fitted = report_ascent(&Job::new(PROGRAM, &arguments)?)?;

    // Which component explains which point, and does that say anything about the diagnosis?
    let points = arguments[3].clone();
    let [alphas, means, icf] = fitted;
    let terms = Job::new(PROGRAM, &[alphas, means, icf, points])?.run("log_terms")?;
    report_components(terms.first().context("no table of terms")?.numbers()?, &measurements)
}

/// Value, gradient, the check against finite differences, times.
fn report_derivative(job: &Job) -> Result<()> {
    let (value, objective_time) = job.time("objective", REPEAT)?;
    let (gradient, gradient_time) = job.time("gradient", REPEAT)?;
    ensure!(value.len() == 1 && gradient.len() == 3, "unexpected number of results");
    let norms = gradient.iter().map(Array::norm).collect::<Result<Vec<_>>>()?;
    let norm = norms.iter().map(|v| v * v).sum::<f64>().sqrt();
    println!("objective  {:.6}  (log posterior at the starting point)", value[0].numbers()?[0]);
    println!(
        "gradient   norm {norm:.6}  (alphas {:.3}, means {:.3}, icf {:.3})",
        norms[0], norms[1], norms[2]
    );
    let (report, passed) = job.check("objective")?;
    for (position, line) in report.lines().enumerate() {
        println!("{}  {line}", if position == 0 { "check    " } else { "         " });
    }
    println!("           (0 alphas, 1 means, 2 icf, 3 points, 4 gamma)");
    ensure!(passed, "the gradient disagrees with finite differences");
    println!(
        "time       objective {:.3} ms, gradient {:.3} ms ({:.1} times), median of {REPEAT} runs; \
         compiled in {:.1} s",
        objective_time.median() * 1e3,
        gradient_time.median() * 1e3,
        gradient_time.median() / objective_time.median(),
        gradient_time.compile
    );
    Ok(())
}

/// Runs the fit, draws its curve, and returns the fitted parameters.
fn report_ascent(job: &Job) -> Result<[Array; 3]> {
    let results = job.run("fit")?;
    let [curve, alphas, means, icf] = <[Array; 4]>::try_from(results)
        .map_err(|arrays| anyhow::anyhow!("fit gave {} results", arrays.len()))?;
    let curve = curve.numbers()?;
    let (Some(&first), Some(&last)) = (curve.first(), curve.last()) else {
        anyhow::bail!("fit gave an empty curve");
    };
    println!("ascent     {ITERATIONS} iterations, one gradient each");
    println!("           iteration   log posterior");
    for (iteration, value) in curve.iter().enumerate().step_by(ITERATIONS / 20) {
        let bar = "#".repeat((40.0 * (value - first) / (last - first)).round().max(0.0) as usize);
        println!("           {iteration:9}  {value:14.3}  {bar}");
    }
    ensure!(
        last > first && curve.iter().all(|value| value.is_finite()),
        "the log posterior did not grow"
    );
    Ok([alphas, means, icf])
}

/// Counts diagnoses per component; `terms` has a row per component.
fn report_components(terms: &[f64], measurements: &data::Measurements) -> Result<()> {
    let n = measurements.labels.len();
    ensure!(terms.len() == COMPONENTS * n, "the table of terms has the wrong size");
    let mut counts = [[0_usize; 2]; COMPONENTS];
    for (point, &label) in measurements.labels.iter().enumerate() {
        let best = (0..COMPONENTS)
            .max_by(|&a, &b| terms[a * n + point].total_cmp(&terms[b * n + point]))
            .unwrap_or(0);
        counts[best][label] += 1;
    }
    println!("components against the diagnosis, which the fit has not seen:");
    let mut agreeing = 0;
    for (component, [malignant, benign]) in counts.iter().enumerate() {
        println!("           component {component}: {malignant:3} malignant, {benign:3} benign");
        agreeing += malignant.max(benign);
    }
    println!("           {:.1} % agree", 100.0 * agreeing as f64 / n as f64);
    Ok(())
}

/// Equal weights, unit covariances, and as means those of equal slices of the points, sorted by the
/// sum of their coordinates.
fn starting_point(points: &[f64], d: usize) -> Result<Vec<Array>> {
    let mut rows: Vec<&[f64]> = points.chunks(d).collect();
    rows.sort_by(|a, b| a.iter().sum::<f64>().total_cmp(&b.iter().sum()));
    let n = rows.len();
    let mut means = Vec::with_capacity(COMPONENTS * d);
    for k in 0..COMPONENTS {
        let slice = &rows[k * n / COMPONENTS..(k + 1) * n / COMPONENTS];
        let size = slice.len() as f64;
        means.extend((0..d).map(|j| slice.iter().map(|row| row[j]).sum::<f64>() / size));
    }
    let triangle = d * (d + 1) / 2;
    Ok(vec![
        Array::f64(&[COMPONENTS], vec![0.0; COMPONENTS])?,
        Array::f64(&[COMPONENTS, d], means)?,
        Array::f64(&[COMPONENTS, triangle], vec![0.0; COMPONENTS * triangle])?,
    ])
}
