//! A map runs in the map that reads its result.
//!
//! ```text
//! ys = map f xs; zs = map g ys ws  =>  zs = map (\x w -> g (f x) w) xs ws
//! ```
//! If something behind the second map reads `ys`, too, the one map yields both. They stay two
//! where the first one runs faster in a loop of its own.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{
    block::{first_reader, is_narrow, last_source, passes_writer, readers},
    share_results,
};
use crate::{
    lower::soac_to_loops::{only_reader, runs_alone},
    support::{
        builder::{Builder, same_value},
        combinator::{array_result_count, input_count},
        diag::Result,
        region::{is_within, move_body},
    },
};

/// Merges maps of a block into those that read them; returns how many.
pub fn fuse_all<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    let mut fused = 0;
    let mut next = block.ops().first().copied();
    while let Some(producer) = next {
        next = producer.next();
        if producer.op_name() != "soac.map"
            || array_result_count(producer) < producer.result_count()
        {
            continue;
        }
        if let Some((consumer, at)) = consumer(block, producer) {
            let Some(new) = fuse(context, producer, consumer, at)? else { continue };
            share_results(new);
            // The new map, which may be the next one, can be merged into its reader in turn.
            if at.key() == producer.key() || next.map(|op| op.key()) == Some(consumer.key()) {
                next = Some(new);
            }
            consumer.erase();
            producer.erase();
            fused += 1;
        }
    }
    Ok(fused)
}

/// The map that the producer is to run in: its first reader, which reads nothing of it
/// but rows, if that gives the reader no second reader. Also in front of which of the
/// two they are to run.
fn consumer<'c>(block: Blk<'c>, producer: Op<'c>) -> Option<(Op<'c>, Op<'c>)> {
    let first = first_reader(block, producer)?;
    let users = readers(producer);
    let takes = first.op_name() == "soac.map" && first.result_count() > 0;
    let reads = users.iter().any(|user| user.key() == first.key());
    if !takes || !reads || !is_narrow(producer, first) || runs_alone(producer, first) {
        return None;
    }
    let others: Vec<_> = users.into_iter().filter(|user| user.key() != first.key()).collect();
    if others.iter().any(|user| is_within(*user, first)) {
        return None;
    }
    let at = if !passes_writer(block, producer, first) {
        first
    } else if last_source(block, first).is_none_or(|source| !producer.is_before(source)) {
        producer
    } else {
        return None;
    };
    // One more result must not take a reader away that runs the map in its own loop.
    match only_reader(first, block) {
        Some(reader) if others.iter().any(|user| user.key() != reader.key()) => None,
        _ => Some((first, at)),
    }
}

/// The one map, in front of `at`, that all readers of the two read from now on.
fn fuse<'c>(
    context: &'c Context,
    producer: Op<'c>,
    consumer: Op<'c>,
    at: Op<'c>,
) -> Result<Option<Op<'c>>> {
    let (Some(inner), Some(outer), Some(block)) =
        (producer.body(0), consumer.body(0), consumer.block())
    else {
        return Ok(None);
    };
    let operands = consumer.operand_list();
    let (inputs, accs) = operands.split_at(input_count(consumer).min(operands.len()));
    let made = producer.result_list();
    let number_of = |input: &Val<'c>| made.iter().position(|result| same_value(*result, *input));
    let own: Vec<_> = inputs.iter().filter(|input| number_of(input).is_none()).copied().collect();
    let elsewhere =
        |result: &Val<'c>| result.users().iter().any(|user| user.key() != consumer.key());
    let extra: Vec<_> = (0..made.len()).filter(|&i| made.get(i).is_some_and(elsewhere)).collect();
    let results = consumer.result_list();
    let (arrays, done) = results.split_at(array_result_count(consumer).min(results.len()));
    let kept: Vec<_> = extra.iter().filter_map(|&i| made.get(i).copied()).collect();
    let replaced = [arrays, &kept, done].concat();
    let types: Vec<_> = replaced.iter().map(|value| value.r#type()).collect();
    let b = Builder::before(context, at, block).with_location(consumer.location());
    let all = [&producer.operand_list()[..], &own].concat();
    let new = b.map(&all, accs, &types, |b, arguments| {
        let count = producer.operand_count();
        let (first, rest) = arguments.split_at(count.min(arguments.len()));
        for (old, new) in inner.arg_list().into_iter().zip(first) {
            old.replace_all_uses(*new);
        }
        let rows = move_body(&b, inner, &[]);
        let mut rest = rest.iter().copied();
        let outer_arguments = outer.arg_list();
        for (old, input) in outer_arguments.iter().zip(inputs) {
            let new = match number_of(input) {
                Some(number) => rows.get(number).copied(),
                None => rest.next(),
            };
            old.replace_all_uses(new.unwrap_or(*old));
        }
        for (old, new) in outer_arguments.iter().skip(inputs.len()).zip(rest) {
            old.replace_all_uses(new);
        }
        let mut yielded = move_body(&b, outer, &[]);
        let accumulators = yielded.split_off(arrays.len().min(yielded.len()));
        yielded.extend(extra.iter().filter_map(|&i| rows.get(i).copied()));
        yielded.extend(accumulators);
        Ok(yielded)
    })?;
    for (old, new) in replaced.into_iter().zip(&new) {
        old.replace_all_uses(*new);
    }
    Ok(new.first().and_then(|result| result.defining_op()))
}
