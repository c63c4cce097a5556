//! What is computed again in the return block that reads it, of values that other blocks define.

use std::collections::HashMap;

use ad_dialect::{
    capi::is_trivially_dead,
    ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, ValueKey},
};

use super::{Reverse, residual};
use crate::{
    ad::Residuals,
    support::{
        memory::effects_inside,
        region::{ValueMap, free_values, rename_operands},
    },
};

impl<'c> Reverse<'_, 'c> {
    /// Replaces the stand-ins of what pure operations give, if the user wants that: what these start from is read instead.
    pub(super) fn compute_again(&mut self) {
        if self.vjp.session.options.residuals != Residuals::Recompute {
            return;
        }
        for reader in 0..self.blocks.list.len() {
            let Some(back) = self.back[reader] else { continue };
            let mut done = HashMap::new();
            let stand_ins: Vec<_> =
                self.stand_ins.iter().filter(|s| s.reader == reader).copied().collect();
            // What is read in addition has stand-ins in front of all that is computed.
            for stand_in in stand_ins {
                let value = self.computed(reader, back, stand_in.value, &mut done);
                if value.key() != stand_in.is.key() {
                    stand_in.is.replace_all_uses(value);
                }
            }
        }
    }

    /// A value of the forward blocks in a return block, computed again as far as that is possible.
    fn computed(
        &mut self,
        reader: usize,
        back: Blk<'c>,
        value: Val<'c>,
        done: &mut HashMap<ValueKey, Val<'c>>,
    ) -> Val<'c> {
        if let Some(known) = done.get(&value.key()) {
            return *known;
        }
        let home = self.home_in_forward(value);
        let Some(home) = home else { return value };
        let definition = value.defining_op().filter(|op| is_pure(*op));
        let new = match definition.filter(|_| !super::is_plain(&self.blocks, home, reader)) {
            None => {
                let read = self.read(reader, value, home);
                residual::to_front(back, read);
                read
            }
            Some(op) => {
                let mut map = ValueMap::new();
                let inner = free_values(&op.blocks());
                for operand in op.operand_list().into_iter().chain(inner) {
                    let new = self.computed(reader, back, operand, done);
                    map.insert(operand.key(), new);
                }
                let copy = op.clone_detached();
                rename_operands(copy, &map);
                // In front of everything but what is read, and what was computed here before.
                let is_done = |op: &Op<'c>| {
                    let mut definitions = done.values().filter_map(ValExt::defining_op);
                    definitions.any(|definition| definition.key() == op.key())
                };
                let mut ops = back.ops().into_iter();
                let place = ops.find(|op| !residual::is_read(*op) && !is_done(op));
                match place {
                    Some(place) => BlkExt::insert_before(&back, place, copy),
                    None => BlkExt::push(&back, copy),
                }
                for (old, new) in op.result_list().into_iter().zip(copy.result_list()) {
                    done.insert(old.key(), new);
                }
                done.get(&value.key()).copied().unwrap_or(value)
            }
        };
        done.insert(value.key(), new);
        new
    }

    /// The number of the forward block that defines a value.
    fn home_in_forward(&self, value: Val<'c>) -> Option<usize> {
        let block = value.parent_block()?;
        self.forward.iter().position(|other| *other == block)
    }
}

/// Whether an operation gives the same whenever it runs.
fn is_pure(op: Op<'_>) -> bool {
    is_trivially_dead(op) && !effects_inside(op).reads
}
