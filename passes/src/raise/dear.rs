//! Maps in loops yield what is dear to compute, too, so that the loop can save it.
//!
//! ```text
//! for k, with x : tensor<?xf64>               for k, with x : tensor<?xf64>
//!   y = map (\a -> f (tanh a)) x      ==>       y, t = map (\a -> let t = tanh a in (f t, t)) x
//! ```
//! The return sweep of a loop executes the body again [FUT 4], and that of a map each iteration, where
//! it reads the functions' values (`ad/rules/map.rs`). If these are results, the rule for loops
//! (`ad/rules/loops/keep.rs`) can save them like what the loop carries; where it does not, they are
//! computed in the same map again, as if they were none.
//!
//! That is for maps over no more than some array that the loop carries, because what is saved is to
//! stay of the order of what the loop saves anyway.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, array_of};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{
    builder::{Builder, same_value},
    combinator::input_count,
    diag::Result,
    extent::is_regular,
    region::with_more,
};

/// Functions that take more than reading a number. Sine and cosine are not among them: each is most of
/// the work for the other one, which is their derivative.
const DEAR: &[&str] = &[
    "math.acos",
    "math.acosh",
    "math.asin",
    "math.asinh",
    "math.atan",
    "math.atan2",
    "math.atanh",
    "math.cbrt",
    "math.cosh",
    "math.erf",
    "math.erfc",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.log",
    "math.log10",
    "math.log1p",
    "math.log2",
    "math.powf",
    "math.sinh",
    "math.tan",
    "math.tanh",
];

/// Whether a value is what a dear function gives, or an array of such values.
pub fn is_dear(value: Val<'_>) -> bool {
    value.defining_op().is_some_and(|op| match op.op_name() {
        "soac.map" => yielded(op, value.position()).is_some_and(is_dear),
        name => DEAR.contains(&name),
    })
}

/// What the body of a map computes for one of its arrays.
fn yielded<'c>(map: Op<'c>, position: usize) -> Option<Val<'c>> {
    let is_array = map.operand_count() == input_count(map);
    let body = map.body(0).filter(|_| is_array)?;
    body.term()?.opnd(position).filter(|value| value.parent_block() == Some(body))
}

/// Gives a map in a loop its dear values as further results.
pub fn yield_dear<'c>(b: &Builder<'c>, map: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let Some(body) = map.body(0).filter(|_| map.operand_count() == input_count(map)) else {
        return Ok(None);
    };
    let found = dear_values(map, body);
    let Some(&width) =
        map.opnd(0).and_then(|input| input.r#type().shape().first().copied()).as_ref()
    else {
        return Ok(None);
    };
    if found.is_empty() {
        return Ok(None);
    }
    let types: Vec<_> = found.iter().map(|(_, value)| array_of(width, value.r#type())).collect();
    let copy = map.clone_detached();
    b.insert(copy);
    let new = with_more(b.context(), copy, &[], &types);
    if let Some(end) = new.body(0).and_then(|body| body.term()) {
        let ops = new.body(0).map(|body| body.body_ops()).unwrap_or_default();
        let more = found.iter().filter_map(|(i, value)| ops.get(*i)?.res(value.position()));
        end.set_operands(&end.operand_list().into_iter().chain(more).collect::<Vec<_>>());
    }
    let mut results = new.result_list();
    results.truncate(map.result_count());
    Ok(Some(results))
}

/// The dear values in the body of a map that it does not yield, with the numbers of their operations,
/// if the map is in a loop that carries an array with as many dimensions as there would be.
fn dear_values<'c>(map: Op<'c>, body: Blk<'c>) -> Vec<(usize, Val<'c>)> {
    let Some((depth, rank)) = in_loop(map) else { return vec![] };
    let ends = body.ends();
    let is_new = |value: &Val<'c>| {
        is_dear(*value)
            && depth + value.r#type().shape().len() <= rank
            && is_regular(map, *value)
            && !ends.iter().any(|end| same_value(*end, *value))
    };
    let ops = body.body_ops().into_iter().enumerate();
    let values = ops.flat_map(|(i, op)| op.result_list().into_iter().map(move |value| (i, value)));
    values.filter(|(_, value)| is_new(value)).collect()
}

/// How many maps there are from a map outwards to a loop, and the dimensions of the largest array that
/// the loop carries.
fn in_loop(map: Op<'_>) -> Option<(usize, usize)> {
    let (mut depth, mut around) = (1, map.parent()?);
    while around.op_name() == "soac.map" {
        (depth, around) = (depth + 1, around.parent()?);
    }
    let carried = around.result_list();
    let rank = carried.iter().map(|value| value.r#type().shape().len()).max();
    rank.filter(|_| around.op_name() == "scf.for").map(|rank| (depth, rank))
}
