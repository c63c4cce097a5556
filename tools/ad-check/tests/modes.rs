//! What the modes cost, counted by the interpreter on a family of functions: by inputs, outputs and intermediates.
//!
//! Shows the checklist row M01.

use ad_check::{Counts, Tensor, Value, decode, run};
use ad_passes::pipeline;
use melior::ir::Module;

/// `y_j = sum_i sin(w_j x_i)` for each of m numbers w, and its Jacobian in the n numbers x, by either mode; and a chain of
/// operations on one number.
const SOURCE: &str = "
func.func private @family(%x: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %y = soac.map ins(%w : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %s = soac.map ins(%x : tensor<?xf64>) (%b: f64) -> tensor<?xf64> {
      %p = arith.mulf %a, %b : f64
      %q = math.sin %p : f64
      soac.yield %q : f64
    }
    %t = soac.reduce ins(%s : tensor<?xf64>) neutral(%zero : f64) (%b: f64, %c: f64) {
      %d = arith.addf %b, %c : f64
      soac.yield %d : f64
    }
    soac.yield %t : f64
  }
  return %y : tensor<?xf64>
}

func.func @primal(%x: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %y = func.call @family(%x, %w) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %y : tensor<?xf64>
}

func.func private @unit(%like: tensor<?xf64>, %i: index) -> tensor<?xf64> {
  %e = soac.map ins(%like : tensor<?xf64>) (%a: f64) -> tensor<?xf64> {
    %zero = arith.constant 0.0 : f64
    soac.yield %zero : f64
  }
  %one = arith.constant 1.0 : f64
  %u = tensor.insert %one into %e[%i] : tensor<?xf64>
  return %u : tensor<?xf64>
}

// Column by column.
func.func @forward(%x: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf64>
  %j = scf.for %i = %c0 to %n step %c1 iter_args(%all = %w) -> (tensor<?xf64>) {
    %u = func.call @unit(%x, %i) : (tensor<?xf64>, index) -> tensor<?xf64>
    %y, %column = ad.jvp @family(%x, %w) seed(%u) {wrt = array<i64: 0>}
        : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    scf.yield %column : tensor<?xf64>
  }
  return %j : tensor<?xf64>
}

// Row by row.
func.func @reverse(%x: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %w, %c0 : tensor<?xf64>
  %j = scf.for %i = %c0 to %m step %c1 iter_args(%all = %x) -> (tensor<?xf64>) {
    %u = func.call @unit(%w, %i) : (tensor<?xf64>, index) -> tensor<?xf64>
    %y, %row = ad.vjp @family(%x, %w) seed(%u) {wrt = array<i64: 0>}
        : (tensor<?xf64>, tensor<?xf64>), (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    scf.yield %row : tensor<?xf64>
  }
  return %j : tensor<?xf64>
}

func.func private @chain(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f64) {
    %s = math.sin %v : f64
    scf.yield %s : f64
  }
  return %y : f64
}
func.func @chain_forward(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %y_dot = ad.jvp @chain(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %y_dot : f64
}
func.func @chain_reverse(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %x_bar = ad.vjp @chain(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %x_bar : f64
}
";

/// What an entry costs, without anything that moves work out of loops.
fn cost(module: &Module, entry: &str, inputs: &[Value]) -> Counts {
    let options = decode::Options { promote: false };
    let program = decode::decode(module, entry, options).expect("it decodes");
    run(&program, entry, inputs).expect("it runs").counts
}

/// Float operations, elementary functions among them.
fn time(counts: Counts) -> f64 {
    (counts.float_ops + counts.math_ops) as f64
}

#[test]
fn forward_mode_scales_with_inputs_and_reverse_mode_with_outputs() {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, SOURCE).expect("the source parses");
    pipeline::run(&context, &mut module, "ad-differentiate,canonicalize,cse").expect("it runs");
    let ratio = |mode: &str, n: usize, m: usize| {
        let numbers = |count: usize| Value::Tensor(Tensor::from_floats(&[count], vec![0.3; count]));
        let inputs = [numbers(n), numbers(m)];
        time(cost(&module, mode, &inputs)) / time(cost(&module, "primal", &inputs))
    };
    for (inputs, outputs) in [(8, 8), (32, 8), (8, 32), (32, 32)] {
        // The time of all columns or rows, in times of the function.
        let (columns, rows) =
            (ratio("forward", inputs, outputs), ratio("reverse", inputs, outputs));
        assert!((1.0..4.0).contains(&(columns / inputs as f64)), "{inputs} inputs: {columns}");
        assert!((1.0..4.0).contains(&(rows / outputs as f64)), "{outputs} outputs: {rows}");
    }
}

#[test]
fn forward_mode_keeps_nothing_and_reverse_mode_all_intermediates() {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, SOURCE).expect("the source parses");
    pipeline::run(&context, &mut module, "ad-differentiate,canonicalize,cse").expect("it runs");
    for steps in [10, 100, 1000] {
        let inputs = [Value::Float(0.3), Value::Int(steps)];
        let forward = cost(&module, "chain_forward", &inputs);
        assert_eq!(forward.allocations, 0, "{steps} steps");
        let reverse = cost(&module, "chain_reverse", &inputs);
        assert_eq!(reverse.allocations, steps as u64, "{steps} steps");
        let per_step = |counts: Counts| time(counts) / steps as f64;
        assert!(per_step(forward) < 4.0 && per_step(reverse) < 5.0, "{forward:?} {reverse:?}");
    }
}
