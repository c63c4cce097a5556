//! Combinators that read the same arrays and not each other run together.
//!
//! ```text
//! a = map f xs; b = map g xs             =>  a, b = map (\x -> f x, g x) xs
//! s = reduce op d xs; t = reduce oq e xs =>  s, t = reduce (op, oq) (d, e) xs xs
//! ```
//! So do histograms with the same indices, which then look up each bin once.
//! Two reductions also belong together when they read results of one map, which then
//! has one reader and runs in their loop.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::block::{first_reader, is_narrow, last_source, passes_writer, readers};
use crate::{
    lower::soac_to_loops::only_reader,
    support::{
        builder::Builder,
        combinator::{array_result_count, input_count},
        diag::Result,
        extent::extent_of,
        region::{move_before, move_body},
        update::Update,
    },
};

/// Merges the reductions of a block that read the same arrays, also by way of maps that run in their loops; returns how many.
pub fn reductions<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    let reductions = block.ops().into_iter().filter(|op| op.op_name() == "soac.reduce");
    for map in reductions.flat_map(|op| runs_inside(op, block)).collect::<Vec<_>>() {
        move_up(context, block, map);
    }
    let belong = |facts: &mut Facts<'c>, first: Op<'c>, second: Op<'c>| {
        let shares = |facts: &mut Facts<'c>, map: Op<'c>| {
            let mut others = facts.inside(second).into_iter();
            others.any(|other| is_narrow(map, other) && facts.share_source(map, other))
        };
        facts.share_source(first, second)
            || [first, second].into_iter().all(makes_numbers)
                && facts.inside(first).into_iter().any(|map| shares(facts, map))
    };
    merge_all(context, block, "soac.reduce", &|_| true, &belong, &reduce)
}

/// Whether a reduction is of numbers: others are not to hold it up.
fn makes_numbers(reduce: Op<'_>) -> bool {
    reduce.result_list().iter().all(|result| result.r#type().as_tensor().is_none())
}

/// Moves a map, which runs where its reader is, right behind what it reads.
fn move_up<'c>(context: &'c Context, block: Blk<'c>, map: Op<'c>) {
    let place = match last_source(block, map) {
        Some(source) => source.next_in_block(),
        None => block.first_operation(),
    };
    if let Some(place) = place.filter(|place| place.is_before(map)) {
        move_before(context, block, map, place);
    }
}

/// The maps that run in the loop of an operation.
fn runs_inside<'c>(op: Op<'c>, block: Blk<'c>) -> Vec<Op<'c>> {
    let makers = op.operand_list().into_iter().filter_map(|input| input.defining_op());
    let is_inside = |map: &Op<'c>| {
        map.op_name() == "soac.map"
            && only_reader(*map, block).is_some_and(|reader| reader.key() == op.key())
    };
    makers.filter(is_inside).collect()
}

fn reduce<'c>(
    b: &Builder<'c>,
    [first, second]: [Op<'c>; 2],
    bodies: [Blk<'c>; 2],
) -> Result<Vec<Val<'c>>> {
    let (first_ins, first_neutrals) = split_inputs(first);
    let (second_ins, second_neutrals) = split_inputs(second);
    let n = first_ins.len();
    let ins = [first_ins, second_ins].concat();
    let neutrals = [first_neutrals, second_neutrals].concat();
    b.reduce(&ins, &neutrals, |b, arguments| Ok(side_by_side(&b, bodies, n, arguments)))
}

/// Merges the histograms of a block with the same indices and the same number of bins; returns how
/// many.
pub fn histograms<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    // What is updated in place is read by nothing that could come to lie behind.
    let owns = |hist: Op<'c>| {
        let readers = |dest: &Val<'c>| {
            dest.users().iter().filter(|user| user.op_name() != "tensor.dim").count()
        };
        Update::of(hist).dests.iter().all(|dest| readers(dest) == 1)
    };
    let same_bins = |_: &mut Facts<'c>, first: Op<'c>, second: Op<'c>| {
        let (first, second) = (Update::of(first), Update::of(second));
        let keys = |list: &[Val<'c>]| list.iter().map(ValExt::key).collect::<Vec<_>>();
        let bins = |update: &Update<'c>| -> Vec<_> {
            let dest = update.dests.first().copied();
            let sizes = |dest| (0..update.at.len()).map(move |d| extent_of(dest, d));
            dest.into_iter().flat_map(sizes).collect()
        };
        keys(&first.at) == keys(&second.at) && bins(&first) == bins(&second)
    };
    merge_all(context, block, "soac.hist", &owns, &same_bins, &histogram)
}

fn histogram<'c>(
    b: &Builder<'c>,
    [first, second]: [Op<'c>; 2],
    bodies: [Blk<'c>; 2],
) -> Result<Vec<Val<'c>>> {
    let (one, two) = (Update::of(first), Update::of(second));
    let n = one.inputs.len();
    b.hist(
        &one.at,
        &[one.inputs, two.inputs].concat(),
        &[one.dests, two.dests].concat(),
        &[one.neutrals, two.neutrals].concat(),
        |b, arguments| Ok(side_by_side(&b, bodies, n, arguments)),
    )
}

/// Merges the maps of a block that read the same arrays, where neither runs in the loop of its
/// reader; returns how many.
pub fn maps<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    let is_stored = |map: Op<'c>| {
        array_result_count(map) == map.result_count()
            && input_count(map) == map.operand_count()
            && only_reader(map, block).is_none()
    };
    merge_all(context, block, "soac.map", &is_stored, &Facts::share_source, &map)
}

fn map<'c>(
    b: &Builder<'c>,
    [first, second]: [Op<'c>; 2],
    bodies: [Blk<'c>; 2],
) -> Result<Vec<Val<'c>>> {
    let [left, right] = bodies;
    let (ins, more) = (first.operand_list(), second.operand_list());
    let types: Vec<_> = first
        .result_list()
        .iter()
        .chain(&second.result_list())
        .map(|value| value.r#type())
        .collect();
    b.map(&[&ins[..], &more].concat(), &[], &types, |b, arguments| {
        let (own, other) = arguments.split_at(ins.len().min(arguments.len()));
        let mut yielded = rename(&b, left, own);
        yielded.extend(rename(&b, right, other));
        Ok(yielded)
    })
}

/// What merges two operations with their bodies into one, and gives its results.
type Merge<'a, 'c> = &'a dyn Fn(&Builder<'c>, [Op<'c>; 2], [Blk<'c>; 2]) -> Result<Vec<Val<'c>>>;

/// Merges the operations of a name that can run together and belong together.
fn merge_all<'c>(
    context: &'c Context,
    block: Blk<'c>,
    name: &str,
    fits: &dyn Fn(Op<'c>) -> bool,
    belong: &dyn Fn(&mut Facts<'c>, Op<'c>, Op<'c>) -> bool,
    merge: Merge<'_, 'c>,
) -> Result<u64> {
    let mut merged = 0;
    let fits = |op: &Op<'c>| op.op_name() == name && !readers(*op).is_empty() && fits(*op);
    let mut all: Vec<_> = block.ops().into_iter().filter(fits).collect();
    let mut facts = Facts::new(block);
    let mut i = 0;
    while let Some(&first) = all.get(i) {
        let partner = facts.partner(&all, i, belong);
        let bodies = partner.and_then(|(_, second, _)| Some([first.body(0)?, second.body(0)?]));
        let (Some((j, second, at)), Some(bodies)) = (partner, bodies) else {
            i += 1;
            continue;
        };
        let b = Builder::before(context, at, block).with_location(first.location());
        let new = merge(&b, [first, second], bodies)?;
        // The new operation can be merged in turn; it is where one of the two was.
        let op = new.first().and_then(|result| result.defining_op());
        let place = if at.key() == first.key() { i } else { j - 1 };
        replace(first, second, new);
        merged += 1;
        facts = Facts::new(block);
        all.remove(j);
        all.remove(i);
        op.filter(fits).into_iter().for_each(|op| all.insert(place, op));
    }
    Ok(merged)
}

/// What is known about operations of a block as it is now.
struct Facts<'c> {
    block: Blk<'c>,
    last_sources: HashMap<OpKey, Option<Op<'c>>>,
    sources: HashMap<OpKey, HashSet<Source>>,
    inside: HashMap<OpKey, Vec<Op<'c>>>,
}

impl<'c> Facts<'c> {
    fn new(block: Blk<'c>) -> Self {
        let (last_sources, sources, inside) = Default::default();
        Self { block, last_sources, sources, inside }
    }

    /// The first operation that one can be merged with, its position, and in front of which of them.
    fn partner(
        &mut self,
        all: &[Op<'c>],
        i: usize,
        belong: &dyn Fn(&mut Self, Op<'c>, Op<'c>) -> bool,
    ) -> Option<(usize, Op<'c>, Op<'c>)> {
        let first = *all.get(i)?;
        let reader = first_reader(self.block, first);
        all.iter().enumerate().skip(i + 1).find_map(|(j, &second)| {
            if !is_narrow(first, second) || !belong(self, first, second) {
                return None;
            }
            if self.last_source(second).is_none_or(|source| source.is_before(first)) {
                return Some((j, second, first));
            }
            let waits = reader.is_none_or(|reader| second.is_before(reader));
            (waits && !passes_writer(self.block, first, second)).then_some((j, second, second))
        })
    }

    fn last_source(&mut self, op: Op<'c>) -> Option<Op<'c>> {
        *self.last_sources.entry(op.key()).or_insert_with(|| last_source(self.block, op))
    }

    /// The maps that run in the loop of an operation.
    fn inside(&mut self, op: Op<'c>) -> Vec<Op<'c>> {
        let block = self.block;
        self.inside.entry(op.key()).or_insert_with(|| runs_inside(op, block)).clone()
    }

    /// Whether two combinators read a common array.
    fn share_source(&mut self, first: Op<'c>, second: Op<'c>) -> bool {
        for op in [first, second] {
            self.sources.entry(op.key()).or_insert_with(|| sources(op));
        }
        match (self.sources.get(&first.key()), self.sources.get(&second.key())) {
            (Some(left), Some(right)) => !left.is_disjoint(right),
            _ => false,
        }
    }
}

/// What an input is read from: an array in memory, or the map that makes it.
#[derive(PartialEq, Eq, Hash)]
enum Source {
    Array(ValueKey),
    Map(OpKey),
}

fn sources(op: Op<'_>) -> HashSet<Source> {
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
