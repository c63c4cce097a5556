//! Structured sums that start from zeros start from what they are added to.
//!
//! ```text
//! c = generic (c += a b) zeros;  map (map +) x c   =>   generic (c += a b) x
//! ```
//! Nothing of the size of the array is filled, stored or added besides, and what adds up such sums
//! in a loop does so in place. The terms of a sum of a structured operation have no order.

use std::iter::successors;

use ad_dialect::{
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt},
    linalg::Structured,
};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{
    builder::{Builder, same_value},
    combinator::input_count,
    region::clone_with,
    structured::adds_up,
    zero::is_zero,
};

/// The sum of two arrays as one structured operation, if one of them is one that only the sum reads.
pub fn fold<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Val<'c>> {
    let [x, y] = terms(op).filter(|_| op.result_count() == 1)?;
    [(x, y), (y, x)].into_iter().find_map(|(start, sum)| start_from(b, op, start, sum))
}

fn start_from<'c>(b: &Builder<'c>, op: Op<'c>, start: Val<'c>, sum: Val<'c>) -> Option<Val<'c>> {
    let made = sum.defining_op().filter(|made| made.result_count() == 1)?;
    let s = Structured::of(made).filter(|s| s.inits.len() == 1 && is_zero(s.inits[0]))?;
    let is_alone = match &sum.users()[..] {
        [user] => user.key() == op.key(),
        _ => false,
    };
    // The sum is not to be computed more often.
    let branches =
        successors(op.parent(), OpExt::parent).take_while(|around| around.op_name() == "scf.if");
    let stays = [op].into_iter().chain(branches).any(|around| around.block() == made.block());
    let is_fit = start.r#type() == sum.r#type() && adds_up(&s) && is_alone && stays;
    if !is_fit || same_value(start, sum) {
        return None;
    }
    let mut operands = made.operand_list();
    let last = operands.last_mut().filter(|last| same_value(**last, s.inits[0]))?;
    *last = start;
    clone_with(b, made, &operands, &[sum.r#type()]).res(0)
}

/// The terms of an addition of arrays, element by element.
pub fn terms<'c>(op: Op<'c>) -> Option<[Val<'c>; 2]> {
    let operands: [Val<'c>; 2] = op.operand_list().try_into().ok()?;
    let is_sum = match op.op_name() {
        "arith.addf" => op.res(0)?.r#type().as_tensor().is_some(),
        "soac.map" if input_count(op) == 2 => adds_arguments(op),
        _ => false,
    };
    is_sum.then_some(operands)
}

/// Whether the body of a combinator does nothing but add its two arguments, element by element.
pub fn adds_arguments(op: Op<'_>) -> bool {
    let Some(body) = op.body(0) else { return false };
    let (arguments, ops) = (body.arg_list(), body.body_ops());
    let ([x, y], [inner]) = (&arguments[..], &ops[..]) else { return false };
    let adds = match inner.op_name() {
        "arith.addf" => true,
        "soac.map" => input_count(*inner) == 2 && adds_arguments(*inner),
        _ => false,
    };
    let yielded = body.ends();
    let read = inner.operand_list();
    let is_pair = |a: Val<'_>, b: Val<'_>| matches!(&read[..], [first, second] if same_value(*first, a) && same_value(*second, b));
    adds && (is_pair(*x, *y) || is_pair(*y, *x))
        && matches!(&yielded[..], [only] if inner.res(0).is_some_and(|made| same_value(made, *only)))
}
