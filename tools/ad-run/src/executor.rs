//! Compiled code as something that the numeric oracle can run.

use ad_check::{
    Tensor, Value,
    executor::{Executor, Loaded},
};
use anyhow::{Result, bail};
use half::{bf16, f16};
use melior::{Context, ir::Module};

use crate::{
    Array, Compiled, Element, Kind, Options, Type, compile, program,
    runtime::{bf16_of, f16_of},
};

/// Compiles modules for this computer.
pub struct Jit<'c> {
    context: &'c Context,
    options: Options,
}

impl<'c> Jit<'c> {
    /// An executor for the modules of a context.
    pub fn new(context: &'c Context, options: Options) -> Self {
        Self { context, options }
    }
}

impl Executor for Jit<'_> {
    fn name(&self) -> &str {
        "compiled"
    }

    fn load(&self, module: &Module, entries: &[&str]) -> Result<Box<dyn Loaded>, String> {
        let copy = program::copy(module).map_err(|error| error.to_string())?;
        let compiled = compile(self.context, copy, entries, &self.options)
            .map_err(|error| format!("{error:#}"))?;
        Ok(Box::new(Code(compiled)))
    }
}

/// Compiled entries.
struct Code(Compiled);

impl Loaded for Code {
    fn run(&mut self, entry: &str, inputs: &[Value]) -> Result<Vec<Value>, String> {
        self.call(entry, inputs).map_err(|error| format!("{error:#}"))
    }
}

impl Code {
    fn call(&self, entry: &str, inputs: &[Value]) -> Result<Vec<Value>> {
        let Some(signature) = self.0.signature(entry) else { bail!("@{entry} is not compiled") };
        let arrays: Vec<Array> = inputs
            .iter()
            .zip(&signature.inputs)
            .map(|(value, ty)| to_array(value, ty))
            .collect::<Result<_>>()?;
        let outcome = self.0.run(entry, &arrays)?;
        if outcome.leaked_bytes != 0 {
            bail!("@{entry} leaks {} bytes", outcome.leaked_bytes);
        }
        outcome.results.iter().zip(&signature.results).map(|(a, ty)| to_value(a, ty)).collect()
    }
}

/// A value of the interpreter as an array of the true element type.
pub fn to_array(value: &Value, ty: &Type) -> Result<Array> {
    let (shape, ints) = match value {
        Value::Float(_) | Value::Complex(_) => (vec![], vec![]),
        Value::Int(x) => (vec![], vec![*x]),
        Value::Tensor(tensor) => {
            (tensor.shape().to_vec(), tensor.ints().unwrap_or_default().to_vec())
        }
        other => bail!("{} cannot be passed to compiled code", other.describe()),
    };
    let floats = value.float_elements();
    let mut array = Array::zeros(ty.element, &shape)?;
    let parts = ty.element.size() / ty.element.part_size();
    if parts * array.len() != floats.len().max(ints.len()) {
        bail!("{} cannot be passed as {ty}", value.describe());
    }
    match ty.element {
        Element::F16 => fill(&mut array, &floats, |x| f16_of(x).to_bits()),
        Element::BF16 => fill(&mut array, &floats, |x| bf16_of(x).to_bits()),
        Element::F32 | Element::C64 => fill(&mut array, &floats, |x| x as f32),
        Element::F64 | Element::C128 => fill(&mut array, &floats, |x| x),
        Element::I1 | Element::I8 => fill(&mut array, &ints, |x| x as i8),
        Element::I16 => fill(&mut array, &ints, |x| x as i16),
        Element::I32 => fill(&mut array, &ints, |x| x as i32),
        Element::I64 | Element::Index => fill(&mut array, &ints, |x| x),
    }
    Ok(array)
}

fn fill<S: Copy, T: bytemuck::Pod>(array: &mut Array, values: &[S], convert: impl Fn(S) -> T) {
    array
        .elements_mut()
        .iter_mut()
        .zip(values)
        .for_each(|(to, &from): (&mut T, _)| *to = convert(from));
}

/// An array as a value of the interpreter.
pub fn to_value(array: &Array, ty: &Type) -> Result<Value> {
    let floats = |x: Vec<f64>| Tensor::from_floats(array.shape(), x);
    let complexes = |x: Vec<[f64; 2]>| Tensor::from_complexes(array.shape(), x);
    let ints = |x: Vec<i64>| Tensor::from_ints(array.shape(), x);
    let tensor = match ty.element {
        Element::F16 => floats(elements(array, |x| f16::from_bits(x).to_f64())),
        Element::BF16 => floats(elements(array, |x| bf16::from_bits(x).to_f64())),
        Element::F32 => floats(elements(array, |x: f32| x.into())),
        Element::F64 => floats(elements(array, |x: f64| x)),
        Element::I1 => ints(elements(array, |x: u8| (x & 1).into())),
        Element::I8 => ints(elements(array, |x: i8| x.into())),
        Element::I16 => ints(elements(array, |x: i16| x.into())),
        Element::I32 => ints(elements(array, |x: i32| x.into())),
        Element::I64 | Element::Index => ints(elements(array, |x: i64| x)),
        Element::C64 => complexes(elements(array, |x: [f32; 2]| x.map(f64::from))),
        Element::C128 => complexes(elements(array, |x: [f64; 2]| x)),
    };
    Ok(match ty.kind {
        Kind::Scalar => tensor.element(0),
        Kind::Array => Value::Tensor(tensor),
    })
}

fn elements<S: bytemuck::Pod, T>(array: &Array, convert: impl Fn(S) -> T) -> Vec<T> {
    array.elements().iter().map(|&x| convert(x)).collect()
}
