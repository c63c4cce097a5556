//! Reductions of arrays of few elements become reductions of tuples of numbers:
//!
//! ```text
//! reduce op es xss  ==>  as = reduce (\ls rs -> numbers of op [ls] [rs]) (numbers of es) xs0 xs1 ..;  [as]
//! where xsk = map (\xs -> xs[k]) xss
//! ```
//! Whole blocks combine numbers, and have them in registers. Where neutral elements are not constant, the host has to
//! read them, so that reductions for which there is something else (`columns`) are left.

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt, array_of};
use melior::{Context, ir::ValueLike};

use crate::{
    parallelize::group::Group,
    support::{
        builder::Builder,
        combinator::inputs_and_rest,
        diag::Result,
        elementwise::{by_element, element, everywhere},
        region::{control_blocks, copy_block, replace},
    },
};

/// How many numbers a tuple has at most.
const MOST: usize = 16;

/// Rewrites the reductions of a block, and of what is inside of it.
pub fn rewrite<'c>(context: &'c Context, block: Blk<'c>) -> Result<()> {
    for op in block.body_ops() {
        let inside = if op.op_name() == "soac.map" { op.blocks() } else { control_blocks(op) };
        inside.into_iter().try_for_each(|inner| rewrite(context, inner))?;
        reduce(context, block, op)?;
    }
    Ok(())
}

fn reduce<'c>(context: &'c Context, block: Blk<'c>, op: Op<'c>) -> Result<()> {
    let Some(body) = op.body(0).filter(|_| op.op_name() == "soac.reduce") else { return Ok(()) };
    let (inputs, neutrals) = inputs_and_rest(op);
    let has_arrays = neutrals.iter().any(|value| !indices(*value).is_empty());
    let is_known = neutrals.iter().all(|value| !value.r#type().shape().contains(&DYNAMIC));
    let numbers: usize = neutrals.iter().map(|&value| count(value)).sum();
    let group = Group::only(op);
    if !has_arrays || !is_known || numbers > MOST || group.has_empty() || !group.has_operator() {
        return Ok(());
    }
    let is_constant = |value: &Val<'c>| {
        let is_constant = |op: Op<'c>| op.op_name() == "arith.constant";
        everywhere(*value).is_some() || value.defining_op().is_some_and(is_constant)
    };
    if is_by_element(body) && !neutrals.iter().all(is_constant) {
        return Ok(());
    }
    let b = Builder::before(context, op, block).deriving(op);
    let own: Vec<_> = neutrals.iter().flat_map(|&value| parts(&b, value)).collect();
    let size = inputs.first().map_or(0, |input| input.r#type().shape()[0]);
    let types: Vec<_> = own.iter().map(|value| array_of(size, value.r#type())).collect();
    let columns = b.map(&inputs, &[], &types, |b, rows| {
        Ok(rows.iter().flat_map(|&row| parts(&b, row)).collect())
    })?;
    let all = b.reduce(&columns, &own, |b, pair| {
        let arguments = body.arg_list();
        if let Some(ends) = each_element(&b, body, pair) {
            return Ok(ends);
        }
        let ends = copy_block(&b, body, &whole(&b, &arguments, pair));
        Ok(ends.into_iter().flat_map(|end| parts(&b, end)).collect())
    })?;
    replace(op, &whole(&b, &op.result_list(), &all));
    Ok(())
}

/// Whether an operator on arrays of one size works element by element.
fn is_by_element(body: Blk<'_>) -> bool {
    let arguments = body.arg_list();
    let Some(shape) = arguments.first().map(|value| value.r#type().shape()) else { return false };
    let mut known = arguments.iter().map(ValExt::key).collect();
    let is_alike =
        |value: &Val<'_>| value.r#type().as_tensor().is_some() && value.r#type().shape() == shape;
    arguments.iter().all(is_alike) && by_element(body, &mut known)
}

/// What such an operator does with the numbers of two tuples; none of another one.
fn each_element<'c>(b: &Builder<'c>, body: Blk<'c>, pair: &[Val<'c>]) -> Option<Vec<Val<'c>>> {
    if !is_by_element(body) {
        return None;
    }
    let arguments = body.arg_list();
    let size = count(arguments[0]);
    let ends: Vec<_> = (0..size)
        .map(|k| {
            let own = arguments.iter().map(ValExt::key).zip(pair.iter().skip(k).step_by(size));
            element(b, body, &mut own.map(|(key, &value)| (key, value)).collect())
        })
        .collect();
    let results = 0..arguments.len() / 2;
    Some(results.flat_map(|result| ends.iter().map(move |ends| ends[result])).collect())
}

/// The indices of all elements of an array of known size; none for a number.
fn indices(value: Val<'_>) -> Vec<Vec<i64>> {
    if value.r#type().as_tensor().is_none() {
        return vec![];
    }
    value.r#type().shape().into_iter().fold(vec![vec![]], |all, size| {
        all.iter().flat_map(|at| (0..size).map(move |i| [&at[..], &[i]].concat())).collect()
    })
}

/// How many numbers a value has.
fn count(value: Val<'_>) -> usize {
    value.r#type().shape().into_iter().map(|size| size.max(0) as usize).product()
}

/// The numbers of a value.
fn parts<'c>(b: &Builder<'c>, value: Val<'c>) -> Vec<Val<'c>> {
    if value.r#type().as_tensor().is_none() {
        return vec![value];
    }
    let at = |at: &Vec<i64>| at.iter().map(|&i| b.index(i)).collect::<Vec<_>>();
    indices(value).iter().map(|index| b.extract(value, &at(index))).collect()
}

/// Values that are like some others, from their numbers.
fn whole<'c>(b: &Builder<'c>, like: &[Val<'c>], mut numbers: &[Val<'c>]) -> Vec<Val<'c>> {
    let one = |value: &Val<'c>| {
        let (own, rest) = numbers.split_at(count(*value).min(numbers.len()));
        numbers = rest;
        match value.r#type().as_tensor() {
            Some(_) => b.val("tensor.from_elements", own, value.r#type()),
            None => own[0],
        }
    };
    like.iter().map(one).collect()
}
