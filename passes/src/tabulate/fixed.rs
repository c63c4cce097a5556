//! What the body of a map computes of the number of a row alone.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, ValueKey};
use melior::ir::ValueLike;

use super::cut::Cut;
use crate::support::{
    builder::same_value,
    combinator::divides_integers,
    region::{is_outside, reads},
    weight::{CALL, DIVISION, weight, weight_with_regions},
};

/// A number in a table must have cost more than so many additions.
const READ: f64 = 2.0;

/// All numbers of a row must have cost as much as this: for one function on vectors it does not pay to
/// have an array more.
const ROW: f64 = 2.0 * CALL;

/// What depends on nothing but the number of a row, and on what is there before the map.
pub struct Fixed<'c> {
    /// The values to be stored.
    pub stored: Vec<Val<'c>>,
    /// The operations that compute them, in order.
    pub ops: Vec<Op<'c>>,
    /// The arrays whose rows these read.
    pub arrays: Vec<Val<'c>>,
}

impl<'c> Fixed<'c> {
    /// What it would pay to have in a table, if there is anything.
    pub fn of(map: Op<'c>, index: Val<'c>) -> Option<Self> {
        let body = map.body(0)?;
        let arrays = rows_read(map, body, index);
        let mut search = Search { map, index, arrays, all: vec![], values: HashSet::new() };
        search.visit(body);
        let stored = Cut::of(&search.all).stored;
        let ops = slice(&search.all, &stored);
        let gain: f64 =
            ops.iter().filter(|op| is_costly(**op)).map(|&op| weight_with_regions(op)).sum();
        if stored.is_empty() || gain < ROW || gain <= READ * stored.len() as f64 {
            return None;
        }
        Some(Self { stored, ops, arrays: search.arrays })
    }
}

/// The arrays whose row of a number each iteration of a map reads.
fn rows_read<'c>(map: Op<'c>, body: Blk<'c>, index: Val<'c>) -> Vec<Val<'c>> {
    let mut arrays: Vec<Val<'c>> = vec![];
    for op in body.body_ops().into_iter().filter(|op| op.op_name() == "tensor.extract") {
        if let (Some(array), Some(row)) = (op.opnd(0), op.opnd(1))
            && is_outside(map, array)
            && same_value(row, index)
            && !arrays.iter().any(|other| same_value(*other, array))
        {
            arrays.push(array);
        }
    }
    arrays
}

/// The search for what depends on the number of a row only.
struct Search<'c> {
    map: Op<'c>,
    index: Val<'c>,
    /// The arrays that have a row of each number that there is.
    arrays: Vec<Val<'c>>,
    /// The operations that have been found, in order.
    all: Vec<Op<'c>>,
    /// Their results.
    values: HashSet<ValueKey>,
}

impl<'c> Search<'c> {
    /// Visits a block, and the branches in it.
    fn visit(&mut self, block: Blk<'c>) {
        for op in block.body_ops() {
            if self.is_fixed(op) {
                self.values.extend(op.result_list().iter().map(ValExt::key));
                self.all.push(op);
            } else if op.op_name() == "scf.if" {
                op.blocks().into_iter().for_each(|block| self.visit(block));
            }
        }
    }

    fn is_fixed(&self, op: Op<'c>) -> bool {
        let is_there = |value: &Val<'c>| {
            is_outside(self.map, *value)
                || same_value(*value, self.index)
                || self.values.contains(&value.key())
        };
        let mut may = true;
        op.for_each(&mut |inner| may &= self.may_run(inner));
        let is_storable = |result: &Val<'c>| match is_costly(op) {
            true => result.r#type().is_float_type(),
            false => result.r#type().as_tensor().is_none(),
        };
        may && reads(op).iter().all(is_there) && op.result_list().iter().all(is_storable)
    }

    /// Whether an operation does no harm for rows that nobody reads, or where a branch is not taken.
    fn may_run(&self, op: Op<'c>) -> bool {
        let name = op.op_name();
        match name {
            "scf.if" | "scf.yield" => true,
            "tensor.extract" => {
                let operands = op.operand_list();
                self.arrays.iter().any(|array| same_value(*array, operands[0]))
                    && operands.get(1).is_some_and(|row| same_value(*row, self.index))
                    && operands[2..].iter().all(|at| is_outside(self.map, *at))
            }
            _ => {
                let is_arithmetic = name.starts_with("arith.") || name.starts_with("math.");
                is_arithmetic && !divides_integers(name)
            }
        }
    }
}

/// Whether it takes longer to compute something than to read it.
pub fn is_costly(op: Op<'_>) -> bool {
    let mut is_costly = false;
    op.for_each(&mut |inner| is_costly |= weight(inner) >= DIVISION);
    is_costly
}

/// Those of some operations that values depend on.
fn slice<'c>(all: &[Op<'c>], values: &[Val<'c>]) -> Vec<Op<'c>> {
    let mut wanted: HashSet<_> = values.iter().map(ValExt::key).collect();
    let mut ops = vec![];
    for &op in all.iter().rev() {
        if op.result_list().iter().any(|result| wanted.contains(&result.key())) {
            let read = reads(op);
            wanted.extend(read.iter().map(ValExt::key));
            ops.push(op);
        }
    }
    ops.reverse();
    ops
}

/// The one of some operations that an operation is or is in.
pub fn owner(op: Op<'_>, of: &HashSet<OpKey>) -> Option<OpKey> {
    std::iter::successors(Some(op), |op| op.parent())
        .map(|op| op.key())
        .find(|key| of.contains(key))
}
