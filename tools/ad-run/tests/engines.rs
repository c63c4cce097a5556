//! Programs give the same in the interpreter, which defines what they mean, and as code whose straight-line parts are
//! compiled: with branches, loops, recursion, functions that are values, and derivatives of all of them.
//!
//! Shows the checklist row M19.

use ad_check::{
    Tensor, Value,
    executor::{Executor, Interpreter},
    numbers::results_distance,
};
use ad_passes::pipeline::run;
use ad_run::{Options, executor::Jit};
use melior::ir::Module;

const SOURCE: &str = r#"
!f = !ad.closure<(f64) -> f64>

func.func @straight(%x: f64, %n: i64) -> f64 {
  %a = math.sin %x : f64
  %b = arith.mulf %a, %x : f64
  %c = math.exp %b : f64
  %d = arith.divf %c, %a : f64
  return %d : f64
}

func.func @branch(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %positive = arith.cmpf ogt, %x, %zero : f64
  cf.cond_br %positive, ^positive, ^negative
^positive:
  %a = math.sqrt %x : f64
  return %a : f64
^negative:
  %slope = arith.constant 0.01 : f64
  %b = arith.mulf %slope, %x : f64
  return %b : f64
}

func.func @loop(%x: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %steps = arith.index_cast %n : i64 to index
  %y = scf.for %i = %c0 to %steps step %c1 iter_args(%v = %x) -> (f64) {
    %s = func.call @straight(%v, %n) : (f64, i64) -> f64
    %t = math.tanh %s : f64
    scf.yield %t : f64
  }
  return %y : f64
}

func.func @recursion(%x: f64, %n: i64) -> f64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %done = arith.cmpi sle, %n, %zero : i64
  cf.cond_br %done, ^leaf, ^node
^leaf:
  return %x : f64
^node:
  %below = arith.subi %n, %one : i64
  %a = math.sin %x : f64
  %left = func.call @recursion(%a, %below) : (f64, i64) -> f64
  %right = func.call @recursion(%x, %below) : (f64, i64) -> f64
  %y = arith.mulf %left, %right : f64
  return %y : f64
}

func.func private @applied(%f: !f, %x: f64) -> f64 {
  %y = ad.call %f(%x) : !f
  %z = ad.call %f(%y) : !f
  return %z : f64
}
func.func @closure(%x: f64, %n: i64) -> f64 {
  %f = ad.lambda (%u: f64) -> f64 {
    %s = math.cos %u : f64
    %v = arith.mulf %x, %s : f64
    ad.yield %v : f64
  }
  %y = call @applied(%f, %x) : (!f, f64) -> f64
  return %y : f64
}

func.func @array(%x: f64, %n: i64) -> tensor<?xf64> {
  %size = arith.index_cast %n : i64 to index
  %xs = soac.replicate %x, %size : f64 -> tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %y = soac.scan ins(%xs : tensor<?xf64>) neutral(%zero : f64) (%a: f64, %b: f64) {
    %c = arith.addf %a, %b : f64
    soac.yield %c : f64
  }
  return %y : tensor<?xf64>
}
"#;

const SCALAR: &[&str] = &["straight", "branch", "loop", "recursion", "closure"];

/// The program, and the slope of each function of a number in both modes.
fn with_slopes() -> String {
    let slopes = SCALAR.iter().map(|name| {
        format!(
            "func.func @{name}_slopes(%x: f64, %n: i64) -> (f64, f64) {{
               %one = arith.constant 1.0 : f64
               %r:2 = ad.vjp @{name}(%x, %n) seed(%one) {{wrt = array<i64: 0>}} : (f64, i64), (f64) -> (f64, f64)
               %d:2 = ad.jvp @{name}(%x, %n) seed(%one) {{wrt = array<i64: 0>}} : (f64, i64), (f64) -> (f64, f64)
               return %r#1, %d#1 : f64, f64
             }}"
        )
    });
    slopes.fold(SOURCE.to_owned(), |text, slope| text + &slope)
}

#[test]
fn the_interpreter_and_compiled_code_agree() {
    let context = ad_dialect::context();
    let mut module = Module::parse(&context, &with_slopes()).expect("the source parses");
    run(&context, &mut module, "ad-differentiate").expect("it is differentiated");
    let slopes: Vec<_> = SCALAR.iter().map(|name| format!("{name}_slopes")).collect();
    let mut entries: Vec<_> = slopes.iter().map(String::as_str).collect();
    entries.extend_from_slice(SCALAR);
    entries.push("array");
    let mut interpreted = Interpreter::default().load(&module, &entries).expect("it decodes");
    let mut compiled =
        Jit::new(&context, Options::default()).load(&module, &entries).expect("it is compiled");
    for entry in entries {
        for (x, n) in [(0.7, 3), (-0.4, 5), (1.9, 0)] {
            let inputs = [Value::Float(x), Value::Int(n)];
            let meant = interpreted.run(entry, &inputs).expect("it runs");
            let found = compiled.run(entry, &inputs).expect("it runs");
            let distance = results_distance(&meant, &found, 1e-6);
            assert!(distance < 1e-12, "@{entry}({x}, {n}): {meant:?} and {found:?}");
        }
    }
    let array = interpreted.run("array", &[Value::Float(0.5), Value::Int(3)]);
    let sums = Value::Tensor(Tensor::from_floats(&[3], vec![0.5, 1.0, 1.5]));
    assert_eq!(array, Ok(vec![sums]));
}
