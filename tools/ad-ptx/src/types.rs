//! Types of PTX, state spaces, and the part of PTX that is refused, with the reason.

use std::fmt;

/// Why a text is no PTX that this device takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Counts from 1.
    pub line: u32,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "ptx, line {}; error: {}", self.line, self.text)
    }
}

/// What a number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bits without a meaning.
    Bits,
    /// An integer without a sign.
    Unsigned,
    /// An integer with a sign.
    Signed,
    /// A floating-point number of the widths of IEEE 754.
    Float,
    /// A floating-point number that has the exponent of f32: bf16 and tf32.
    Brain,
    /// A predicate.
    Predicate,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// What it is.
    pub kind: Kind,
    /// How wide it is in a register; 1 for predicates.
    pub bits: u32,
}

/// Types by their names.
pub const PRED: Type = Type { kind: Kind::Predicate, bits: 1 };
/// Signed, 32 bits.
pub const S32: Type = Type { kind: Kind::Signed, bits: 32 };
/// Signed, 64 bits.
pub const S64: Type = Type { kind: Kind::Signed, bits: 64 };
/// Unsigned, 32 bits.
pub const U32: Type = Type { kind: Kind::Unsigned, bits: 32 };
/// Unsigned, 64 bits.
pub const U64: Type = Type { kind: Kind::Unsigned, bits: 64 };
/// 16 bits.
pub const B16: Type = Type { kind: Kind::Bits, bits: 16 };
/// 32 bits.
pub const B32: Type = Type { kind: Kind::Bits, bits: 32 };
/// 64 bits.
pub const B64: Type = Type { kind: Kind::Bits, bits: 64 };
/// Half precision.
pub const F16: Type = Type { kind: Kind::Float, bits: 16 };
/// Single precision.
pub const F32: Type = Type { kind: Kind::Float, bits: 32 };
/// Double precision.
pub const F64: Type = Type { kind: Kind::Float, bits: 64 };
/// Half precision with the exponent of f32.
pub const BF16: Type = Type { kind: Kind::Brain, bits: 16 };
/// f32 of which 10 bits of mantissa are read.
pub const TF32: Type = Type { kind: Kind::Brain, bits: 32 };

impl Type {
    /// The type with a name, without the dot.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "pred" => PRED,
            "bf16" => BF16,
            "tf32" => TF32,
            _ => {
                let (kind, bits) = name.split_at_checked(1)?;
                let bits = match bits {
                    "8" => 8,
                    "16" => 16,
                    "32" => 32,
                    "64" => 64,
                    _ => return None,
                };
                let kind = match kind {
                    "b" => Kind::Bits,
                    "u" => Kind::Unsigned,
                    "s" => Kind::Signed,
                    "f" if bits > 8 => Kind::Float,
                    _ => return None,
                };
                Self { kind, bits }
            }
        })
    }

    /// How many bytes it has in memory.
    pub fn bytes(self) -> u32 {
        self.bits.div_ceil(8)
    }

    /// Whether it is a floating-point number.
    pub fn is_float(self) -> bool {
        matches!(self.kind, Kind::Float | Kind::Brain)
    }

    /// Whether it is an integer, or bits.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self.kind != Kind::Predicate
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letter = match self.kind {
            Kind::Bits => "b",
            Kind::Unsigned => "u",
            Kind::Signed => "s",
            Kind::Float => "f",
            Kind::Brain => return f.write_str(if self.bits == 16 { "bf16" } else { "tf32" }),
            Kind::Predicate => return f.write_str("pred"),
        };
        write!(f, "{letter}{}", self.bits)
    }
}

/// Where an address points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Any of global, shared and local memory.
    Generic,
    /// Memory of the device.
    Global,
    /// Memory of a block.
    Shared,
    /// Memory of a thread.
    Local,
    /// Parameters.
    Param,
    /// Constants, which are in the memory of the device here.
    Const,
}

impl Space {
    /// The space with a name, without the dot.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "global" => Self::Global,
            "shared" | "shared::cta" => Self::Shared,
            "local" => Self::Local,
            "param" => Self::Param,
            "const" => Self::Const,
            _ => return None,
        })
    }
}
