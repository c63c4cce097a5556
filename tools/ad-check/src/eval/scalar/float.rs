//! Float arithmetic and elementary functions on one element.

use super::ops::{FloatBinary, FloatCompare, FloatTest, FloatUnary};
use crate::program::FloatKind;

/// Applies a function and rounds the result to the type.
pub fn unary(op: FloatUnary, kind: FloatKind, x: f64) -> f64 {
    use FloatUnary::*;
    kind.round(match op {
        Neg => -x,
        Abs => x.abs(),
        Sin => x.sin(),
        Cos => x.cos(),
        Tan => x.tan(),
        Asin => x.asin(),
        Acos => x.acos(),
        Atan => x.atan(),
        Sinh => x.sinh(),
        Cosh => x.cosh(),
        Tanh => x.tanh(),
        Asinh => libm::asinh(x),
        Acosh => libm::acosh(x),
        Atanh => libm::atanh(x),
        Exp => x.exp(),
        Exp2 => x.exp2(),
        Expm1 => x.exp_m1(),
        Log => x.ln(),
        Log2 => x.log2(),
        Log10 => x.log10(),
        Log1p => x.ln_1p(),
        Sqrt => x.sqrt(),
        Rsqrt => 1.0 / x.sqrt(),
        Cbrt => x.cbrt(),
        Erf => libm::erf(x),
        Erfc => libm::erfc(x),
        Ceil => x.ceil(),
        Floor => x.floor(),
        Round => x.round(),
        RoundEven => x.round_ties_even(),
        Trunc => x.trunc(),
    })
}

/// Applies a binary operation and rounds the result to the type.
///
/// `maximumf` and `minimumf` return NaN if an operand is; `maxnumf` and `minnumf` return the other operand.
/// All four order -0 before +0.
pub fn binary(op: FloatBinary, kind: FloatKind, x: f64, y: f64) -> f64 {
    use FloatBinary::*;
    kind.round(match op {
        Add => x + y,
        Sub => x - y,
        Mul => x * y,
        Div => x / y,
        Rem => x % y,
        Maximum if x.is_nan() || y.is_nan() => f64::NAN,
        Minimum if x.is_nan() || y.is_nan() => f64::NAN,
        MaxNum | MinNum if x.is_nan() => y,
        MaxNum | MinNum if y.is_nan() => x,
        Maximum | MaxNum => {
            if x.total_cmp(&y).is_lt() {
                y
            } else {
                x
            }
        }
        Minimum | MinNum => {
            if x.total_cmp(&y).is_gt() {
                y
            } else {
                x
            }
        }
        Atan2 => x.atan2(y),
        Copysign => x.copysign(y),
        Pow => x.powf(y),
    })
}

/// `x * y + z` with one rounding.
pub fn fma(kind: FloatKind, x: f64, y: f64, z: f64) -> f64 {
    match kind {
        FloatKind::F32 => f64::from((x as f32).mul_add(y as f32, z as f32)),
        _ => kind.round(x.mul_add(y, z)),
    }
}

/// A float to an integer power.
pub fn power(kind: FloatKind, x: f64, n: i64) -> f64 {
    kind.round(i32::try_from(n).map_or_else(|_| x.powf(n as f64), |n| x.powi(n)))
}

pub fn compare(op: FloatCompare, x: f64, y: f64) -> bool {
    use FloatCompare::*;
    let unordered = x.is_nan() || y.is_nan();
    match op {
        False => false,
        Oeq => x == y,
        Ogt => x > y,
        Oge => x >= y,
        Olt => x < y,
        Ole => x <= y,
        One => !unordered && x != y,
        Ord => !unordered,
        Ueq => unordered || x == y,
        Ugt => unordered || x > y,
        Uge => unordered || x >= y,
        Ult => unordered || x < y,
        Ule => unordered || x <= y,
        Une => x != y,
        Uno => unordered,
        True => true,
    }
}

pub fn test(op: FloatTest, kind: FloatKind, x: f64) -> bool {
    match op {
        FloatTest::Finite => x.is_finite(),
        FloatTest::Infinite => x.is_infinite(),
        FloatTest::Nan => x.is_nan(),
        FloatTest::Normal => x.is_finite() && x.abs() >= smallest_normal(kind),
    }
}

fn smallest_normal(kind: FloatKind) -> f64 {
    match kind {
        FloatKind::F64 => f64::MIN_POSITIVE,
        FloatKind::F32 | FloatKind::Bf16 => f64::from(f32::MIN_POSITIVE),
        FloatKind::F16 => 2f64.powi(-14),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FloatKind::{F32, F64};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-15 * b.abs().max(1.0)
    }

    #[test]
    fn unary_functions_at_points_with_known_values() {
        use FloatUnary::*;
        let half = std::f64::consts::FRAC_PI_6;
        let table = [
            (Neg, 2.0, -2.0),
            (Abs, -2.5, 2.5),
            (Sin, half, 0.5),
            (Cos, std::f64::consts::FRAC_PI_3, 0.5),
            (Tan, std::f64::consts::FRAC_PI_4, 1.0),
            (Asin, 0.5, half),
            (Acos, 0.5, std::f64::consts::FRAC_PI_3),
            (Atan, 1.0, std::f64::consts::FRAC_PI_4),
            (Sinh, 2f64.ln(), 0.75),
            (Cosh, 2f64.ln(), 1.25),
            (Tanh, 2f64.ln(), 0.6),
            (Asinh, 0.75, 2f64.ln()),
            (Acosh, 1.25, 2f64.ln()),
            (Atanh, 0.6, 2f64.ln()),
            (Exp, 1.0, std::f64::consts::E),
            (Exp2, 10.0, 1024.0),
            (Expm1, 2f64.ln(), 1.0),
            (Log, std::f64::consts::E, 1.0),
            (Log2, 8.0, 3.0),
            (Log10, 1000.0, 3.0),
            (Log1p, 1.0, std::f64::consts::LN_2),
            (Sqrt, 2.25, 1.5),
            (Rsqrt, 4.0, 0.5),
            (Cbrt, -27.0, -3.0),
            (Erf, 1.0, 0.842_700_792_949_714_9),
            (Erfc, 1.0, 0.157_299_207_050_285_13),
            (Ceil, -1.5, -1.0),
            (Floor, -1.5, -2.0),
            (Round, 2.5, 3.0),
            (Round, -2.5, -3.0),
            (RoundEven, 2.5, 2.0),
            (Trunc, -1.7, -1.0),
        ];
        for (op, x, want) in table {
            let got = unary(op, F64, x);
            assert!(close(got, want), "{op:?}({x}) = {got}, want {want}");
        }
    }

    #[test]
    fn binary_functions_at_points_with_known_values() {
        use FloatBinary::*;
        let nan = f64::NAN;
        let table = [
            (Add, 1.5, 2.0, 3.5),
            (Sub, 1.5, 2.0, -0.5),
            (Mul, 1.5, -2.0, -3.0),
            (Div, 1.0, 4.0, 0.25),
            (Rem, -5.5, 2.0, -1.5),
            (Maximum, 1.0, 2.0, 2.0),
            (Minimum, 1.0, 2.0, 1.0),
            (MaxNum, nan, 2.0, 2.0),
            (MinNum, 2.0, nan, 2.0),
            (Atan2, 1.0, -1.0, 3.0 * std::f64::consts::FRAC_PI_4),
            (Copysign, 3.0, -0.0, -3.0),
            (Pow, 2.0, -3.0, 0.125),
        ];
        for (op, x, y, want) in table {
            assert!(close(binary(op, F64, x, y), want), "{op:?}({x}, {y})");
        }
        assert!(binary(Maximum, F64, nan, 1.0).is_nan() && binary(Minimum, F64, 1.0, nan).is_nan());
        assert!(binary(Maximum, F64, -0.0, 0.0).is_sign_positive());
        assert!(binary(MinNum, F64, 0.0, -0.0).is_sign_negative());
    }

    #[test]
    fn f32_is_rounded_after_every_operation() {
        let third = binary(FloatBinary::Div, F32, 1.0, 3.0);
        assert_eq!(third, f64::from(1.0f32 / 3.0f32));
        assert_eq!(binary(FloatBinary::Add, F32, 16_777_216.0, 1.0), 16_777_216.0);
        assert_eq!(binary(FloatBinary::Mul, F32, 1e30, 1e30), f64::INFINITY);
        assert_eq!(unary(FloatUnary::Sqrt, F32, 2.0), f64::from(2f32.sqrt()));
        assert_eq!(fma(F32, 0.1, 0.1, -0.01), f64::from(0.1f32.mul_add(0.1f32, -0.01f32)));
    }

    #[test]
    fn fma_and_powers() {
        assert_eq!(fma(F64, 2.0, 3.0, 4.0), 10.0);
        assert_eq!(power(F64, 2.0, -2), 0.25);
        assert_eq!(power(F64, -3.0, 3), -27.0);
        assert_eq!(power(F64, 0.0, 0), 1.0);
    }

    #[test]
    fn comparisons_of_every_predicate() {
        let nan = f64::NAN;
        // For each predicate: 1 < 2, 2 = 2, 3 > 2, unordered.
        let table = ["0000", "0100", "0010", "0110", "1000", "1100", "1010", "1110"];
        for (n, want) in table.iter().enumerate() {
            for (flip, tail) in [(0, false), (8, true)] {
                let op = FloatCompare::from_number((n + flip) as i64).unwrap();
                let want: Vec<bool> = want
                    .chars()
                    .enumerate()
                    .map(|(i, c)| if i == 3 { tail } else { c == '1' })
                    .collect();
                let want = match op {
                    FloatCompare::Uno => vec![false, false, false, true],
                    FloatCompare::True => vec![true; 4],
                    FloatCompare::False => vec![false; 4],
                    FloatCompare::Ueq => vec![false, true, false, true],
                    _ if flip == 8 => unordered_row(op),
                    _ => want,
                };
                let got = [(1.0, 2.0), (2.0, 2.0), (3.0, 2.0), (nan, 2.0)]
                    .map(|(x, y)| compare(op, x, y));
                assert_eq!(got.to_vec(), want, "{op:?}");
            }
        }
    }

    fn unordered_row(op: FloatCompare) -> Vec<bool> {
        match op {
            FloatCompare::Ugt => vec![false, false, true, true],
            FloatCompare::Uge => vec![false, true, true, true],
            FloatCompare::Ult => vec![true, false, false, true],
            FloatCompare::Ule => vec![true, true, false, true],
            _ => vec![true, false, true, true],
        }
    }

    #[test]
    fn classification() {
        assert!(test(FloatTest::Finite, F64, 1.0) && !test(FloatTest::Finite, F64, f64::INFINITY));
        assert!(test(FloatTest::Infinite, F64, f64::NEG_INFINITY));
        assert!(test(FloatTest::Nan, F64, f64::NAN));
        assert!(test(FloatTest::Normal, F64, 1e-300) && !test(FloatTest::Normal, F32, 1e-40));
    }
}
