//! f16, bf16 and tf32, as the bits of them.

use super::rounding::Rounding;

/// A format of at most 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the mantissa, without the leading one.
    mantissa: u32,
    /// Bits of the exponent.
    exponent: u32,
}

/// Half precision.
pub const F16: Format = Format { mantissa: 10, exponent: 5 };
/// The upper half of f32.
pub const BF16: Format = Format { mantissa: 7, exponent: 8 };
/// The upper 19 bits of f32, which stay where they are.
pub const TF32: Format = Format { mantissa: 10, exponent: 8 };

impl Format {
    /// The largest exponent of a finite number.
    fn largest(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// A number from its bits.
    pub fn decode(self, bits: u32) -> f64 {
        let mantissa = bits & ((1 << self.mantissa) - 1);
        let exponent = (bits >> self.mantissa) & ((1 << self.exponent) - 1);
        let negative = bits >> (self.mantissa + self.exponent) & 1 != 0;
        let fraction = f64::from(mantissa) / f64::from(1u32 << self.mantissa);
        let size = match exponent {
            0 => fraction * power(1 - self.largest()),
            e if e + 1 == 1 << self.exponent => {
                if mantissa == 0 {
                    f64::INFINITY
                } else {
                    f64::NAN
                }
            }
            e => (1.0 + fraction) * power(e as i32 - self.largest()),
        };
        if negative { -size } else { size }
    }

    /// The bits of a number, rounded; ties of `away` go away from zero.
    pub fn encode(self, x: f64, rounding: Rounding, away: bool) -> u32 {
        let sign = u32::from(x.is_sign_negative()) << (self.mantissa + self.exponent);
        let infinite = ((1 << self.exponent) - 1) << self.mantissa;
        if x.is_nan() {
            // Not a number is the same for all operations, without a sign.
            return infinite | ((1 << self.mantissa) - 1);
        }
        if x.is_infinite() {
            return sign | infinite;
        }
        let size = x.abs();
        let least = 1 - self.largest();
        let exponent = (((size.to_bits() >> 52) as i32) - 1023).max(least);
        let unit = power(exponent - self.mantissa as i32);
        let scaled = size / unit;
        let towards_zero = match rounding {
            Rounding::Zero => true,
            Rounding::Down => !x.is_sign_negative(),
            Rounding::Up => x.is_sign_negative(),
            Rounding::Nearest => false,
        };
        let rounded = match rounding {
            Rounding::Nearest if away => scaled.round(),
            Rounding::Nearest => scaled.round_ties_even(),
            _ if towards_zero => scaled.trunc(),
            _ => scaled.ceil(),
        };
        // A mantissa that became too large goes over into the exponent.
        let biased = ((exponent - least) as u32) << self.mantissa;
        let bits = biased + rounded as u32;
        if bits < infinite {
            return sign | bits;
        }
        sign | if towards_zero { infinite - 1 } else { infinite }
    }
}

/// A power of two within the normal numbers of f64.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
