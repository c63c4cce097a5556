//! The neutral elements of operations that combine two numbers in any order.

use melior::ir::{
    Attribute, Type, TypeLike,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};

use ad_dialect::ir::Val;

use crate::support::builder::Builder;

/// The number that an operation leaves another number as it is with, if there is one.
pub fn neutral<'c>(b: &Builder<'c>, operation: &str, scalar: Type<'c>) -> Option<Val<'c>> {
    let value = of_floats(operation)
        .filter(|_| scalar.is_float())
        .map(|value| -> Attribute<'c> { FloatAttribute::new(b.context(), scalar, value).into() })
        .or_else(|| {
            let bits = IntegerType::try_from(scalar).map_or(64, |scalar| scalar.width());
            Some(IntegerAttribute::new(scalar, of_integers(operation, bits)?).into())
        })?;
    Some(b.val_with("arith.constant", &[], scalar, &[("value", value)]))
}

/// The same for operations on floats.
pub fn of_floats(operation: &str) -> Option<f64> {
    Some(match operation {
        "arith.addf" => 0.0,
        "arith.mulf" => 1.0,
        "arith.maximumf" | "arith.maxnumf" => f64::NEG_INFINITY,
        "arith.minimumf" | "arith.minnumf" => f64::INFINITY,
        _ => return None,
    })
}

/// The same for operations on integers of up to 64 bits, as an index has.
fn of_integers(operation: &str, bits: u32) -> Option<i64> {
    let most = i64::MAX >> (64 - bits.min(64));
    Some(match operation {
        "arith.addi" | "arith.ori" | "arith.xori" | "arith.maxui" => 0,
        "arith.muli" => 1,
        "arith.andi" | "arith.minui" => -1,
        "arith.maxsi" => -most - 1,
        "arith.minsi" => most,
        _ => return None,
    })
}

/// Whether an operation combines two numbers and has a neutral element.
pub fn combines(operation: &str) -> bool {
    of_floats(operation).is_some() || of_integers(operation, 64).is_some()
}

/// Whether all orders in which an operation combines numbers give the same.
pub fn is_exact(operation: &str) -> bool {
    !["arith.addf", "arith.mulf"].contains(&operation)
}
