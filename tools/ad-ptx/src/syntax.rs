//! A module as it is written: nothing is resolved yet.

use crate::types::{Space, Type};

/// A text.
#[derive(Debug, Default)]
pub struct Module<'a> {
    /// Those outside functions.
    pub variables: Vec<Variable<'a>>,
    /// Kernels and functions, those without a body among them.
    pub functions: Vec<Function<'a>>,
}

/// A variable in memory, or a parameter.
#[derive(Clone, Debug)]
pub struct Variable<'a> {
    /// Its line.
    pub line: u32,
    /// Where it is.
    pub space: Space,
    /// The type of an element.
    pub ty: Type,
    /// A power of two.
    pub align: u32,
    /// Its name.
    pub name: &'a str,
    /// How many elements it has; none if the launch says how many.
    pub elements: Option<u64>,
    /// Elements at the beginning, as bits; the others of memory of the device are zero.
    pub initial: Vec<u64>,
}

impl Variable<'_> {
    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        self.elements.unwrap_or(0) * u64::from(self.ty.bytes())
    }
}

/// A kernel or a function.
#[derive(Debug)]
pub struct Function<'a> {
    /// Its line.
    pub line: u32,
    /// Its name.
    pub name: &'a str,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// What it is given.
    pub parameters: Vec<Variable<'a>>,
    /// What it gives.
    pub results: Vec<Variable<'a>>,
    /// At most so many threads, for `.maxntid`.
    pub most_threads: Option<[u32; 3]>,
    /// Just so many threads, for `.reqntid`.
    pub required_threads: Option<[u32; 3]>,
    /// None for a declaration.
    pub body: Option<Vec<Statement<'a>>>,
}

/// Part of a body.
#[derive(Debug)]
pub enum Statement<'a> {
    /// A scope begins.
    Open,
    /// A scope ends.
    Close,
    /// Registers, each with how many there are of it: `%r<5>` is five, `%r0` to `%r4`.
    Registers(Type, Vec<(&'a str, Option<u32>)>),
    /// A variable.
    Variable(Variable<'a>),
    /// The place of the next instruction.
    Label(&'a str),
    /// A list of labels, of which `brx.idx` takes one.
    Targets(&'a str, Vec<&'a str>),
    /// An instruction.
    Instruction(Instruction<'a>),
}

/// An instruction.
#[derive(Debug)]
pub struct Instruction<'a> {
    /// Its line.
    pub line: u32,
    /// A predicate, and whether it must not hold.
    pub guard: Option<(&'a str, bool)>,
    /// The operation with all that follows its dots.
    pub name: &'a str,
    /// What stands between commas.
    pub operands: Vec<Operand<'a>>,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand<'a> {
    /// A register, a variable, a label, or `_`.
    Name(&'a str),
    /// A predicate that is negated.
    Not(&'a str),
    /// An integer, in two's complement.
    Integer(u64),
    /// The bits of an f32.
    Single(u32),
    /// The bits of an f64.
    Double(u64),
    /// `{a, b}`.
    Vector(Vec<Operand<'a>>),
    /// `(a, b)`.
    Group(Vec<Operand<'a>>),
    /// `[a + 8]`; a number alone is an offset without a base.
    Address(Option<&'a str>, i64),
    /// `p|q`.
    Pair(&'a str, &'a str),
}
