//! One case: does everything that runs this program agree?

use super::case::Case;
use super::sensitivity::allowance;
use crate::executor::{Executor, Interpreted, Interpreter, Loaded};
use crate::numbers::{flatten, magnitude, results_distance};
use crate::oracle::{Check, Report, check, printed};
use crate::value::Value;
use crate::{Limits, numbers};
use melior::Context;
use melior::ir::Module;
use melior::ir::operation::OperationLike;
use std::cell::RefCell;
use std::rc::Rc;

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every equation holds.
    Pass,
    /// The case says nothing, and why: its values are not finite, or it takes too many steps.
    Skip(String),
    /// Something is wrong; the text before the first colon says what kind of thing.
    Fail(String),
}

impl Verdict {
    /// The kind of a failure, which shrinking preserves.
    pub fn kind_of(reason: &str) -> &str {
        reason.split(':').next().unwrap_or_default()
    }
}

/// Steps after which a run is given up.
const STEPS: u64 = 20_000_000;

/// Steps of the program itself after which a case is given up: difference quotients run it up to 40 times for each
/// argument, and its vjp takes several times as long, so that a case with more could not be told from one that hangs.
const PRIMAL_STEPS: u64 = 500_000;

/// Results of compiled code and of the interpreter may differ by rounding in another order.
const COMPILED_F64: f64 = 1e-8;
const COMPILED_F32: f64 = 1e-2;

/// Differences of so many units of rounding of the largest input or result are what rounding leaves of zero.
const ROUNDINGS: f64 = 1e3;

/// Judges cases in one context.
pub struct Judge<'c> {
    context: &'c Context,
    compiled: &'c [Box<dyn Executor + 'c>],
    /// Of so many cases one is compiled.
    one_in: u64,
    /// Diagnostics, with locations, since they were last taken.
    diagnostics: Rc<RefCell<Vec<(String, String)>>>,
}

/// Answers all requests in a module and cleans up.
pub fn differentiate(context: &Context, module: &mut Module) -> Result<(), String> {
    pipeline(context, module, "ad-differentiate")
}

impl<'c> Judge<'c> {
    /// A judge that also runs one of `compiled`, if there is one, on one in so many cases.
    pub fn new(
        context: &'c Context,
        compiled: &'c [Box<dyn Executor + 'c>],
        one_in: u64,
    ) -> Judge<'c> {
        let diagnostics: Rc<RefCell<Vec<(String, String)>>> = Rc::default();
        let sink = diagnostics.clone();
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push((diagnostic.to_string(), diagnostic.location().to_string()));
            true
        });
        Judge { context, compiled, one_in, diagnostics }
    }

    /// The verdict on a program at its random inputs.
    pub fn judge(&self, case: &Case) -> Verdict {
        self.diagnostics.take();
        let Some(module) = Module::parse(self.context, &case.text) else {
            return self.fail("not accepted", "");
        };
        if let Some(verdict) = self.primal(case, &module) {
            return verdict;
        }
        let request = Check {
            context: self.context,
            module: &module,
            entry: "main",
            inputs: &case.inputs,
            wrt: None,
            seed: case.seed,
            tolerance: None,
        };
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let interpreter = Interpreter { promote: false, limits };
        let optimised = Optimised { context: self.context, inner: interpreter };
        let mut others: Vec<&dyn Executor> = vec![&optimised];
        let turn = (case.seed / self.one_in) as usize % self.compiled.len().max(1);
        let compiled = self.compiled.get(turn).filter(|_| case.seed.is_multiple_of(self.one_in));
        others.extend(compiled.map(|executor| &**executor));
        let recorder = Recorder { inner: &interpreter, others, narrow: case.narrow };
        let report = check(&request, &|m| differentiate(self.context, m), &recorder);
        match report {
            Ok(report) => self.verdict(&report),
            Err(message) if message.contains(NOT_FINITE) => Verdict::Skip("not finite".into()),
            Err(message) if message.contains(SLOW) => Verdict::Skip(message),
            Err(message) => self.fail(kind_of_error(&message), &message),
        }
    }

    /// A verdict from running the undifferentiated program alone, if that decides the case.
    fn primal(&self, case: &Case, module: &Module) -> Option<Verdict> {
        if case.requests {
            return None;
        }
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let interpreter = Interpreter { promote: false, limits };
        let loaded = interpreter.load(module, &["main"]);
        match loaded.and_then(|mut l| l.run("main", &case.inputs)) {
            Err(message) => Some(self.fail("primal fails", &message)),
            Ok(results) if !is_finite(&results) => Some(Verdict::Skip("not finite".into())),
            Ok(_) => None,
        }
    }

    fn verdict(&self, report: &Report) -> Verdict {
        if report.primal > report.tolerance.primal {
            return self.fail("primal changed", &report.to_string());
        }
        for a in &report.arguments {
            if a.transpose > report.tolerance.transpose {
                return self.fail("transpose", &report.to_string());
            }
            if a.compared.failed && a.compared.is_conclusive(&report.tolerance) {
                return self.fail("differences", &report.to_string());
            }
        }
        Verdict::Pass
    }

    /// A failure of a kind; an error that was diagnosed is of the kind that the first diagnostic says.
    fn fail(&self, kind: &str, message: &str) -> Verdict {
        let diagnostics = self.diagnostics.take();
        let kind = match diagnostics.first() {
            Some((text, _)) if kind == "error" => text.replace(':', ","),
            _ => kind.to_string(),
        };
        let mut text = format!("{kind}: {message}");
        for (diagnostic, location) in diagnostics {
            text.push_str(&format!("\n{location}: {diagnostic}"));
        }
        Verdict::Fail(text)
    }
}

const NOT_FINITE: &str = "results are not finite";
const SLOW: &str = "too slow for difference quotients";
const DISAGREES: &str = "code disagrees";
const UNUSABLE: &str = "code cannot be made";

/// The kind of an error: which executor failed and how, if one did.
fn kind_of_error(message: &str) -> &str {
    let kind = Verdict::kind_of(message);
    if [DISAGREES, UNUSABLE].iter().any(|k| kind.ends_with(k)) { kind } else { "error" }
}

fn is_finite(results: &[Value]) -> bool {
    numbers::largest(&flatten(results)).is_finite()
}

/// Runs a pipeline over a whole module.
fn pipeline(context: &Context, module: &mut Module, text: &str) -> Result<(), String> {
    ad_passes::pipeline::run(context, module, text)?;
    if module.as_operation().verify() { Ok(()) } else { Err("invalid IR".into()) }
}

/// Simplifies a module before it is interpreted, as programs are before they are compiled.
struct Optimised<'c> {
    context: &'c Context,
    inner: Interpreter,
}

impl Executor for Optimised<'_> {
    fn name(&self) -> &str {
        "simplified"
    }

    fn load(&self, module: &Module, entries: &[&str]) -> Result<Box<dyn Loaded>, String> {
        let text = printed(module)?;
        let Some(mut copy) = Module::parse(self.context, &text) else {
            return Err("derivatives do not parse again".into());
        };
        pipeline(self.context, &mut copy, "ad-optimize")?;
        self.inner.load(&copy, entries)
    }
}

/// Runs the interpreter and, beside it, other executors; any disagreement is an error.
struct Recorder<'e> {
    inner: &'e Interpreter,
    others: Vec<&'e dyn Executor>,
    narrow: bool,
}

struct RecorderLoaded {
    inner: Interpreted,
    others: Vec<(String, Box<dyn Loaded>)>,
    narrow: bool,
    /// The others repeat only the first run of the entry: the rest are difference quotients.
    runs: usize,
}

impl Executor for Recorder<'_> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn load(&self, module: &Module, entries: &[&str]) -> Result<Box<dyn Loaded>, String> {
        let inner = self.inner.decode(module, entries)?;
        let mut others = Vec::new();
        for other in &self.others {
            let name = other.name().to_string();
            let loaded =
                other.load(module, entries).map_err(|e| format!("{name} {UNUSABLE}: {e}"))?;
            others.push((name, loaded));
        }
        Ok(Box::new(RecorderLoaded { inner, others, narrow: self.narrow, runs: 0 }))
    }
}

impl Loaded for RecorderLoaded {
    fn run(&mut self, entry: &str, inputs: &[Value]) -> Result<Vec<Value>, String> {
        let results = self.inner.run(entry, inputs)?;
        if !is_finite(&results) {
            return Err(NOT_FINITE.into());
        }
        if entry == "main" && self.inner.counts.steps > PRIMAL_STEPS {
            return Err(format!("{SLOW}: {} steps", self.inner.counts.steps));
        }
        self.runs += 1;
        let repeated = entry != "main" || self.runs == 1;
        let (allowed, unit) = match self.narrow {
            true => (COMPILED_F32, f64::from(f32::EPSILON)),
            false => (COMPILED_F64, f64::EPSILON),
        };
        let floor = ROUNDINGS * unit / allowed * magnitude(inputs).max(magnitude(&results));
        for (name, other) in self.others.iter_mut().filter(|_| repeated) {
            let got = other.run(entry, inputs).map_err(|e| format!("{name} {DISAGREES}: {e}"))?;
            let distance = results_distance(&results, &got, floor);
            if distance > allowed
                && distance > allowance(&mut self.inner, entry, inputs, unit, floor)
            {
                return Err(format!(
                    "{name} {DISAGREES}: @{entry} by {distance:.1e}: {results:?} and {got:?}"
                ));
            }
        }
        Ok(results)
    }
}
