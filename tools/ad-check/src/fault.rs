//! Errors of decoding and of running a program: what happened, in which op, where.

use std::fmt;

/// An error; the op and its location are filled in by the loop that executes ops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    message: String,
    op: Option<String>,
    location: Option<String>,
}

/// A fault that does not know its op yet.
pub fn fault<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::new(message))
}

impl Fault {
    pub fn new(message: impl Into<String>) -> Fault {
        Fault(Box::new(Inner { message: message.into(), op: None, location: None }))
    }

    /// Names the op, unless an inner op is named already.
    pub fn at(mut self, op: &str, location: &str) -> Fault {
        if self.0.op.is_none() {
            self.0.op = Some(op.to_string());
            self.0.location = Some(location.to_string());
        }
        self
    }

    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The name of the op at fault.
    pub fn op(&self) -> Option<&str> {
        self.0.op.as_deref()
    }

    /// The location of the op at fault, as MLIR prints it.
    pub fn location(&self) -> Option<&str> {
        self.0.location.as_deref()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.0.location {
            write!(f, "{location}: ")?;
        }
        write!(f, "error: ")?;
        if let Some(op) = &self.0.op {
            write!(f, "'{op}' op ")?;
        }
        write!(f, "{}", self.0.message)
    }
}

impl std::error::Error for Fault {}
