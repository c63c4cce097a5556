//! Derivatives of programs that mix the vocabulary, against the numeric oracle,
//! with the interpreter executing them.
//!
//! Shows the checklist rows F01, F02, F04, F09, F12, F15, F17, F22, F23, F24, F42, F43,
//! F55, F65 and FP9 by number.

mod common;

use ad_check::{Tensor, Value};
use common::{cost, indices, passes, vector};

const GATHER: &str = r#"
func.func @f(%xs: tensor<?xf64>, %w: f64, %tab: tensor<?xf64>, %is: tensor<?xindex>) -> f64 {
  %ys = soac.map ins(%xs, %is : tensor<?xf64>, tensor<?xindex>) (%x: f64, %i: index) -> tensor<?xf64> {
    %t = tensor.extract %tab[%i] : tensor<?xf64>
    %a = arith.mulf %x, %x : f64
    %b = arith.mulf %a, %w : f64
    %c = arith.mulf %b, %t : f64
    %d = math.sin %c : f64
    soac.yield %d : f64
  }
  %zero = arith.constant 0.0 : f64
  %s = soac.reduce ins(%ys : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
    %0 = arith.addf %l, %r : f64
    soac.yield %0 : f64
  }
  return %s : f64
}
func.func @grad(%xs: tensor<?xf64>, %w: f64, %tab: tensor<?xf64>, %is: tensor<?xindex>)
    -> (tensor<?xf64>, f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:4 = ad.vjp @f(%xs, %w, %tab, %is) seed(%one)
      : (tensor<?xf64>, f64, tensor<?xf64>, tensor<?xindex>), (f64)
      -> (f64, tensor<?xf64>, f64, tensor<?xf64>)
  return %r#1, %r#2, %r#3 : tensor<?xf64>, f64, tensor<?xf64>
}
func.func @dot(%xs: tensor<?xf64>, %w: f64, %tab: tensor<?xf64>, %is: tensor<?xindex>,
               %v: tensor<?xf64>) -> f64 {
  %r:2 = ad.jvp @f(%xs, %w, %tab, %is) seed(%v) {wrt = array<i64: 0>}
      : (tensor<?xf64>, f64, tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>) -> (f64, f64)
  return %r#1 : f64
}
func.func @third(%xs: tensor<?xf64>, %w: f64, %tab: tensor<?xf64>, %is: tensor<?xindex>)
    -> (tensor<?xf64>, f64, tensor<?xf64>) {
  %r:6 = ad.vjp @grad(%xs, %w, %tab, %is) seed(%xs, %w, %tab)
      : (tensor<?xf64>, f64, tensor<?xf64>, tensor<?xindex>), (tensor<?xf64>, f64, tensor<?xf64>)
      -> (tensor<?xf64>, f64, tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>)
  return %r#3, %r#4, %r#5 : tensor<?xf64>, f64, tensor<?xf64>
}
"#;

/// Each of these derives once more, so `@grad` checks vjp of vjp and jvp of vjp,
/// `@dot` vjp of jvp, and `@third` goes one further.
#[test]
fn nested_requests_through_a_gather() {
    let inputs = [
        vector(&[0.3, -0.8, 1.1, 0.6]),
        Value::Float(0.7),
        vector(&[1.2, -0.4, 0.9]),
        indices(&[2, 0, 2, 1]),
    ];
    passes(GATHER, "f", &inputs);
    passes(GATHER, "grad", &inputs);
    let mut with_direction = inputs.to_vec();
    with_direction.push(vector(&[0.5, 0.25, -1.0, 2.0]));
    passes(GATHER, "dot", &with_direction);
    passes(GATHER, "third", &inputs);
}

#[test]
fn an_empty_array_has_an_empty_gradient() {
    let inputs = [vector(&[]), Value::Float(0.7), vector(&[1.2]), indices(&[])];
    passes(GATHER, "f", &inputs);
    passes(GATHER, "grad", &inputs);
}

const LOOP: &str = r#"
func.func @f(%x: tensor<?xf64>, %w: f64, %n: index, %lb: index, %step: index) -> (f64, tensor<?xf64>) {
  %one = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %lb to %n step %step iter_args(%a = %w, %t = %x) -> (f64, tensor<?xf64>) {
    %v = tensor.extract %x[%i] : tensor<?xf64>
    %u = tensor.extract %t[%lb] : tensor<?xf64>
    %b = arith.mulf %a, %v : f64
    %c = arith.addf %b, %u : f64
    %s = math.sin %c : f64
    %t2 = tensor.insert %s into %t[%i] : tensor<?xf64>
    scf.yield %s, %t2 : f64, tensor<?xf64>
  }
  %q = soac.reduce ins(%r#1 : tensor<?xf64>) neutral(%one : f64) (%l: f64, %rr: f64) {
    %p = arith.mulf %l, %rr : f64
    soac.yield %p : f64
  }
  %z = arith.addf %q, %r#0 : f64
  return %z, %r#1 : f64, tensor<?xf64>
}
func.func @grad(%x: tensor<?xf64>, %w: f64, %n: index, %lb: index, %step: index)
    -> (tensor<?xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %r:4 = ad.vjp @f(%x, %w, %n, %lb, %step) seed(%one, %x)
      : (tensor<?xf64>, f64, index, index, index), (f64, tensor<?xf64>)
      -> (f64, tensor<?xf64>, tensor<?xf64>, f64)
  return %r#2, %r#3 : tensor<?xf64>, f64
}
"#;

#[test]
fn a_loop_that_updates_in_place() {
    let x = vector(&[0.3, -0.8, 1.1, 0.6, 0.9]);
    for (n, lb, step) in [(5, 0, 1), (5, 1, 2), (4, 1, 2), (0, 3, 1), (1, 0, 7)] {
        let inputs =
            [x.clone(), Value::Float(0.7), Value::Int(n), Value::Int(lb), Value::Int(step)];
        passes(LOOP, "f", &inputs);
        passes(LOOP, "grad", &inputs);
    }
}

const NEST: &str = r#"
func.func @f(%m: tensor<?x?xf64>, %s: tensor<?xf64>, %k: index) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ys = soac.map ins(%m : tensor<?x?xf64>) (%row: tensor<?xf64>) -> tensor<?xf64> {
    %first = tensor.extract %row[%c0] : tensor<?xf64>
    %big = arith.cmpf ogt, %first, %zero : f64
    %v = scf.if %big -> f64 {
      %zs = soac.map ins(%row, %s : tensor<?xf64>, tensor<?xf64>) (%a: f64, %b: f64) -> tensor<?xf64> {
        %p = arith.mulf %a, %b : f64
        %q = arith.mulf %p, %first : f64
        soac.yield %q : f64
      }
      %t = soac.reduce ins(%zs : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
        %0 = arith.addf %l, %r : f64
        soac.yield %0 : f64
      }
      scf.yield %t : f64
    } else {
      %t = scf.for %i = %c0 to %k step %c1 iter_args(%acc = %first) -> f64 {
        %e = tensor.extract %s[%i] : tensor<?xf64>
        %f = tensor.extract %m[%i, %c1] : tensor<?x?xf64>
        %g = arith.mulf %acc, %e : f64
        %h = arith.addf %g, %f : f64
        %j = math.sin %h : f64
        scf.yield %j : f64
      }
      scf.yield %t : f64
    }
    soac.yield %v : f64
  }
  return %ys : tensor<?xf64>
}
"#;

#[test]
fn maps_branches_and_loops_nested() {
    let m = Value::Tensor(Tensor::from_floats(
        &[3, 3],
        vec![0.4, -0.3, 0.8, -0.5, 0.9, 1.2, 0.7, -1.1, 0.2],
    ));
    passes(NEST, "f", &[m, vector(&[0.6, -0.9, 1.3]), Value::Int(3)]);
}

/// The operator is linear function composition, which does not commute, and it
/// reads the free variable %w.
const COMPOSE: &str = r#"
func.func @f(%as: tensor<?xf64>, %bs: tensor<?xf64>, %w: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %e = arith.divf %one, %w : f64
  %r:2 = soac.reduce ins(%as, %bs : tensor<?xf64>, tensor<?xf64>) neutral(%e, %zero : f64, f64)
      (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {
    %a = arith.mulf %a1, %a2 : f64
    %aw = arith.mulf %a, %w : f64
    %c = arith.mulf %b1, %a2 : f64
    %cw = arith.mulf %c, %w : f64
    %b = arith.addf %cw, %b2 : f64
    soac.yield %aw, %b : f64, f64
  }
  // With one element nothing else depends on %w.
  %q = arith.mulf %r#0, %w : f64
  return %q, %r#1 : f64, f64
}
"#;

/// The neutral element depends on %w too; the empty reduction returns it.
#[test]
fn reduction_with_a_non_commutative_operator_and_a_free_variable() {
    let a = vector(&[0.9, -1.2, 0.7, 1.4]);
    let b = vector(&[0.3, 0.8, -0.5, 0.2]);
    passes(COMPOSE, "f", &[a, b, Value::Float(1.3)]);
    passes(COMPOSE, "f", &[vector(&[]), vector(&[]), Value::Float(1.3)]);
    passes(COMPOSE, "f", &[vector(&[0.4]), vector(&[0.7]), Value::Float(1.3)]);
}

/// A scan of linear functions under composition, with the given attributes.
fn scan_program(attributes: &str) -> String {
    format!(
        r#"
func.func @f(%as: tensor<?xf64>, %bs: tensor<?xf64>, %w: f64) -> (tensor<?xf64>, tensor<?xf64>, f64) {{
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %e = arith.divf %one, %w : f64
  %r:2 = soac.scan ins(%as, %bs : tensor<?xf64>, tensor<?xf64>) neutral(%e, %zero : f64, f64)
      (%a1: f64, %b1: f64, %a2: f64, %b2: f64) {attributes} {{
    %a = arith.mulf %a1, %a2 : f64
    %aw = arith.mulf %a, %w : f64
    %c = arith.mulf %b1, %a2 : f64
    %cw = arith.mulf %c, %w : f64
    %b = arith.addf %cw, %b2 : f64
    soac.yield %aw, %b : f64, f64
  }}
  %q = arith.mulf %w, %w : f64
  return %r#0, %r#1, %q : tensor<?xf64>, tensor<?xf64>, f64
}}
func.func @grad(%as: tensor<?xf64>, %bs: tensor<?xf64>, %w: f64) -> (tensor<?xf64>, tensor<?xf64>, f64) {{
  %r:6 = ad.vjp @f(%as, %bs, %w) seed(%bs, %as, %w)
      : (tensor<?xf64>, tensor<?xf64>, f64), (tensor<?xf64>, tensor<?xf64>, f64)
      -> (tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>, tensor<?xf64>, f64)
  return %r#3, %r#4, %r#5 : tensor<?xf64>, tensor<?xf64>, f64
}}
"#
    )
}

#[test]
fn scans_in_both_directions_and_their_second_derivative() {
    for attributes in
        ["", "attributes {exclusive}", "attributes {reverse}", "attributes {exclusive, reverse}"]
    {
        let program = scan_program(attributes);
        let inputs =
            [vector(&[0.9, -1.2, 0.7, 1.4]), vector(&[0.3, 0.8, -0.5, 0.2]), Value::Float(1.3)];
        passes(&program, "f", &inputs);
        passes(&program, "grad", &inputs);
        let empty = [vector(&[]), vector(&[]), Value::Float(1.3)];
        passes(&program, "f", &empty);
    }
}

#[test]
fn reduction_twice_differentiated() {
    let program = COMPOSE.to_owned()
        + r#"
func.func @grad(%as: tensor<?xf64>, %bs: tensor<?xf64>, %w: f64) -> (tensor<?xf64>, tensor<?xf64>, f64) {
  %r:5 = ad.vjp @f(%as, %bs, %w) seed(%w, %w)
      : (tensor<?xf64>, tensor<?xf64>, f64), (f64, f64)
      -> (f64, f64, tensor<?xf64>, tensor<?xf64>, f64)
  return %r#2, %r#3, %r#4 : tensor<?xf64>, tensor<?xf64>, f64
}
"#;
    let a = vector(&[0.9, -1.2, 0.7, 1.4]);
    let b = vector(&[0.3, 0.8, -0.5, 0.2]);
    passes(&program, "grad", &[a, b, Value::Float(1.3)]);
}

/// F23: the general rule for reductions keeps work and depth; FP9: here in the interpreter,
/// as everywhere in these tests.
#[test]
fn general_reduction_keeps_work_and_depth() {
    let program = COMPOSE.to_owned()
        + r#"
func.func @grad(%as: tensor<?xf64>, %bs: tensor<?xf64>, %w: f64) -> (tensor<?xf64>, tensor<?xf64>) {
  %r:4 = ad.vjp @f(%as, %bs, %w) seed(%w, %w) {wrt = array<i64: 0, 1>}
      : (tensor<?xf64>, tensor<?xf64>, f64), (f64, f64)
      -> (f64, f64, tensor<?xf64>, tensor<?xf64>)
  return %r#2, %r#3 : tensor<?xf64>, tensor<?xf64>
}
"#;
    let inputs = |n: usize| [vector(&vec![0.9; n]), vector(&vec![0.1; n]), Value::Float(1.1)];
    let small = cost(&program, "grad", &inputs(128));
    let large = cost(&program, "grad", &inputs(4096));
    let primal = cost(&program, "f", &inputs(4096));
    // 32 times the elements: 32 times the work, and 13 levels of a tree instead of 8.
    assert!(large.work() <= 33 * small.work(), "{small:?}\n{large:?}");
    assert!(large.span <= 2 * small.span, "{small:?}\n{large:?}");
    assert!(large.work() <= 10 * primal.work(), "{primal:?}\n{large:?}");
    assert!(large.span <= 10 * primal.span, "{primal:?}\n{large:?}");
}

const DEEP: &str = r#"
func.func @f(%as: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r = soac.map ins(%as : tensor<?x?x?xf64>) (%bs: tensor<?x?xf64>) -> tensor<?x?x?xf64> {
    %s = soac.map ins(%bs : tensor<?x?xf64>) (%cs: tensor<?xf64>) -> tensor<?x?xf64> {
      %t = soac.map ins(%cs : tensor<?xf64>) (%c: f64) -> tensor<?xf64> {
        %e = math.sin %c : f64
        %g = arith.mulf %e, %c : f64
        soac.yield %g : f64
      }
      soac.yield %t : tensor<?xf64>
    }
    soac.yield %s : tensor<?x?xf64>
  }
  return %r : tensor<?x?x?xf64>
}
func.func @pullback(%as: tensor<?x?x?xf64>, %seed: tensor<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %r:2 = ad.vjp @f(%as) seed(%seed) : (tensor<?x?x?xf64>), (tensor<?x?x?xf64>)
      -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>)
  return %r#1 : tensor<?x?x?xf64>
}
"#;

/// F12: in a perfect nest nothing runs twice. Per element the pullback needs sin c
/// and cos c, two products and a sum beside the seed's; the primal's sin is among
/// them and does not run again for each of the three scopes.
#[test]
fn perfect_nests_execute_nothing_again() {
    let cube = || Value::Tensor(Tensor::from_floats(&[4, 5, 6], vec![0.25; 120]));
    let counts = cost(DEEP, "pullback", &[cube(), cube()]);
    assert_eq!(counts.math_ops, 2 * 120);
    assert_eq!(counts.float_ops, 4 * 120);
    assert_eq!(counts.reads, 2 * 120);
    // The result and the rows it is put together from; no tape (F62).
    assert!(counts.largest_allocation <= 120);
}

const MATMUL: &str = r#"
func.func @f(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf64>, tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}
func.func @pullback(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %r:3 = ad.vjp @f(%a, %b, %c) seed(%c) {wrt = array<i64: 0, 1>}
      : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>), (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
  return %r#1, %r#2 : tensor<?x?xf64>, tensor<?x?xf64>
}
"#;

/// The pullback of a matmul costs two matmuls, and stores only its two results.
#[test]
fn matmul_has_a_pullback_of_two_matmuls() {
    let matrix = |m, n| Value::Tensor(Tensor::from_floats(&[m, n], vec![0.5; m * n]));
    let inputs = [matrix(4, 5), matrix(5, 6), matrix(4, 6)];
    let primal = cost(MATMUL, "f", &inputs);
    let pullback = cost(MATMUL, "pullback", &inputs);
    assert_eq!(primal.float_ops, 2 * 4 * 5 * 6);
    assert_eq!(pullback.float_ops, 2 * primal.float_ops);
    assert_eq!(pullback.reads, 2 * 3 * 4 * 5 * 6);
    assert!(pullback.largest_allocation <= 30);
    // The trees are as deep, and a dozen operations find sizes and make zeros.
    assert!(pullback.span <= 2 * primal.span + 12, "{primal:?}\n{pullback:?}");
}

/// A nest of so many maps over an array of that rank, with a sum at the bottom of it; the
/// bodies read a value of every level, so that the nest is not perfect.
fn nest(depth: usize) -> String {
    let array = |rank: usize| match rank {
        0 => "f64".to_owned(),
        _ => format!("tensor<{}f64>", "?x".repeat(rank)),
    };
    let mut text = String::new();
    for level in (1..=depth).rev() {
        let (row, x, s) = (array(level - 1), format!("%x{level}"), format!("%s{}", level - 1));
        let (all, sums) = (array(level), array(1));
        text += &format!(
            "%r{level} = soac.map ins({x} : {all}) (%x{}: {row}) -> {sums} {{\n\
             {s} = math.sin %s{level} : f64\n",
            level - 1
        );
    }
    text += "%v0 = arith.mulf %x0, %s0 : f64\n";
    for level in 1..=depth {
        let value = level - 1;
        text += &format!(
            "soac.yield %v{value} : f64\n}}\n\
             %v{level} = soac.reduce ins(%r{level} : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {{\n\
             %t = arith.addf %l, %r : f64\nsoac.yield %t : f64\n}}\n"
        );
    }
    let all = array(depth);
    format!(
        "func.func @f(%x{depth}: {all}, %s{depth}: f64) -> f64 {{\n\
         %zero = arith.constant 0.0 : f64\n{text}return %v{depth} : f64\n}}\n\
         func.func @grad(%x: {all}, %s: f64) -> ({all}, f64) {{\n\
         %one = arith.constant 1.0 : f64\n\
         %r:3 = ad.vjp @f(%x, %s) seed(%one) : ({all}, f64), (f64) -> (f64, {all}, f64)\n\
         return %r#1, %r#2 : {all}, f64\n}}\n"
    )
}

/// F65: work and span of the gradient of a nest stay within a constant of the primal's,
/// which grows with the depth of the nest and not with its size.
#[test]
fn gradients_of_nests_keep_work_and_span() {
    for depth in 1..=5 {
        let source = nest(depth);
        for width in [2usize, 4, 6] {
            let shape = vec![width; depth];
            let cube = Tensor::from_floats(&shape, vec![0.25; width.pow(depth as u32)]);
            let inputs = [Value::Tensor(cube), Value::Float(0.5)];
            let (primal, gradient) = (cost(&source, "f", &inputs), cost(&source, "grad", &inputs));
            let work = gradient.work() as f64 / primal.work() as f64;
            let span = gradient.span as f64 / primal.span as f64;
            println!("depth {depth}, width {width}: work {work:.2}, span {span:.2}");
            let allowed = (depth + 3) as f64;
            assert!(work < allowed, "depth {depth}, width {width}: {primal:?}\n{gradient:?}");
            assert!(span < allowed, "depth {depth}, width {width}: {primal:?}\n{gradient:?}");
        }
    }
}
