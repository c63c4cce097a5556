//! The partial derivatives of elementwise operations of `vector`.

use super::{Domain::Real, One, Row, Times, row};

/// The one elementwise operation; those of `arith` and `math` take vectors too.
pub const TABLE: &[Row] = &[row("vector.fma", &[Times(|s| s.x[1]), Times(|s| s.x[0]), One], Real)];
