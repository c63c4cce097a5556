//! Block arguments that are the same on every edge [ZYG 3.1].
//!
//! An adjoint that a block may get turns out to be zero, or the same value, whichever block was before. All arguments
//! are taken to be so until an edge says otherwise, so that what only goes round a loop is found, too.

use std::collections::HashMap;

use ad_dialect::{
    blocks::{handed_on, is_branch, successors},
    ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, ValueKey},
};
use melior::{
    Context,
    ir::{Attribute, ValueLike, operation::OperationLike},
};

use super::at_front;
use crate::support::builder::{Builder, same_value};

/// What an argument is on the edges that have been looked at.
#[derive(Clone, Copy)]
enum Known<'c> {
    Value(Val<'c>),
    /// Values of one constant.
    Constant(Val<'c>, Attribute<'c>),
    Several,
}

/// Replaces arguments by what they are on every edge. They are dead then.
pub fn prune<'c>(context: &'c Context, function: Op<'c>) {
    let blocks = function.blocks();
    let mut edges: Vec<(ValueKey, Vec<Val<'c>>)> = vec![];
    let mut positions = HashMap::new();
    for end in blocks.iter().filter_map(|block| block.term()).filter(|end| is_branch(*end)) {
        for (to, values) in successors(end).into_iter().zip(handed_on(end)) {
            for (argument, value) in to.arg_list().into_iter().zip(values) {
                let position = *positions.entry(argument.key()).or_insert(edges.len());
                if position == edges.len() {
                    edges.push((argument.key(), vec![]));
                }
                edges[position].1.push(value);
            }
        }
    }
    let mut known: HashMap<ValueKey, Known<'c>> = HashMap::new();
    let mut changes = true;
    while changes {
        changes = false;
        for (argument, values) in &edges {
            let before = known.get(argument).copied();
            if matches!(before, Some(Known::Several)) {
                continue;
            }
            let values = values.iter().filter_map(|value| of(&blocks, &known, *value));
            let Some(now) = values.reduce(meet) else { continue };
            changes |= before.is_none_or(|before| !same(before, now));
            known.insert(*argument, now);
        }
    }
    for &block in blocks.iter().skip(1) {
        for argument in block.arg_list() {
            match known.get(&argument.key()) {
                Some(Known::Value(value)) => argument.replace_all_uses(*value),
                Some(Known::Constant(value, _)) if !argument.users().is_empty() => {
                    let Some(constant) = value.defining_op() else { continue };
                    let like = Builder::at_end(context, block, constant.location());
                    let copy = constant.clone_detached();
                    at_front(context, block, &like).insert(copy);
                    copy.res(0).into_iter().for_each(|new| argument.replace_all_uses(new));
                }
                _ => {}
            }
        }
    }
}

/// What a value is; nothing if it is an argument of which nothing is known yet.
fn of<'c>(
    blocks: &[Blk<'c>],
    known: &HashMap<ValueKey, Known<'c>>,
    value: Val<'c>,
) -> Option<Known<'c>> {
    if let Some(op) = value.defining_op() {
        let constant = op.attr("value").filter(|_| op.op_name() == "arith.constant");
        return Some(constant.map_or(Known::Value(value), |c| Known::Constant(value, c)));
    }
    if value.owner_block() == blocks.first().copied() {
        return Some(Known::Value(value));
    }
    match known.get(&value.key())? {
        Known::Several => Some(Known::Value(value)),
        other => Some(*other),
    }
}

fn meet<'c>(a: Known<'c>, b: Known<'c>) -> Known<'c> {
    if same(a, b) { a } else { Known::Several }
}

fn same<'c>(a: Known<'c>, b: Known<'c>) -> bool {
    match (a, b) {
        (Known::Value(a), Known::Value(b)) => same_value(a, b),
        (Known::Constant(a, x), Known::Constant(b, y)) => x == y && a.r#type() == b.r#type(),
        (Known::Several, Known::Several) => true,
        _ => false,
    }
}
