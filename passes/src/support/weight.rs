//! What operations on numbers cost, as multiples of an addition.

use ad_dialect::ir::{Op, OpExt};

/// What a call of a function of `math` costs.
pub const CALL: f64 = 15.0;

/// What a division costs.
pub const DIVISION: f64 = 4.0;

/// What an operation on scalars costs.
pub fn weight(op: Op<'_>) -> f64 {
    match op.op_name() {
        "arith.constant" => 0.0,
        "arith.divf" | "math.sqrt" => DIVISION,
        "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui" => 8.0,
        "math.absf" | "math.fma" | "math.floor" | "math.ceil" | "math.copysign" => 1.0,
        name if name.starts_with("math.") => CALL,
        name if name.starts_with("arith.") => 1.0,
        "complex.div" => 3.0 * DIVISION,
        "complex.constant" | "complex.create" | "complex.re" | "complex.im" => 0.0,
        "complex.add" | "complex.sub" | "complex.neg" | "complex.conj" => 2.0,
        "complex.mul" => 6.0,
        name if name.starts_with("complex.") => 2.0 * CALL,
        "memref.load" | "memref.store" | "cf.assert" => 1.0,
        _ => 0.0,
    }
}

/// What an operation costs with all that is in it, once.
pub fn weight_with_regions(op: Op<'_>) -> f64 {
    let mut sum = 0.0;
    op.for_each(&mut |inner| sum += weight(inner));
    sum
}
