//! The element types that arrays and scalars may have.

use std::fmt;

use npyz::{TypeChar, TypeStr};

/// The type of an array element or of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Element {
    F16,
    BF16,
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    I64,
    Index,
    C64,
    C128,
}

impl Element {
    /// The element type of this name in MLIR. Integers are signed, or may be: what has no sign for
    /// sure would be shown with one.
    pub fn from_mlir(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::F16,
            "bf16" => Self::BF16,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "i1" => Self::I1,
            "i8" | "si8" => Self::I8,
            "i16" | "si16" => Self::I16,
            "i32" | "si32" => Self::I32,
            "i64" | "si64" => Self::I64,
            "index" => Self::Index,
            "complex<f32>" => Self::C64,
            "complex<f64>" => Self::C128,
            _ => return None,
        })
    }

    /// Bytes of one element in memory, which is also its alignment up to the parts of complex numbers.
    pub fn size(self) -> usize {
        match self {
            Self::I1 | Self::I8 => 1,
            Self::F16 | Self::BF16 | Self::I16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 | Self::Index | Self::C64 => 8,
            Self::C128 => 16,
        }
    }

    /// Bytes of the numbers that an element is made of: two for a complex one.
    pub fn part_size(self) -> usize {
        if self.is_complex() { self.size() / 2 } else { self.size() }
    }

    /// Whether elements are whole numbers.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64 | Self::Index)
    }

    /// Whether elements are pairs of numbers.
    pub fn is_complex(self) -> bool {
        matches!(self, Self::C64 | Self::C128)
    }

    /// The NumPy type with these elements.
    pub fn numpy(self) -> &'static str {
        match self {
            Self::F16 => "float16",
            Self::BF16 => "bfloat16",
            Self::F32 => "float32",
            Self::F64 => "float64",
            Self::I1 => "bool",
            Self::I8 => "int8",
            Self::I16 => "int16",
            Self::I32 => "int32",
            Self::I64 | Self::Index => "int64",
            Self::C64 => "complex64",
            Self::C128 => "complex128",
        }
    }

    /// The type in the header of a `.npy` file. NumPy has no bfloat16 of its own; packages that add it store raw pairs
    /// of bytes.
    pub fn descr(self) -> &'static str {
        match self {
            Self::F16 => "<f2",
            Self::BF16 => "<V2",
            Self::F32 => "<f4",
            Self::F64 => "<f8",
            Self::I1 => "|b1",
            Self::I8 => "|i1",
            Self::I16 => "<i2",
            Self::I32 => "<i4",
            Self::I64 | Self::Index => "<i8",
            Self::C64 => "<c8",
            Self::C128 => "<c16",
        }
    }

    /// Whether the elements of a `.npy` file are of this type. Unsigned integers have the same bits as signless ones.
    pub fn accepts(self, descr: &TypeStr) -> bool {
        let kinds: &[TypeChar] = match self {
            Self::F16 | Self::F32 | Self::F64 => &[TypeChar::Float],
            Self::BF16 => &[TypeChar::RawData],
            Self::I1 => &[TypeChar::Bool],
            Self::C64 | Self::C128 => &[TypeChar::Complex],
            _ => &[TypeChar::Int, TypeChar::Uint],
        };
        kinds.contains(&descr.type_char()) && descr.size_field() == self.size() as u64
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F16 => "f16",
            Self::BF16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I1 => "i1",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::Index => "index",
            Self::C64 => "complex<f32>",
            Self::C128 => "complex<f64>",
        })
    }
}
