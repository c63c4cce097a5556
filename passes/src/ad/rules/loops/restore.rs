//! Return loops that put an array back hand it on, so that a nest has one array [FUT 6.2].
//! The paper saves a copy of the array unless the user promises that there are no false
//! dependencies.
//!
//! ```text
//! return sweep of an iteration of the outer loop, which updates xs in inner loops 1 .. m:
//!   xs_0 = xs with the iteration taken back
//!   xs_1 = inner loop 1 again ...  xs_m = inner loop m again
//!   xs_m-1' = return loop m from xs_m     -- takes its updates back as it goes
//!   ...
//!   xs_0' = return loop 1 from xs_1'
//! ```
//! `xs_i'` equals `xs_i`, which the loops after have overwritten when it is wanted: who reads
//! it in the return sweep reads `xs_i'`, and the next iteration starts from `xs_0'`. What no
//! return loop takes back, such as an update or a loop whose return loop does not read the
//! array, is taken back with the tapes of the outer loop. A branch hands the array on from
//! whichever side ran.
//!
//! Limit: an array that goes through many loops and branches is copied instead in every
//! iteration of the outer loop (`MAX_NESTS`).
//!
//! Invariant: only equal values replace each other, so that nothing here can make a result
//! wrong; a version that is read out of order keeps the one of the forward sweep, and is copied.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt, ValueKey};
use melior::ir::ValueLike;

use super::in_place::{Iteration, MAX_NESTS, Planned, Site, is_in, nests};
use crate::{
    ad::vjp::Vjp,
    simplify::Needed,
    support::{
        builder::{Builder, same_value},
        diag::Result,
        region::{with_more, yield_more},
    },
};

/// What the return sweep of a block has for the updates of an array, first to last.
pub struct Chain<'c> {
    links: Vec<Link<'c>>,
    /// The forward sweep.
    copies: HashSet<OpKey>,
    /// Whether the array goes through few loops and branches.
    is_short: bool,
}

/// What there is for one update.
struct Link<'c> {
    /// The array after the update, in the forward sweep.
    after: Option<Val<'c>>,
    definition: Option<OpKey>,
    back: Back<'c>,
}

/// How the return sweep takes back an update.
enum Back<'c> {
    /// Not by itself.
    No,
    /// The return loop, by the result with this number.
    Loop(OpKey, usize),
    /// The return branch, known by its first block, because more results make it another one.
    Branch(OpKey, Blk<'c>, [Chain<'c>; 2]),
}

impl<'c> Chain<'c> {
    /// Looks up what the engine has made of the updates in a source block.
    pub fn new(vjp: &Vjp<'_, 'c>, source: Blk<'c>, sites: &[Site<'c>]) -> Self {
        let copies = source.body_ops().into_iter().filter_map(|op| vjp.copy_of(op));
        Self {
            copies: copies.map(|op| op.key()).collect(),
            links: sites.iter().map(|site| Link::new(vjp, site)).collect(),
            is_short: nests(sites) <= MAX_NESTS,
        }
    }

    /// Forgets what has been erased of a block, whose operations are given.
    pub fn retain(&mut self, alive: &HashSet<OpKey>) {
        for link in &mut self.links {
            link.after =
                link.after.filter(|_| link.definition.is_some_and(|op| alive.contains(&op)));
            if let Back::Loop(op, _) | Back::Branch(op, ..) = &link.back
                && !alive.contains(op)
            {
                link.back = Back::No;
            }
        }
    }
}

impl<'c> Link<'c> {
    fn new(vjp: &Vjp<'_, 'c>, site: &Site<'c>) -> Self {
        let (Site::Update(op, position)
        | Site::Branch(op, position, _)
        | Site::Loop(op, position, _)) = site;
        let after = op.res(*position).map(|result| vjp.primal(result));
        let definition = after.and_then(|after| after.defining_op()).map(|op| op.key());
        let returned = vjp.returned.get(&op.key());
        let back = match (site, returned) {
            (Site::Loop(..), Some(back)) => back
                .restored
                .iter()
                .find(|(carried, _)| carried == position)
                .map_or(Back::No, |&(_, result)| Back::Loop(back.op.key(), result)),
            (Site::Branch(_, _, [then, other]), Some(back)) => {
                match (op.body(0), op.body(1), back.op.body(0)) {
                    (Some(first), Some(second), Some(block)) => {
                        let chains = [Chain::new(vjp, first, then), Chain::new(vjp, second, other)];
                        Back::Branch(back.op.key(), block, chains)
                    }
                    _ => Back::No,
                }
            }
            _ => Back::No,
        };
        Self { after, definition, back }
    }
}

/// Where the return sweep of a block has arrived.
struct Position<'c> {
    /// So many updates are in the array.
    now: usize,
    array: Val<'c>,
}

/// Lets the return sweep of an iteration go from one version of the array to the one
/// before; returns that at the entry, which is `first` in the forward sweep of the block.
pub fn restore<'c>(
    b: &Builder<'c>,
    iteration: &Iteration<'_, 'c>,
    block: Blk<'c>,
    (chain, planned): (&Chain<'c>, &[Planned<'c>]),
    first: Val<'c>,
) -> Result<Val<'c>> {
    let Some(end) = block.term().filter(|_| chain.links.len() == planned.len()) else {
        return Ok(first);
    };
    let is_here = |value: &Val<'c>| value.defining_op().is_some_and(|op| is_in(op, block));
    let mut versions = vec![Some(first)];
    versions.extend(chain.links.iter().map(|link| link.after.filter(is_here)));
    let needed = Needed::at_end(block, &end.operand_list());
    if !chain.is_short {
        let after = chain.links.last().and_then(|link| link.after.filter(is_here));
        let Some(after) = after.filter(|v| needed.has(*v)) else { return Ok(first) };
        let b = Builder::before(b.context(), end, block).with_location(b.location());
        return iteration.undo(&b, planned, after);
    }
    let last = versions.iter().rposition(|version| version.is_some_and(|v| matters(v, &needed)));
    let now = last.unwrap_or(0);
    let numbers: HashMap<ValueKey, usize> =
        versions.iter().enumerate().filter_map(|(i, v)| Some(((*v)?.key(), i))).collect();
    let mut position = Position { now, array: versions[now].unwrap_or(first) };
    let ops = block.body_ops();
    let is_forward = |op: &Op<'c>| {
        chain.copies.contains(&op.key())
            || op.result_list().iter().any(|result| numbers.contains_key(&result.key()))
    };
    let start = ops.iter().rposition(is_forward).map_or(0, |last| last + 1);
    for op in ops.into_iter().skip(start) {
        let oldest = oldest_read(op, &numbers);
        if let Some(oldest) = oldest.filter(|&oldest| oldest < position.now) {
            let b = Builder::before(b.context(), op, block).with_location(b.location());
            let undone = &planned[oldest..position.now];
            position = Position { now: oldest, array: iteration.undo(&b, undone, position.array)? };
        }
        let reads = read(op, &numbers, &position);
        pass(b, iteration, op, (chain, planned), &mut position, reads)?;
    }
    let b = Builder::before(b.context(), end, block).with_location(b.location());
    iteration.undo(&b, &planned[..position.now], position.array)
}

/// Whether a version matters as a result or in the loop that makes it.
fn matters<'c>(version: Val<'c>, needed: &Needed<'_>) -> bool {
    let carried = version
        .defining_op()
        .filter(|op| op.op_name() == "scf.for")
        .and_then(|op| op.body(0)?.arg_list().get(version.position() + 1).copied());
    needed.has(version) || carried.is_some_and(|v| needed.has(v))
}

/// The first of the versions whose elements an operation reads.
fn oldest_read<'c>(op: Op<'c>, numbers: &HashMap<ValueKey, usize>) -> Option<usize> {
    let mut oldest: Option<usize> = None;
    op.for_each(&mut |inner| {
        if inner.op_name() != "tensor.dim" {
            let read = inner.operand_list();
            let read = read.iter().filter_map(|value| numbers.get(&value.key()).copied());
            oldest = oldest.into_iter().chain(read).min();
        }
    });
    oldest
}

/// Lets an operation read the array as it is now; says whether it does.
fn read<'c>(op: Op<'c>, numbers: &HashMap<ValueKey, usize>, position: &Position<'c>) -> bool {
    let mut reads = false;
    op.for_each(&mut |inner| {
        let is_dim = inner.op_name() == "tensor.dim";
        for (i, value) in inner.operand_list().into_iter().enumerate() {
            let Some(&version) = numbers.get(&value.key()) else { continue };
            if version == position.now || is_dim {
                inner.set_operand(i, position.array);
                reads |= !is_dim;
            }
        }
    });
    reads
}

/// Goes on after an operation that takes an update back.
fn pass<'c>(
    b: &Builder<'c>,
    iteration: &Iteration<'_, 'c>,
    op: Op<'c>,
    (chain, planned): (&Chain<'c>, &[Planned<'c>]),
    position: &mut Position<'c>,
    reads: bool,
) -> Result<()> {
    for (i, (link, planned)) in chain.links.iter().zip(planned).enumerate() {
        match (&link.back, planned) {
            (Back::Loop(back, result), _) if *back == op.key() && position.now == i + 1 => {
                let start = op.opnd(3 + result);
                if let Some(array) = op.res(*result)
                    && start.is_some_and(|start| same_value(start, position.array))
                {
                    *position = Position { now: i, array };
                    return Ok(());
                }
            }
            (Back::Branch(_, block, chains), Planned::Branch { chains: planned, .. })
                if reads
                    && position.now == i
                    && op.body(0).is_some_and(|body| body.to_raw().ptr == block.to_raw().ptr) =>
            {
                let mut restored = vec![];
                for ((block, chain), planned) in op.blocks().into_iter().zip(chains).zip(planned) {
                    restored.push(restore(b, iteration, block, (chain, planned), position.array)?);
                }
                if restored.iter().all(|&array| same_value(array, position.array)) {
                    return Ok(());
                }
                let new = with_more(b.context(), op, &[], &[position.array.r#type()]);
                for (block, array) in new.blocks().into_iter().zip(restored) {
                    yield_more(block, &[array]);
                }
                position.array = new.result_list().last().copied().unwrap_or(position.array);
                return Ok(());
            }
            _ => {}
        }
    }
    Ok(())
}
