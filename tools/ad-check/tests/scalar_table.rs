//! Every row of the table of scalar derivatives, against difference quotients.
//!
//! For each operation a module is written, its derivatives are made by the passes, and the interpreter runs them on operands
//! drawn from the row's domain: jvp against difference quotients, vjp against jvp, and the same for the pullback itself
//! (second order); the pullback must be linear (CHECKLIST Z03). Scalars and tensors of unknown size, f64 and f32.
//! Float types that the interpreter does not have must at least be differentiated.

use ad_check::Value;
use ad_check::executor::{Executor, Interpreter};
use ad_check::numbers::Rng;
use ad_check::oracle::{Check, Compared, check};
use ad_check::value::Tensor;
use ad_passes::ad::rules::scalar::{Domain, table};
use melior::Context;
use melior::ir::Module;
use melior::ir::operation::OperationLike;

/// An operation to test.
struct Subject {
    name: &'static str,
    operands: usize,
    results: usize,
    domain: Domain,
}

fn subjects() -> Vec<Subject> {
    let row = |name, operands, results, domain| Subject { name, operands, results, domain };
    let rows = table().map(|r| row(r.name, r.partials.len(), 1, r.domain));
    rows.chain([row("math.sincos", 1, 2, Domain::Real)]).collect()
}

/// How a float type is wrapped into the type of an operand.
type Shape = fn(&str) -> String;

const SHAPES: [Shape; 2] = [|element| element.into(), |element| format!("tensor<?x{element}>")];

impl Subject {
    /// Types of operands and results; the conversions have one float type of their own.
    fn types(&self, float: &str, shape: Shape) -> (Vec<String>, Vec<String>) {
        let mut operands = vec![shape(float); self.operands];
        let mut results = vec![shape(float); self.results];
        match self.name {
            "math.fpowi" => operands[1] = shape("i32"),
            "arith.extf" => (operands[0], results[0]) = (shape("f32"), shape("f64")),
            "arith.truncf" => (operands[0], results[0]) = (shape("f64"), shape("f32")),
            _ => {}
        }
        (operands, results)
    }

    /// `@f` applies the operation; `@pullback` takes operands and cotangents of the results and gives those of the operands.
    fn module(&self, float: &str, shape: Shape) -> String {
        let (operands, results) = self.types(float, shape);
        let parameters = |prefix: &str, types: &[String]| -> String {
            list(types.iter().enumerate().map(|(i, t)| format!("%{prefix}{i}: {t}")))
        };
        let values = |prefix: &str, n: usize| list((0..n).map(|i| format!("%{prefix}{i}")));
        let [ins, outs] = [&operands, &results].map(|types| list(types.iter().cloned()));
        let (n, m) = (operands.len(), results.len());
        let name = self.name;
        let y = values("y", m);
        let wrt: Vec<usize> = (0..n).filter(|&i| !operands[i].contains("i32")).collect();
        let bars = list(wrt.iter().map(|&i| operands[i].clone()));
        let all = format!("{outs}, {bars}");
        let split = wrt.len();
        format!(
            "func.func @f({}) -> ({outs}) {{\n  {y} = \"{name}\"({}) : ({ins}) -> ({outs})\n  return {y} : {outs}\n}}\n\
             func.func @pullback({}, {}) -> ({bars}) {{\n  {y}, {} = ad.vjp @f({}) seed({}) {{wrt = array<i64: {}>}} : ({ins}), ({outs}) -> ({all})\n  return {} : {bars}\n}}\n",
            parameters("x", &operands),
            values("x", n),
            parameters("x", &operands),
            parameters("s", &results),
            values("b", split),
            values("x", n),
            values("s", m),
            list(wrt.iter().map(usize::to_string)),
            values("b", split),
        )
    }

    /// Operands from the domain; for tensors, of five elements.
    fn draw(&self, rng: &mut Rng, float: &str, shape: Shape) -> Vec<Value> {
        let tensor = shape("").starts_with("tensor");
        let points: Vec<Vec<f64>> = (0..5).map(|_| self.point(rng)).collect();
        let (types, _) = self.types(float, shape);
        let operand = |i: usize| {
            let column = points.iter().map(|point| point[i]);
            let integer = types[i].contains("i32");
            match (tensor, integer) {
                (true, true) => {
                    Value::Tensor(Tensor::from_ints(&[5], column.map(|x| x as i64).collect()))
                }
                (true, false) => Value::Tensor(Tensor::from_floats(&[5], column.collect())),
                (false, true) => Value::Int(points[0][i] as i64),
                (false, false) => Value::Float(points[0][i]),
            }
        };
        (0..self.operands).map(operand).collect()
    }

    /// One application's operands; all are numbers of `f32`.
    fn point(&self, rng: &mut Rng) -> Vec<f64> {
        loop {
            let mut x: Vec<f64> = (0..self.operands).map(|_| self.number(rng)).collect();
            if self.name == "math.fpowi" {
                x[1] = rng.below(8) as f64 - 3.0;
            }
            if self.domain != Domain::Smooth || is_smooth(self.name, &x) {
                return x;
            }
        }
    }

    fn number(&self, rng: &mut Rng) -> f64 {
        let sign = if rng.one_in(2) { 1.0 } else { -1.0 };
        let x = match self.domain {
            Domain::Real => sign * rng.uniform(0.05, 2.0),
            Domain::NonZero => sign * rng.uniform(0.3, 2.0),
            Domain::Positive => rng.uniform(0.3, 3.0),
            Domain::Unit => rng.uniform(-0.9, 0.9),
            Domain::AboveOne => rng.uniform(1.2, 4.0),
            Domain::Smooth => rng.uniform(-3.0, 3.0),
        };
        f64::from(x as f32)
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// Whether the operands keep away from zero, halves, each other, and multiples of each other; bounds are in order.
fn is_smooth(name: &str, x: &[f64]) -> bool {
    let apart = |x: f64| x.abs() > 0.05 && (2.0 * x - (2.0 * x).round()).abs() > 0.05;
    let pairs = || (0..x.len()).flat_map(|i| (0..i).map(move |j| (x[j], x[i])));
    x.iter().all(|&x| apart(x))
        && pairs().all(|(a, b)| (a - b).abs() > 0.1 && apart(a / b))
        && (name != "math.clampf" || x[1] < x[2])
}

fn differentiate(context: &Context, module: &mut Module) -> Result<(), String> {
    ad_passes::pipeline::run(context, module, "ad-differentiate,canonicalize,cse")
}

/// Calls back with every subject, float type, shape, and operands.
fn for_each_case(test: impl Fn(&Context, &Subject, &str, &Module, &[Value])) {
    let context = ad_dialect::context();
    let mut rng = Rng::new(17);
    for subject in subjects() {
        for float in ["f64", "f32"] {
            for shape in SHAPES {
                let text = subject.module(float, shape);
                let module = Module::parse(&context, &text).unwrap_or_else(|| panic!("{text}"));
                for _ in 0..3 {
                    let inputs = subject.draw(&mut rng, float, shape);
                    test(&context, &subject, float, &module, &inputs);
                }
            }
        }
    }
}

fn agrees(context: &Context, name: &str, module: &Module, entry: &str, inputs: &[Value]) {
    let request = Check { context, module, entry, inputs, wrt: None, seed: 5, tolerance: None };
    let answer = |module: &mut Module| differentiate(context, module);
    let report = check(&request, &answer, &Interpreter::default())
        .unwrap_or_else(|error| panic!("{name} @{entry} at {inputs:?}: {error}"));
    let conclusive = |compared: &Compared| {
        !compared.kink && compared.doubt.is_none() && compared.is_conclusive(&report.tolerance)
    };
    let conclusive = report.arguments.iter().all(|a| conclusive(&a.compared));
    assert!(
        report.passed() && conclusive && !report.arguments.is_empty(),
        "{name} @{entry} at {inputs:?}:\n{report}\n{}",
        module.as_operation()
    );
}

#[test]
fn first_order() {
    for_each_case(|context, subject, _, module, inputs| {
        agrees(context, subject.name, module, "f", inputs);
    });
}

#[test]
fn second_order() {
    for_each_case(|context, subject, float, module, inputs| {
        let mut inputs = inputs.to_vec();
        for k in 0..subject.results {
            inputs.push(seed(&inputs[0], 0.75 + k as f64));
        }
        if float == "f64" {
            agrees(context, subject.name, module, "pullback", &inputs);
        }
    });
}

#[test]
fn pullbacks_are_linear() {
    for_each_case(|context, subject, float, module, inputs| {
        let text = module.as_operation().to_string();
        let mut module = Module::parse(context, &text).unwrap();
        differentiate(context, &mut module).unwrap();
        let mut loaded = Interpreter::default().load(&module, &["pullback"]).unwrap();
        let mut at = |scale: f64, u: f64, v: f64| -> Vec<f64> {
            let mut inputs = inputs.to_vec();
            for k in 0..subject.results {
                let k = k as f64;
                inputs.push(seed(&inputs[0], scale * (u * (0.5 + k) + v * (0.25 - k))));
            }
            let results = loaded.run("pullback", &inputs).unwrap();
            results.iter().flat_map(Value::float_elements).collect()
        };
        // B(a u + b v) = a B(u) + b B(v), and B(0) = 0.
        let (a, b) = (1.5, -2.25);
        let (whole, u, v, zero) =
            (at(1.0, a, b), at(1.0, 1.0, 0.0), at(1.0, 0.0, 1.0), at(0.0, 1.0, 1.0));
        let epsilon = if float == "f64" { 1e-14 } else { 1e-6 };
        let narrow = subject.name.contains("truncf") || subject.name.contains("extf");
        for i in 0..whole.len() {
            let (left, right) = (whole[i], a * u[i] + b * v[i]);
            let size = (a * u[i]).abs() + (b * v[i]).abs();
            assert!(
                (left - right).abs() <= size * if narrow { 1e-6 } else { epsilon },
                "{}: {left} is not {right} at {inputs:?}",
                subject.name
            );
            assert_eq!(zero[i], 0.0, "{}: the pullback of zero at {inputs:?}", subject.name);
        }
    });
}

/// A value of the shape of another.
fn seed(like: &Value, x: f64) -> Value {
    match like {
        Value::Tensor(tensor) => {
            Value::Tensor(Tensor::from_floats(tensor.shape(), vec![x; tensor.len()]))
        }
        _ => Value::Float(x),
    }
}

#[test]
fn every_float_type_and_shape_is_differentiated() {
    let context = ad_dialect::context();
    let shapes: [Shape; 3] =
        [|e| e.into(), |e| format!("tensor<3x{e}>"), |e| format!("tensor<?x3x?x{e}>")];
    for subject in subjects() {
        let conversion = matches!(subject.name, "arith.extf" | "arith.truncf");
        let floats: &[&str] =
            if conversion { &["f64"] } else { &["f16", "bf16", "f32", "f64", "f80", "f128"] };
        for float in floats {
            for shape in shapes {
                let text = subject.module(float, shape);
                let mut module = Module::parse(&context, &text).unwrap_or_else(|| panic!("{text}"));
                if let Err(error) = differentiate(&context, &mut module) {
                    panic!("{error}: {text}");
                }
                assert!(module.as_operation().verify(), "{text}");
            }
        }
    }
}
