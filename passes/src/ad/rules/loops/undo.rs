//! Loops that go back by inverses (`ad::inverse`): what they carry through a call is not saved [ZYG 3.1].
//!
//! ```text
//! loop (x) do y = f(x, ws); yield y          f with the inverse g, ws from outside of the loop
//! return loop, with the x that the iteration left, at first the result of the loop:
//!   x = g(x, ws);   body again;  return sweep of body;   yield x
//! ```

use ad_dialect::ir::{Op, OpExt, Val, ValExt};

use super::Parts;
use crate::{
    ad::{inverse::Inverse, vjp::Vjp},
    support::{
        builder::{Builder, same_value},
        region::is_outside,
    },
};

/// Values that a loop carries through one call, whose inverse finds them.
pub struct Undo<'c> {
    inverse: Inverse<'c>,
    /// The primals of the arguments of the call; only those from outside are read.
    arguments: Vec<Val<'c>>,
    /// For each result of the call, at which position the loop carries it, and the number of the argument that the
    /// loop carries there.
    through: Vec<(usize, usize)>,
}

impl<'c> Undo<'c> {
    /// All calls with inverses that a loop carries values through.
    pub fn all(op: Op<'c>, vjp: &Vjp<'_, 'c>, parts: &Parts<'c>) -> Vec<Self> {
        let mut calls: Vec<Op<'c>> = vec![];
        for call in parts.yielded.iter().filter_map(ValExt::defining_op) {
            if call.op_name() == "func.call" && !calls.iter().any(|c| c.key() == call.key()) {
                calls.push(call);
            }
        }
        calls.into_iter().filter_map(|call| Self::of(op, vjp, parts, call)).collect()
    }

    fn of(op: Op<'c>, vjp: &Vjp<'_, 'c>, parts: &Parts<'c>, call: Op<'c>) -> Option<Self> {
        let inverse = vjp.session.inverse_of(call)?;
        let operands = call.operand_list();
        let (found, others) = operands.split_at(inverse.count().min(operands.len()));
        if !others.iter().all(|value| is_outside(op, *value)) {
            return None;
        }
        let through = call.result_list().into_iter().map(|y| {
            let position = parts.yielded.iter().position(|value| same_value(*value, y))?;
            let x = found.iter().position(|x| same_value(*x, parts.carried[position]))?;
            Some((position, x))
        });
        let through: Vec<_> = through.collect::<Option<_>>()?;
        Some(Self { inverse, arguments: vjp.primal_list(&operands), through })
    }

    /// The positions of the values.
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        self.through.iter().map(|(position, _)| *position)
    }

    /// The values at the start of an iteration, in the order of the positions, from those at its end.
    pub fn back(&self, b: &Builder<'c>, after: &[Val<'c>]) -> Vec<Val<'c>> {
        let found = self.inverse.call(b, after, &self.arguments).result_list();
        self.through.iter().filter_map(|(_, x)| found.get(*x).copied()).collect()
    }
}
