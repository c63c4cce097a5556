//! What a branch, a loop, a reduction or a map in a map computes that is the same for all elements of the
//! map.
//!
//! ```text
//! map (\s ->                                     a' = loop a = a0 do f a
//!   let (a, b) = loop (a, b) = (a0, b0)   ==>    map (\s ->
//!                do (f a, g a b s)                 let (_, b) = loop (a, b) = (a0, b0)
//!   in h a b)                                                   do (f a, g a b s)
//!                                                  in h a' b)
//! ```
//! Forward mode computes values and tangents side by side, also in branches, loops and reductions, of which
//! neither `ad-hoist` nor `invariant` could then take the values out. A copy that
//! computes them alone is in front, of the map if it can be; what depends on them is no longer mixed. The
//! loop goes on with what it needs of them itself, so that nothing is stored for each of its iterations.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, ValueKey};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::invariant::{carried_by, is_fixed, varying_in};
use crate::support::{
    builder::Builder,
    combinator::{array_result_count, constant_index, divides_integers, input_count},
    diag::Result,
    region::{ValueMap, clone_op, free_values, is_outside, renamed},
};

/// Splits one branch, loop or map somewhere; returns whether there was one to split.
pub fn split_one<'c>(context: &'c Context, module: Op<'c>) -> bool {
    let mut outer = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "soac.map" {
            outer.push(op);
        }
    });
    outer.into_iter().any(|op| {
        let Some(body) = op.body(0) else { return false };
        let varying = varying_in(body);
        // A map may be read by several reductions: once these are split, one copy of it serves all.
        let (maps, others): (Vec<_>, Vec<_>) =
            candidates(body).into_iter().partition(|found| found.op_name() == "soac.map");
        others.into_iter().chain(maps).any(|found| split(context, op, found, &varying).is_some())
    })
}

/// The branches, loops, reductions and maps of a block, and of maps in it.
fn candidates<'c>(block: Blk<'c>) -> Vec<Op<'c>> {
    let mut found = vec![];
    for op in block.ops() {
        match op.op_name() {
            "soac.map" => {
                found.extend(op.body(0).into_iter().flat_map(candidates));
                found.extend(is_plain_map(op).then_some(op));
            }
            "scf.if" | "scf.for" | "soac.reduce" if op.attr("unsignedCmp").is_none() => {
                found.push(op);
            }
            _ => {}
        }
    }
    found
}

fn split<'c>(
    context: &'c Context,
    outer: Op<'c>,
    op: Op<'c>,
    varying: &HashSet<ValueKey>,
) -> Option<()> {
    let results = op.result_list();
    let is_shared = |i: &usize| {
        let uses = results[*i].uses();
        let is_wanted = match op.op_name() {
            "soac.map" => uses.iter().any(|(user, _)| is_stored_for(*user, varying)),
            _ => !uses.is_empty(),
        };
        is_wanted && !varying.contains(&results[*i].key())
    };
    let shared: Vec<usize> = (0..results.len()).filter(is_shared).collect();
    let is_array = |value: &Val<'c>| !value.r#type().to_string().starts_with("!soac");
    if shared.is_empty() || is_fixed(op, varying) || !results.iter().all(is_array) {
        return None;
    }
    let runs_once =
        may_run_ahead(op) && needs(op, &shared).iter().all(|value| is_outside(outer, *value));
    let is_reduced =
        |i: &usize| results[*i].users().iter().any(|user| is_fixed_reduction(*user, varying));
    // A loop is worth a copy of it if the copy runs once for all elements, a map also if what it is read
    // for will.
    let is_worth = match op.op_name() {
        "scf.for" => runs_once,
        "soac.map" => runs_once || shared.iter().any(is_reduced),
        _ => true,
    };
    if !is_worth {
        return None;
    }
    // Upstream would make neighbouring branches one again.
    let place = if runs_once { outer } else { op };
    let b = Builder::before(context, place, place.block()?).deriving(op);
    let mut copies = ValueMap::new();
    project(&b, op, &shared, &mut copies).ok()?;
    for i in shared {
        results[i].replace_all_uses(*copies.get(&results[i].key())?);
    }
    Some(())
}

/// Whether an array is stored in any case because an operation reads it, or costs nothing to store: a map
/// that reads it element by element would rather compute it.
fn is_stored_for(user: Op<'_>, varying: &HashSet<ValueKey>) -> bool {
    matches!(user.op_name(), "tensor.extract" | "tensor.extract_slice" | "scf.for")
        || is_fixed_reduction(user, varying)
}

/// Whether an operation is a reduction to values that do not vary.
fn is_fixed_reduction(user: Op<'_>, varying: &HashSet<ValueKey>) -> bool {
    user.op_name() == "soac.reduce"
        && user.result_list().iter().all(|result| !varying.contains(&result.key()))
}

/// Whether an operation does no harm where it would not have run, because a map is over nothing.
fn may_run_ahead(op: Op<'_>) -> bool {
    let mut may = true;
    op.for_each(&mut |inner| {
        let name = inner.op_name();
        let is_safe = || inner.opnd(1).and_then(constant_index).is_some_and(|by| by > 0);
        may &= !(divides_integers(name) && !is_safe() || matches!(name, "scf.while" | "func.call"));
    });
    may
}

/// The operations of a block that some values depend on, with the results that are needed, in order.
struct Slice<'c> {
    parts: Vec<(Op<'c>, Vec<usize>)>,
    wanted: HashMap<ValueKey, Val<'c>>,
}

impl<'c> Slice<'c> {
    fn of(block: Blk<'c>, values: impl IntoIterator<Item = Val<'c>>) -> Self {
        let mut wanted: HashMap<_, _> = values.into_iter().map(|v| (v.key(), v)).collect();
        let mut parts = vec![];
        for op in block.body_ops().into_iter().rev() {
            let results = op.result_list();
            let is_wanted = |i: &usize| wanted.contains_key(&results[*i].key());
            let needed: Vec<_> = (0..results.len()).filter(is_wanted).collect();
            if !needed.is_empty() {
                wanted.extend(needs(op, &needed).into_iter().map(|v| (v.key(), v)));
                parts.push((op, needed));
            }
        }
        parts.reverse();
        Self { parts, wanted }
    }

    /// What it reads that is defined outside of an operation.
    fn free(&self, op: Op<'c>) -> impl Iterator<Item = Val<'c>> {
        self.wanted.values().copied().filter(move |value| is_outside(op, *value))
    }

    /// Its copy; returns the values it was made for.
    fn copy(
        &self,
        b: &Builder<'c>,
        values: &[Val<'c>],
        mut copies: ValueMap<'c>,
    ) -> Result<Vec<Val<'c>>> {
        for (op, needed) in &self.parts {
            project(b, *op, needed, &mut copies)?;
        }
        Ok(values.iter().map(|&value| renamed(&copies, value)).collect())
    }
}

/// What the terminators of an operation's blocks yield for some of its results.
fn yielded<'c>(block: Blk<'c>, results: &[usize]) -> Vec<Val<'c>> {
    let ends = block.ends();
    results.iter().filter_map(|&i| ends.get(i).copied()).collect()
}

/// What is defined outside of an operation and some of its results depend on.
fn needs<'c>(op: Op<'c>, results: &[usize]) -> Vec<Val<'c>> {
    let operands = op.operand_list();
    match (op.op_name(), op.body(0)) {
        ("scf.if", _) => {
            let slice = |block: Blk<'c>| Slice::of(block, yielded(block, results));
            let inside =
                op.blocks().into_iter().flat_map(|b| slice(b).free(op).collect::<Vec<_>>());
            operands.into_iter().chain(inside).collect()
        }
        ("scf.for" | "soac.reduce", Some(body)) => {
            let carried = carried_with(op, body, results);
            let inits = carried.iter().flat_map(|&i| carried_by(op, i).0);
            let slice = Slice::of(body, yielded(body, &carried));
            let bounds = if op.op_name() == "scf.for" { 3 } else { 0 };
            operands.iter().take(bounds).copied().chain(inits).chain(slice.free(op)).collect()
        }
        ("soac.map", Some(body)) if is_plain_map(op) => {
            let slice = Slice::of(body, yielded(body, results));
            let inputs = inputs_of(op, body, &slice).into_iter().filter_map(|i| op.opnd(i));
            inputs.chain(slice.free(op)).collect()
        }
        _ => [operands, free_values(&op.blocks())].concat(),
    }
}

/// Some of the values that a loop or a reduction carries, and those that their next values depend on.
fn carried_with<'c>(op: Op<'c>, body: Blk<'c>, results: &[usize]) -> Vec<usize> {
    let arguments = body.arg_list();
    let mut carried = results.to_vec();
    loop {
        let slice = Slice::of(body, yielded(body, &carried));
        let is_read = |k: &usize| slice.wanted.contains_key(&arguments[*k].key());
        let is_new = |i: &usize| !carried.contains(i) && carried_by(op, *i).1.iter().any(is_read);
        let more: Vec<_> = (0..op.result_count()).filter(is_new).collect();
        if more.is_empty() {
            carried.sort_unstable();
            return carried;
        }
        carried.extend(more);
    }
}

/// Whether a map has arrays only.
fn is_plain_map(op: Op<'_>) -> bool {
    array_result_count(op) == op.result_count() && input_count(op) > 0
}

/// The inputs of a map that a slice of its body reads; all, if it reads none.
fn inputs_of<'c>(op: Op<'c>, body: Blk<'c>, slice: &Slice<'c>) -> Vec<usize> {
    let all = 0..input_count(op);
    let arguments = body.arg_list();
    let read: Vec<_> =
        all.clone().filter(|&i| slice.wanted.contains_key(&arguments[i].key())).collect();
    if read.is_empty() { all.collect() } else { read }
}

/// A copy of an operation that has some of its results only.
fn project<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    results: &[usize],
    copies: &mut ValueMap<'c>,
) -> Result<()> {
    let (operands, old) = (op.operand_list(), op.result_list());
    let types = |list: &[usize]| list.iter().map(|&i| old[i].r#type()).collect::<Vec<_>>();
    let (made, new) = match (op.op_name(), op.body(0)) {
        ("scf.if", _) => {
            let new = b.if_else(renamed(copies, operands[0]), &types(results), |b, taken| {
                let Some(block) = op.body(usize::from(!taken)) else { return Ok(vec![]) };
                let values = yielded(block, results);
                Slice::of(block, values.clone()).copy(&b, &values, copies.clone())
            })?;
            (results.to_vec(), new.result_list())
        }
        ("scf.for", Some(body)) => {
            let carried = carried_with(op, body, results);
            let bounds = [0, 1, 2].map(|i| renamed(copies, operands[i]));
            let inits: Vec<_> = carried.iter().map(|&i| renamed(copies, operands[3 + i])).collect();
            let arguments = body.arg_list();
            let new = b.for_loop(bounds, &inits, |b, number, now| {
                let mut inside = copies.clone();
                inside.insert(arguments[0].key(), number);
                inside.extend(carried.iter().zip(now).map(|(&i, &v)| (arguments[i + 1].key(), v)));
                let values = yielded(body, &carried);
                Slice::of(body, values.clone()).copy(&b, &values, inside)
            })?;
            (carried, new.result_list())
        }
        ("soac.reduce", Some(body)) => {
            let carried = carried_with(op, body, results);
            let count = old.len();
            let own = |k: usize| carried.iter().map(|&i| k * count + i).collect::<Vec<_>>();
            let pick = |k: usize| -> Vec<Val<'c>> {
                own(k).into_iter().map(|i| renamed(copies, operands[i])).collect()
            };
            let arguments = body.arg_list();
            let new = b.reduce(&pick(0), &pick(1), |b, now| {
                let mut inside = copies.clone();
                let places = [own(0), own(1)].concat();
                inside.extend(places.into_iter().zip(now).map(|(i, &v)| (arguments[i].key(), v)));
                let values = yielded(body, &carried);
                Slice::of(body, values.clone()).copy(&b, &values, inside)
            })?;
            (carried.clone(), new)
        }
        ("soac.map", Some(body)) if is_plain_map(op) => {
            let values = yielded(body, results);
            let slice = Slice::of(body, values.clone());
            let inputs = inputs_of(op, body, &slice);
            let arrays: Vec<_> = inputs.iter().map(|&i| renamed(copies, operands[i])).collect();
            let arguments = body.arg_list();
            let new = b.map(&arrays, &[], &types(results), |b, elements| {
                let mut inside = copies.clone();
                inside.extend(inputs.iter().zip(elements).map(|(&i, &v)| (arguments[i].key(), v)));
                slice.copy(&b, &values, inside)
            })?;
            (results.to_vec(), new)
        }
        _ => {
            clone_op(b, op, copies);
            return Ok(());
        }
    };
    copies.extend(made.iter().zip(new).map(|(&i, value)| (old[i].key(), value)));
    Ok(())
}
