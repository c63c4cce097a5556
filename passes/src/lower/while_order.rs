//! `lower-while-order`: what an `scf.while` hands to its body is in the order in which it carries it.
//!
//! ```text
//! i, a, b = while (x = .., n = ..) { .. condition(c) m, x, x } do (i, a, b) { .. }
//!   =>  a, i, b = while (x = .., n = ..) { .. condition(c) x, m, x } do (a, i, b) { .. }      and a for every b
//! ```
//! `lift-cf-to-scf` hands on an array once for the body and once for what comes after the loop, in any order. Upstream's
//! one-shot bufferisation lets a loop keep its buffer only where it carries an array at the position at which it hands it on
//! and copies the whole of it in each iteration otherwise. What nothing reads comes last, for canonicalisation to drop.

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use crate::{simplify::twins, support::builder::same_value};

/// Runs the pass on a module; returns how many loops have another order.
pub fn run(module: Op<'_>) -> u64 {
    twins::unify(module);
    let mut loops = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.while" {
            loops.push(op);
        }
    });
    loops.into_iter().filter(|op| reorder(*op).is_some()).count() as u64
}

fn reorder(op: Op<'_>) -> Option<()> {
    let (before, after) = (op.body(0)?, op.body(1)?);
    let end = before.term().filter(|end| end.op_name() == "scf.condition")?;
    let (arguments, results) = (after.arg_list(), op.result_list());
    let (deciding, handed) = (end.opnd(0)?, end.operand_list().split_off(1));
    let is_read = |&k: &usize| !arguments[k].users().is_empty() || !results[k].users().is_empty();
    let (read, dead): (Vec<_>, Vec<_>) = (0..handed.len()).partition(is_read);
    let mut order = arranged(&read, &handed, &before.arg_list());
    order.extend(dead);
    if order.iter().enumerate().all(|(to, from)| to == *from) {
        return None;
    }
    let handed: Vec<_> = order.iter().map(|&from| handed[from]).collect();
    end.set_operands(&[&[deciding], &handed[..]].concat());
    permute(&arguments, &order);
    permute(&results, &order);
    Some(())
}

/// Some positions, those of arrays that are handed on as they are carried at the positions of these, if there are so many.
fn arranged<'c>(read: &[usize], handed: &[Val<'c>], carried: &[Val<'c>]) -> Vec<usize> {
    let mut places = vec![None; read.len()];
    let mut others = vec![];
    for &from in read {
        let is_array = handed[from].r#type().as_tensor().is_some();
        let own = carried.iter().position(|value| same_value(*value, handed[from]));
        match own.filter(|&to| is_array && places.get(to) == Some(&None)) {
            Some(to) => places[to] = Some(from),
            None => others.push(from),
        }
    }
    let mut others = others.into_iter();
    places.into_iter().filter_map(|place| place.or_else(|| others.next())).collect()
}

/// Lets each value take the type and the uses of the one at the position that the order says.
fn permute<'c>(values: &[Val<'c>], order: &[usize]) {
    let old: Vec<_> = values.iter().map(|value| (value.r#type(), value.uses())).collect();
    for (value, &from) in values.iter().zip(order) {
        let (r#type, uses) = &old[from];
        value.set_type(*r#type);
        uses.iter().for_each(|(user, operand)| user.set_operand(*operand, *value));
    }
}
