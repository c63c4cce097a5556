//! Components of reductions, loops and generic operations that nothing reads.
//!
//! A reduction of a tuple, and a loop that carries several values, may compute some
//! of them only for themselves. Such a component is dropped.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, i32_array};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::needed::Needed;
use crate::support::{
    builder::{Builder, same_value},
    structured::drop_unneeded,
    update::Update,
};

/// A reduction whose operator gives back the left operands is its neutral elements, a
/// hist its destinations.
pub fn fold_reduce(op: Op<'_>) -> bool {
    if !["soac.hist", "soac.reduce"].contains(&op.op_name()) {
        return false;
    }
    let Some(body) = op.body(0) else { return false };
    let yielded = body.ends();
    let count = yielded.len();
    let lefts = body.arg_list();
    if count == 0 || !yielded.iter().zip(&lefts).all(|(value, left)| same_value(*value, *left)) {
        return false;
    }
    let starts = match op.op_name() {
        "soac.hist" => Update::of(op).dests,
        _ => op.operand_list().split_off(count),
    };
    for (result, start) in op.result_list().into_iter().zip(starts) {
        result.replace_all_uses(start);
    }
    true
}

/// Drops dead components everywhere; returns whether there were any.
pub fn drop_components<'c>(context: &'c Context, module: Op<'c>) -> bool {
    let mut all = vec![];
    module.for_each(&mut |op| {
        if ["soac.hist", "soac.reduce", "scf.for"].contains(&op.op_name()) && op.result_count() > 1
        {
            all.push(op);
        }
    });
    let mut changed = false;
    // Innermost first: no operation in the list is inside of one that is replaced before.
    for op in all.into_iter().rev() {
        changed |= match op.op_name() {
            "scf.for" => idle_loop_components(op),
            _ => shrink_fold(context, op).is_some(),
        };
    }
    changed
}

/// Lets a dead loop-carried value be handed on unchanged; canonicalisation drops it.
fn idle_loop_components(op: Op<'_>) -> bool {
    let (Some(body), results) = (op.body(0), op.result_list()) else { return false };
    let Some(end) = body.term() else { return false };
    let arguments = body.arg_list();
    let live = live_components(body, &results, |k| vec![k + 1]);
    let mut changed = false;
    for k in (0..results.len()).filter(|k| !live.contains(k)) {
        if let (Some(&argument), Some(yielded)) = (arguments.get(k + 1), end.opnd(k))
            && !same_value(argument, yielded)
            // A linear value must be handed on as it is.
            && !ad_dialect::capi::is_acc(argument.r#type())
        {
            end.set_operand(k, argument);
            changed = true;
        }
    }
    changed
}

/// Rebuilds a reduction or hist without its dead components.
fn shrink_fold<'c>(context: &'c Context, op: Op<'c>) -> Option<()> {
    let (body, results, operands) = (op.body(0)?, op.result_list(), op.operand_list());
    let count = results.len();
    let live = live_components(body, &results, |k| vec![k, k + count]);
    if live.len() == count || live.is_empty() {
        return None;
    }
    let is_hist = op.op_name() == "soac.hist";
    // The width must still be visible in the inputs that stay.
    let segments = op.attr("operandSegmentSizes").and_then(i32_array)?;
    if !is_hist && segments.first().copied() != Some(count as i32) {
        return None;
    }
    let keep = |list: &[Val<'c>]| -> Vec<Val<'c>> {
        let kept = list.iter().enumerate().filter(|(k, _)| live.contains(&(k % count)));
        kept.map(|(_, value)| *value).collect()
    };
    let end = body.term()?;
    let yielded = keep(&end.operand_list());
    end.erase();
    let (old_arguments, old_results) = (keep(&body.arg_list()), keep(&results));
    let b = Builder::before(context, op, op.block()?).deriving(op);
    let fill = |b: Builder<'c>, arguments: &[Val<'c>]| {
        for (old, new) in old_arguments.iter().zip(arguments) {
            old.replace_all_uses(*new);
        }
        for inner in Needed::at_end(body, &yielded).ops() {
            inner.detach();
            b.insert(inner);
        }
        // An argument may be yielded as it is.
        let renamed = yielded.iter().map(|value| {
            let position = old_arguments.iter().position(|old| same_value(*old, *value));
            position.and_then(|i| arguments.get(i)).copied().unwrap_or(*value)
        });
        Ok(renamed.collect())
    };
    let new = if is_hist {
        let Update { at, inputs, dests, neutrals } = Update::of(op);
        b.hist(&at, &keep(&inputs), &keep(&dests), &keep(&neutrals), fill)
    } else {
        let (inputs, neutrals) = operands.split_at(count);
        b.reduce(&keep(inputs), &keep(neutrals), fill)
    };
    for (old, new) in old_results.into_iter().zip(new.ok()?) {
        old.replace_all_uses(new);
    }
    op.erase();
    Some(())
}

/// The components that are read after the operation, or in its body by one that is.
/// `arguments_of` says which block arguments belong to a component.
fn live_components<'c>(
    body: Blk<'c>,
    results: &[Val<'c>],
    arguments_of: impl Fn(usize) -> Vec<usize>,
) -> HashSet<usize> {
    let (yielded, arguments) = (body.ends(), body.arg_list());
    let mut needed = Needed::inside(body);
    let mut live = HashSet::new();
    loop {
        let is_read = |k: &usize| {
            let own = arguments_of(*k).into_iter().filter_map(|i| arguments.get(i));
            is_used(results[*k]) || own.into_iter().any(|argument| needed.has(*argument))
        };
        let more: Vec<_> =
            (0..results.len()).filter(|k| !live.contains(k)).filter(is_read).collect();
        if more.is_empty() {
            return live;
        }
        more.iter().filter_map(|&k| yielded.get(k)).for_each(|end| needed.add(*end));
        live.extend(more);
    }
}

fn is_used(result: Val<'_>) -> bool {
    !result.users().is_empty()
}

/// Rebuilds generic operations without unread inputs and results.
pub fn drop_operands<'c>(context: &'c Context, module: Op<'c>) -> bool {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "linalg.generic" {
            found.push(op);
        }
    });
    let mut changed = false;
    for op in found {
        let is_wanted = |result: Val<'c>| !result.users().is_empty();
        changed |= drop_unneeded(context, op, is_wanted).is_some();
    }
    changed
}
