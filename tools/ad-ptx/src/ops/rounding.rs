//! Rounding in the four directions.
//!
//! A result is first rounded to nearest, as the host does it, with the sign of what that left out; from both follows
//! the result in another direction. What is left out of results below the normal numbers is not always seen.

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Down.
    Down,
    /// Up.
    Up,
}

impl Rounding {
    /// The direction among the parts of a name: `rn`, or `rni` for integers.
    pub fn among(parts: &[&str], suffix: &str) -> Option<Self> {
        parts.iter().find_map(|part| {
            let part = part.strip_suffix(suffix)?;
            Some(match part {
                "rn" => Self::Nearest,
                "rz" => Self::Zero,
                "rm" => Self::Down,
                "rp" => Self::Up,
                _ => return None,
            })
        })
    }

    /// An integral number.
    pub fn integral(self, x: f64) -> f64 {
        match self {
            Self::Nearest => x.round_ties_even(),
            Self::Zero => x.trunc(),
            Self::Down => x.floor(),
            Self::Up => x.ceil(),
        }
    }
}

macro_rules! directed {
    ($name:ident, $T:ty) => {
        /// From what is nearest, and a number of the sign of what is left out.
        pub fn $name(nearest: $T, rest: $T, rounding: Rounding) -> $T {
            if nearest.is_nan() || rest.is_nan() || rest == 0.0 {
                return nearest;
            }
            match rounding {
                Rounding::Nearest => nearest,
                Rounding::Up if rest > 0.0 => nearest.next_up(),
                Rounding::Down if rest < 0.0 => nearest.next_down(),
                Rounding::Zero if rest < 0.0 && nearest > 0.0 => nearest.next_down(),
                Rounding::Zero if rest > 0.0 && nearest < 0.0 => nearest.next_up(),
                _ => nearest,
            }
        }
    };
}

directed!(directed_f32, f32);
directed!(directed_f64, f64);

/// An f64 as an f32.
pub fn to_f32(x: f64, rounding: Rounding) -> f32 {
    let nearest = x as f32;
    if nearest.is_infinite() && x.is_finite() {
        return directed_f32(nearest, if x > 0.0 { -1.0 } else { 1.0 }, rounding);
    }
    let rest = x - f64::from(nearest);
    directed_f32(nearest, if rest == 0.0 { 0.0 } else { rest.signum() as f32 }, rounding)
}

/// An integer as an f64.
pub fn integer_to_f64(value: i128, rounding: Rounding) -> f64 {
    let nearest = value as f64;
    directed_f64(nearest, (value - nearest as i128).signum() as f64, rounding)
}

/// An integer as an f32.
pub fn integer_to_f32(value: i128, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    directed_f32(nearest, (value - nearest as i128).signum() as f32, rounding)
}

/// A sum, and what it leaves out.
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let other = sum - a;
    (sum, (a - (sum - other)) + (b - other))
}
