//! The Jacobian of a function at some inputs as what it does to vectors.

use ad_check::{
    Value, decode,
    executor::{Executor, Loaded},
    numbers::{flatten, map_floats},
    oracle::{Differentiate, Names, Request, differentiated, printed},
    program::{FloatKind, Type},
};
use melior::{Context, ir::Module};

/// What is differentiated.
pub struct Function<'a> {
    /// The context of `module`.
    pub context: &'a Context,
    /// The program, which may itself contain requests.
    pub module: &'a Module<'a>,
    /// The function.
    pub entry: &'a str,
    /// Its inputs, one per argument.
    pub inputs: &'a [Value],
    /// Positions of the arguments to differentiate; all differentiable ones if `None`.
    pub wrt: Option<&'a [usize]>,
}

/// Columns or rows of a Jacobian. A column is of an element of the arguments, a row of one of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A combination of these is a jvp.
    Columns,
    /// A combination of these is a vjp.
    Rows,
}

impl Side {
    /// How many there are of a matrix of so many rows and columns.
    pub fn size(self, shape: [usize; 2]) -> usize {
        self.along(shape)[0]
    }

    /// Of something of rows and of columns, that of this side, then that of the other one.
    pub fn along<T>(self, [row, column]: [T; 2]) -> [T; 2] {
        match self {
            Self::Columns => [column, row],
            Self::Rows => [row, column],
        }
    }
}

/// A function at a point. Elements of arguments, and of results, are numbered one argument after the other, each in row-major
/// order.
pub struct Point<'a> {
    function: Function<'a>,
    names: Names,
    loaded: Box<dyn Loaded>,
    wrt: Vec<usize>,
    /// How many results come with a derivative.
    primal: usize,
    /// What the differentiable results are shaped like.
    results: Vec<Value>,
    precision: f64,
}

impl<'a> Point<'a> {
    /// Differentiates a function and makes it runnable.
    ///
    /// Fails where it cannot be differentiated, where an argument of `wrt` is not real, where the program fails, and where a
    /// derivative is not finite at the inputs.
    pub fn new(
        function: Function<'a>,
        differentiate: Differentiate,
        executor: &dyn Executor,
    ) -> Result<Self, String> {
        let Function { context, module, entry, .. } = function;
        let (inputs, results) = decode::signature(module, entry).map_err(|f| f.to_string())?;
        let wrt = varied(&function, &inputs)?;
        if results.iter().any(|ty| matches!(ty, Type::Memory(_))) {
            return Err(format!("'{entry}' returns a buffer; a Jacobian is of floats and tensors"));
        }
        let active: Vec<_> = results.iter().filter(|ty| ty.is_differentiable()).collect();
        if active.iter().any(|ty| ty.elem().is_complex()) {
            return Err(format!("'{entry}' has complex results; a Jacobian is of real ones"));
        }
        if active.is_empty() {
            return Err(format!("'{entry}' has no result that is a float or an array of floats"));
        }
        let narrowest =
            wrt.iter().map(|&i| &inputs[i]).chain(active).map(|ty| epsilon(ty.elem().float_kind()));
        let precision = narrowest.fold(f64::EPSILON, f64::max);
        let request = Request { entry, inputs: &inputs, results: &results, wrt: &wrt };
        let (module, names) = differentiated(context, &printed(module)?, &request, differentiate)?;
        let loaded = executor.load(&module, &[&names.jvp, &names.vjp])?;
        let primal = results.len();
        let mut point = Self { function, names, loaded, wrt, primal, results: vec![], precision };
        let zeros = vec![0.0; point.width()];
        point.results = point.columns(&zeros)?;
        let zeros = vec![0.0; point.shape()[0]];
        let sides =
            [("results", flatten(&point.results)), ("arguments", point.along(Side::Rows, &zeros)?)];
        for (of, derivatives) in sides {
            if let Some(k) = derivatives.iter().position(|derivative| *derivative != 0.0) {
                return Err(format!(
                    "element {k} of the {of} of '{entry}' has no finite derivative"
                ));
            }
        }
        Ok(point)
    }

    /// How many elements results and arguments have.
    pub fn shape(&self) -> [usize; 2] {
        [flatten(&self.results).len(), self.width()]
    }

    /// How far the narrowest floats are apart, relative to their size.
    pub fn precision(&self) -> f64 {
        self.precision
    }

    /// The combination of columns, or of rows, with these factors.
    pub fn along(&mut self, side: Side, factors: &[f64]) -> Result<Vec<f64>, String> {
        let derivatives = match side {
            Side::Columns => self.columns(factors)?,
            Side::Rows => self.rows(factors)?,
        };
        Ok(flatten(&derivatives))
    }

    fn width(&self) -> usize {
        self.wrt.iter().map(|&i| self.function.inputs[i].float_elements().len()).sum()
    }

    fn columns(&mut self, factors: &[f64]) -> Result<Vec<Value>, String> {
        let like: Vec<_> = self.wrt.iter().map(|&i| &self.function.inputs[i]).collect();
        let inputs = [self.function.inputs, &shaped(&like, factors)].concat();
        let mut outcome = self.loaded.run(&self.names.jvp, &inputs)?;
        Ok(outcome.split_off(self.primal))
    }

    fn rows(&mut self, factors: &[f64]) -> Result<Vec<Value>, String> {
        let like: Vec<_> = self.results.iter().collect();
        let inputs = [self.function.inputs, &shaped(&like, factors)].concat();
        let mut outcome = self.loaded.run(&self.names.vjp, &inputs)?;
        Ok(outcome.split_off(self.primal))
    }
}

/// Which arguments are differentiated.
fn varied(function: &Function, inputs: &[Type]) -> Result<Vec<usize>, String> {
    let entry = function.entry;
    let is_real = |i: &usize| {
        let ty = inputs.get(*i);
        ty.is_some_and(|ty| ty.is_differentiable() && !ty.elem().is_complex())
    };
    let Some(wrt) = function.wrt else {
        let all: Vec<_> = (0..inputs.len()).filter(is_real).collect();
        return match all.is_empty() {
            true => Err(format!("'{entry}' has no argument that is a float or an array of floats")),
            false => Ok(all),
        };
    };
    if let Some(other) = wrt.iter().find(|&&i| i >= inputs.len()) {
        return Err(format!("'{entry}' has no argument {other}; it takes {}", inputs.len()));
    }
    if let Some(other) = wrt.iter().find(|i| !is_real(i)) {
        return Err(format!("argument {other} of '{entry}' is not a float or an array of floats"));
    }
    let (mut sorted, count) = (wrt.to_vec(), wrt.len());
    sorted.sort_unstable();
    sorted.dedup();
    match sorted.len() == count {
        true => Ok(wrt.to_vec()),
        false => Err(format!("an argument of '{entry}' is named twice")),
    }
}

/// Values of some shapes with these elements.
fn shaped(like: &[&Value], elements: &[f64]) -> Vec<Value> {
    let mut elements = elements.iter().copied();
    let mut next = |_| elements.next().unwrap_or(0.0);
    like.iter().map(|value| map_floats(value, &mut next)).collect()
}

/// How far numbers are apart, relative to their size.
fn epsilon(kind: FloatKind) -> f64 {
    match kind {
        FloatKind::F64 => f64::EPSILON,
        FloatKind::F32 => f32::EPSILON.into(),
        FloatKind::F16 => 1.0 / 1024.0,
        FloatKind::Bf16 => 1.0 / 128.0,
    }
}
