//! What values depend on; of what loops and branches hand on, only what matters.

use std::collections::HashSet;

use ad_dialect::{
    capi::is_trivially_dead,
    ir::{Blk, BlkExt, BlockKey, Op, OpExt, OpKey, Val, ValExt, ValueKey},
};

use crate::support::region::free_values;
use melior::ir::BlockLike;

/// The values that operations of a block with effects depend on, and more that are asked for. Every operation is looked at
/// once, however deep it is in loops.
pub struct Needed<'c> {
    body: Blk<'c>,
    values: HashSet<ValueKey>,
    ops: HashSet<OpKey>,
    /// The block, and those of loops and branches in it that are needed.
    blocks: HashSet<BlockKey>,
    todo: Vec<Val<'c>>,
}

impl<'c> Needed<'c> {
    /// What the operations of a block with effects depend on.
    pub fn inside(body: Blk<'c>) -> Self {
        let (values, ops, blocks) = Default::default();
        let mut needed = Self { body, values, ops, blocks, todo: vec![] };
        needed.enter(body);
        needed.follow();
        needed
    }

    /// What some values at the end of a block depend on, too.
    pub fn at_end(body: Blk<'c>, ends: &[Val<'c>]) -> Self {
        let mut needed = Self::inside(body);
        ends.iter().for_each(|end| needed.add(*end));
        needed
    }

    /// Adds a value, with all that it depends on.
    pub fn add(&mut self, value: Val<'c>) {
        self.todo.push(value);
        self.follow();
    }

    /// Whether a value is needed.
    pub fn has(&self, value: Val<'c>) -> bool {
        self.values.contains(&value.key())
    }

    /// The operations of the block that are needed.
    pub fn ops(&self) -> Vec<Op<'c>> {
        let mut ops = self.body.ops();
        ops.retain(|op| self.ops.contains(&op.key()));
        ops
    }

    fn enter(&mut self, block: Blk<'c>) {
        self.blocks.insert(block.key());
        block
            .body_ops()
            .into_iter()
            .filter(|op| !is_trivially_dead(*op))
            .for_each(|op| self.run(op));
    }

    /// An operation has to run.
    fn run(&mut self, op: Op<'c>) {
        if !self.ops.insert(op.key()) {
            return;
        }
        match op.op_name() {
            "scf.for" => self.todo.extend(op.operand_list().iter().take(3)),
            "scf.if" => self.todo.extend(op.operand_list()),
            _ => {
                self.todo.extend(op.operand_list());
                self.todo.extend(free_values(&op.blocks()));
                return;
            }
        }
        op.blocks().into_iter().for_each(|block| self.enter(block));
    }

    fn follow(&mut self) {
        while let Some(value) = self.todo.pop() {
            let home = value.parent_block().filter(|block| self.blocks.contains(&block.key()));
            let (true, Some(home)) = (self.values.insert(value.key()), home) else { continue };
            match value.defining_op() {
                Some(op) => {
                    self.run(op);
                    if matches!(op.op_name(), "scf.for" | "scf.if") {
                        self.hand_on(op, value.position());
                    }
                }
                // What a loop carries; its counter comes first.
                None if home.key() != self.body.key() && value.position() > 0 => {
                    let around = home.parent_operation();
                    around.into_iter().for_each(|op| self.hand_on(op, value.position() - 1));
                }
                None => {}
            }
        }
    }

    /// A component of a loop, or a result of a branch.
    fn hand_on(&mut self, op: Op<'c>, k: usize) {
        self.todo.extend(op.blocks().iter().filter_map(|block| block.ends().get(k).copied()));
        if op.op_name() == "scf.for" {
            self.todo.extend(op.opnd(k + 3));
        }
    }
}
