//! Elements of arrays that are written one by one.
//!
//! ```text
//! a' = insert x into a[i];  a'[i] = x;  a'[j] = a[j], where i and j are different numbers
//! a' = fill x;              a'[i] = x
//! insertions that write every element of a small array, or some into a filled one: from_elements
//! ```
//! The cotangent of an array of which a few elements are read is such an array.

use std::collections::HashMap;

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::constant::filled_with;
use crate::support::{
    builder::{Builder, same_value},
    combinator::constant_index,
    row_major::position,
};

/// Arrays with more elements are not written as a list of them.
const ELEMENTS: i64 = 16;

/// The value that the operation's result equals, if it can be said without what is written elsewhere.
pub fn fold<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    match op.op_name() {
        "tensor.extract" => element(b, op),
        "tensor.insert" => list(b, op),
        _ => None,
    }
}

/// What an element is.
fn element<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    let operands = op.operand_list();
    let (&whole, at) = operands.split_first()?;
    let mut array = whole;
    while let Some(insertion) = insertion(array) {
        let operands = insertion.operand_list();
        let (&[value, before], place) = operands.split_first_chunk()?;
        match meet(place, at) {
            Some(true) => return Some(value),
            Some(false) => array = before,
            None => break,
        }
    }
    let value = filled_with(array).filter(|value| value.r#type() == array.r#type().scalar());
    value.or_else(|| (!same_value(array, whole)).then(|| b.extract(array, at)))
}

fn insertion(array: Val<'_>) -> Option<Op<'_>> {
    array.defining_op().filter(|op| op.op_name() == "tensor.insert")
}

/// Whether two places are one, if that is known.
fn meet<'c>(place: &[Val<'c>], other: &[Val<'c>]) -> Option<bool> {
    let mut is_known = true;
    for (&a, &b) in place.iter().zip(other) {
        match (constant_index(a), constant_index(b)) {
            (Some(a), Some(b)) if a != b => return Some(false),
            (Some(_), Some(_)) => {}
            _ => is_known &= same_value(a, b),
        }
    }
    is_known.then_some(true)
}

/// The last of the insertions that make an array, as the list of all elements.
fn list<'c>(b: &Builder<'c>, last: Op<'c>) -> Option<Val<'c>> {
    let result = last.res(0)?;
    let (shape, r#type) = (result.r#type().shape(), result.r#type());
    let is_small = !shape.is_empty()
        && !shape.contains(&DYNAMIC)
        && (1..=ELEMENTS).contains(&shape.iter().product());
    let goes_on = |user: &Op<'c>| user.op_name() == "tensor.insert";
    if !is_small || result.users().iter().any(goes_on) {
        return None;
    }
    let (mut written, mut array) = (HashMap::new(), result);
    while let Some(insertion) = insertion(array) {
        let operands = insertion.operand_list();
        let (&[value, before], place) = operands.split_first_chunk()?;
        let place = place.iter().map(|&index| constant_index(index)).collect::<Option<Vec<_>>>()?;
        written.entry(place).or_insert(value);
        array = before;
    }
    let others = filled_with(array).filter(|value| value.r#type() == r#type.scalar());
    let elements = (0..shape.iter().product())
        .map(|number| written.get(&position(number, &shape)).copied().or(others))
        .collect::<Option<Vec<_>>>()?;
    Some(b.val("tensor.from_elements", &elements, r#type))
}
