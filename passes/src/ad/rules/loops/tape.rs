//! What the forward loop saves for the return loop.
//!
//! The return loop is there already, with stand-ins for the values that the forward loop
//! carries. Those that turn out to matter are saved.

use std::collections::{BTreeSet, HashSet};

use ad_dialect::ir::{Blk, BlkExt, DYNAMIC, Op, OpExt, OpKey, TyExt, Val, ValExt, array_of};
use melior::ir::{ValueLike, attribute::StringAttribute, operation::OperationLike};

use super::{
    Parts, from_last,
    in_place::{Plan, at_top, more_arguments, trace},
    iteration_number,
    keep::{Kept, Room, keep},
    remark::{Fate, Report, constant_trips},
    restore::{Chain, restore},
    twin::Twins,
    undo::Undo,
};
use crate::{
    ad::vjp::{Returned, Vjp},
    simplify::Needed,
    support::{
        bounds::{induction_variable, trip_count},
        builder::{Builder, same_value},
        diag::{Result, internal_error},
        extent::keeps_shape,
        region::{erase_dead_ops, with_more, yield_more},
    },
};

/// The return loop as it was built.
pub struct Back<'c> {
    /// The loop.
    pub back: Op<'c>,
    /// The number of iterations.
    pub trips: Val<'c>,
    /// What stands for each loop-carried value, unless it is frozen.
    pub stand_ins: Vec<Option<Val<'c>>>,
}

/// A loop-carried value whose stand-in the return loop still uses.
struct Reading<'c> {
    /// The position among the loop-carried values.
    position: usize,
    stand_in: Val<'c>,
    source: Source<'c>,
}

/// Where the return loop gets a loop-carried value from.
enum Source<'c> {
    /// It does not change.
    Invariant,
    /// The use does not matter, so any version will do.
    Any,
    /// A copy for every iteration.
    Whole,
    /// The inverse of the call that the loop carries it through.
    Undone,
    /// What every iteration overwrites, and what the return loop does with the array.
    InPlace(Plan<'c>, Chain<'c>),
}

/// Saves in the forward loop what the return loop reads, and reads it there in place of
/// the stand-ins; returns the return loop and what it puts back.
pub fn load<'c>(
    op: Op<'c>,
    vjp: &mut Vjp<'_, 'c>,
    parts: &Parts<'c>,
    built: &Back<'c>,
) -> Result<Returned<'c>> {
    let Some(forward) = vjp.copy_of(op) else {
        return Err(internal_error(op, "loop without forward sweep"));
    };
    let chains = chains(vjp, parts, built);
    let undos = Undo::all(op, vjp, parts);
    let mut twins = Twins::new(vjp, forward, parts.body);
    let block = return_block(built)?;
    // Handles of erased operations must not be touched, so what they define is looked up before.
    let stand_ins: Vec<_> =
        built.stand_ins.iter().map(|s| s.as_ref().and_then(definition)).collect();
    erase_dead_ops(block);
    let read = read(built, &stand_ins, &[])?;
    let is_undone = |i: usize| undos.iter().any(|undo| undo.positions().any(|p| p == i));
    let is_saved = |i: &(usize, Val<'c>, bool)| i.2 && !is_undone(i.0);
    let room = room(forward, read.iter().filter(|reading| is_saved(reading)), &chains)?;
    let carried = read.into_iter().map(|(position, value, _)| (value, position));
    let induction = vjp.primal(parts.body.arg_list()[0]);
    twins.find_values(induction, (built.back, block), carried);
    let kept = keep(vjp, &mut twins, block, room);
    let mut readings = readings(forward, built, (&stand_ins, &kept), chains)?;
    for reading in &mut readings {
        if matches!(reading.source, Source::Whole) && is_undone(reading.position) {
            reading.source = Source::Undone;
        }
    }
    vjp.session.loops.push(report(op, built, &readings, &kept));
    let saved: Vec<_> = readings
        .iter()
        .filter(|reading| matches!(reading.source, Source::Whole | Source::InPlace(..)))
        .collect();
    let mut tapes = vec![];
    if !(saved.is_empty() && kept.is_empty()) {
        vjp.session.statistics.checkpoints += (saved.len() + kept.len()) as u64;
        tapes = save(op, vjp, forward, (&saved, &kept))?;
    }
    let is_read = |undo: &&Undo<'c>| {
        let mut undone = readings.iter().filter(|r| matches!(r.source, Source::Undone));
        undone.any(|reading| undo.positions().any(|p| p == reading.position))
    };
    let undos: Vec<_> = undos.iter().filter(is_read).collect();
    let returned = read_back(op, vjp, built, (&readings, &kept, &undos), &tapes)?;
    let stand_ins = readings.iter().map(|reading| reading.stand_in);
    for stand_in in stand_ins.chain(kept.iter().map(|kept| kept.stand_in)) {
        if let Some(stand_in) = stand_in.defining_op() {
            stand_in.erase();
        }
    }
    Ok(returned)
}

/// What defines a value.
fn definition(value: &Val<'_>) -> Option<OpKey> {
    value.defining_op().map(|op| op.key())
}

/// The body of the return loop.
fn return_block<'c>(built: &Back<'c>) -> Result<Blk<'c>> {
    built.back.body(0).ok_or_else(|| internal_error(built.back, "loop without body"))
}

/// What the return loop does with each loop-carried array that is only updated in place.
fn chains<'c>(vjp: &Vjp<'_, 'c>, parts: &Parts<'c>, built: &Back<'c>) -> Vec<Option<Chain<'c>>> {
    let chain = |(i, &carried): (usize, &Val<'c>)| {
        built.stand_ins[i]?;
        let (sites, from) = trace(parts.body, parts.yielded[i])?;
        same_value(from, carried).then(|| Chain::new(vjp, parts.body, &sites))
    };
    parts.carried.iter().enumerate().map(chain).collect()
}

/// Says where the return loop, whose dead operations are gone, gets its values from; given what
/// defined the stand-ins, and what is kept.
fn readings<'c>(
    forward: Op<'c>,
    built: &Back<'c>,
    (stand_ins, kept): (&[Option<OpKey>], &[Kept<'c>]),
    mut chains: Vec<Option<Chain<'c>>>,
) -> Result<Vec<Reading<'c>>> {
    let Some(body) = forward.body(0) else {
        return Err(internal_error(forward, "loop without body"));
    };
    let block = return_block(built)?;
    let alive: HashSet<OpKey> = block.ops().into_iter().map(|op| op.key()).collect();
    let (arguments, next) = (body.arg_list(), body.ends());
    let mut readings = vec![];
    for (i, stand_in, is_needed) in read(built, stand_ins, kept)? {
        let source = if !is_needed {
            Source::Any
        } else {
            let chain = chains[i].take().map(|mut chain| {
                chain.retain(&alive);
                chain
            });
            source(forward, arguments[i + 1], next[i], chain)
        };
        readings.push(Reading { position: i, stand_in, source });
    }
    Ok(readings)
}

/// The stand-ins that are still there, with their positions and whether their use matters.
fn read<'c>(
    built: &Back<'c>,
    stand_ins: &[Option<OpKey>],
    kept: &[Kept<'c>],
) -> Result<Vec<(usize, Val<'c>, bool)>> {
    let block = return_block(built)?;
    // What was made since then may have the keys of what is gone.
    let new: Vec<_> = kept.iter().filter_map(|value| definition(&value.stand_in)).collect();
    let keys = block.ops().into_iter().map(|op| op.key());
    let alive: HashSet<OpKey> = keys.filter(|key| !new.contains(key)).collect();
    let yielded = block.ends();
    let needed = Needed::at_end(block, &yielded);
    let mut read = vec![];
    for (i, (stand_in, definition)) in built.stand_ins.iter().zip(stand_ins).enumerate() {
        let Some(stand_in) = stand_in.filter(|_| definition.is_some_and(|op| alive.contains(&op)))
        else {
            continue;
        };
        if !stand_in.r#type().is_acc() {
            read.push((i, stand_in, needed.has(stand_in)));
        }
    }
    Ok(read)
}

/// What the loop saves anyhow.
fn room<'a, 'c: 'a>(
    forward: Op<'c>,
    read: impl Iterator<Item = &'a (usize, Val<'c>, bool)>,
    chains: &[Option<Chain<'c>>],
) -> Result<Room> {
    let Some(body) = forward.body(0) else {
        return Err(internal_error(forward, "loop without body"));
    };
    let mut room = Room::default();
    for (i, stand_in, _) in read {
        let next = body.term().and_then(|end| end.opnd(*i));
        let updates = next.and_then(|next| trace(body, next)).filter(|(_, from)| {
            body.arg_list().get(i + 1).is_some_and(|own| same_value(*from, *own))
        });
        match updates {
            Some((sites, _)) if sites.is_empty() => {}
            Some((sites, from))
                if chains[*i].is_some() && Plan::new(forward, from, &sites).is_some() =>
            {
                room.is_in_place = true;
            }
            _ => room.rank = room.rank.max(Some(stand_in.r#type().shape().len())),
        }
    }
    Ok(room)
}

/// The cheapest source for a value that is carried from `now` to `next`.
fn source<'c>(
    forward: Op<'c>,
    now: Val<'c>,
    next: Val<'c>,
    chain: Option<Chain<'c>>,
) -> Source<'c> {
    let Some(body) = forward.body(0) else { return Source::Whole };
    match trace(body, next) {
        Some((sites, from)) if same_value(from, now) => {
            if sites.is_empty() {
                return Source::Invariant;
            }
            match (Plan::new(forward, now, &sites), chain) {
                (Some(plan), Some(chain)) => Source::InPlace(plan, chain),
                _ => Source::Whole,
            }
        }
        _ => Source::Whole,
    }
}

/// What becomes of the loop-carried values.
fn report<'c>(
    op: Op<'c>,
    built: &Back<'c>,
    readings: &[Reading<'c>],
    kept: &[Kept<'c>],
) -> Report<'c> {
    let fate = |(i, result): (usize, Val<'c>)| {
        let reading = readings.iter().find(|reading| reading.position == i);
        let fate = match reading.map(|reading| &reading.source) {
            None if built.stand_ins[i].is_none() => Fate::Frozen,
            None | Some(Source::Any) => Fate::Unread,
            Some(Source::Invariant) => Fate::Invariant,
            Some(Source::Undone) => Fate::Undone,
            Some(Source::Whole) => Fate::Whole,
            Some(Source::InPlace(plan, _)) => Fate::Overwritten(plan.sizes()),
        };
        (result.r#type(), fate)
    };
    let fates = op.result_list().into_iter().enumerate().map(fate).collect();
    let kept = kept.iter().map(|kept| kept.result.r#type()).collect();
    Report { op, trips: constant_trips(built.trips), fates, kept }
}

/// Rebuilds the forward loop so that it fills the tapes; returns them in order.
fn save<'c>(
    op: Op<'c>,
    vjp: &mut Vjp<'_, 'c>,
    forward: Op<'c>,
    (saved, kept): (&[&Reading<'c>], &[Kept<'c>]),
) -> Result<Vec<Val<'c>>> {
    let Some(body) = forward.body(0) else {
        return Err(internal_error(forward, "loop without body"));
    };
    let context = vjp.session.context();
    let b = Builder::before(context, forward, body).deriving(forward);
    let operands = forward.operand_list();
    let bounds = [operands[0], operands[1], operands[2]];
    let trips = trip_count(&b, &bounds);
    let mut empty = vec![];
    for reading in saved {
        if let Source::InPlace(plan, _) = &reading.source {
            empty.extend(plan.empty_tapes(&b, trips));
        } else {
            let value = operands[3 + reading.position];
            let sizes = [&[trips], &b.dynamic_dims(value)[..]].concat();
            empty.push(b.empty(array_of(DYNAMIC, value.r#type()), &sizes));
        }
    }
    for value in kept {
        let sizes = [&[trips], &value.dynamic_sizes(&b)[..]].concat();
        empty.push(b.empty(array_of(DYNAMIC, value.result.r#type()), &sizes));
    }
    let types: Vec<_> = empty.iter().map(|tape| tape.r#type()).collect();
    let old: Vec<_> = forward.result_list().iter().map(ValExt::key).collect();
    let new = with_more(context, forward, &empty, &types);
    let mut tapes = more_arguments(body, &types, new);
    let top = at_top(&b, body);
    let k = iteration_number(&top, body.arg_list()[0], &bounds);
    let mut first = 0;
    for reading in saved {
        let count = match &reading.source {
            Source::InPlace(plan, _) => {
                let count = plan.tape_count();
                plan.record(&top, &mut tapes[first..first + count], k)?;
                count
            }
            _ => {
                let carried = body.arg_list()[reading.position + 1];
                check_shape(&top, body, carried, operands[3 + reading.position]);
                tapes[first] = top.insert_row(carried, tapes[first], k);
                1
            }
        };
        // At once, because the next plan may replace the operations that yield these.
        yield_more(body, &tapes[first..first + count]);
        first += count;
    }
    let is_checked = |position: &usize| {
        saved.iter().any(|own| own.position == *position && matches!(own.source, Source::Whole))
    };
    let like: BTreeSet<usize> = kept.iter().flat_map(|value| value.like.iter().copied()).collect();
    for position in like.into_iter().filter(|position| !is_checked(position)) {
        check_shape(&top, body, body.arg_list()[position + 1], operands[3 + position]);
    }
    for (value, tape) in kept.iter().zip(tapes.split_off(first)) {
        let Some(end) = body.term() else { break };
        let b = Builder::before(context, end, body).with_location(top.location());
        yield_more(body, &[b.insert_row(value.result, tape, k)]);
    }
    vjp.masks.rename(&old, &new.result_list());
    vjp.replace_copy(op, new);
    Ok(new.result_list().split_off(old.len()))
}

/// A tape has room for values of the initial shape: another shape is an error at run time,
/// unless it is clear that there is none [FUT 6.3].
fn check_shape<'c>(b: &Builder<'c>, body: Blk<'c>, carried: Val<'c>, init: Val<'c>) {
    let next = body.term().and_then(|end| end.opnd(carried.position() - 1));
    let shape = carried.r#type().shape();
    if next.is_none_or(|next| keeps_shape(next, carried)) {
        return;
    }
    for d in (0..shape.len()).filter(|&d| shape[d] == DYNAMIC) {
        let sizes = [b.dim(carried, d), b.dim(init, d)];
        // 0 is the predicate "eq".
        let predicate = [("predicate", b.i64_attr(0))];
        let same = b.val_with("arith.cmpi", &sizes, b.bool_type(), &predicate);
        let text = "a loop-carried tensor changes its shape, so its versions cannot be saved";
        let message = StringAttribute::new(b.context(), text).into();
        b.op_with("cf.assert", &[same], &[], &[("msg", message)], &[]);
    }
}

/// Gives the return loop what it reads; returns the loop and what it puts back.
fn read_back<'c>(
    op: Op<'c>,
    vjp: &Vjp<'_, 'c>,
    built: &Back<'c>,
    (readings, kept, undos): (&[Reading<'c>], &[Kept<'c>], &[&Undo<'c>]),
    tapes: &[Val<'c>],
) -> Result<Returned<'c>> {
    let context = vjp.session.context();
    let block = return_block(built)?;
    let (inits, results) =
        (vjp.primal_list(&op.operand_list()), vjp.primal_list(&op.result_list()));
    let bounds = &inits[..3];
    // Arrays that are put back as they were go from iteration to iteration.
    let in_place: Vec<_> = readings
        .iter()
        .filter(|reading| matches!(reading.source, Source::InPlace(..)))
        .map(|reading| reading.position)
        .collect();
    let through = undos.iter().flat_map(|undo| undo.positions());
    let undone: Vec<_> =
        in_place.iter().copied().chain(through).map(|position| results[position]).collect();
    let restored = in_place.into_iter().zip(built.back.result_list().len()..).collect();
    let types: Vec<_> = undone.iter().map(|array| array.r#type()).collect();
    let back = if undone.is_empty() {
        built.back
    } else {
        with_more(context, built.back, &undone, &types)
    };
    let mut arrays = more_arguments(block, &types, back).into_iter();
    let b = at_top(&Builder::at_end(context, block, op.location()), block);
    let k = from_last(&b, built.trips, block.arg_list()[0]);
    let iv = induction_variable(&b, bounds, k);
    let mut tapes = tapes.iter().copied();
    for reading in readings {
        let value = match &reading.source {
            Source::Undone => continue,
            Source::Invariant | Source::Any => inits[3 + reading.position],
            Source::Whole => {
                let Some(tape) = tapes.next() else { break };
                b.row_as(tape, k, reading.stand_in.r#type())
            }
            Source::InPlace(plan, chain) => {
                let own: Vec<_> = tapes.by_ref().take(plan.tape_count()).collect();
                let Some(array) = arrays.next() else { break };
                let iteration = plan.iteration(&own, (k, iv));
                let before = iteration.undo(&b, plan.chain(), array)?;
                reading.stand_in.replace_all_uses(before);
                // The body runs again on the array, so that its version at the end of the
                // return sweep goes on.
                let both = (chain, plan.chain());
                let last = restore(&b, &iteration, block, both, before)?;
                yield_more(block, &[last]);
                continue;
            }
        };
        reading.stand_in.replace_all_uses(value);
    }
    for undo in undos {
        let after: Vec<_> = arrays.by_ref().take(undo.positions().count()).collect();
        let before = undo.back(&b, &after);
        for (position, &value) in undo.positions().zip(&before) {
            let own = readings.iter().find(|reading| reading.position == position);
            own.into_iter().for_each(|reading| reading.stand_in.replace_all_uses(value));
        }
        yield_more(block, &before);
    }
    for (value, tape) in kept.iter().zip(tapes) {
        value.stand_in.replace_all_uses(b.row_as(tape, k, value.stand_in.r#type()));
    }
    Ok(Returned { op: back, restored })
}
