//! What derivatives of histograms and scatters cost, by counted operations.
//!
//! Shows the checklist rows F33 and F39 by number.

mod common;

use ad_check::{Counts, Value};
use common::{cost, indices, passes, vector};

/// Some scatters into one array, one after the other.
const SCATTERS: &str = r#"
func.func @f(%is: tensor<?xindex>, %vs: tensor<?xf64>, %n: index, %times: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty(%n) : tensor<?xf64>
  %xs = linalg.fill ins(%zero : f64) outs(%empty : tensor<?xf64>) -> tensor<?xf64>
  %ys = scf.for %t = %c0 to %times step %c1 iter_args(%ys = %xs) -> tensor<?xf64> {
    %ws = soac.map ins(%vs : tensor<?xf64>) (%v: f64) -> tensor<?xf64> {
      %w = math.sin %v : f64
      soac.yield %w : f64
    }
    %zs = soac.scatter at(%is : tensor<?xindex>) ins(%ws : tensor<?xf64>) into(%ys : tensor<?xf64>)
    scf.yield %zs : tensor<?xf64>
  }
  %us = soac.map ins(%is : tensor<?xindex>) (%i: index) -> tensor<?xf64> {
    %u = tensor.extract %ys[%i] : tensor<?xf64>
    soac.yield %u : f64
  }
  %s = soac.reduce ins(%us : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %s : f64
}
func.func @grad(%is: tensor<?xindex>, %vs: tensor<?xf64>, %n: index, %times: index) -> tensor<?xf64> {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @f(%is, %vs, %n, %times) seed(%one)
      : (tensor<?xindex>, tensor<?xf64>, index, index), (f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}
"#;

fn scatters(entry: &str, size: i64, times: i64) -> Counts {
    let m = 8;
    let numbers: Vec<i64> = (0..m).map(|i| (i * 37) % size).collect();
    let inputs =
        [indices(&numbers), vector(&vec![0.5; m as usize]), Value::Int(size), Value::Int(times)];
    cost(SCATTERS, entry, &inputs)
}

/// F39: what ten more scatters cost does not depend on the size of the array, in the
/// derivative as in the primal.
#[test]
fn the_derivative_of_a_scatter_costs_what_it_writes() {
    let more = |entry: &str, size: i64| {
        let (few, many) = (scatters(entry, size, 10), scatters(entry, size, 20));
        (many.work() - few.work(), many.span - few.span)
    };
    assert_eq!(more("f", 1000), more("f", 100_000));
    assert_eq!(more("grad", 1000), more("grad", 100_000));
    let ((primal, _), (derivative, _)) = (more("f", 1000), more("grad", 1000));
    assert!(derivative <= 10 * primal, "{primal} {derivative}");
    // Nothing of the size of the array is stored per scatter.
    assert_eq!(scatters("grad", 1000, 20).largest_allocation, 1000);
}

/// Bins of linear functions under composition.
const COMPOSE: &str = r#"
func.func @f(%is: tensor<?xindex>, %as: tensor<?xf64>, %bs: tensor<?xf64>, %da: tensor<?xf64>,
             %db: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %h:2 = soac.hist at(%is : tensor<?xindex>) ins(%as, %bs : tensor<?xf64>, tensor<?xf64>)
      into(%da, %db : tensor<?xf64>, tensor<?xf64>) neutral(%one, %zero : f64, f64)
      (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
    %a = arith.mulf %a1, %a2 : f64
    %c = arith.mulf %b1, %a2 : f64
    %b = arith.addf %c, %b2 : f64
    soac.yield %a, %b : f64, f64
  }
  return %h#0, %h#1 : tensor<?xf64>, tensor<?xf64>
}
func.func @grad(%is: tensor<?xindex>, %as: tensor<?xf64>, %bs: tensor<?xf64>, %da: tensor<?xf64>,
                %db: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:6 = ad.vjp @f(%is, %as, %bs, %da, %db) seed(%da, %db)
      : (tensor<?xindex>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>),
        (tensor<?xf64>, tensor<?xf64>)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
  return %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>
}
"#;

/// F33: with a fixed number of bins the general rule keeps the work, up to a constant,
/// and the logarithmic depth.
#[test]
fn a_histogram_with_any_operator_keeps_work_and_depth() {
    let inputs = |n: usize| {
        let numbers: Vec<i64> = (0..n as i64).map(|i| (i * 7) % 9 - 1).collect();
        let (values, bins) = (vector(&vec![0.9; n]), vector(&[1.0; 7]));
        [indices(&numbers), values.clone(), values, bins.clone(), bins]
    };
    let small = cost(COMPOSE, "grad", &inputs(128));
    let large = cost(COMPOSE, "grad", &inputs(4096));
    let primal = cost(COMPOSE, "f", &inputs(4096));
    assert!(large.work() <= 33 * small.work(), "{small:?}\n{large:?}");
    assert!(large.span <= 2 * small.span, "{small:?}\n{large:?}");
    assert!(large.work() <= 40 * primal.work(), "{primal:?}\n{large:?}");
}

/// The random order of the indices does not matter, nor how many bins there are.
#[test]
fn histograms_with_any_operator_of_many_sizes() {
    for (n, bins) in [(1, 1), (5, 1), (6, 2), (17, 4), (33, 7), (20, 64)] {
        let numbers: Vec<i64> = (0..n).map(|i| (i * i * 31 + 7 * i) % (bins + 2) - 1).collect();
        let some = |count: i64, scale: f64| {
            vector(&(0..count).map(|i| 0.6 + scale * (i as f64).sin()).collect::<Vec<_>>())
        };
        let inputs =
            [indices(&numbers), some(n, 0.5), some(n, 0.8), some(bins, 0.3), some(bins, 0.9)];
        passes(COMPOSE, "f", &inputs);
        passes(COMPOSE, "grad", &inputs);
    }
}
