//! The numeric oracle: three equations that derivatives of a program must satisfy at given inputs.
//!
//! 1. jvp agrees with difference quotients along random directions of each argument, one for elements of each size; both
//!    are taken in f64.
//! 2. `⟨y_bar, J x_dot⟩ = ⟨Jᵀ y_bar, x_dot⟩` for vjp and jvp, which needs no step size and so has a tight tolerance.
//! 3. The primal results that come with a derivative are those of the program.
//!
//! The derivatives come from the caller: a copy of the module gets two functions with requests, the caller's `differentiate`
//! answers them, and an executor runs the outcome.

mod bands;
mod differences;
mod finding;
mod report;
mod wrapper;

pub use differences::{FIRST_STEP, Judge, Line};
pub use finding::{Doubt, Finding, Verdict};
pub use report::{ArgumentReport, Compared, Report, Tolerance};
pub use wrapper::{Names, Request, with_requests};

use crate::decode;
use crate::executor::{Executor, Interpreter, Loaded};
use crate::numbers::{Rng, flatten, magnitude, map_floats, moved, random_like, results_distance};
use crate::program::Type;
use crate::value::Value;
use bands::{Band, bands, is_complex};
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
    /// How far results may be apart, by the narrowest floats of the program.
    tolerance: Tolerance,
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
    let mut promoted = if subject.tolerance != Tolerance::F64 {
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
        if results.iter().any(|ty| matches!(ty, Type::Memory(_))) {
            return Err(format!(
                "'{}' returns a buffer; floats and tensors of them are compared, not buffers",
                check.entry
            ));
        }
        if inputs.len() != check.inputs.len() || wrt.iter().any(|&i| i >= inputs.len()) {
            return Err(format!("'{}' takes {} arguments", check.entry, inputs.len()));
        }
        let text = printed(check.module)?;
        let request = Request { entry: check.entry, inputs: &inputs, results: &results, wrt: &wrt };
        let (module, names) = differentiated(check.context, &text, &request, differentiate)?;
        let narrow = [("f16", Tolerance::F16), ("f32", Tolerance::F32)];
        let tolerance = narrow.iter().find(|(name, _)| text.contains(name));
        let tolerance = tolerance.map_or(Tolerance::F64, |(_, tolerance)| *tolerance);
        Ok(Subject { check, inputs, results, wrt, tolerance, names, module })
    }

    fn measure(
        &self,
        executor: &str,
        loaded: &mut dyn Loaded,
        mut promoted: Option<&mut Box<dyn Loaded>>,
    ) -> Result<Report, String> {
        let check = self.check;
        let tolerance = check.tolerance.unwrap_or(self.tolerance);
        let mut rng = Rng::new(check.seed);
        let primal = loaded.run(check.entry, check.inputs)?;
        let y_bar = self.seeds(&mut rng, &primal);
        let reverse = loaded.run(&self.names.vjp, &[check.inputs, &y_bar].concat())?;
        let (reverse_primal, x_bar) = split(&reverse, primal.len())?;
        let floor = NEGLIGIBLE * magnitude(check.inputs).max(magnitude(&primal));
        let mut worst = results_distance(&primal, reverse_primal, floor);
        let seeds: f64 = pairs(&y_bar).iter().map(|seed| seed.abs()).sum();
        let rounding = NEGLIGIBLE * seeds * magnitude(&primal);
        let y = flatten(&self.active(primal.clone()));
        let mut arguments = Vec::with_capacity(self.wrt.len());
        for (position, &argument) in self.wrt.iter().enumerate() {
            let Some(x_bar) = x_bar.get(position) else {
                return Err("the vjp has too few results".into());
            };
            let x = &check.inputs[argument];
            let random = random_like(&mut rng, x, &self.inputs[argument]);
            let (mut compared, mut worst_transpose) = (Compared::default(), 0.0f64);
            for band in bands(x) {
                let x_dot = band.direction(&random);
                let forward = loaded.run(&self.names.jvp, &self.jvp_inputs(position, &x_dot))?;
                let (forward_primal, y_dot) = split(&forward, primal.len())?;
                worst = worst.max(results_distance(&primal, forward_primal, floor));
                let mut y_dot = flatten(y_dot);
                for (y_dot, _) in y_dot.iter_mut().zip(&y).filter(|(_, y)| !y.is_finite()) {
                    // The tangent of infinity is infinite or zero times that.
                    *y_dot = if y_dot.is_nan() { 0.0 } else { *y_dot };
                }
                let error = transpose(&pairs(&y_bar), &y_dot, x_bar, &x_dot, rounding);
                worst_transpose = worst_transpose.max(error);
                let wide = promoted.as_mut().map_or(&mut *loaded, |promoted| &mut ***promoted);
                let (subject, x_dot) = (self, &x_dot);
                let mut line = Direction { subject, loaded: wide, position, x_dot, band: &band };
                for finding in line.findings(tolerance.differences)? {
                    compared.add(&finding, &tolerance);
                }
            }
            arguments.push(ArgumentReport { argument, compared, transpose: worst_transpose });
        }
        Ok(Report { executor: executor.into(), arguments, primal: worst, tolerance })
    }

    /// The differentiable ones of the results.
    fn active(&self, results: Vec<Value>) -> Vec<Value> {
        let typed = results.into_iter().zip(&self.results);
        typed.filter(|(_, ty)| ty.is_differentiable()).map(|(y, _)| y).collect()
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
}

/// A line through the inputs, and what runs the program along it.
struct Direction<'l, 's> {
    subject: &'l Subject<'s>,
    loaded: &'l mut dyn Loaded,
    position: usize,
    x_dot: &'l Value,
    /// What moves, in steps of its size.
    band: &'l Band,
}

impl Direction<'_, '_> {
    /// What differences say about every float of the results, where the elements of a band move.
    ///
    /// Where steps of that size tell nothing, others may: smaller ones about a large number whose sine is taken, or larger
    /// ones about a small number that is added to 1.
    fn findings(&mut self, tolerance: f64) -> Result<Vec<Finding>, String> {
        let (band, centre, jvp) = (self.band, self.results(0.0)?, self.tangents()?);
        if centre.len() != jvp.len() {
            return Err("the jvp has not the sizes of the results".into());
        }
        let finite = centre.iter().filter(|y| y.is_finite());
        let judge = Judge {
            centre: &centre,
            jvp: &jvp,
            size: finite.fold(magnitude(self.subject.check.inputs), |m, y| m.max(y.abs())),
            lost: f64::EPSILON * band.largest / band.size,
            tolerance,
        };
        let mut line = |step| self.results(step);
        let mut findings = judge.compare(&mut line, FIRST_STEP)?;
        let is_open = |finding: &Finding| finding.is_open(tolerance);
        if band.size != 1.0 && band.size < LARGE && findings.iter().any(is_open) {
            let others = judge.compare(&mut line, FIRST_STEP / band.size)?;
            for (finding, other) in findings.iter_mut().zip(others) {
                let told = match finding.verdict(tolerance) {
                    // What small steps see may be rounding that they take for a slope.
                    Verdict::Failed => other.verdict(tolerance) == Verdict::Ok && !other.kink,
                    _ if finding.small => {
                        !matches!(other.verdict(tolerance), Verdict::Inconclusive(_))
                    }
                    _ => true,
                };
                if finding.is_open(tolerance) && told {
                    *finding = other;
                }
            }
        }
        Ok(findings)
    }

    /// The floats of the differentiable results after a step.
    fn results(&mut self, step: f64) -> Result<Vec<f64>, String> {
        let subject = self.subject;
        let argument = subject.wrt[self.position];
        let mut inputs = subject.check.inputs.to_vec();
        inputs[argument] = moved(&inputs[argument], step * self.band.size, self.x_dot);
        let results = self.loaded.run(subject.check.entry, &inputs)?;
        Ok(flatten(&subject.active(results)))
    }

    /// The floats of their tangents along the line. The program gets a direction of about 1: one of the size of small
    /// elements would leave nothing of a narrow derivative.
    fn tangents(&mut self) -> Result<Vec<f64>, String> {
        let subject = self.subject;
        let inputs = subject.jvp_inputs(self.position, self.x_dot);
        let results = self.loaded.run(&subject.names.jvp, &inputs)?;
        let y_dot = flatten(split(&results, subject.results.len())?.1);
        Ok(y_dot.into_iter().map(|y_dot| y_dot * self.band.size).collect())
    }
}

/// Steps of the size of 1 are lost in the rounding of larger numbers.
const LARGE: f64 = (1u64 << 24) as f64;

/// A module, given as text, with two functions that answer a request, and their names.
pub fn differentiated<'c>(
    context: &'c Context,
    text: &str,
    request: &Request,
    differentiate: Differentiate,
) -> Result<(Module<'c>, Names), String> {
    let Some((text, names)) = with_requests(text, request) else {
        return Err("the module cannot be extended".into());
    };
    let Some(mut module) = Module::parse(context, &text) else {
        return Err("the request for the derivatives is not accepted".into());
    };
    differentiate(&mut module)?;
    Ok((module, names))
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

/// Primal results and transposes are compared with at least so much of what they are computed from: at the tolerance of
/// f64, rounding leaves less of zero.
const NEGLIGIBLE: f64 = 1e-5;

/// The error of `⟨y_bar, y_dot⟩ = ⟨x_bar, x_dot⟩` relative to the sum of the magnitudes of all terms, but at least to
/// `floor`.
fn transpose(y_bar: &[f64], y_dot: &[f64], x_bar: &Value, x_dot: &Value, floor: f64) -> f64 {
    let (x_bar, x_dot) = (pairs(std::slice::from_ref(x_bar)), x_dot.float_elements());
    if y_bar.len() != y_dot.len() || x_bar.len() != x_dot.len() {
        return f64::INFINITY;
    }
    let dot = |a: &[f64], b: &[f64]| -> (f64, f64) {
        // What does not move adds nothing, even if its cotangent is infinite.
        let terms = a.iter().zip(b).map(|(x, y)| if *y == 0.0 { 0.0 } else { x * y });
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
