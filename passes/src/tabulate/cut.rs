//! Which values are stored: few, from which an iteration computes the others cheaply.
//!
//! The first cut is right behind what is costly. Where the values of several operations, or of one, are
//! read by a cheap one only, its result is stored instead: the sum of two exponentials is one number.

use std::collections::HashSet;

use ad_dialect::ir::{Op, OpExt, OpKey, TyExt, Val, ValExt};
use melior::ir::ValueLike;

use super::fixed::{is_costly, owner};
use crate::support::{builder::same_value, region::reads};

/// A cut through the operations that depend on the number of a row only.
pub struct Cut<'c> {
    /// The values that go through it.
    pub stored: Vec<Val<'c>>,
    /// All of the operations.
    all: HashSet<OpKey>,
    /// Those behind the cut, which each iteration executes.
    behind: HashSet<OpKey>,
}

impl<'c> Cut<'c> {
    /// The cut through some operations, which are in order.
    pub fn of(ops: &[Op<'c>]) -> Self {
        let all = ops.iter().map(OpExt::key).collect();
        let mut cut = Self { stored: vec![], all, behind: HashSet::new() };
        for &op in ops.iter().rev() {
            let results = op.result_list().into_iter().rev();
            let read: Vec<_> = results.filter(|result| cut.is_read(*result, None)).collect();
            if is_costly(op) {
                cut.stored.extend(read);
            } else if !read.is_empty() {
                cut.behind.insert(op.key());
            }
        }
        cut.stored.reverse();
        for &op in ops {
            cut.advance(op);
        }
        cut
    }

    /// Whether something behind the cut reads a value, other than an operation.
    fn is_read(&self, value: Val<'c>, but: Option<OpKey>) -> bool {
        value.users().into_iter().any(|user| match owner(user, &self.all) {
            Some(owner) => Some(owner) != but && self.behind.contains(&owner),
            None => true,
        })
    }

    /// Moves the cut behind an operation if it is the only one to read some of the stored values.
    fn advance(&mut self, op: Op<'c>) {
        let results = op.result_list();
        let [result] = results[..] else { return };
        if !self.behind.contains(&op.key()) || !result.r#type().is_float_type() {
            return;
        }
        let operands = reads(op);
        let is_operand = |value: &Val<'c>| operands.iter().any(|x| same_value(*x, *value));
        let (joined, others): (Vec<_>, Vec<_>) = self.stored.iter().copied().partition(is_operand);
        if !joined.is_empty() && !joined.iter().any(|value| self.is_read(*value, Some(op.key()))) {
            self.stored = others;
            self.stored.push(result);
            self.behind.remove(&op.key());
        }
    }
}
