//! Sums that reductions make.

use std::collections::HashSet;

use ad_dialect::ir::{Op, OpExt, ValExt};
use melior::Context;

use super::{
    build::{Sum, term_of},
    nest::Nest,
};
use crate::{
    contract,
    support::{
        diag::Result,
        hand_in::hand_in,
        region::{all_of, is_outside},
    },
};

/// Makes the sums of a function in tiles; returns how many.
pub fn run<'c>(context: &'c Context, function: Op<'c>) -> Result<u64> {
    let sums = all_of(function, "soac.reduce").into_iter().flat_map(contract::Sum::all);
    let (mut count, mut dead) = (0, vec![]);
    let mut gone = HashSet::new();
    for sum in sums.collect::<Vec<_>>() {
        if !replace(context, &sum)? {
            continue;
        }
        count += 1;
        let is_unused =
            |op: Op<'c>| op.result_list().iter().all(|result| result.users().is_empty());
        if is_unused(sum.reduce) && gone.insert(sum.reduce.key()) {
            dead.push(sum.reduce);
        }
    }
    dead.iter().for_each(OpExt::erase);
    Ok(count)
}

/// Reads a sum from an array that is made in tiles, if it can be.
fn replace<'c>(context: &'c Context, sum: &contract::Sum<'c>) -> Result<bool> {
    let find = || {
        let (products, value) = sum.summand()?;
        Some((Nest::around(sum.reduce, Some(products), None)?, value))
    };
    let start = sum.start();
    let Some((nest, term)) = term_of(context, &mut || find())? else { return Ok(false) };
    let Some(start) = start.filter(|&start| is_outside(nest.front, start)) else {
        return Ok(false);
    };
    let kept: Vec<_> = (0..nest.maps.len() - 1).collect();
    let outer = nest.maps[..kept.len()].to_vec();
    let made = Sum { nest, kept, start, term }.array(context)?;
    let element = made.and_then(|array| hand_in(context, &outer, array));
    let Some((element, total)) = element.zip(sum.result()) else { return Ok(false) };
    total.replace_all_uses(element);
    Ok(true)
}
