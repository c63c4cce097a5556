//! The array problems of `bench/programs` against formulas that are worked out here: objective and
//! derivative, at made-up arguments. Shows the values of F58, F59 and of Z39's programs.

mod common;

use ad_bench::agreement::{Programs, compare};
use ad_bench::array::Array;
use anyhow::{Result, ensure};
use common::Numbers;

/// Arguments of a program, and what its entries have to give for each set of them.
#[derive(Default)]
struct Cases {
    arguments: Vec<Array>,
    calls: usize,
    expected: Vec<(&'static str, Vec<Vec<f64>>)>,
}

impl Cases {
    fn add(
        &mut self,
        arguments: impl IntoIterator<Item = Array>,
        expected: &[(&'static str, &[&[f64]])],
    ) {
        self.arguments.extend(arguments);
        self.calls += 1;
        for (entry, results) in expected {
            let results = results.iter().map(|result| result.to_vec());
            match self.expected.iter_mut().find(|(known, _)| known == entry) {
                Some((_, all)) => all.extend(results),
                None => self.expected.push((entry, results.collect())),
            }
        }
    }

    /// A vector, with the value and the slopes of a function of one.
    fn add_gradient(&mut self, x: &[f64], value: f64, slopes: &[f64]) -> Result<()> {
        let argument = Array::f64(&[x.len()], x.to_vec())?;
        self.add([argument], &[("objective", &[&[value]]), ("gradient", &[slopes])]);
        Ok(())
    }

    /// Runs the entries of a program, as loops and as kernels, and compares all their results; loops and kernels also in
    /// single precision.
    fn hold(&self, name: &str) -> Result<()> {
        let programs = Programs::new(&format!("bench/programs/{name}.mlir"), &self.arguments)?;
        let programs = programs.with_calls(self.calls);
        for (entry, expected) in &self.expected {
            compare(&programs.double.run(entry)?, entry, expected)?;
            programs.agree_with(entry, expected)?;
            programs.agree_in_f32(entry)?;
        }
        Ok(())
    }
}

/// A program at one set of arguments.
fn expect(
    name: &str,
    arguments: impl IntoIterator<Item = Array>,
    expected: &[(&'static str, &[&[f64]])],
) -> Result<()> {
    let mut cases = Cases::default();
    cases.add(arguments, expected);
    cases.hold(name)
}

#[test]
fn diag() -> Result<()> {
    let mut cases = Cases::default();
    for n in [1, 2, 100] {
        let x = Numbers(1).vector(n, -2.0, 2.0);
        let mut slopes = vec![0.0; n];
        slopes[0] = 2.0 * x[0];
        cases.add_gradient(&x, x[0] * x[0], &slopes)?;
    }
    cases.add_gradient(&[], 0.0, &[])?;
    cases.hold("diag")
}

/// Kernels as large as the image, of one element, of odd sizes, and an image that is no larger than them.
#[test]
fn convolution() -> Result<()> {
    let mut cases = Cases::default();
    for [h, w, rows, columns] in
        [[7, 9, 3, 2], [4, 4, 4, 4], [5, 3, 1, 1], [40, 33, 5, 5], [3, 20, 2, 11]]
    {
        let mut numbers = Numbers(11);
        let image = numbers.vector(h * w, -1.0, 1.0);
        let kernel = numbers.vector(rows * columns, -1.0, 1.0);
        let (mut value, mut image_bar, mut kernel_bar) =
            (0.0, vec![0.0; h * w], vec![0.0; rows * columns]);
        for (i, j) in pairs(h - rows + 1, w - columns + 1) {
            let places: Vec<(usize, usize)> =
                pairs(rows, columns).map(|(a, b)| (a * columns + b, (i + a) * w + j + b)).collect();
            let y: f64 = places.iter().map(|&(at, pixel)| kernel[at] * image[pixel]).sum();
            value += y * y;
            for (at, pixel) in places {
                image_bar[pixel] += 2.0 * y * kernel[at];
                kernel_bar[at] += 2.0 * y * image[pixel];
            }
        }
        let arguments = [Array::f64(&[h, w], image)?, Array::f64(&[rows, columns], kernel)?];
        let gradient: &[&[f64]] = &[&image_bar, &kernel_bar];
        cases.add(arguments, &[("objective", &[&[value]]), ("gradient", gradient)]);
    }
    cases.hold("convolution")
}

/// Rows and columns below these numbers.
fn pairs(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// Entries in any order, several of one place, rows and columns without any, and no entries at all.
#[test]
fn spmv() -> Result<()> {
    let mut cases = Cases::default();
    for (n, entries) in [(1, 3), (5, 0), (7, 20), (50, 40), (300, 2000)] {
        let mut numbers = Numbers(12);
        let mut place = || numbers.next(0.0, n as f64) as usize;
        let places: Vec<(usize, usize)> = (0..entries).map(|_| (place(), place())).collect();
        let values = numbers.vector(entries, -1.0, 1.0);
        let x = numbers.vector(n, -1.0, 1.0);
        let mut y = vec![0.0; n];
        for (&(row, column), value) in places.iter().zip(&values) {
            y[row] += value * x[column];
        }
        let (mut values_bar, mut x_bar) = (vec![0.0; entries], vec![0.0; n]);
        for (entry, &(row, column)) in places.iter().enumerate() {
            values_bar[entry] = 2.0 * y[row] * x[column];
            x_bar[column] += 2.0 * y[row] * values[entry];
        }
        let of = |half: fn(&(usize, usize)) -> usize| {
            Array::i64(&[entries], places.iter().map(|place| half(place) as i64).collect())
        };
        let arguments = [
            of(|place| place.0)?,
            of(|place| place.1)?,
            Array::f64(&[entries], values)?,
            Array::f64(&[n], x)?,
        ];
        let value = y.iter().map(|y| y * y).sum();
        let gradient: &[&[f64]] = &[&values_bar, &x_bar];
        cases.add(arguments, &[("objective", &[&[value]]), ("gradient", gradient)]);
    }
    cases.hold("spmv")
}

#[test]
fn reduce_mul() -> Result<()> {
    let mut cases = Cases::default();
    let mut x = Numbers(2).vector(50, 0.8, 1.2);
    for zeros in 0..3 {
        let others = |skip: usize| -> f64 {
            x.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, v)| v).product()
        };
        let slopes: Vec<f64> = (0..x.len()).map(others).collect();
        cases.add_gradient(&x, x.iter().product(), &slopes)?;
        x[7 + 20 * zeros] = 0.0;
    }
    cases.add_gradient(&[], 1.0, &[])?;
    cases.hold("reduce_mul")
}

#[test]
fn reduce_min() -> Result<()> {
    let mut x = Numbers(3).vector(50, -1.0, 1.0);
    x[31] = -2.0;
    let mut slopes = vec![0.0; 50];
    slopes[31] = 1.0;
    let mut cases = Cases::default();
    cases.add_gradient(&x, -2.0, &slopes)?;
    // A tie goes to the first.
    x[40] = -2.0;
    cases.add_gradient(&x, -2.0, &slopes)?;
    cases.hold("reduce_min")
}

#[test]
fn reduce_sumsq() -> Result<()> {
    let x = Numbers(4).vector(1000, -1.0, 1.0);
    let slopes: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
    let mut cases = Cases::default();
    cases.add_gradient(&x, x.iter().map(|x| x * x).sum(), &slopes)?;
    cases.hold("reduce_sumsq")
}

#[test]
fn reduce_lse() -> Result<()> {
    let mut cases = Cases::default();
    for shift in [0.0, 1000.0] {
        let x = Numbers(5).vector(100, shift - 3.0, shift + 3.0);
        let sum: f64 = x.iter().map(|x| (x - shift).exp()).sum();
        let slopes: Vec<f64> = x.iter().map(|x| (x - shift).exp() / sum).collect();
        cases.add_gradient(&x, sum.ln() + shift, &slopes)?;
    }
    cases.hold("reduce_lse")?;
    cases.hold("zygote_logsumexp")
}

/// The value and the slopes of a histogram program: h[b] is the fold of v^2 over the bin b, and `inner` is the
/// derivative of h[b] with respect to one v^2, given all squares of the bin and its place among them. A value whose bin
/// does not exist counts nowhere.
fn expect_histogram(
    name: &str,
    empty: f64,
    fold: fn(f64, f64) -> f64,
    inner: fn(&[f64], usize) -> f64,
) -> Result<()> {
    let (n, m) = (200, 7);
    let mut numbers = Numbers(10);
    let (mut v, w) = (numbers.vector(n, -1.0, 1.0), numbers.vector(m, -1.0, 1.0));
    // The product of its bin is zero, and so are the slopes of the others in it.
    v[8] = 0.0;
    let ix: Vec<i64> = (0..n as i64).map(|i| (i * i) % 11 - 1).collect();
    let bin = |i: usize| usize::try_from(ix[i]).ok().filter(|&b| b < m);
    let members = |b: usize| (0..n).filter(|&i| bin(i) == Some(b)).collect::<Vec<_>>();
    let squares = |b: usize| members(b).iter().map(|&i| v[i] * v[i]).collect::<Vec<_>>();
    let h: Vec<f64> = (0..m).map(|b| squares(b).into_iter().fold(empty, fold)).collect();
    let value: f64 = h.iter().zip(&w).map(|(h, w)| w * h.sin()).sum();
    let slope = |i: usize| {
        let Some(b) = bin(i) else { return 0.0 };
        let place = members(b).iter().position(|&j| j == i).unwrap_or(0);
        w[b] * h[b].cos() * inner(&squares(b), place) * 2.0 * v[i]
    };
    let slopes: Vec<f64> = (0..n).map(slope).collect();
    let arguments =
        [Array::f64(&[n], v.clone())?, Array::i64(&[n], ix.clone())?, Array::f64(&[m], w.clone())?];
    expect(name, arguments, &[("objective", &[&[value]]), ("gradient", &[&slopes])])
}

#[test]
fn hist_add() -> Result<()> {
    expect_histogram("hist_add", 0.0, |a, b| a + b, |_, _| 1.0)
}

#[test]
fn hist_mul() -> Result<()> {
    let others = |all: &[f64], place: usize| {
        all.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, x)| x).product()
    };
    expect_histogram("hist_mul", 1.0, |a, b| a * b, others)
}

#[test]
fn hist_max() -> Result<()> {
    let is_first_largest = |all: &[f64], place: usize| {
        let largest = all.iter().copied().fold(0.0, f64::max);
        f64::from(u8::from(all.iter().position(|&x| x == largest) == Some(place)))
    };
    expect_histogram("hist_max", 0.0, f64::max, is_first_largest)
}

/// With C = A B: the sum of squares of C, 2 C B^T and 2 A^T C.
#[test]
fn matmul() -> Result<()> {
    let m = 7;
    let mut numbers = Numbers(6);
    let (a, b) = (numbers.vector(m * m, -1.0, 1.0), numbers.vector(m * m, -1.0, 1.0));
    let product = |left: &dyn Fn(usize, usize) -> f64, right: &dyn Fn(usize, usize) -> f64| {
        let entry = |at: usize| (0..m).map(|k| left(at / m, k) * right(k, at % m)).sum();
        (0..m * m).map(entry).collect::<Vec<f64>>()
    };
    let c = product(&|i, k| a[i * m + k], &|k, j| b[k * m + j]);
    let a_bar = product(&|i, k| 2.0 * c[i * m + k], &|k, j| b[j * m + k]);
    let b_bar = product(&|i, k| 2.0 * a[k * m + i], &|k, j| c[k * m + j]);
    let value: f64 = c.iter().map(|c| c * c).sum();
    let arguments = [Array::f64(&[m, m], a)?, Array::f64(&[m, m], b)?];
    let gradient: &[&[f64]] = &[&a_bar, &b_bar];
    expect("matmul", arguments, &[("objective", &[&[value]]), ("gradient", gradient)])
}

/// Every point contributes to its nearest centre: twice the difference to the gradient, two to the
/// Hessian.
fn kmeans_reference(c: &[f64], p: &[f64], d: usize) -> (f64, Vec<f64>, Vec<f64>) {
    let (mut cost, mut gradient, mut diagonal) = (0.0, vec![0.0; c.len()], vec![0.0; c.len()]);
    for point in p.chunks(d) {
        let distance = |centre: &[f64]| -> f64 {
            centre.iter().zip(point).map(|(c, p)| (c - p) * (c - p)).sum()
        };
        let distances: Vec<f64> = c.chunks(d).map(distance).collect();
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let nearest = distances.iter().position(|&e| e == least).unwrap_or(0);
        cost += least;
        for j in 0..d {
            gradient[nearest * d + j] += 2.0 * (c[nearest * d + j] - point[j]);
            diagonal[nearest * d + j] += 2.0;
        }
    }
    (cost, gradient, diagonal)
}

#[test]
fn kmeans() -> Result<()> {
    let mut cases = Cases::default();
    for (k, n, d) in [(1, 1, 1), (3, 40, 4), (5, 200, 35), (4, 0, 3), (33, 70, 5), (40, 0, 3)] {
        let mut numbers = Numbers(7);
        let (c, p) = (numbers.vector(k * d, -1.0, 1.0), numbers.vector(n * d, -1.0, 1.0));
        let (cost, gradient, diagonal) = kmeans_reference(&c, &p, d);
        let derivatives: &[&[f64]] = &[&gradient, &diagonal];
        let arguments = [Array::f64(&[k, d], c)?, Array::f64(&[n, d], p)?];
        cases.add(arguments, &[("objective", &[&[cost]]), ("gradient_hessian", derivatives)]);
    }
    cases.hold("kmeans")
}

/// The same figures from the dense points; one row is empty.
#[test]
fn kmeans_sparse() -> Result<()> {
    let (k, n, d) = (3, 30, 20);
    let mut numbers = Numbers(8);
    let c = numbers.vector(k * d, -1.0, 1.0);
    let (mut vals, mut cols, mut rows) = (vec![], vec![], vec![0]);
    let mut p = vec![0.0; n * d];
    for i in 0..n {
        for j in (0..d).filter(|j| i != 4 && (i * j) % 5 == 1) {
            p[i * d + j] = numbers.next(-2.0, 2.0);
            vals.push(p[i * d + j]);
            cols.push(j as i64);
        }
        rows.push(vals.len() as i64);
    }
    let (cost, gradient, diagonal) = kmeans_reference(&c, &p, d);
    let arguments = [
        Array::f64(&[k, d], c)?,
        Array::f64(&[vals.len()], vals)?,
        Array::i64(&[cols.len()], cols)?,
        Array::i64(&[rows.len()], rows)?,
    ];
    let derivatives: &[&[f64]] = &[&gradient, &diagonal];
    let expected: [(_, &[&[f64]]); 2] =
        [("objective", &[&[cost]]), ("gradient_hessian", derivatives)];
    expect("kmeans_sparse", arguments, &expected)
}

#[test]
fn zygote_scalars() -> Result<()> {
    let x = 0.7_f64;
    let (value, slope) = (x.sin() * x.cos(), (2.0 * x).cos());
    let expected: [(_, &[&[f64]]); 2] = [("objective", &[&[value]]), ("gradient", &[&[slope]])];
    expect("zygote_sincos", [Array::scalar(x)], &expected)?;
    let mut cases = Cases::default();
    for n in [0, 1, 2, 9] {
        let slope = if n == 0 { 0.0 } else { n as f64 * x.powi(n as i32 - 1) };
        let value = x.powi(n as i32);
        let arguments = [Array::scalar(x), Array::integer(n)];
        cases.add(arguments, &[("objective", &[&[value]]), ("gradient", &[&[slope]])]);
    }
    cases.hold("zygote_loop")
}

/// Backpropagation by hand: z2_bar = softmax(z2) - e_label, and so on.
#[test]
fn zygote_mlp() -> Result<()> {
    let (inputs, hidden, outputs, label) = (6, 5, 3, 1);
    let mut numbers = Numbers(9);
    let w1 = numbers.vector(hidden * inputs, -1.0, 1.0);
    let b1 = numbers.vector(hidden, -0.5, 0.5);
    let w2 = numbers.vector(outputs * hidden, -1.0, 1.0);
    let b2 = numbers.vector(outputs, -0.5, 0.5);
    let x = numbers.vector(inputs, -1.0, 1.0);
    let affine = |w: &[f64], b: &[f64], x: &[f64]| -> Vec<f64> {
        let row = |i: usize| (0..x.len()).map(|j| w[i * x.len() + j] * x[j]).sum::<f64>() + b[i];
        (0..b.len()).map(row).collect()
    };
    let z1 = affine(&w1, &b1, &x);
    let h: Vec<f64> = z1.iter().map(|z| z.max(0.0)).collect();
    let z2 = affine(&w2, &b2, &h);
    let sum: f64 = z2.iter().map(|z| z.exp()).sum();
    let mut z2_bar: Vec<f64> = z2.iter().map(|z| z.exp() / sum).collect();
    z2_bar[label] -= 1.0;
    let h_bar = |j: usize| (0..outputs).map(|i| w2[i * hidden + j] * z2_bar[i]).sum::<f64>();
    let z1_bar: Vec<f64> = (0..hidden).map(|j| if z1[j] > 0.0 { h_bar(j) } else { 0.0 }).collect();
    let outer = |rows: &[f64], columns: &[f64]| -> Vec<f64> {
        rows.iter().flat_map(|r| columns.iter().map(move |c| r * c)).collect()
    };
    ensure!(z1.iter().any(|&z| z > 0.0) && z1.iter().any(|&z| z < 0.0), "both sides of the kink");
    let loss = sum.ln() - z2[label];
    let (w1_bar, w2_bar) = (outer(&z1_bar, &x), outer(&z2_bar, &h));
    let arguments = [
        Array::f64(&[hidden, inputs], w1.clone())?,
        Array::f64(&[hidden], b1.clone())?,
        Array::f64(&[outputs, hidden], w2.clone())?,
        Array::f64(&[outputs], b2.clone())?,
        Array::f64(&[inputs], x.clone())?,
        Array::integer(label as i64),
    ];
    let gradient: &[&[f64]] = &[&w1_bar, &z1_bar, &w2_bar, &z2_bar];
    expect("zygote_mlp", arguments, &[("objective", &[&[loss]]), ("gradient", gradient)])
}
