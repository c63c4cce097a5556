//! What derivatives of scans cost, counted by the interpreter: work and span stay within a
//! constant of the primal's.
//!
//! Shows the checklist rows F34, F35, F36, F37 and F65 for scans by number.

use ad_check::{Counts, Tensor, Value};
use melior::ir::Module;

/// What `@entry` costs after differentiation and simplification.
fn cost(source: &str, entry: &str, inputs: &[Value]) -> Counts {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, source).expect("the source parses");
    ad_passes::pipeline::run(&context, &mut module, "ad-optimize").expect("the pipeline runs");
    let options = ad_check::decode::Options { promote: false };
    let program = ad_check::decode::decode(&module, entry, options).expect("decodes");
    ad_check::run(&program, entry, inputs).expect("runs").counts
}

/// A scan over arrays of rows of the given shape, and its pullback.
fn program(count: usize, shape: &str, neutral: &str, body: &str) -> String {
    let (array, row) = (format!("tensor<?x{shape}f64>"), format!("tensor<{shape}f64>"));
    let row = if shape.is_empty() { "f64".to_owned() } else { row };
    let list = |name: &str, r#type: &str| {
        let names = (0..count).map(|k| format!("%{name}{k}: {type}"));
        names.collect::<Vec<_>>().join(", ")
    };
    let names =
        |name: &str| (0..count).map(|k| format!("%{name}{k}")).collect::<Vec<_>>().join(", ");
    let types = |r#type: &str, times: usize| vec![r#type; times].join(", ");
    let (arrays, rows) = (types(&array, count), types(&row, count));
    let results = (0..count).map(|k| format!("%ys#{k}")).collect::<Vec<_>>().join(", ");
    let derived = (count..2 * count).map(|k| format!("%r#{k}")).collect::<Vec<_>>().join(", ");
    format!(
        r#"
func.func @f({xs}) -> ({arrays}) {{
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  {neutral}
  %ys:{count} = soac.scan ins({x} : {arrays}) neutral({e} : {rows}) ({l}, {r}) {{
    {body}
    soac.yield {y} : {rows}
  }}
  return {results} : {arrays}
}}
func.func @pullback({xs}, {ss}) -> ({arrays}) {{
  %r:{both} = ad.vjp @f({x}) seed({s}) : ({arrays}), ({arrays}) -> ({arrays}, {arrays})
  return {derived} : {arrays}
}}
"#,
        xs = list("x", &array),
        ss = list("s", &array),
        x = names("x"),
        s = names("s"),
        e = names("e"),
        l = list("l", &row),
        r = list("r", &row),
        y = names("y"),
        both = 2 * count,
    )
}

/// The pullback has `work` times the work of the primal at most, and `span` times its span;
/// 32 times the elements are 32 times the work and five more levels of the trees.
fn stays_within(source: &str, count: usize, row: &[usize], work: f64, span: f64) {
    let costs = [128, 4096].map(|n| {
        let shape = [&[n], row].concat();
        let size = shape.iter().product();
        let array = || Value::Tensor(Tensor::from_floats(&shape, vec![0.9; size]));
        let inputs: Vec<_> = (0..2 * count).map(|_| array()).collect();
        [cost(source, "f", &inputs[..count]), cost(source, "pullback", &inputs)]
    });
    let [[_, small], [primal, large]] = costs;
    let (work_ratio, span_ratio) =
        (large.work() as f64 / primal.work() as f64, large.span as f64 / primal.span as f64);
    println!("work {work_ratio:.2}, span {span_ratio:.2}");
    assert!(large.work() <= 33 * small.work(), "{small:?}\n{large:?}");
    assert!(large.span <= 2 * small.span, "{small:?}\n{large:?}");
    assert!(work_ratio <= work, "{work_ratio}\n{primal:?}\n{large:?}");
    assert!(span_ratio <= span, "{span_ratio}\n{primal:?}\n{large:?}");
}

const ONE: &str = "%e0 = arith.constant 1.0 : f64";

#[test]
fn products() {
    let source = program(1, "", ONE, "%y0 = arith.mulf %l0, %r0 : f64");
    stays_within(&source, 1, &[], 8.0, 5.0);
}

#[test]
fn sums() {
    let source =
        program(1, "", "%e0 = arith.constant 0.0 : f64", "%y0 = arith.addf %l0, %r0 : f64");
    stays_within(&source, 1, &[], 1.1, 1.1);
}

#[test]
fn linear_functions() {
    let neutral = "%e0 = arith.constant 0.0 : f64\n%e1 = arith.constant 1.0 : f64";
    let body = "%p = arith.mulf %l1, %r0 : f64\n%y0 = arith.addf %l0, %p : f64\n\
                %y1 = arith.mulf %l1, %r1 : f64";
    stays_within(&program(2, "", neutral, body), 2, &[], 8.0, 4.0);
}

/// The rows of a product of matrices share their coefficients: the work of a composition is
/// that of two products, and not of a product of d^2 x d^2 matrices.
#[test]
fn matrix_products() {
    let (neutral, mut body) = (
        "%e0 = arith.constant 1.0 : f64\n%e1 = arith.constant 0.0 : f64\n\
         %e2 = arith.constant 0.0 : f64\n%e3 = arith.constant 1.0 : f64",
        String::new(),
    );
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        body += &format!(
            "%u{i}{j} = arith.mulf %l{}, %r{j} : f64\n%v{i}{j} = arith.mulf %l{}, %r{} : f64\n\
             %y{} = arith.addf %u{i}{j}, %v{i}{j} : f64\n",
            2 * i,
            2 * i + 1,
            2 + j,
            2 * i + j
        );
    }
    stays_within(&program(4, "", neutral, &body), 4, &[], 8.0, 4.0);
}

/// The scan of each column keeps its span.
#[test]
fn products_of_rows() {
    let neutral = "%e0 = arith.constant dense<1.0> : tensor<3xf64>";
    let body = "%y0 = arith.mulf %l0, %r0 : tensor<3xf64>";
    stays_within(&program(1, "3x", neutral, body), 1, &[3], 10.0, 7.0);
}

/// The loop for rows that the operator mixes keeps the work, but not the span.
#[test]
fn the_loop_keeps_the_work() {
    let neutral = "%e0 = arith.constant dense<0.0> : tensor<20xf64>";
    // l + (1 + sum l) r.
    let body = "%s = soac.reduce ins(%l0 : tensor<20xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
      %c = arith.addf %a, %b : f64
      soac.yield %c : f64
    }
    %f = arith.addf %s, %one : f64
    %y0 = soac.map ins(%l0, %r0 : tensor<20xf64>, tensor<20xf64>) (%a: f64, %b: f64) -> tensor<20xf64> {
      %c = arith.mulf %f, %b : f64
      %d = arith.addf %a, %c : f64
      soac.yield %d : f64
    }";
    let source = program(1, "20x", neutral, body);
    let costs = [16, 512].map(|n| {
        let array = || Value::Tensor(Tensor::from_floats(&[n, 20], vec![0.001; 20 * n]));
        [cost(&source, "f", &[array()]), cost(&source, "pullback", &[array(), array()])]
    });
    let [[_, small], [primal, large]] = costs;
    println!("work {:.2}", large.work() as f64 / primal.work() as f64);
    assert!(large.work() <= 33 * small.work(), "{small:?}\n{large:?}");
    assert!(large.work() <= 8 * primal.work(), "{primal:?}\n{large:?}");
    assert!(large.span >= 16 * small.span, "{small:?}\n{large:?}");
}
