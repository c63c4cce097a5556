//! What a map computes again and again for an outer map.
//!
//! A Jacobian by mapping a derivative over several seeds has the primal inside of the outer
//! map, bundled with what depends on the seed: `map (\seed -> map (\x s -> cos x * s) xs seed)`.
//! A map inside of another is split into what depends on the outer one's elements and what does
//! not; `ad-hoist` takes the second part out, so that the primal is computed once, and its costly
//! intermediate values are stored once (checklist FP4).
//!
//! Invariant: only values whose computation is costly are stored; cheaper ones are
//! computed where they are needed.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey, array_of, i32_array};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::Builder,
    extent::is_regular,
    region::{ValueMap, clone_op, free_values, renamed_ends},
};

/// Splits one map somewhere; returns whether there was one to split.
pub fn split_one<'c>(context: &'c Context, module: Op<'c>) -> bool {
    let mut outer = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.map" {
            outer.push(op);
        }
    });
    outer.into_iter().any(|op| split_in(context, op).is_some())
}

/// Splits the first map inside of an outer map that has a costly part in common to all of
/// its elements, innermost maps first.
fn split_in<'c>(context: &'c Context, outer: Op<'c>) -> Option<()> {
    let body = outer.body(0)?;
    let mut varying: HashSet<ValueKey> = body.arg_list().iter().map(ValExt::key).collect();
    let mut maps = vec![];
    mark(body, &mut varying, &mut maps);
    maps.into_iter().find_map(|map| split(context, map, &varying))
}

/// What depends on the elements of a map, given its body.
pub fn varying_in(body: Blk<'_>) -> HashSet<ValueKey> {
    let mut varying: HashSet<ValueKey> = body.arg_list().iter().map(ValExt::key).collect();
    mark(body, &mut varying, &mut vec![]);
    varying
}

/// Adds what depends on a varying value to `varying`, and the maps to `maps`, inner ones
/// before outer ones.
fn mark<'c>(block: Blk<'c>, varying: &mut HashSet<ValueKey>, maps: &mut Vec<Op<'c>>) {
    for op in block.ops() {
        let operands = op.operand_list();
        let results = op.result_list();
        if op.op_name() == "soac.map"
            && let Some(body) = op.body(0)
        {
            let arguments = body.arg_list();
            let pairs = operands.iter().zip(&arguments);
            let found: Vec<_> =
                pairs.filter(|(o, _)| varying.contains(&o.key())).map(|(_, a)| a.key()).collect();
            varying.extend(found);
            mark(body, varying, maps);
            let yielded = body.ends();
            let pairs = yielded.iter().zip(&results);
            let found: Vec<_> =
                pairs.filter(|(y, _)| varying.contains(&y.key())).map(|(_, r)| r.key()).collect();
            varying.extend(found);
            maps.push(op);
        } else if matches!(op.op_name(), "scf.if" | "scf.for" | "soac.reduce")
            && !is_driven(op, varying)
        {
            mark_carried(op, varying);
        } else if is_varying(op, varying) {
            varying.extend(results.iter().map(ValExt::key));
        }
    }
}

/// Whether how often a branch or a loop runs its blocks varies.
fn is_driven(op: Op<'_>, varying: &HashSet<ValueKey>) -> bool {
    let count = match op.op_name() {
        "scf.if" => 1,
        "scf.for" => 3,
        _ => 0,
    };
    op.operand_list().iter().take(count).any(|value| varying.contains(&value.key()))
}

/// Adds what varies in a branch, a loop or a reduction, and those of its results that do, to `varying`.
fn mark_carried<'c>(op: Op<'c>, varying: &mut HashSet<ValueKey>) {
    loop {
        let before = varying.len();
        for block in op.blocks() {
            mark(block, varying, &mut vec![]);
            let (arguments, ends) = (block.arg_list(), block.ends());
            for (i, &result) in op.result_list().iter().enumerate() {
                let (inits, own) = carried_by(op, i);
                if inits.iter().chain(ends.get(i)).any(|value| varying.contains(&value.key())) {
                    varying.insert(result.key());
                    varying.extend(own.iter().filter_map(|&k| arguments.get(k)).map(ValExt::key));
                }
            }
        }
        if varying.len() == before {
            break;
        }
    }
}

/// The operands that a result of a branch, a loop or a reduction starts from, and the arguments of the
/// body that stand for it.
pub fn carried_by<'c>(op: Op<'c>, result: usize) -> (Vec<Val<'c>>, Vec<usize>) {
    let operands = op.operand_list();
    let count = op.result_count();
    match op.op_name() {
        "scf.for" => (operands.get(3 + result).copied().into_iter().collect(), vec![1 + result]),
        "soac.reduce" => {
            let own = vec![result, count + result];
            (own.iter().filter_map(|&i| operands.get(i).copied()).collect(), own)
        }
        _ => (vec![], vec![]),
    }
}

fn is_varying(op: Op<'_>, varying: &HashSet<ValueKey>) -> bool {
    let free = free_values(&op.blocks());
    op.operand_list().iter().chain(&free).any(|value| varying.contains(&value.key()))
}

fn split<'c>(context: &'c Context, map: Op<'c>, varying: &HashSet<ValueKey>) -> Option<()> {
    let body = map.body(0)?;
    let stored = worth_storing(map, body, varying);
    let count = map.attr("operandSegmentSizes").and_then(i32_array)?.first().copied()? as usize;
    let (operands, arguments) = (map.operand_list(), body.arg_list());
    let fixed: Vec<usize> = (0..count).filter(|&i| !varying.contains(&operands[i].key())).collect();
    if stored.is_empty() || fixed.is_empty() {
        return None;
    }
    let b = Builder::before(context, map, map.block()?).deriving(map);
    let pick = |list: &[Val<'c>]| -> Vec<Val<'c>> { fixed.iter().map(|&i| list[i]).collect() };
    let width = operands[fixed[0]].r#type().shape().first().copied()?;
    let types: Vec<_> = stored.iter().map(|v| array_of(width, v.r#type())).collect();
    let arrays = b
        .map(&pick(&operands), &[], &types, |b, elements| {
            let mut copies = ValueMap::new();
            let old = pick(&arguments);
            copies.extend(old.iter().map(ValExt::key).zip(elements.iter().copied()));
            for op in fixed_ops(body, varying) {
                clone_op(&b, op, &mut copies);
            }
            Ok(stored.iter().filter_map(|v| copies.get(&v.key()).copied()).collect())
        })
        .ok()?;
    read_instead(&b, map, count, &stored, &arrays).map(|_| ())
}

/// The operations of a block that depend on nothing that varies, with all that they read
/// in the block. A map with something else to compute does not belong to them, nor what
/// reads its other results.
fn fixed_ops<'c>(body: Blk<'c>, varying: &HashSet<ValueKey>) -> Vec<Op<'c>> {
    let mut staying = HashSet::new();
    let mut found = vec![];
    for op in body.ops() {
        let free = free_values(&op.blocks());
        let read: Vec<_> = op.operand_list().into_iter().chain(free).collect();
        if is_fixed(op, varying) && !read.iter().any(|value| staying.contains(&value.key())) {
            found.push(op);
        } else {
            staying.extend(op.result_list().iter().map(ValExt::key));
        }
    }
    found
}

/// The operation, also what is in it, depends on nothing that varies.
pub fn is_fixed(op: Op<'_>, varying: &HashSet<ValueKey>) -> bool {
    let mut fixed = !is_varying(op, varying);
    op.for_each(&mut |inner| {
        fixed &= !inner.result_list().iter().any(|r| varying.contains(&r.key()));
    });
    fixed && op.res(0).is_some()
}

/// The values that do not vary, are costly, make regular rows, and are read by what varies or
/// yielded beside it.
fn worth_storing<'c>(map: Op<'c>, body: Blk<'c>, varying: &HashSet<ValueKey>) -> Vec<Val<'c>> {
    let arguments: HashSet<_> = body.arg_list().iter().map(ValExt::key).collect();
    let (mut costly, mut own) = (HashSet::new(), arguments);
    let fixed = fixed_ops(body, varying);
    let keys: HashSet<_> = fixed.iter().map(OpExt::key).collect();
    let Some(end) = body.term() else { return vec![] };
    let rest = body.ops().into_iter().filter(|op| !keys.contains(&op.key()));
    if !rest.into_iter().any(|op| op.res(0).is_some()) && !is_varying(end, varying) {
        return vec![];
    }
    let mut found = vec![];
    for op in fixed {
        let free = free_values(&op.blocks());
        let read: Vec<_> = op.operand_list().into_iter().chain(free).collect();
        // What does not depend on the elements moves out by itself.
        if !read.iter().any(|value| own.contains(&value.key())) {
            continue;
        }
        own.extend(op.result_list().iter().map(ValExt::key));
        // A size costs nothing; stored, nobody could tell that it is the same for all elements.
        if op.op_name() == "tensor.dim" {
            continue;
        }
        if !is_costly(op) && !read.iter().any(|value| costly.contains(&value.key())) {
            continue;
        }
        costly.extend(op.result_list().iter().map(ValExt::key));
        let outside = |user: &Op<'c>| !keys.contains(&top_of(*user, body).key());
        let read = op.result_list().into_iter().filter(|r| r.users().iter().any(outside));
        found.extend(read.filter(|r| is_row(r.r#type()) && is_regular(map, *r)));
    }
    found
}

/// Whether values of the type can be rows of an array: tensors without dimensions cannot.
fn is_row(r#type: Type<'_>) -> bool {
    r#type.as_tensor().is_none() || !r#type.shape().is_empty()
}

fn is_costly(op: Op<'_>) -> bool {
    matches!(op.op_name(), "arith.divf" | "soac.map" | "soac.reduce" | "soac.scan" | "scf.for")
        || op.op_name().starts_with("math.")
}

/// The operation of the block that an operation is in, or is.
fn top_of<'c>(op: Op<'c>, block: Blk<'c>) -> Op<'c> {
    let mut op = op;
    while op.block() != Some(block) {
        match op.parent() {
            Some(parent) => op = parent,
            None => break,
        }
    }
    op
}

/// Replaces a map of so many inputs by one that reads values of its body as further inputs, and
/// returns that.
pub fn read_instead<'c>(
    b: &Builder<'c>,
    map: Op<'c>,
    count: usize,
    stored: &[Val<'c>],
    arrays: &[Val<'c>],
) -> Option<Op<'c>> {
    let (body, operands, results) = (map.body(0)?, map.operand_list(), map.result_list());
    let (inputs, accs) = operands.split_at(count);
    let types: Vec<_> = results.iter().map(|r| r.r#type()).collect();
    let inputs = [inputs, arrays].concat();
    let arguments = body.arg_list();
    let end = body.term()?;
    let new = b
        .map(&inputs, accs, &types, |b, elements| {
            let (own, accs) = elements.split_at(inputs.len());
            let mut copies = ValueMap::new();
            let old = arguments.iter().map(ValExt::key);
            copies.extend(old.zip(own[..count].iter().chain(accs).copied()));
            for op in body.body_ops() {
                clone_op(&b, op, &mut copies);
                let kept = stored.iter().zip(&own[count..]);
                copies.extend(kept.map(|(value, &element)| (value.key(), element)));
            }
            Ok(renamed_ends(body, &copies))
        })
        .ok()?;
    let replacement = new.first().and_then(|result| result.defining_op());
    let yielded = end.operand_list();
    for ((old, new), value) in results.iter().zip(new).zip(yielded) {
        let position = stored.iter().position(|kept| kept.key() == value.key());
        match position.and_then(|i| arrays.get(i)) {
            Some(&array) if array.r#type() == old.r#type() => old.replace_all_uses(array),
            _ => old.replace_all_uses(new),
        }
    }
    map.erase();
    replacement
}
