//! Values that a loop or a branch hands on twice.
//!
//! ```text
//! a, b = for (x = s, y = s) { u = f x y; yield u, u }   =>   a = for (x = s) { u = f x x; yield u }, and a for b
//! ```
//! Upstream compares every two of them (`RemoveDuplicateSuccessorInputUses`), which takes the square of their number;
//! `ad-canonicalize` leaves that out, and drops what nothing reads any more.

use std::{collections::HashMap, iter::zip};

use ad_dialect::ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::ir::ValueLike;

use crate::support::combinator::BOUNDS;

/// Lets one value stand for those that are the same; whether there were any.
pub fn unify(module: Op<'_>) -> bool {
    let mut all = vec![];
    module.for_each(&mut |op| {
        if matches!(op.op_name(), "scf.for" | "scf.if" | "scf.while") {
            all.push(op);
        }
    });
    // Innermost first: what is the same outside may show only then.
    all.into_iter().rev().map(unify_one).fold(false, |changed, unified| changed | unified)
}

fn unify_one(op: Op<'_>) -> bool {
    let results = op.result_list();
    let ends = |region: usize| op.body(region).map(|body| body.ends()).unwrap_or_default();
    let arguments = |region: usize| op.body(region).map(|body| body.arg_list()).unwrap_or_default();
    match op.op_name() {
        "scf.for" => {
            let starts = op.operand_list().split_off(BOUNDS);
            let carried = arguments(0).split_off(1);
            let sources: Vec<_> = zip(starts, ends(0)).map(|(a, b)| vec![a, b]).collect();
            let made: Vec<_> = zip(carried, results).map(|(a, b)| vec![a, b]).collect();
            merge(&sources, &made)
        }
        "scf.while" => {
            let before: Vec<_> = zip(op.operand_list(), ends(1)).map(|(a, b)| vec![a, b]).collect();
            let carried: Vec<_> = arguments(0).into_iter().map(|argument| vec![argument]).collect();
            let handed: Vec<_> = ends(0).into_iter().skip(1).map(|value| vec![value]).collect();
            let made: Vec<_> = zip(arguments(1), results).map(|(a, b)| vec![a, b]).collect();
            let merged = merge(&before, &carried);
            merge(&handed, &made) || merged
        }
        _ => {
            let sources: Vec<_> = zip(ends(0), ends(1)).map(|(a, b)| vec![a, b]).collect();
            let made: Vec<_> = results.into_iter().map(|result| vec![result]).collect();
            merge(&sources, &made)
        }
    }
}

/// Puts the values made of the first of equal sources in place of those made of the others.
fn merge<'c>(sources: &[Vec<Val<'c>>], made: &[Vec<Val<'c>>]) -> bool {
    let mut first: HashMap<Vec<ValueKey>, &[Val<'c>]> = HashMap::new();
    let mut changed = false;
    for (sources, made) in zip(sources, made) {
        let has_type = |value: &Val<'c>| !value.r#type().is_acc();
        if !made.iter().all(has_type) {
            continue;
        }
        let key = sources.iter().map(ValExt::key).collect();
        let Some(others) = first.get(&key) else {
            first.insert(key, made);
            continue;
        };
        for (value, other) in zip(made, *others) {
            if value.r#type() == other.r#type() && !value.users().is_empty() {
                value.replace_all_uses(*other);
                changed = true;
            }
        }
    }
    changed
}
