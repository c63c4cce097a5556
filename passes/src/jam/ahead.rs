//! What of an iteration may run before the iterations in front of it have ended.

use std::collections::HashSet;

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, OpKey, Val, ValExt, ValueKey};

use crate::support::{
    builder::same_value,
    combinator::constant_index,
    memory,
    roots::{Root, allocations, computes, written},
};

/// The body of a loop, in two parts.
pub struct Ahead<'c> {
    /// What only reads, and nothing that the loop writes or carries: it may run ahead of earlier
    /// iterations.
    pub early: Vec<Op<'c>>,
    /// The other operations, which run in turn.
    pub in_turn: Vec<Op<'c>>,
    /// Values of the first part that differ between iterations.
    varying: HashSet<ValueKey>,
    /// Its loops that run alike in all iterations, but for how long.
    jammed: HashSet<OpKey>,
    /// The number of the iteration, if it counts from 0 on.
    number: Option<Val<'c>>,
}

impl<'c> Ahead<'c> {
    /// Of a loop with steps of one; none if it does something that is not known here.
    pub fn of(root: Op<'c>) -> Option<Self> {
        let steps_by_one = op_step(root) == Some(1) && root.attr("unsignedCmp").is_none();
        let body = root.body(0).filter(|_| steps_by_one)?;
        let written = written(root)?;
        let (&number, carried) =
            body.arg_list().split_first().map(|(n, rest)| (n, rest.to_vec()))?;
        let mut late: HashSet<_> = carried.iter().map(ValExt::key).collect();
        let (mut early, mut in_turn) = (vec![], vec![]);
        for op in body.body_ops() {
            if only_reads(op, &written) && !uses(op, &late) {
                early.push(op);
            } else {
                late.extend(op.result_list().iter().map(ValExt::key));
                in_turn.push(op);
            }
        }
        let varying = HashSet::from([number.key()]);
        let number = root.opnd(0).filter(|low| constant_index(*low) == Some(0)).map(|_| number);
        let mut ahead = Self { early, in_turn, varying, jammed: HashSet::new(), number };
        for op in ahead.early.clone() {
            ahead.visit(op);
        }
        Some(ahead)
    }

    /// Whether a value differs between iterations.
    pub fn varies(&self, value: Val<'_>) -> bool {
        self.varying.contains(&value.key())
    }

    /// Whether an operation of the first part does something else in each iteration.
    pub fn differs(&self, op: Op<'_>) -> bool {
        uses(op, &self.varying)
    }

    /// Whether a loop of the first part is one loop for several iterations.
    pub fn is_jammed(&self, op: Op<'_>) -> bool {
        self.jammed.contains(&op.key())
    }

    /// Whether a loop of the first part runs further in each iteration than in the one before, as over
    /// the rows of a triangle: to the number of the iteration, or so much beyond.
    pub fn grows(&self, op: Op<'_>) -> bool {
        let bound = |i: usize| op.opnd(i).and_then(constant_index);
        let is_number = |value: Val<'_>| self.number.is_some_and(|n| same_value(n, value));
        let is_so_far = |high: Val<'_>| {
            let sum = high.defining_op().filter(|sum| sum.op_name() == "arith.addi");
            let terms = sum.map(|sum| sum.operand_list()).unwrap_or_default();
            let is_beyond = |value: &Val<'_>| constant_index(*value).is_some_and(|n| n >= 0);
            is_number(high)
                || terms.iter().any(|term| is_number(*term)) && terms.iter().any(is_beyond)
        };
        bound(0) == Some(0) && bound(2) == Some(1) && op.opnd(1).is_some_and(is_so_far)
    }

    /// Finds out what differs in an operation and inside of it.
    fn visit(&mut self, op: Op<'c>) {
        if !self.differs(op) {
            return;
        }
        let has_same_bounds = op.operand_list().iter().take(3).all(|bound| !self.varies(*bound));
        let runs_alike = op.op_name() == "scf.for"
            && (has_same_bounds || self.grows(op))
            && !op.result_list().into_iter().any(memory::is_array);
        match op.body(0).filter(|_| runs_alike) {
            Some(body) => {
                self.jammed.insert(op.key());
                while self.visit_carried(op, body) {}
            }
            None => {
                // What a loop around it carries may have turned out to differ since the last visit.
                self.jammed.remove(&op.key());
                self.varying.extend(op.result_list().iter().map(ValExt::key));
            }
        }
    }

    /// Visits the body of a loop; says whether something that it carries turned out to differ.
    fn visit_carried(&mut self, op: Op<'c>, body: Blk<'c>) -> bool {
        body.body_ops().into_iter().for_each(|inner| self.visit(inner));
        let ends = body.ends();
        let inits = op.operand_list().split_off(3);
        let places = body.arg_list().into_iter().skip(1).zip(op.result_list());
        let mut is_new = false;
        for ((argument, result), (init, end)) in places.zip(inits.into_iter().zip(ends)) {
            if self.varies(init) || self.varies(end) || self.grows(op) {
                is_new |= self.varying.insert(argument.key());
                self.varying.insert(result.key());
            }
        }
        is_new
    }
}

fn op_step(op: Op<'_>) -> Option<i64> {
    op.opnd(2).and_then(constant_index)
}

/// Whether an operation or one inside of it reads one of the values.
fn uses(op: Op<'_>, values: &HashSet<ValueKey>) -> bool {
    let mut found = false;
    op.for_each(&mut |inner| {
        found |= inner.operand_list().iter().any(|value| values.contains(&value.key()));
    });
    found
}

/// Whether an operation only reads memory that is not written to.
fn only_reads(op: Op<'_>, written: &HashSet<Root>) -> bool {
    let is_written = |root: &Root| {
        written.contains(root)
            || written.contains(&Root::Unknown)
            || *root == Root::Unknown && !written.is_empty()
    };
    let mut is_fit = true;
    op.for_each(&mut |inner| {
        is_fit &= computes(inner.op_name());
        if matches!(inner.op_name(), "memref.load" | "vector.load") {
            let read = inner.opnd(0).map(allocations).unwrap_or_default();
            is_fit &= !read.iter().any(is_written);
        }
    });
    is_fit
}
