//! The programs of the benchmarks, and the examples, as kernels: what compiled loops give, in double and in single
//! precision (F57: transport; F61: LSTM; F49: products of matrices). Kernels are emulated, and run as PTX by the driver
//! that interprets it, where NVIDIA's library of math is there (`make cuda`).
//!
//! Sizes are odd, one array is empty, and some have more rows than a block has threads and a scan chunks.

mod common;

use ad_bench::agreement::{Programs, agree_in_f32};
use ad_bench::array::Array;
use ad_bench::driver::Job;
use anyhow::Result;
use common::Numbers;

/// Numbers in a range, in an array.
fn random(shape: &[usize], low: f64, high: f64, seed: u64) -> Result<Array> {
    Array::f64(shape, Numbers(seed).vector(shape.iter().product(), low, high))
}

/// Entries of a program, as loops and as kernels.
fn agree(program: &str, entries: &[&str], arguments: &[Array]) -> Result<()> {
    let programs = Programs::new(program, arguments)?;
    entries.iter().try_for_each(|entry| programs.agree(entry))
}

#[test]
fn scans() -> Result<()> {
    let n = 1031;
    let (a, b, w) =
        (random(&[n], 0.9, 1.1, 1)?, random(&[n], -1.0, 1.0, 2)?, random(&[n], -1.0, 1.0, 3)?);
    agree("bench/programs/scan_prod.mlir", &["gradient"], &[a.clone(), w.clone()])?;
    let linrec = "bench/programs/scan_linrec.mlir";
    agree(linrec, &["objective", "gradient"], &[a, b, w])?;
    agree(linrec, &["objective"], &vec![Array::f64(&[0], vec![])?; 3])?;
    let matrices = [random(&[n, 2, 2], 0.1, 0.9, 4)?, random(&[n, 2, 2], -1.0, 1.0, 5)?];
    agree("bench/programs/scan_mat2.mlir", &["objective", "gradient"], &matrices)
}

#[test]
fn loops() -> Result<()> {
    let numbers = |list: &[f64]| Array::f64(&[list.len()], list.to_vec());
    let (scalar, count) = (Array::scalar, Array::integer);
    agree("bench/programs/loop_pow.mlir", &["gradient"], &[scalar(0.5), scalar(1.1), count(20)])?;
    let rk4 = [numbers(&[1.0, 0.5, -0.3])?, numbers(&[1.2, 0.7, 0.4])?, scalar(0.01), count(23)];
    agree("bench/programs/loop_rk4.mlir", &["gradient"], &rk4)?;
    agree("bench/programs/zygote_loop.mlir", &["gradient"], &[scalar(0.7), count(9)])?;
    agree("bench/programs/tape_pow.mlir", &["gradient"], &[scalar(0.7), count(9)])?;
    agree("bench/programs/recursive_tree.mlir", &["gradient"], &[scalar(0.5), count(7)])?;
    let closures = [scalar(0.5), scalar(1.1), count(20)];
    agree("bench/programs/closure_fold.mlir", &["gradient"], &closures)?;
    agree("examples/loop.mlir", &["gradient"], &[scalar(0.7), scalar(0.01), count(9)])
}

#[test]
fn logarithms() -> Result<()> {
    let b = random(&[1031], -1.0, 1.0, 2)?;
    agree("bench/programs/zygote_logsumexp.mlir", &["gradient"], std::slice::from_ref(&b))?;
    agree("examples/quickstart.mlir", &["gradient"], &[b])?;
    let regression = [
        random(&[5], -1.0, 1.0, 8)?,
        Array::scalar(0.25),
        random(&[37, 5], -1.0, 1.0, 6)?,
        random(&[37], 0.0, 1.0, 7)?,
    ];
    agree("bench/programs/zygote_logistic.mlir", &["gradient"], &regression)?;
    agree("examples/logistic.mlir", &["gradient"], &regression)?;
    agree("examples/custom_rule.mlir", &["slope"], &[Array::scalar(40.0)])
}

/// What an iteration converges to, with its derivative and a product with its Hessian; in double precision, which it stops at.
#[test]
fn solutions() -> Result<()> {
    let arguments = [
        random(&[5, 5], -0.3, 0.3, 27)?,
        random(&[5], -1.0, 1.0, 28)?,
        random(&[5, 5], -1.0, 1.0, 29)?,
        random(&[5], -1.0, 1.0, 30)?,
    ];
    let program = "examples/fixed_point.mlir";
    Programs::new(program, &arguments[..2])?.agree_in_f64("gradient")?;
    Programs::new(program, &arguments)?.agree_in_f64("curvature")
}

#[test]
fn transport() -> Result<()> {
    let xsbench = [
        Array::f64(&[2, 3], vec![0.0, 1.0, 2.0, 0.0, 2.0, 4.0])?,
        random(&[2, 3, 5], 0.0, 4.0, 9)?,
        Array::i64(&[2, 2], vec![0, 1, 1, 0])?,
        Array::f64(&[2, 2], vec![1.0, 2.0, 3.0, 9.0])?,
        Array::i64(&[2], vec![2, 1])?,
        Array::f64(&[2], vec![0.5, 3.0])?,
        Array::i64(&[2], vec![0, 1])?,
        random(&[5], 0.0, 2.0, 10)?,
    ];
    agree("bench/programs/xsbench.mlir", &["gradient"], &xsbench)?;
    let rsbench = [
        random(&[2, 3, 8], 0.2, 1.2, 11)?,
        Array::i64(&[2, 3], vec![0, 1, 2, 3, 2, 1])?,
        random(&[2, 2, 3], 0.0, 2.0, 12)?,
        Array::i64(&[2, 3], vec![0, 1, 3, 0, 2, 3])?,
        random(&[2, 4], 0.1, 0.4, 13)?,
        Array::i64(&[2, 2], vec![0, 1, 1, 0])?,
        Array::f64(&[2, 2], vec![1.0, 2.0, 3.0, 9.0])?,
        Array::i64(&[2], vec![2, 1])?,
        Array::f64(&[2], vec![0.3, 0.8])?,
        Array::i64(&[2], vec![0, 1])?,
        random(&[4], 0.5, 1.5, 14)?,
    ];
    agree("bench/programs/rsbench.mlir", &["gradient"], &rsbench)
}

/// In tiles and with split sums.
#[test]
fn products() -> Result<()> {
    let matrices = [random(&[35, 141], -1.0, 1.0, 1)?, random(&[141, 38], -1.0, 1.0, 2)?];
    agree("bench/programs/matmul.mlir", &["gradient"], &matrices)
}

#[test]
fn lstm_batched() -> Result<()> {
    let arguments = [
        random(&[2, 12], -0.5, 0.5, 1)?.rounded(),
        random(&[3, 12], -0.5, 0.5, 2)?.rounded(),
        random(&[12], -0.5, 0.5, 3)?.rounded(),
        random(&[4, 2, 2], -1.0, 1.0, 4)?.rounded(),
        random(&[2, 3], -0.5, 0.5, 5)?.rounded(),
        random(&[4, 2, 3], -1.0, 1.0, 6)?.rounded(),
    ];
    agree_in_f32(&Job::new("bench/programs/lstm_batched.mlir", &arguments)?, "gradient", 1e-6)
}

/// The paper's own examples.
#[test]
fn tensor_language() -> Result<()> {
    let folder = "examples/tensor-language";
    let (x, c) = (random(&[19], -1.0, 1.0, 15)?, random(&[4], -1.0, 1.0, 16)?);
    let y_bar = random(&[16], -1.0, 1.0, 17)?;
    agree(&format!("{folder}/convolution.mlir"), &["adjoint"], &[x.clone(), c.clone(), y_bar])?;
    let signals = [random(&[3, 19], -1.0, 1.0, 18)?, c, random(&[3, 16], -1.0, 1.0, 19)?];
    agree(&format!("{folder}/deconvolution.mlir"), &["by_signals", "by_kernel"], &signals)?;
    let diagonal = [x.clone(), Array::scalar(0.5), Array::integer(7)];
    agree(&format!("{folder}/diagonal.mlir"), &["gradients"], &diagonal)?;
    agree(&format!("{folder}/elements.mlir"), &["gradient"], &[x])?;
    let graph = [random(&[2], 0.5, 1.0, 20)?, Array::scalar(0.3), Array::scalar(-0.7)];
    agree(&format!("{folder}/graph.mlir"), &["adjoint"], &graph)?;
    let rows = [
        Array::i64(&[4], vec![0, 2, 2, 5])?,
        Array::i64(&[5], vec![0, 3, 1, 2, 3])?,
        random(&[5], -1.0, 1.0, 21)?,
        random(&[4], -1.0, 1.0, 22)?,
        Array::integer(3),
    ];
    agree(&format!("{folder}/sparse-rows.mlir"), &["gradient"], &rows)
}

/// Two components in two dimensions, five points.
#[test]
fn mixture() -> Result<()> {
    let arguments = [
        random(&[2], -0.5, 0.5, 23)?,
        random(&[2, 2], -1.0, 1.0, 24)?,
        random(&[2, 3], -0.5, 0.5, 25)?,
        random(&[5, 2], -1.0, 1.0, 26)?,
        Array::scalar(0.5),
        Array::integer(3),
    ];
    agree("examples/gmm.mlir", &["gradient"], &arguments)
}
