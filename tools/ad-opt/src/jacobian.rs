//! `ad-opt jacobian`: a sparse Jacobian by few directional derivatives.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use ad_check::Value;
use ad_jacobian::{Coloring, Function, Pattern, Point, Side};
use ad_run::{Array, Diagnostics, Element, Kind, Type, executor, guard, inputs, npy, outputs};
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use clap::Args;
use melior::ir::Module;

use crate::{
    arguments::{Call, FastMath, Threads},
    progress, say,
};

/// The arguments of `ad-opt jacobian`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    pub call: Call,
    /// Positions of the arguments to differentiate with respect to, separated by commas; by default all that are real.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub wrt: Option<Vec<usize>>,
    /// Take the pattern and its colours from DIR, where --output-dir wrote them, in place of looking for them. The entries
    /// are compared with a derivative, so that a pattern that lacks some is an error, as far as the precision of the floats shows it.
    #[arg(long, value_name = "DIR")]
    pub pattern: Option<PathBuf>,
    /// Write rows.npy, columns.npy and values.npy of the entries, sorted by rows; shape.npy; and the colours as
    /// column_colors.npy or row_colors.npy. Otherwise the entries are printed, in the format of Matrix Market.
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
    #[command(flatten)]
    pub fast_math: FastMath,
    #[command(flatten)]
    pub threads: Threads,
}

/// Runs the command.
pub fn main(arguments: Arguments) -> Result<()> {
    let flags = &arguments.fast_math.fast_math;
    let is_barred = |flag: &&str| ["nnan", "fast"].contains(&flag.trim());
    if let Some(flag) = flags.split(',').find(is_barred) {
        bail!("--fast-math={flag} takes NaN for impossible, by which entries are found");
    }
    let context = ad_dialect::context();
    let _diagnostics = Diagnostics::new(&context, true);
    let Call { entry, input, .. } = &arguments.call;
    let (mut module, signature) = arguments.call.load(&context, "differentiate")?;
    ad_run::keep_only(&context, &mut module, entry)?;
    let inputs: Vec<Value> = inputs::load(input, &signature)?
        .iter()
        .zip(&signature.inputs)
        .map(|(input, ty)| executor::to_value(input, ty))
        .collect::<Result<_>>()?;

    let function = Function {
        context: &context,
        module: &module,
        entry,
        inputs: &inputs,
        wrt: arguments.wrt.as_deref(),
    };
    let differentiate = |module: &mut Module| {
        ad_passes::pipeline::run(&context, module, "ad-specialize{unranked-only},ad-differentiate")
            .map_err(|_| format!("@{entry} cannot be differentiated"))
    };
    let options = ad_run::Options {
        fast_math: arguments.fast_math.fast_math.clone(),
        threads: arguments.threads.threads.into(),
        ..ad_run::Options::default()
    };
    guard::install();
    let spinner = progress::spinner("compiling");
    let point = Point::new(function, &differentiate, &executor::Jit::new(&context, options));
    spinner.finish_and_clear();
    let mut point = point.map_err(|message| anyhow!(message))?;

    let (pattern, coloring) = match &arguments.pattern {
        Some(folder) => read(folder, point.shape())?,
        None => {
            let pattern =
                counted("finding entries", |step| ad_jacobian::pattern(&mut point, step))?;
            let coloring = Coloring::new(&pattern);
            (pattern, coloring)
        }
    };
    let values = counted("computing entries", |step| {
        ad_jacobian::entries(&mut point, &pattern, &coloring, step)
    })?;
    say(summary(&pattern, &coloring));
    match &arguments.output_dir {
        Some(folder) => write(&pattern, &coloring, &values, folder),
        None => print(&pattern, &values),
    }
}

/// Shows how far something is.
fn counted<T>(
    what: &'static str,
    work: impl FnOnce(ad_jacobian::Progress) -> Result<T, String>,
) -> Result<T> {
    let bar = progress::bar(0, what);
    let outcome = work(&mut |done, count| {
        bar.set_length(count as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    outcome.map_err(|message| anyhow!(message))
}

/// What was computed how, in one line.
fn summary(pattern: &Pattern, coloring: &Coloring) -> String {
    let [height, width] = pattern.shape();
    let (side, mode) = match coloring.side {
        Side::Columns => ("columns", "jvp"),
        Side::Rows => ("rows", "vjp"),
    };
    let (entries, colors) = (pattern.count(), coloring.count());
    format!(
        "ad-opt: note: {height} x {width}, {entries} entries, {colors} colours of {side} ({mode})"
    )
}

/// Prints entries as Matrix Market has them: counted from one.
fn print(pattern: &Pattern, values: &[f64]) -> Result<()> {
    let [height, width] = pattern.shape();
    let mut text = String::from("%%MatrixMarket matrix coordinate real general\n");
    // Writing to a string cannot fail; `{:?}` has all digits and no more.
    let _ = writeln!(text, "{height} {width} {}", values.len());
    for ([row, column], value) in pattern.entries().zip(values) {
        let _ = writeln!(text, "{} {} {value:?}", row + 1, column + 1);
    }
    match io::stdout().lock().write_all(text.as_bytes()) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot print the entries")
        }
        _ => Ok(()),
    }
}

/// The names of files of colours.
const COLORS: [(Side, &str); 2] = [(Side::Columns, "column_colors"), (Side::Rows, "row_colors")];

/// Writes everything that the next call or somebody else may need.
fn write(pattern: &Pattern, coloring: &Coloring, values: &[f64], folder: &Path) -> Result<()> {
    let whole = |numbers: &mut dyn Iterator<Item = usize>| {
        Array::list(Element::I64, &numbers.map(|number| number as i64).collect::<Vec<_>>())
    };
    let [rows, columns] = [0, 1].map(|axis| whole(&mut pattern.entries().map(|entry| entry[axis])));
    let (rows, columns, shape) = (rows?, columns?, whole(&mut pattern.shape().into_iter())?);
    let values = Array::list(Element::F64, values)?;
    let colors = whole(&mut coloring.colors.iter().copied())?;
    let mut named = vec![("rows", &rows), ("columns", &columns), ("values", &values)];
    named.push(("shape", &shape));
    for (side, name) in COLORS {
        if side == coloring.side {
            named.push((name, &colors));
        }
    }
    let named: Vec<_> = named.into_iter().map(|(name, array)| (name.to_owned(), array)).collect();
    outputs::write_named(&named, folder)?;
    // Colours of the other side that an earlier call wrote are of another pattern.
    for (_, name) in COLORS.iter().filter(|(side, _)| *side != coloring.side) {
        let _ = fs::remove_file(folder.join(format!("{name}.npy")));
    }
    Ok(())
}

/// Reads a pattern of so many rows and columns, and its colours, from where `write` put them.
fn read(folder: &Path, [height, width]: [usize; 2]) -> Result<(Pattern, Coloring)> {
    let [rows, columns, shape] = ["rows", "columns", "shape"].map(|name| list(folder, name));
    let (rows, columns, shape) = (rows?, columns?, shape?);
    let shown = folder.display();
    let &[own_height, own_width] = &shape[..] else {
        bail!("{shown}/shape.npy has not two numbers")
    };
    ensure!(
        [own_height, own_width] == [height, width],
        "the pattern is of {own_height} x {own_width} entries, but the Jacobian of {height} x {width}"
    );
    ensure!(rows.len() == columns.len(), "{shown} has not a row and a column for each entry");
    let entries: Vec<_> = rows.into_iter().zip(columns).map(|(i, j)| [i, j]).collect();
    let pattern = Pattern::new([height, width], entries)
        .map_err(|message| anyhow!("cannot use {shown}: {message}"))?;
    let there = COLORS.iter().find(|(_, name)| folder.join(format!("{name}.npy")).exists());
    let Some((side, name)) = there else { bail!("{shown} has no colours") };
    let coloring = Coloring { side: *side, colors: list(folder, name)? };
    ensure!(coloring.fits(&pattern), "{shown}/{name}.npy does not tell all entries apart");
    Ok((pattern, coloring))
}

/// Numbers that are not negative.
fn list(folder: &Path, name: &str) -> Result<Vec<usize>> {
    let ty = Type {
        text: "a list of numbers".into(),
        kind: Kind::Array,
        element: Element::I64,
        shape: vec![None],
    };
    let path = folder.join(format!("{name}.npy"));
    let array = npy::read(&path, &ty)?;
    let numbers = array.elements::<i64>().iter().map(|&number| usize::try_from(number));
    numbers
        .collect::<Result<_, _>>()
        .with_context(|| format!("{} has a negative number", path.display()))
}
