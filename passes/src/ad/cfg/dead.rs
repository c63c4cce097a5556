//! Dead code in several blocks: arguments that only dead operations use, and what is handed to them.
//!
//! An argument that is only handed on to itself round a loop is dead, too.

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    blocks::{deciding, erase_argument, hand_on, handed_on, is_branch, successors},
    capi::is_trivially_dead,
    ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt, ValueKey},
};
use melior::Context;

/// Erases what is dead in a function, but nothing of some blocks.
pub fn erase_dead<'c>(context: &'c Context, function: Op<'c>, kept: &[Blk<'c>]) {
    let live = Live::of(function, kept);
    let blocks = function.blocks();
    for &block in &blocks {
        let Some(end) = block.term().filter(|end| is_branch(*end)) else { continue };
        let mut handed = handed_on(end);
        for (to, values) in successors(end).into_iter().zip(&mut handed) {
            let mut arguments = to.arg_list().into_iter();
            values.retain(|_| arguments.next().is_none_or(|arg| live.values.contains(&arg.key())));
        }
        hand_on(context, end, &handed);
    }
    let is_dead = |op: &Op<'c>| !live.ops.contains(&op.key());
    let dead: Vec<_> = blocks.iter().flat_map(|block| block.ops()).filter(is_dead).collect();
    for op in &dead {
        op.for_each(&mut |inner| inner.set_operands(&[]));
    }
    dead.iter().for_each(|op| op.erase());
    for block in blocks.iter().skip(1) {
        for (i, argument) in block.arg_list().into_iter().enumerate().rev() {
            if !live.values.contains(&argument.key()) {
                erase_argument(*block, i);
            }
        }
    }
}

/// What matters.
#[derive(Default)]
struct Live<'c> {
    ops: HashSet<OpKey>,
    values: HashSet<ValueKey>,
    todo: Vec<Val<'c>>,
}

impl<'c> Live<'c> {
    fn of(function: Op<'c>, kept: &[Blk<'c>]) -> Self {
        let mut live = Self::default();
        live.todo.extend(kept.iter().flat_map(|block| block.arg_list()));
        kept.iter().flat_map(|block| block.body_ops()).for_each(|op| live.needs(op));
        let blocks = function.blocks();
        let mut handed: HashMap<ValueKey, Vec<Val<'c>>> = HashMap::new();
        for end in blocks.iter().filter_map(|block| block.term()) {
            for (to, values) in successors(end).into_iter().zip(handed_on(end)) {
                for (argument, value) in to.arg_list().into_iter().zip(values) {
                    handed.entry(argument.key()).or_default().push(value);
                }
            }
        }
        for op in blocks.iter().flat_map(|block| block.ops()) {
            if is_branch(op) {
                live.ops.insert(op.key());
                live.todo.extend(deciding(op));
            } else if !is_trivially_dead(op) {
                live.needs(op);
            }
        }
        while let Some(value) = live.todo.pop() {
            if !live.values.insert(value.key()) {
                continue;
            }
            match value.defining_op() {
                Some(op) => live.needs(op),
                None => live.todo.extend(handed.remove(&value.key()).into_iter().flatten()),
            }
        }
        live
    }

    fn needs(&mut self, op: Op<'c>) {
        if self.ops.insert(op.key()) {
            op.for_each(&mut |inner| self.todo.extend(inner.operand_list()));
        }
    }
}
