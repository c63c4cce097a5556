//! Recursive functions cost reverse mode as much, up to a factor, as the primal, counted by the interpreter.
//!
//! Shows the checklist rows Z27 and M11 by number.

use ad_check::decode::{Options, decode};
use ad_check::{Value, run};
use melior::ir::Module;

/// x^n by recursion, and by two functions that call each other.
const SOURCE: &str = "
func.func private @pow(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    %one = arith.constant 1.0 : f64
    scf.yield %one : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p = func.call @pow(%x, %m) : (f64, index) -> f64
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}
func.func private @even(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    %one = arith.constant 1.0 : f64
    scf.yield %one : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p = func.call @odd(%x, %m) : (f64, index) -> f64
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}
func.func private @odd(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    scf.yield %x : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %p = func.call @even(%x, %m) : (f64, index) -> f64
    %q = arith.mulf %x, %p : f64
    scf.yield %q : f64
  }
  return %r : f64
}
func.func @pow_slope(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @pow(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
func.func @even_slope(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %r:2 = ad.vjp @even(%x, %n) seed(%one) : (f64, index), (f64) -> (f64, f64)
  return %r#1 : f64
}
";

#[test]
fn the_derivative_of_a_recursion_is_linear() {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, SOURCE).expect("the program parses");
    ad_passes::pipeline::run(&context, &mut module, "ad-differentiate,canonicalize,cse")
        .expect("the pipeline runs");
    for entry in ["pow_slope", "even_slope"] {
        let program = decode(&module, entry, Options::default()).expect("it decodes");
        let mut work = |n: i64| {
            let arguments = [Value::Float(1.0), Value::Int(n)];
            let outcome = run(&program, entry, &arguments).expect("it runs");
            assert_eq!(outcome.results, [Value::Float(n as f64)]);
            (outcome.counts.float_ops, outcome.counts.steps)
        };
        let [(none, first), (ten, second), (hundred, third)] = [0, 10, 100].map(&mut work);
        // A product of the primal, two of its return sweep and a sum for each call.
        assert_eq!((ten - none, hundred - none), (4 * 10, 4 * 100), "{entry}");
        assert_eq!(third - first, 10 * (second - first), "{entry}");
    }
}
