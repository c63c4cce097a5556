//! What a function takes and gives.

use std::fmt;

use anyhow::{Result, bail, ensure};

use crate::{Array, Element};

/// How a value is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By value.
    Scalar,
    /// As an array: a tensor, or a memref that is a buffer.
    Array,
}

/// The type of an argument or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// As MLIR prints it.
    pub text: String,
    /// Scalar or array.
    pub kind: Kind,
    /// What it is made of.
    pub element: Element,
    /// The sizes of an array, `None` where unknown.
    pub shape: Vec<Option<usize>>,
}

/// The arguments and results of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The function.
    pub name: String,
    /// What it takes.
    pub inputs: Vec<Type>,
    /// What it gives.
    pub results: Vec<Type>,
}

impl Type {
    /// Checks that an array of this shape may be passed as a value of this type.
    pub fn check_shape(&self, shape: &[usize]) -> Result<()> {
        let rank = self.shape.len();
        let found = display_shape(shape);
        match self.kind {
            Kind::Scalar => ensure!(
                shape.is_empty(),
                "has shape {found}, but {} is a scalar: pass a 0-d array or a literal",
                self.text
            ),
            Kind::Array => {
                ensure!(
                    shape.len() == rank,
                    "has shape {found} of rank {}, but {} has rank {rank}",
                    shape.len(),
                    self.text
                );
                for (dimension, (&size, &wanted)) in shape.iter().zip(&self.shape).enumerate() {
                    if wanted.is_some_and(|wanted| wanted != size) {
                        bail!(
                            "has shape {found}, which does not fit {} in dimension {dimension}",
                            self.text
                        );
                    }
                }
            }
        }
        Ok(())
    }
}

impl Signature {
    /// Checks arrays against the arguments.
    pub fn check(&self, inputs: &[Array]) -> Result<()> {
        let (wanted, given) = (self.inputs.len(), inputs.len());
        ensure!(wanted == given, "{self} takes {}, {given} given", arguments(wanted));
        for (position, (input, ty)) in inputs.iter().zip(&self.inputs).enumerate() {
            ensure!(
                input.element() == ty.element,
                "argument {position} has elements {}, not {}",
                input.element(),
                ty.element
            );
            if let Err(error) = ty.check_shape(input.shape()) {
                bail!("argument {position} {error}");
            }
        }
        Ok(())
    }
}

/// `3 arguments`, `1 argument`.
pub fn arguments(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}

/// A shape as NumPy prints it.
pub fn display_shape(shape: &[usize]) -> String {
    match shape {
        [size] => format!("({size},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |types: &[Type]| types.iter().map(|ty| ty.text.clone()).collect::<Vec<_>>().join(", ");
        write!(f, "@{}({}) -> ({})", self.name, list(&self.inputs), list(&self.results))
    }
}
