//! Runs in which results of float operations are off by a unit of rounding.
//!
//! Compiled code rounds as the interpreter does, but not always the same results: products are fused into sums, sums are
//! taken in another order, and functions on vectors are off by some units. What such runs make of a program tells what
//! its results owe to rounding, as when it compares two numbers that are equal but for that.

use super::scalar::ops::{FloatBinary, FloatUnary};
use crate::program::{FloatKind, Opcode};

/// Draws whether a result is moved up or down.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Noise {
        Noise(seed)
    }

    /// A result of an operation, off by a unit if the operation rounds and the result does not look exact.
    pub fn on(&mut self, code: &Opcode, x: f64) -> f64 {
        let Some(kind) = rounding(code) else { return x };
        // The low half of the digits of a result that was rounded is hardly ever zero.
        let digits = digits(kind);
        let is_exact = x.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - digits / 2;
        let unit = (1.0 - f64::from(digits)).exp2();
        let moved = if self.up() { x * (1.0 + unit) } else { x * (1.0 - unit) };
        if is_exact { x } else { kind.round(moved) }
    }

    /// One bit of the generator of Steele, Lea and Flood (SplitMix64).
    fn up(&mut self) -> bool {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) & 1 == 1
    }
}

/// The type that an operation rounds its results to, if it does.
fn rounding(code: &Opcode) -> Option<FloatKind> {
    use FloatBinary::{Add, Div, Mul, Sub};
    match *code {
        Opcode::FloatBinary(f, kind) => {
            (f.is_elementary() || matches!(f, Add | Sub | Mul | Div)).then_some(kind)
        }
        Opcode::FloatUnary(f, kind) => FloatUnary::is_elementary(f).then_some(kind),
        Opcode::Fma(kind) | Opcode::FloatPower(kind) | Opcode::SinCos(kind) => Some(kind),
        _ => None,
    }
}

/// Binary digits of the significand.
fn digits(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::F64 => 53,
        FloatKind::F32 => 24,
        FloatKind::F16 => 11,
        FloatKind::Bf16 => 8,
    }
}
