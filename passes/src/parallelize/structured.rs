//! Structured operations of `linalg`, such as products of matrices: a loop whose number is an index of every output is
//! distributed.

use ad_dialect::{
    ir::{Op, OpExt, TyExt, Val},
    linalg::{Expr, Structured},
};
use melior::ir::{ValueLike, operation::OperationLike};

use super::{Split, group::Group, work::work_of};
use crate::support::{
    builder::Builder,
    chunk::{Chunk, Piece, forall, slice},
    diag::Result,
    extent::extent_of,
    region::clone_with,
    size::Size,
    structured::asks_for_numbers,
};

/// A structured operation on tensors.
pub fn structured<'c>(b: &Builder<'c>, op: Op<'c>) -> Option<Split<'c>> {
    // Filling an array is bound by memory, and whoever writes to it next wants to see that it is filled.
    (op.op_name() != "linalg.fill").then_some(())?;
    let s = Structured::of(op).filter(|s| s.inits.len() == op.result_count())?;
    let l = distributed(op, &s)?;
    let (init, d) = (*s.inits.first()?, places(s.output_maps().first()?, l)[0]);
    let width = Size::of_extent(b, extent_of(init, d));
    let group = Group::only(op);
    let work = work_of(b, &group);
    Some(Split { group, width, work, private: None, build })
}

/// Where the number of a loop is an index.
pub fn places(map: &[Expr], l: usize) -> Vec<usize> {
    (0..map.len()).filter(|&d| map[d] == Expr::Loop(l)).collect()
}

/// The first of the loops that can be distributed.
fn distributed(op: Op<'_>, s: &Structured<'_>) -> Option<usize> {
    distributable(op, s).into_iter().next()
}

/// The loops that can be distributed.
pub fn distributable(op: Op<'_>, s: &Structured<'_>) -> Vec<usize> {
    let is_empty = |array: &Val<'_>| array.r#type().shape().contains(&0);
    if asks_for_numbers(op) || s.inputs.iter().chain(&s.inits).any(is_empty) {
        return vec![];
    }
    let is_alone = |map: &Vec<Expr>, l: usize| {
        map.iter().all(|index| *index == Expr::Loop(l) || !index.mentions(l))
    };
    let may_be = |l: &usize| {
        s.output_maps().iter().all(|map| places(map, *l).len() == 1)
            && s.maps.iter().all(|map| is_alone(map, *l))
    };
    (0..s.loops).filter(may_be).collect()
}

fn build<'c>(b: &Builder<'c>, group: &Group<'c>, count: Size<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let op = group.op;
    let Some(s) = Structured::of(op) else { return Ok(None) };
    let Some(l) = distributed(op, &s) else { return Ok(None) };
    let along: Vec<_> = s.output_maps().iter().map(|map| places(map, l)[0]).collect();
    let width = Size::of_extent(b, extent_of(s.inits[0], along[0]));
    let results = forall(b, count, &s.inits, |b, t, shared| {
        let chunk = Chunk::new(b, t, width, count);
        let arrays = s.inputs.iter().chain(shared).zip(&s.maps);
        let operands: Vec<_> = arrays
            .map(|(&array, map)| match &places(map, l)[..] {
                [] => array,
                along => slice(b, array, along, chunk),
            })
            .collect();
        let types: Vec<_> = operands[s.inputs.len()..].iter().map(|part| part.r#type()).collect();
        let parts = clone_with(b, op, &operands, &types).result_list();
        let pieces = parts.into_iter().zip(&along);
        Ok(pieces.map(|(value, &along)| Piece { value, along, chunk, step: 1 }).collect())
    })?;
    Ok(Some(results))
}
