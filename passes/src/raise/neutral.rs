//! The neutral elements of operations that combine two numbers in any order.

use ad_dialect::ir::{TyExt, Val};
use melior::ir::{
    Attribute, Type,
    attribute::{FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};

use crate::support::builder::Builder;

/// The number that an operation leaves another number as it is with, if there is one.
pub fn neutral<'c>(b: &Builder<'c>, operation: &str, scalar: Type<'c>) -> Option<Val<'c>> {
    let value: Attribute<'c> = if scalar.is_float_type() {
        FloatAttribute::new(b.context(), scalar, of_floats(operation)?).into()
    } else if scalar.is_int_or_index_type() {
        IntegerAttribute::new(scalar, of_integers(operation, bits(scalar))?).into()
    } else {
        return None;
    };
    Some(b.val_with("arith.constant", &[], scalar, &[("value", value)]))
}

/// Whether an operation combines two numbers of a type and has a neutral element.
pub fn combines(operation: &str, scalar: Type<'_>) -> bool {
    let has_float = scalar.is_float_type() && of_floats(operation).is_some();
    has_float || scalar.is_int_or_index_type() && of_integers(operation, bits(scalar)).is_some()
}

/// How many bits a number has; an index has 64.
fn bits(scalar: Type<'_>) -> u32 {
    IntegerType::try_from(scalar).map_or(64, |scalar| scalar.width())
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

/// The same for operations on integers of so many bits; in more than 64, only what does not depend on how many there are.
fn of_integers(operation: &str, bits: u32) -> Option<i64> {
    let most = || Some(i64::MAX >> 64_u32.checked_sub(bits)?);
    match operation {
        "arith.addi" | "arith.ori" | "arith.xori" | "arith.maxui" => Some(0),
        "arith.muli" => Some(1),
        "arith.andi" | "arith.minui" => most().map(|_| -1),
        "arith.maxsi" => most().map(|most| -most - 1),
        "arith.minsi" => most(),
        _ => None,
    }
}

/// Whether all orders in which an operation combines numbers give the same.
pub fn is_exact(operation: &str) -> bool {
    !["arith.addf", "arith.mulf"].contains(&operation)
}
