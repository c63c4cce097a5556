//! Combinators that read the same arrays and not each other run together.
//!
//! ```text
//! a = map f xs; b = map g xs             =>  a, b = map (\x -> f x, g x) xs
//! s = reduce op d xs; t = reduce oq e xs =>  s, t = reduce (op, oq) (d, e) xs xs
//! ```
//! So do histograms with the same indices, which then look up each bin once.
//! Two reductions also belong together when they read results of one map, which then
//! has one reader and runs in their loop.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::block::{Order, readers};
use crate::{
    lower::soac_to_loops::only_reader,
    support::{
        builder::Builder,
        combinator::{array_result_count, input_count},
        diag::Result,
        extent::extent_of,
        region::move_body,
        update::Update,
    },
};

/// Merges two reductions of a block that read the same arrays.
pub fn reduce_one<'c>(context: &'c Context, block: Blk<'c>) -> Result<bool> {
    let Some((first, second, at)) = pair(block, "soac.reduce", &|_| true, &share_source) else {
        return Ok(false);
    };
    let (Some(left), Some(right)) = (first.body(0), second.body(0)) else { return Ok(false) };
    let (first_ins, first_neutrals) = split_inputs(first);
    let (second_ins, second_neutrals) = split_inputs(second);
    let b = Builder::before(context, at, block).with_location(first.location());
    let n = first_ins.len();
    let ins = [first_ins, second_ins].concat();
    let neutrals = [first_neutrals, second_neutrals].concat();
    let new = b.reduce(&ins, &neutrals, |b, arguments| {
        Ok(side_by_side(&b, [left, right], n, arguments))
    })?;
    replace(first, second, new);
    Ok(true)
}

/// Merges two histograms of a block with the same indices and the same number of bins.
pub fn hist_one<'c>(context: &'c Context, block: Blk<'c>) -> Result<bool> {
    // What is updated in place is read by nothing that could come to lie behind.
    let owns = |hist: Op<'c>| {
        let readers = |dest: &Val<'c>| {
            dest.users().iter().filter(|user| user.op_name() != "tensor.dim").count()
        };
        Update::of(hist).dests.iter().all(|dest| readers(dest) == 1)
    };
    let same_bins = |first: Op<'c>, second: Op<'c>| {
        let (first, second) = (Update::of(first), Update::of(second));
        let keys = |list: &[Val<'c>]| list.iter().map(ValExt::key).collect::<Vec<_>>();
        let bins = |update: &Update<'c>| -> Vec<_> {
            let dest = update.dests.first().copied();
            let sizes = |dest| (0..update.at.len()).map(move |d| extent_of(dest, d));
            dest.into_iter().flat_map(sizes).collect()
        };
        keys(&first.at) == keys(&second.at) && bins(&first) == bins(&second)
    };
    let Some((first, second, at)) = pair(block, "soac.hist", &owns, &same_bins) else {
        return Ok(false);
    };
    let (Some(left), Some(right)) = (first.body(0), second.body(0)) else { return Ok(false) };
    let (one, two) = (Update::of(first), Update::of(second));
    let b = Builder::before(context, at, block).with_location(first.location());
    let n = one.inputs.len();
    let new = b.hist(
        &one.at,
        &[one.inputs, two.inputs].concat(),
        &[one.dests, two.dests].concat(),
        &[one.neutrals, two.neutrals].concat(),
        |b, arguments| Ok(side_by_side(&b, [left, right], n, arguments)),
    )?;
    replace(first, second, new);
    Ok(true)
}

/// Merges two maps of a block that read the same arrays, where neither runs in the
/// loop of its reader.
pub fn map_one<'c>(context: &'c Context, block: Blk<'c>) -> Result<bool> {
    let is_stored = |map: Op<'c>| {
        array_result_count(map) == map.result_count()
            && input_count(map) == map.operand_count()
            && only_reader(map, block).is_none()
    };
    let Some((first, second, at)) = pair(block, "soac.map", &is_stored, &share_source) else {
        return Ok(false);
    };
    let (Some(left), Some(right)) = (first.body(0), second.body(0)) else { return Ok(false) };
    let (ins, more) = (first.operand_list(), second.operand_list());
    let types: Vec<_> = first
        .result_list()
        .iter()
        .chain(&second.result_list())
        .map(|value| value.r#type())
        .collect();
    let b = Builder::before(context, at, block).with_location(first.location());
    let new = b.map(&[&ins[..], &more].concat(), &[], &types, |b, arguments| {
        let (own, other) = arguments.split_at(ins.len().min(arguments.len()));
        let mut yielded = rename(&b, left, own);
        yielded.extend(rename(&b, right, other));
        Ok(yielded)
    })?;
    replace(first, second, new);
    Ok(true)
}

/// Two operations of a name that can run together and belong together, and in front of which of
/// them.
fn pair<'c>(
    block: Blk<'c>,
    name: &str,
    fits: &dyn Fn(Op<'c>) -> bool,
    belong: &dyn Fn(Op<'c>, Op<'c>) -> bool,
) -> Option<(Op<'c>, Op<'c>, Op<'c>)> {
    let order = Order::new(block);
    let mut all = block.ops();
    all.retain(|op| op.op_name() == name && !readers(*op).is_empty() && fits(*op));
    for (i, &first) in all.iter().enumerate() {
        for &second in all.iter().skip(i + 1) {
            if !belong(first, second) {
                continue;
            }
            let (Some(here), Some(there)) = (order.of(first), order.of(second)) else { continue };
            if order.is_ready(second, here) {
                return Some((first, second, first));
            }
            if order.is_read_behind(first, there) && !order.passes_writer(first, there) {
                return Some((first, second, second));
            }
        }
    }
    None
}

/// Whether two combinators read a common array.
fn share_source<'c>(first: Op<'c>, second: Op<'c>) -> bool {
    let own = sources(first);
    sources(second).iter().any(|source| own.contains(source))
}

/// What an input is read from: an array in memory, or the map that makes it.
#[derive(PartialEq)]
enum Source {
    Array(ValueKey),
    Map(OpKey),
}

fn sources(op: Op<'_>) -> Vec<Source> {
    let inputs = op.operand_list().into_iter().take(input_count(op));
    let stored = inputs.filter_map(|input| match input.defining_op() {
        Some(map) if map.op_name() == "soac.map" => Some(Source::Map(map.key())),
        Some(other) if ["soac.iota", "soac.replicate"].contains(&other.op_name()) => None,
        _ => Some(Source::Array(input.key())),
    });
    stored.collect()
}

fn split_inputs<'c>(op: Op<'c>) -> (Vec<Val<'c>>, Vec<Val<'c>>) {
    let mut inputs = op.operand_list();
    let rest = inputs.split_off(input_count(op).min(inputs.len()));
    (inputs, rest)
}

/// Two operators on tuples as one, of which the first has n components.
fn side_by_side<'c>(
    b: &Builder<'c>,
    [first, second]: [Blk<'c>; 2],
    n: usize,
    arguments: &[Val<'c>],
) -> Vec<Val<'c>> {
    let (lefts, rights) = arguments.split_at(arguments.len() / 2);
    let part = |from: usize, to: usize| {
        [lefts.get(from..to), rights.get(from..to)].map(Option::unwrap_or_default).concat()
    };
    let mut yielded = rename(b, first, &part(0, n));
    yielded.extend(rename(b, second, &part(n, lefts.len())));
    yielded
}

fn rename<'c>(b: &Builder<'c>, body: Blk<'c>, arguments: &[Val<'c>]) -> Vec<Val<'c>> {
    // What is yielded may be an argument, which is renamed in the terminator, too.
    for (old, new) in body.arg_list().into_iter().zip(arguments) {
        old.replace_all_uses(*new);
    }
    move_body(b, body, &[])
}

fn replace<'c>(first: Op<'c>, second: Op<'c>, new: Vec<Val<'c>>) {
    let old = first.result_list().into_iter().chain(second.result_list());
    for (old, new) in old.zip(new) {
        old.replace_all_uses(new);
    }
    second.erase();
    first.erase();
}
