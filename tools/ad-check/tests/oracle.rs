//! The oracle accepts right derivatives and rejects wrong ones.

use ad_check::executor::{Executor, Interpreter, Loaded};
use ad_check::numbers::map_floats;
use ad_check::oracle::{Check, Report, check};
use ad_check::{Tensor, Value};
use melior::Context;
use melior::ir::Module;

const PROGRAM: &str = r#"
  func.func @f(%x: tensor<?xf64>, %a: f64, %n: index) -> (f64, index) {
    %zero = arith.constant 0.0 : f64
    %y = soac.map ins(%x : tensor<?xf64>) (%e: f64) -> tensor<?xf64> {
      %s = math.sin %e : f64
      %p = arith.mulf %s, %a : f64
      soac.yield %p : f64
    }
    %r = soac.reduce ins(%y : tensor<?xf64>) neutral(%zero : f64) (%l: f64, %r: f64) {
      %0 = arith.addf %l, %r : f64
      soac.yield %0 : f64
    }
    %q = arith.mulf %r, %r : f64
    return %q, %n : f64, index
  }"#;

fn differentiate(context: &Context, module: &mut Module) -> Result<(), String> {
    ad_passes::pipeline::run(context, module, "ad-differentiate,canonicalize,cse")
}

fn checked(source: &str, inputs: &[Value], executor: &dyn Executor) -> Result<Report, String> {
    let context = ad_dialect::context();
    let module = Module::parse(&context, source).ok_or("does not parse")?;
    let request = Check {
        context: &context,
        module: &module,
        entry: "f",
        inputs,
        wrt: None,
        seed: 1,
        tolerance: None,
    };
    check(&request, &|module| differentiate(&context, module), executor)
}

fn inputs() -> Vec<Value> {
    let x = Value::Tensor(Tensor::from_floats(&[3], vec![0.1, -0.7, 1.3]));
    vec![x, Value::Float(0.8), Value::Int(3)]
}

/// Runs programs right, except that the float results of one function are scaled.
struct Wrong(&'static str, f64);
struct WrongLoaded(Box<dyn Loaded>, &'static str, f64);

impl Executor for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }
    fn load(&self, module: &Module, entries: &[&str]) -> Result<Box<dyn Loaded>, String> {
        let loaded = Interpreter::default().load(module, entries)?;
        Ok(Box::new(WrongLoaded(loaded, self.0, self.1)))
    }
}

impl Loaded for WrongLoaded {
    fn run(&mut self, entry: &str, inputs: &[Value]) -> Result<Vec<Value>, String> {
        let results = self.0.run(entry, inputs)?;
        let scale = if entry.contains(self.1) { self.2 } else { 1.0 };
        Ok(results.iter().map(|v| map_floats(v, |x| x * scale)).collect())
    }
}

#[test]
fn right_derivatives_pass() {
    let report = checked(PROGRAM, &inputs(), &Interpreter::default()).unwrap();
    assert!(report.passed(), "{report}");
    assert_eq!(report.arguments.len(), 2);
    assert!(report.worst_differences() < 1e-9 && report.worst_transpose() < 1e-14, "{report}");
}

#[test]
fn narrow_floats_are_checked_against_wide_differences() {
    let source = PROGRAM.replace("f64", "f32");
    let round = |v: &Value| map_floats(v, |x| f64::from(x as f32));
    let inputs: Vec<Value> = inputs().iter().map(round).collect();
    let report = checked(&source, &inputs, &Interpreter::default()).unwrap();
    assert!(report.passed() && report.worst_differences() < 1e-5, "{report}");
}

#[test]
fn each_equation_rejects_a_wrong_derivative() {
    for (function, equation) in [("jvp", "jvp against differences"), ("vjp", "vjp against jvp")] {
        let report = checked(PROGRAM, &inputs(), &Wrong(function, 1.0 + 1e-5)).unwrap();
        assert!(!report.passed(), "{function}: {report}");
        let text = report.to_string();
        assert!(text.contains(equation) && text.contains("FAILED"), "{text}");
    }
}

#[test]
fn empty_arrays_have_empty_derivatives() {
    let mut inputs = inputs();
    inputs[0] = Value::Tensor(Tensor::from_floats(&[0], vec![]));
    inputs[2] = Value::Int(0);
    let report = checked(PROGRAM, &inputs, &Interpreter::default()).unwrap();
    assert!(report.passed(), "{report}");
}

#[test]
fn where_nothing_can_be_compared_nothing_passes() {
    let source = "func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
      %y = math.log %x : tensor<?xf64>
      return %y : tensor<?xf64>
    }";
    let report = |x: &[f64]| {
        let x = Value::Tensor(Tensor::from_floats(&[x.len()], x.to_vec()));
        checked(source, &[x], &Interpreter::default()).unwrap()
    };
    let nothing = report(&[0.0, -1.0]);
    assert!(!nothing.passed() && !nothing.failed(), "{nothing}");
    assert!(nothing.to_string().contains("inconclusive (results are not finite)"), "{nothing}");
    let some = report(&[0.0, 1e-9, 1.0]);
    assert!(some.passed() && some.arguments[0].compared.doubt.is_some(), "{some}");
    assert!(report(&[1e-9, 1.0]).arguments[0].compared.doubt.is_none());
}

#[test]
fn what_cannot_be_checked_is_an_error() {
    let source = "func.func @f(%n: index) -> index {\n  return %n : index\n}";
    let error = checked(source, &[Value::Int(1)], &Interpreter::default()).unwrap_err();
    let expected =
        "'f' has no differentiable argument; floats and tensors of them are varied, not buffers";
    assert_eq!(error, expected);
    let error = checked(PROGRAM, &[], &Interpreter::default()).unwrap_err();
    assert_eq!(error, "'f' takes 3 arguments");
}
