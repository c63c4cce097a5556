//! Conditions that say which of two numbers is the lesser or the larger one.

use std::cmp::Ordering;

use ad_dialect::ir::{OpExt, Val, ValExt, int_of};

use super::builder::same_value;

/// A minimum or maximum of two numbers.
#[derive(Clone, Copy)]
pub struct Extremum {
    /// Whether it is the minimum.
    pub is_least: bool,
    /// Whether it is NaN if either of them is.
    pub keeps_nan: bool,
}

impl Extremum {
    /// Whether a condition on two numbers is that the right one is the extremum, and the left one not
    /// as well. It consists of comparisons, which tell no more apart than these cases.
    pub fn is_right<'c>(self, condition: Val<'c>, l: Val<'c>, r: Val<'c>) -> bool {
        const NAN: f64 = f64::NAN;
        const CASES: [(f64, f64); 6] =
            [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (NAN, 1.0), (1.0, NAN), (NAN, NAN)];
        CASES.iter().all(|&(left, right)| {
            let better = if self.is_least { right < left } else { right > left };
            let only_nan = |nan: f64, number: f64| nan.is_nan() && !number.is_nan();
            let (nan, number) = if self.keeps_nan { (right, left) } else { (left, right) };
            truth(condition, &[(l, left), (r, right)]) == Some(better || only_nan(nan, number))
        })
    }
}

/// What a condition comes to for given numbers.
fn truth<'c>(condition: Val<'c>, numbers: &[(Val<'c>, f64); 2]) -> Option<bool> {
    let op = condition.defining_op()?;
    let (a, b) = (op.opnd(0), op.opnd(1));
    let number = |value: Option<Val<'c>>| {
        let value = value?;
        numbers.iter().find(|(known, _)| same_value(*known, value)).map(|(_, number)| *number)
    };
    let flag = |value: Option<Val<'c>>| truth(value?, numbers);
    match op.op_name() {
        "arith.constant" => Some(int_of(op.attr("value")?)? != 0),
        "arith.andi" => Some(flag(a)? & flag(b)?),
        "arith.ori" => Some(flag(a)? | flag(b)?),
        "arith.xori" => Some(flag(a)? ^ flag(b)?),
        "arith.cmpf" => {
            let (a, b) = (number(a)?, number(b)?);
            // A bit for each relation that a predicate holds for: equal, greater, less, unordered.
            let relations = match int_of(op.attr("predicate")?)? {
                14 => 8,
                unordered @ 8..14 => (unordered - 7) | 8,
                other => other,
            };
            let relation = match a.partial_cmp(&b) {
                Some(Ordering::Equal) => 1,
                Some(Ordering::Greater) => 2,
                Some(Ordering::Less) => 4,
                None => 8,
            };
            Some(relations & relation != 0)
        }
        _ => None,
    }
}
