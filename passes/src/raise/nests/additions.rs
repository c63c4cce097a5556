//! What loops in order add to elements that other iterations add to as well:
//!
//! ```text
//! x = a[p];  y = x + v;  a[p] = y          with  a[p] -= v  and the like
//! ```
//! The sum of all is what counts, whatever the order.

use std::collections::HashSet;

use ad_dialect::{
    capi::memory_effects,
    ir::{Op, OpExt, OpKey, Val, ValExt, ValueKey},
};
use melior::ir::operation::OperationLike;

use super::{Nest, Spot, Update, is_same};
use crate::support::{memory::is_array, region::between, roots::are_apart};

/// An addition to an element, in which nothing else is done with its buffer.
pub struct Addition<'c> {
    value: Val<'c>,
    is_negative: bool,
    /// The load, the addition and the store.
    ops: [OpKey; 3],
}

impl<'c> Nest<'c> {
    /// The addition that begins with a load of an element that iterations share.
    pub fn addition(
        &self,
        load: Op<'c>,
        spot: &Spot<'c>,
        inside: &HashSet<ValueKey>,
    ) -> Option<Addition<'c>> {
        let only = |op: Op<'c>| match op.res(0)?.uses()[..] {
            [(user, operand)] if user.block() == Some(self.body) => Some((user, operand)),
            _ => None,
        };
        if !self.in_order || load.block() != Some(self.body) {
            return None;
        }
        let (add, operand) = only(load)?;
        let is_negative = match (add.op_name(), operand) {
            ("arith.addf" | "arith.addi", _) => false,
            ("arith.subf" | "arith.subi", 0) => true,
            _ => return None,
        };
        let (store, written) = only(add)?;
        let target = self.spot(store, 1, inside).filter(|_| store.op_name() == "memref.store")?;
        let fits = written == 0 && is_same(spot, &target) && !self.is_own(spot, inside);
        let mut writes = between(load, store).into_iter().filter(|op| memory_effects(*op).writes);
        let is_untouched = writes.all(|op| {
            let mut buffers = op.operand_list().into_iter().filter(|value| is_array(*value));
            buffers.all(|buffer| are_apart(buffer, spot.buffer))
        });
        (fits && is_untouched).then_some(Addition {
            value: add.opnd(1 - operand)?,
            is_negative,
            ops: [load.key(), add.key(), store.key()],
        })
    }

    /// Notes an addition.
    pub fn add(&mut self, addition: Addition<'c>, spot: Spot<'c>) {
        let Addition { value, is_negative, ops } = addition;
        self.sums.extend(ops);
        self.updates.push(Update { value, spot, is_negative });
    }
}
