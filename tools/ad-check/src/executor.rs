//! What runs a program: the interpreter, or compiled code supplied by whoever links this crate.

use crate::decode::{self, Options};
use crate::eval::{Limits, run_noisy};
use crate::value::Value;
use crate::{Counts, Program};
use ad_dialect::ir::BlkExt;
use ad_passes::{pipeline, support::lowering::has_affine};
use melior::ir::Module;
use std::collections::HashMap;

/// Makes modules runnable.
pub trait Executor {
    /// A short name for reports, such as `interpreter` or `jit`.
    fn name(&self) -> &str;

    /// Prepares a module without requests so that the functions named in `entries` can be run.
    fn load(&self, module: &Module, entries: &[&str]) -> Result<Box<dyn Loaded>, String>;
}

/// A module ready to run.
pub trait Loaded {
    /// Runs one of the entries the module was loaded for.
    ///
    /// Values hold narrow floats widened to `f64`; the entry's signature gives the true types.
    fn run(&mut self, entry: &str, inputs: &[Value]) -> Result<Vec<Value>, String>;
}

/// The reference interpreter as an executor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter {
    /// Compute narrow floats as `f64`.
    pub promote: bool,
    /// Bounds on every run.
    pub limits: Limits,
}

/// A module decoded for the interpreter, one program per entry.
pub struct Interpreted {
    programs: HashMap<String, Program>,
    limits: Limits,
    /// Draws how results are rounded, where they are not to be rounded to the nearest number.
    pub noise: Option<u64>,
    /// What the last run cost.
    pub counts: Counts,
}

impl Interpreter {
    /// As `Executor::load`, with access to the operation counts of runs.
    pub fn decode(&self, module: &Module, entries: &[&str]) -> Result<Interpreted, String> {
        let lowered = without_affine(module)?;
        let module = lowered.as_ref().unwrap_or(module);
        let mut programs = HashMap::new();
        for &entry in entries {
            let program = decode::decode(module, entry, Options { promote: self.promote });
            programs.insert(entry.to_string(), program.map_err(|f| f.to_string())?);
        }
        let counts = Counts::default();
        Ok(Interpreted { programs, limits: self.limits, noise: None, counts })
    }
}

/// A module with loops and indices of `affine` as those of `scf` and `arith`, if it has any.
fn without_affine<'c>(module: &Module<'c>) -> Result<Option<Module<'c>>, String> {
    match module.body().ops().into_iter().any(has_affine) {
        true => pipeline::run_on_copy(module, "lower-affine").map(Some),
        false => Ok(None),
    }
}

impl Executor for Interpreter {
    fn name(&self) -> &str {
        "interpreter"
    }

    fn load(&self, module: &Module, entries: &[&str]) -> Result<Box<dyn Loaded>, String> {
        Ok(Box::new(self.decode(module, entries)?))
    }
}

impl Loaded for Interpreted {
    fn run(&mut self, entry: &str, inputs: &[Value]) -> Result<Vec<Value>, String> {
        let program = self.programs.get(entry).ok_or_else(|| format!("'{entry}' is not loaded"))?;
        let outcome = run_noisy(program, entry, inputs, self.limits, self.noise)
            .map_err(|f| f.to_string())?;
        self.counts = outcome.counts;
        Ok(outcome.results)
    }
}
