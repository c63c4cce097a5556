//! `ad-opt check`: compare derivatives with central differences, and vjp with jvp.

use ad_check::{
    Value,
    executor::{Executor, Interpreter, Loaded},
    oracle::{self, ArgumentReport, Check, Report, Tolerance},
};
use ad_run::{
    Diagnostics, Element, Signature,
    executor::{Jit, to_value},
    guard, inputs,
};
use anyhow::{Result, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use melior::ir::Module;

use crate::{arguments::Call, progress};

/// The arguments of `ad-opt check`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub call: Call,
    /// What runs the program and its derivatives.
    #[arg(long, value_enum, default_value_t = Engine::Compiled)]
    pub engine: Engine,
    /// Determines the random directions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The largest relative error of either equation; by default 1e-7 for differences and 1e-10 for the transpose, more
    /// for programs with floats narrower than f64.
    #[arg(long, value_name = "X")]
    pub tolerance: Option<f64>,
}

/// What can run programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Machine code.
    Compiled,
    /// The reference interpreter.
    Interpreter,
}

/// Runs the command.
pub fn main(arguments: Arguments) -> Result<()> {
    if let Some(tolerance) = arguments.tolerance {
        let is_limit = tolerance > 0.0 && tolerance.is_finite();
        ensure!(is_limit, "--tolerance={tolerance} is not positive and finite");
    }
    let context = ad_dialect::context();
    let _diagnostics = Diagnostics::new(&context, true);
    let Call { entry, input, .. } = &arguments.call;
    let (mut module, signature) = arguments.call.load(&context, "check")?;
    ad_run::keep_only(&context, &mut module, entry)?;
    let inputs: Vec<Value> = inputs::load(input, &signature)?
        .iter()
        .zip(&signature.inputs)
        .map(|(input, ty)| to_value(input, ty))
        .collect::<Result<_>>()?;

    let check = Check {
        context: &context,
        module: &module,
        entry,
        inputs: &inputs,
        wrt: None,
        seed: arguments.seed,
        tolerance: arguments.tolerance.map(|tolerance| Tolerance {
            differences: tolerance,
            transpose: tolerance,
            ..Tolerance::F64
        }),
    };
    let differentiate = |module: &mut Module| {
        ad_passes::pipeline::run(&context, module, "ad-specialize{unranked-only},ad-differentiate")
            .map_err(|_| format!("@{entry} cannot be differentiated"))
    };
    guard::install();
    let spinner = progress::spinner("compiling");
    let inner: Box<dyn Executor> = match arguments.engine {
        Engine::Compiled => Box::new(Jit::new(&context, ad_run::Options::default())),
        Engine::Interpreter => Box::new(Interpreter::default()),
    };
    let report =
        oracle::check(&check, &differentiate, &Watched { inner, spinner: spinner.clone() });
    spinner.finish_and_clear();
    let report = report.map_err(|message| anyhow!(message))?;
    print!("{}", table(&report, &signature));
    if report.failed() {
        bail!("the derivatives of @{entry} fail the check");
    }
    if let Some((argument, doubt)) = report.inconclusive().next() {
        bail!("the check of @{entry} is inconclusive: for argument {argument} {doubt}");
    }
    Ok(())
}

/// The errors of every argument.
fn table(report: &Report, signature: &Signature) -> String {
    let heading = ["argument", "type", "jvp vs differences", "vjp vs jvp", ""].map(String::from);
    let mut rows = vec![heading];
    for argument in &report.arguments {
        let ty = signature.inputs.get(argument.argument).map(ToString::to_string);
        rows.push([
            argument.argument.to_string(),
            ty.unwrap_or_default(),
            difference(argument),
            format!("{:.1e}", argument.transpose),
            argument.remark(&report.tolerance),
        ]);
    }
    for (position, ty) in signature.inputs.iter().enumerate() {
        let is_number = !ty.element.is_integer() && ty.element != Element::I1;
        if ty.text.starts_with("memref") && is_number {
            let [none, verdict] = ["", "not checked: a buffer"].map(String::from);
            rows.push([position.to_string(), ty.to_string(), none.clone(), none, verdict]);
        }
    }
    rows[1..].sort_by_key(|row| row[0].parse::<usize>().ok());
    let primal = report.primal <= report.tolerance.primal;
    rows.push([
        "results".into(),
        "unchanged".into(),
        format!("{:.1e}", report.primal),
        String::new(),
        if primal { "ok" } else { "FAILED" }.into(),
    ]);
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..4).map(width).collect();
    let line = |row: &[String; 5]| {
        let mut text = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(&format!("{cell:width$}  "));
        }
        format!("{}\n", format!("{text}{}", row[4]).trim_end())
    };
    rows.iter().map(line).collect()
}

/// The error of a jvp, if there is something to compare it with.
fn difference(argument: &ArgumentReport) -> String {
    let compared = &argument.compared;
    match compared.doubt {
        Some(_) if compared.count == 0 => "-".into(),
        _ => format!("{:.1e}", compared.differences),
    }
}

/// An executor that shows how many runs were made.
struct Watched<'a> {
    inner: Box<dyn Executor + 'a>,
    spinner: ProgressBar,
}

struct WatchedLoaded {
    inner: Box<dyn Loaded>,
    runs: u64,
    spinner: ProgressBar,
}

impl Executor for Watched<'_> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn load(&self, module: &Module, entries: &[&str]) -> Result<Box<dyn Loaded>, String> {
        let inner = self.inner.load(module, entries)?;
        let spinner = self.spinner.clone();
        Ok(Box::new(WatchedLoaded { inner, runs: 0, spinner }))
    }
}

impl Loaded for WatchedLoaded {
    fn run(&mut self, entry: &str, inputs: &[Value]) -> Result<Vec<Value>, String> {
        self.runs += 1;
        self.spinner.set_message(format!("checking, run {}", self.runs));
        self.inner.run(entry, inputs)
    }
}
