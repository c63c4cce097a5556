//! Instructions that read and write nothing but registers: `plan` finds what one does by its name.
//!
//! Each file is a family. A name that no family knows is refused, and so is a modifier that its family does not know.

mod approximate;
mod bits;
mod carry;
mod compare;
mod convert;
mod float;
pub mod half;
mod integer;
mod moves;
pub mod rounding;

use crate::{
    program::Class,
    types::{PRED, Type},
    value::Compute,
};

/// An operation, its name in parts.
pub struct Operation<'a> {
    /// Before the first dot.
    pub name: &'a str,
    /// Between dots.
    pub parts: Vec<&'a str>,
    /// Bits of the register that takes the first result.
    pub result_bits: u32,
}

impl<'a> Operation<'a> {
    /// From a name as it is written.
    pub fn new(name: &'a str, result_bits: u32) -> Self {
        let mut parts = name.split('.');
        let name = parts.next().unwrap_or_default();
        Self { name, parts: parts.collect(), result_bits }
    }

    /// Whether it has a modifier.
    pub fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }

    /// Its types, in order.
    pub fn types(&self) -> Vec<Type> {
        self.parts.iter().filter_map(|part| Type::named(part)).collect()
    }

    /// Its only type, or the last.
    pub fn ty(&self) -> Result<Type, String> {
        self.types().last().copied().ok_or_else(|| "a type is missing".to_owned())
    }

    /// All its modifiers are types or among these.
    pub fn allow(&self, known: &[&str]) -> Result<(), String> {
        let unknown =
            self.parts.iter().find(|part| Type::named(part).is_none() && !known.contains(part));
        match unknown {
            Some(part) => Err(format!("the modifier .{part} is not known")),
            None => Ok(()),
        }
    }

    /// For a type that the operation has not.
    pub fn refuse<T>(&self) -> Result<T, String> {
        Err(format!("'{}' is not there for {}", self.name, self.parts.join(".")))
    }
}

/// What an instruction does, and what its operands are.
pub struct Plan {
    /// Types of results.
    pub results: Vec<Type>,
    /// Types of operands.
    pub operands: Vec<Type>,
    /// Whether registers may be wider than the types.
    pub is_loose: bool,
    /// What it does.
    pub compute: Compute,
    /// What it counts as.
    pub class: Class,
}

impl Plan {
    /// One result; what it counts as is up to the type.
    pub fn new(result: Type, operands: &[Type], compute: Compute) -> Self {
        let ty = operands.first().copied().unwrap_or(result);
        let class = match (ty.is_float() || result.is_float(), ty.bits.max(result.bits)) {
            (true, 64) => Class::Double,
            (true, _) => Class::Single,
            (false, _) => Class::Integer,
        };
        let operands = operands.to_vec();
        Self { results: vec![result], operands, is_loose: false, compute, class }
    }

    /// The same with a second predicate as a result.
    pub fn with_second_predicate(mut self) -> Self {
        self.results.push(PRED);
        self
    }

    /// The same, but registers may be wider.
    pub fn loose(mut self, class: Class) -> Self {
        self.is_loose = true;
        self.class = class;
        self
    }
}

/// Finds what an operation does; nothing if it is none of these families.
pub fn plan(operation: &Operation) -> Result<Option<Plan>, String> {
    let families =
        [integer::plan, carry::plan, bits::plan, float::plan, approximate::plan, moves::plan];
    for family in families {
        if let Some(plan) = family(operation)? {
            return Ok(Some(plan));
        }
    }
    if let Some(plan) = compare::plan(operation)? {
        return Ok(Some(plan));
    }
    convert::plan(operation)
}

/// Does something for the Rust type that has the width and the sign of an integer type.
macro_rules! by_integer {
    ($ty:expr, $T:ident => $body:expr) => {{
        use crate::types::Kind;
        match ($ty.kind, $ty.bits) {
            (Kind::Signed, 8) => {
                type $T = i8;
                Some($body)
            }
            (Kind::Signed, 16) => {
                type $T = i16;
                Some($body)
            }
            (Kind::Signed, 32) => {
                type $T = i32;
                Some($body)
            }
            (Kind::Signed, 64) => {
                type $T = i64;
                Some($body)
            }
            (Kind::Bits | Kind::Unsigned, 8) => {
                type $T = u8;
                Some($body)
            }
            (Kind::Bits | Kind::Unsigned, 16) => {
                type $T = u16;
                Some($body)
            }
            (Kind::Bits | Kind::Unsigned, 32) => {
                type $T = u32;
                Some($body)
            }
            (Kind::Bits | Kind::Unsigned, 64) => {
                type $T = u64;
                Some($body)
            }
            _ => None,
        }
    }};
}
pub(crate) use by_integer;
