//! Scalar derivatives at ties, kinks, zeros, infinities and NaN, against values worked out by hand.
//!
//! "Note [Kinks and singularities]" in passes/src/ad/rules/scalar/mod.rs states the conventions.

use ad_check::Value;
use ad_check::executor::{Executor, Interpreter};
use melior::Context;
use melior::ir::Module;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// The partial derivatives of an operation at a point, by vjp and by jvp, which must be the given ones.
struct Edges {
    context: Context,
}

impl Edges {
    fn new() -> Edges {
        ad_passes::register();
        Edges { context: ad_dialect::context() }
    }

    #[track_caller]
    fn expect(&self, name: &str, x: &[f64], partials: &[f64]) {
        let list = |f: &dyn Fn(usize) -> String| -> String {
            (0..x.len()).map(f).collect::<Vec<_>>().join(", ")
        };
        let types = list(&|_| "f64".into());
        let parameters = list(&|i| format!("%x{i}: f64"));
        let tangents = list(&|i| format!("%t{i}: f64"));
        let operands = list(&|i| format!("%x{i}"));
        let [outs, seeds] = ["%b", "%t"].map(|p| list(&|i| format!("{p}{i}")));
        let wrt = list(&|i| i.to_string());
        self.check(
            &format!(
                "func.func @f({parameters}) -> f64 {{ %y = \"{name}\"({operands}) : ({types}) -> f64 return %y : f64 }}
                 func.func @vjp({parameters}, %s: f64) -> ({types}) {{
                   %y, {outs} = ad.vjp @f({operands}) seed(%s) {{wrt = array<i64: {wrt}>}} : ({types}), (f64) -> (f64, {types})
                   return {outs} : {types}
                 }}
                 func.func @jvp({parameters}, {tangents}) -> f64 {{
                   %y, %d = ad.jvp @f({operands}) seed({seeds}) {{wrt = array<i64: {wrt}>}} : ({types}), ({types}) -> (f64, f64)
                   return %d : f64
                 }}"
            ),
            &x.iter().map(|&x| Value::Float(x)).collect::<Vec<_>>(),
            partials,
        );
    }

    /// The partial derivative of a power with respect to the base alone.
    #[track_caller]
    fn expect_power(&self, name: &str, x: f64, exponent: Value, partial: f64) {
        let ty = if matches!(exponent, Value::Int(_)) { "i32" } else { "f64" };
        let request = |mode: &str| {
            format!(
                "func.func @{mode}(%x: f64, %n: {ty}, %s: f64) -> f64 {{
                   %y, %d = ad.{mode} @f(%x, %n) seed(%s) {{wrt = array<i64: 0>}} : (f64, {ty}), (f64) -> (f64, f64)
                   return %d : f64
                 }}"
            )
        };
        let primal = format!(
            "func.func @f(%x: f64, %n: {ty}) -> f64 {{ %y = \"{name}\"(%x, %n) : (f64, {ty}) -> f64 return %y : f64 }}"
        );
        let text = [primal, request("vjp"), request("jvp")].concat();
        self.check(&text, &[Value::Float(x), exponent], &[partial]);
    }

    #[track_caller]
    fn check(&self, text: &str, x: &[Value], partials: &[f64]) {
        let mut module = Module::parse(&self.context, text).expect(text);
        ad_passes::pipeline::run(&self.context, &mut module, "ad-differentiate").unwrap();
        let mut loaded = Interpreter::default().load(&module, &["vjp", "jvp"]).unwrap();
        let mut run = |entry: &str, seeds: &[f64]| -> Vec<f64> {
            let seeds: Vec<Value> = seeds.iter().map(|&s| Value::Float(s)).collect();
            let results = loaded.run(entry, &[x, &seeds].concat()).unwrap();
            results.iter().flat_map(Value::float_elements).collect()
        };
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() < 1e-15;
        let by_vjp = run("vjp", &[1.0]);
        for (i, &partial) in partials.iter().enumerate() {
            assert!(same(by_vjp[i], partial), "vjp: {by_vjp:?} is not {partials:?}");
            let mut direction = vec![0.0; partials.len()];
            direction[i] = 1.0;
            let by_jvp = run("jvp", &direction)[0];
            assert!(same(by_jvp, partial), "jvp {i}: {by_jvp} is not {partial}");
        }
    }
}

#[test]
fn ties_go_to_the_first_operand() {
    let edges = Edges::new();
    for op in ["arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"] {
        edges.expect(op, &[1.5, 1.5], &[1.0, 0.0]);
        edges.expect(op, &[0.0, -0.0], &[1.0, 0.0]);
        edges.expect(op, &[INF, INF], &[1.0, 0.0]);
    }
    edges.expect("arith.maximumf", &[2.0, INF], &[0.0, 1.0]);
    edges.expect("arith.minimumf", &[2.0, INF], &[1.0, 0.0]);
}

#[test]
fn one_operand_is_chosen_when_the_other_is_nan() {
    let edges = Edges::new();
    for op in ["arith.maxnumf", "arith.minnumf"] {
        edges.expect(op, &[1.0, NAN], &[1.0, 0.0]);
        edges.expect(op, &[NAN, 1.0], &[0.0, 1.0]);
        edges.expect(op, &[NAN, NAN], &[0.0, 1.0]);
    }
    for op in ["arith.maximumf", "arith.minimumf"] {
        edges.expect(op, &[1.0, NAN], &[0.0, 1.0]);
        edges.expect(op, &[NAN, 1.0], &[0.0, 1.0]);
    }
}

#[test]
fn a_bound_that_is_reached_lets_the_value_pass() {
    let edges = Edges::new();
    edges.expect("math.clampf", &[0.5, 0.0, 1.0], &[1.0, 0.0, 0.0]);
    edges.expect("math.clampf", &[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0]);
    edges.expect("math.clampf", &[1.0, 0.0, 1.0], &[1.0, 0.0, 0.0]);
    edges.expect("math.clampf", &[-1.0, 0.0, 1.0], &[0.0, 1.0, 0.0]);
    edges.expect("math.clampf", &[2.0, 0.0, 1.0], &[0.0, 0.0, 1.0]);
    edges.expect("math.clampf", &[NAN, 0.0, 1.0], &[1.0, 0.0, 0.0]);
}

#[test]
fn kinks_at_zero_have_the_mean() {
    let edges = Edges::new();
    edges.expect("math.absf", &[0.0], &[0.0]);
    edges.expect("math.absf", &[-0.0], &[0.0]);
    edges.expect("math.absf", &[-3.0], &[-1.0]);
    edges.expect("math.absf", &[-INF], &[-1.0]);
    edges.expect("math.copysign", &[0.0, 2.0], &[0.0, 0.0]);
    edges.expect("math.copysign", &[3.0, -0.0], &[-1.0, 0.0]);
    edges.expect("math.copysign", &[-3.0, -2.0], &[1.0, 0.0]);
}

/// CHECKLIST FP7.
#[test]
fn powers_are_exact_at_zero() {
    let edges = Edges::new();
    edges.expect("math.powf", &[0.0, 0.0], &[0.0, 0.0]);
    edges.expect("math.powf", &[0.0, 1.0], &[1.0, 0.0]);
    edges.expect("math.powf", &[0.0, 2.0], &[0.0, 0.0]);
    edges.expect("math.powf", &[2.0, 0.0], &[0.0, f64::ln(2.0)]);
    for (x, n, partial) in [
        (0.0, 0, 0.0),
        (0.0, 1, 1.0),
        (0.0, 2, 0.0),
        (-0.0, 3, 0.0),
        (2.0, 0, 0.0),
        (-2.0, 3, 12.0),
        (2.0, -1, -0.25),
        (0.0, -1, -INF),
    ] {
        edges.expect_power("math.fpowi", x, Value::Int(n), partial);
        edges.expect_power("math.powf", x, Value::Float(n as f64), partial);
    }
}

#[test]
fn infinite_derivatives_follow_ieee() {
    let edges = Edges::new();
    edges.expect("math.sqrt", &[0.0], &[INF]);
    edges.expect("math.cbrt", &[0.0], &[INF]);
    edges.expect("math.log", &[0.0], &[INF]);
    edges.expect("math.log1p", &[-1.0], &[INF]);
    edges.expect("math.asin", &[1.0], &[INF]);
    edges.expect("math.acos", &[1.0], &[-INF]);
    edges.expect("math.acosh", &[1.0], &[INF]);
    edges.expect("math.atanh", &[1.0], &[INF]);
    edges.expect("math.sqrt", &[-1.0], &[NAN]);
    edges.expect("math.atan2", &[0.0, 0.0], &[NAN, NAN]);
}

#[test]
fn derivatives_vanish_far_away() {
    let edges = Edges::new();
    for op in ["math.erf", "math.erfc", "math.atan", "math.asinh"] {
        edges.expect(op, &[INF], &[0.0]);
    }
    edges.expect("math.acosh", &[INF], &[0.0]);
    edges.expect("math.atan2", &[INF, -3.0], &[0.0, 0.0]);
    edges.expect("math.atan2", &[3.0, -INF], &[0.0, 0.0]);
    edges.expect("math.tanh", &[INF], &[0.0]);
    edges.expect("math.exp", &[-INF], &[0.0]);
    edges.expect("math.expm1", &[-INF], &[0.0]);
}

#[test]
fn steps_have_derivative_zero_everywhere() {
    let edges = Edges::new();
    for op in ["math.floor", "math.ceil", "math.round", "math.roundeven", "math.trunc"] {
        for x in [0.0, 0.5, 1.0, -2.5, INF] {
            edges.expect(op, &[x], &[0.0]);
        }
    }
}

#[test]
fn remainders() {
    let edges = Edges::new();
    edges.expect("arith.remf", &[7.5, 2.0], &[1.0, -3.0]);
    edges.expect("arith.remf", &[-7.5, 2.0], &[1.0, 3.0]);
    edges.expect("arith.remf", &[7.5, -2.0], &[1.0, 3.0]);
    edges.expect("arith.remf", &[6.0, 2.0], &[1.0, -3.0]);
    edges.expect("arith.remf", &[1.0, 2.0], &[1.0, 0.0]);
    // The quotient 1 - 2^-54 rounds to 1, but the remainder is the dividend.
    let below = f64::from_bits(3.0f64.to_bits() - 1);
    edges.expect("arith.remf", &[below, 3.0], &[1.0, 0.0]);
}
