//! The numeric oracle: three equations that derivatives of a program must satisfy at given inputs.
//!
//! 1. jvp agrees with difference quotients along a random direction of each argument; both are taken in f64.
//! 2. `⟨y_bar, J x_dot⟩ = ⟨Jᵀ y_bar, x_dot⟩` for vjp and jvp, which needs no step size and so has a tight tolerance.
//! 3. The primal results that come with a derivative are those of the program.
//!
//! The derivatives come from the caller: a copy of the module gets two functions with requests, the caller's `differentiate`
//! answers them, and an executor runs the outcome.

mod differences;
mod report;
mod wrapper;

pub use differences::{Quotient, derivative};
pub use report::{ArgumentReport, Report, Tolerance};
pub use wrapper::{Names, Request, with_requests};

use crate::decode;
use crate::executor::{Executor, Interpreter, Loaded};
use crate::numbers::{
    Rng, distance, flatten, magnitude, map_floats, moved, random_like, results_distance,
};
use crate::program::Type;
use crate::value::Value;
use melior::Context;
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationPrintingFlags};

/// Answers the requests in a module.
pub type Differentiate<'a> = &'a dyn Fn(&mut Module) -> Result<(), String>;

/// A check to run.
pub struct Check<'a> {
    /// The context of `module`.
    pub context: &'a Context,
    /// The program, which may itself contain requests.
    pub module: &'a Module<'a>,
    /// The function to check.
    pub entry: &'a str,
    /// Its inputs, one per argument.
    pub inputs: &'a [Value],
    /// Positions of the arguments to differentiate; all differentiable ones if `None`.
    pub wrt: Option<Vec<usize>>,
    /// Determines directions and seeds.
    pub seed: u64,
    /// What is allowed; by the float types of the program if `None`.
    pub tolerance: Option<Tolerance>,
}

/// Everything known about the program before any derivative runs.
struct Subject<'a> {
    check: &'a Check<'a>,
    inputs: Vec<Type>,
    results: Vec<Type>,
    wrt: Vec<usize>,
    narrow: bool,
    names: Names,
    /// The module with requests, answered.
    module: Module<'a>,
}

/// Checks the derivatives that `differentiate` makes, as run by `executor`.
pub fn check(
    check: &Check,
    differentiate: Differentiate,
    executor: &dyn Executor,
) -> Result<Report, String> {
    let subject = Subject::new(check, differentiate)?;
    let names = [check.entry, &subject.names.jvp, &subject.names.vjp];
    let mut loaded = executor.load(&subject.module, &names)?;
    // Difference quotients of narrow floats are useless, and where a function is flat its narrow derivative is only
    // rounding, so those programs are run in f64 for the first equation.
    let mut promoted = if subject.narrow {
        let interpreter = Interpreter { promote: true, ..Interpreter::default() };
        Some(interpreter.load(&subject.module, &names[..2])?)
    } else {
        None
    };
    subject.measure(executor.name(), &mut *loaded, promoted.as_mut())
}

impl<'a> Subject<'a> {
    fn new(check: &'a Check<'a>, differentiate: Differentiate) -> Result<Subject<'a>, String> {
        let (inputs, results) =
            decode::signature(check.module, check.entry).map_err(|f| f.to_string())?;
        let all = || (0..inputs.len()).filter(|&i| inputs[i].is_differentiable()).collect();
        let wrt: Vec<usize> = check.wrt.clone().unwrap_or_else(all);
        if wrt.is_empty() {
            return Err(format!(
                "'{}' has no differentiable argument; floats and tensors of them are varied, not buffers",
                check.entry
            ));
        }
        if inputs.len() != check.inputs.len() || wrt.iter().any(|&i| i >= inputs.len()) {
            return Err(format!("'{}' takes {} arguments", check.entry, inputs.len()));
        }
        let text = printed(check.module)?;
        let request = Request { entry: check.entry, inputs: &inputs, results: &results, wrt: &wrt };
        let Some((text, names)) = with_requests(&text, &request) else {
            return Err("the module cannot be extended".into());
        };
        let Some(mut module) = Module::parse(check.context, &text) else {
            return Err("the request for the derivatives is not accepted".into());
        };
        let narrow = ["f32", "f16"].iter().any(|t| text.contains(t));
        differentiate(&mut module)?;
        Ok(Subject { check, inputs, results, wrt, narrow, names, module })
    }

    fn measure(
        &self,
        executor: &str,
        loaded: &mut dyn Loaded,
        mut promoted: Option<&mut Box<dyn Loaded>>,
    ) -> Result<Report, String> {
        let check = self.check;
        let default = if self.narrow { Tolerance::F32 } else { Tolerance::F64 };
        let tolerance = check.tolerance.unwrap_or(default);
        let mut rng = Rng::new(check.seed);
        let primal = loaded.run(check.entry, check.inputs)?;
        let y_bar = self.seeds(&mut rng, &primal);
        let reverse = loaded.run(&self.names.vjp, &[check.inputs, &y_bar].concat())?;
        let (reverse_primal, x_bar) = split(&reverse, primal.len())?;
        let floor = NEGLIGIBLE * magnitude(check.inputs).max(magnitude(&primal));
        let mut worst = results_distance(&primal, reverse_primal, floor);
        let seeds: f64 = pairs(&y_bar).iter().map(|seed| seed.abs()).sum();
        let rounding = NEGLIGIBLE * seeds * magnitude(&primal);
        let mut arguments = Vec::with_capacity(self.wrt.len());
        for (position, &argument) in self.wrt.iter().enumerate() {
            let x_dot = random_like(&mut rng, &check.inputs[argument], &self.inputs[argument]);
            let jvp_inputs = self.jvp_inputs(position, &x_dot);
            let forward = loaded.run(&self.names.jvp, &jvp_inputs)?;
            let (forward_primal, y_dot) = split(&forward, primal.len())?;
            worst = worst.max(results_distance(&primal, forward_primal, floor));
            let y_dot = flatten(y_dot);
            let (along, exact) = match promoted.as_mut() {
                Some(promoted) => {
                    let forward = promoted.run(&self.names.jvp, &jvp_inputs)?;
                    let exact = flatten(split(&forward, primal.len())?.1);
                    (self.quotient(promoted.as_mut(), argument, &x_dot)?, exact)
                }
                None => (self.quotient(loaded, argument, &x_dot)?, y_dot.clone()),
            };
            let Some(x_bar) = x_bar.get(position) else {
                return Err("the vjp has too few results".into());
            };
            arguments.push(ArgumentReport {
                argument,
                differences: against(&along, &exact),
                quotient: along.error,
                transpose: transpose(&pairs(&y_bar), &y_dot, x_bar, &x_dot, rounding),
                kink: along.kink.is_some(),
            });
        }
        Ok(Report { executor: executor.into(), arguments, primal: worst, tolerance })
    }

    /// One random seed per differentiable result.
    fn seeds(&self, rng: &mut Rng, primal: &[Value]) -> Vec<Value> {
        let active = self.results.iter().zip(primal).filter(|(ty, _)| ty.is_differentiable());
        active.map(|(ty, y)| random_like(rng, y, ty)).collect()
    }

    /// The arguments, then tangents that are zero except for one argument's.
    fn jvp_inputs(&self, position: usize, x_dot: &Value) -> Vec<Value> {
        let mut inputs = self.check.inputs.to_vec();
        for (p, &argument) in self.wrt.iter().enumerate() {
            let zero = || map_floats(&self.check.inputs[argument], |_| 0.0);
            inputs.push(if p == position { x_dot.clone() } else { zero() });
        }
        inputs
    }

    fn quotient(
        &self,
        loaded: &mut dyn Loaded,
        argument: usize,
        x_dot: &Value,
    ) -> Result<Quotient, String> {
        let check = self.check;
        let active: Vec<bool> = self.results.iter().map(Type::is_differentiable).collect();
        let mut at = |h: f64| -> Result<Vec<f64>, String> {
            let mut inputs = check.inputs.to_vec();
            inputs[argument] = moved(&check.inputs[argument], h, x_dot);
            let results = loaded.run(check.entry, &inputs)?;
            let kept = results.into_iter().zip(&active).filter(|(_, a)| **a).map(|(v, _)| v);
            Ok(flatten(&kept.collect::<Vec<_>>()))
        };
        let centre = at(0.0)?;
        derivative(&mut at, &centre)
    }
}

/// A module as text that parses again.
///
/// It is in the generic form, because the short form of a `linalg.map` around an operation of several results does not
/// parse.
pub fn printed(module: &Module) -> Result<String, String> {
    let flags =
        OperationPrintingFlags::new().print_generic_operation_form().enable_debug_info(true, false);
    module.as_operation().to_string_with_flags(flags).map_err(|e| e.to_string())
}

/// The factors that pair cotangents with the floats of tangents: a complex cotangent c and a tangent t have the product
/// Re(c t), so that imaginary parts count negatively.
fn pairs(cotangents: &[Value]) -> Vec<f64> {
    let is_complex = |value: &Value| match value {
        Value::Complex(_) => true,
        Value::Tensor(tensor) => tensor.complexes().is_some(),
        _ => false,
    };
    let signed = |value: &Value| -> Vec<f64> {
        let floats = value.float_elements();
        match is_complex(value) {
            true => {
                floats.iter().enumerate().map(|(i, &x)| if i % 2 == 1 { -x } else { x }).collect()
            }
            false => floats,
        }
    };
    cotangents.iter().flat_map(signed).collect()
}

/// Primal results, then derivatives.
fn split(values: &[Value], primal: usize) -> Result<(&[Value], &[Value]), String> {
    values.split_at_checked(primal).ok_or_else(|| "a derivative has too few results".to_string())
}

/// The relative error of a jvp; at a kink it need only lie between the one-sided slopes.
fn against(quotient: &Quotient, y_dot: &[f64]) -> f64 {
    let Some((before, after)) = &quotient.kink else {
        return distance(y_dot, &quotient.value, quotient.scale);
    };
    let slack = 1e-3 * quotient.scale.max(1e-300);
    let between = |i: usize, y: f64| {
        let (low, high) = (before[i].min(after[i]), before[i].max(after[i]));
        y >= low - slack && y <= high + slack
    };
    let inside =
        y_dot.len() == before.len() && y_dot.iter().enumerate().all(|(i, &y)| between(i, y));
    if inside { 0.0 } else { distance(y_dot, &quotient.value, quotient.scale) }
}

/// A derivative that is so much smaller than the value is what rounding leaves of zero, if at the tolerance of f64 it is
/// off by all of itself.
const NEGLIGIBLE: f64 = 1e-5;

/// The error of `⟨y_bar, y_dot⟩ = ⟨x_bar, x_dot⟩` relative to the sum of the magnitudes of all terms, but at least to
/// `floor`.
fn transpose(y_bar: &[f64], y_dot: &[f64], x_bar: &Value, x_dot: &Value, floor: f64) -> f64 {
    let (x_bar, x_dot) = (pairs(std::slice::from_ref(x_bar)), x_dot.float_elements());
    if y_bar.len() != y_dot.len() || x_bar.len() != x_dot.len() {
        return f64::INFINITY;
    }
    let dot = |a: &[f64], b: &[f64]| -> (f64, f64) {
        let terms = a.iter().zip(b).map(|(x, y)| x * y);
        terms.fold((0.0, 0.0), |(sum, size), t| (sum + t, size + t.abs()))
    };
    let (left, left_size) = dot(y_bar, y_dot);
    let (right, right_size) = dot(&x_bar, &x_dot);
    let error = (left - right).abs() / (left_size + right_size).max(floor);
    match error {
        _ if left == right => 0.0,
        e if e.is_nan() => f64::INFINITY,
        e => e,
    }
}
