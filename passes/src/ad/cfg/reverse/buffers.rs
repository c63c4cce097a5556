//! Buffers and their shadows in block inversion.
//!
//! A buffer that a block gets as an argument has its shadow as another one. Views of buffers are made again where a
//! return block uses them, from the buffers that they are of, so that no tape has to keep buffers.

use std::collections::HashSet;

use ad_dialect::ir::{Op, OpExt, Val, ValExt, ValueKey};
use melior::ir::TypeLike;
use melior::ir::ValueLike;

use super::{Reverse, is_plain};
use crate::{
    ad::{
        cfg::at_front,
        memory::{handed_through, is_buffer},
    },
    support::diag::Result,
};

impl<'c> Reverse<'_, 'c> {
    /// The buffers with shadows among some values.
    pub(super) fn buffers(&self, values: &[Val<'c>]) -> Vec<Val<'c>> {
        let has_shadow = |value: &Val<'c>| self.vjp.is_active(*value) && is_buffer(*value);
        values.iter().copied().filter(has_shadow).collect()
    }

    /// What is allocated in a block that does not run once on every path has its shadow in front of everything, one for
    /// all iterations of a loop, unless a buffer of one iteration may live on in another one.
    pub(super) fn early_shadows(&mut self, number: usize) {
        self.vjp.front = match self.vjp.front {
            _ if self.blocks.runs_once(number) => None,
            _ if self.hands_on_buffers && self.blocks.runs_again(number) => None,
            Some(front) => Some(front),
            None => Some(at_front(self.context(), self.forward[0], &self.vjp.b)),
        };
    }

    /// Makes a source value known in a return block, with its shadow if it has one.
    pub(super) fn bring(&mut self, reader: usize, value: Val<'c>) -> Result<()> {
        self.bring_once(reader, value, &mut HashSet::new())
    }

    fn bring_once(
        &mut self,
        reader: usize,
        value: Val<'c>,
        seen: &mut HashSet<ValueKey>,
    ) -> Result<()> {
        if !seen.insert(value.key()) {
            return Ok(());
        }
        let is_view = |op: &Op<'c>| value.r#type().is_mem_ref() && handed_through(*op).is_some();
        let home = self.blocks.home(value);
        if let (Some(view), Some(home)) = (value.defining_op().filter(is_view), home)
            && !is_plain(&self.blocks, home, reader)
        {
            for operand in view.operand_list() {
                self.bring_once(reader, operand, seen)?;
            }
            self.vjp.copy(view);
            return self.vjp.make_shadow(view);
        }
        let new = self.primal_in(reader, value);
        self.vjp.set_primal(value, new);
        self.shadow_in(reader, value);
        Ok(())
    }

    /// Makes the shadow of a source value known in a return block, if it has one.
    fn shadow_in(&mut self, reader: usize, value: Val<'c>) {
        let shadow = self.sweep.as_ref().and_then(|sweep| sweep.shadow(value));
        let Some(shadow) = shadow else { return };
        let home = self.forward.iter().position(|block| Some(*block) == shadow.parent_block());
        let new = home.map_or(shadow, |home| self.read(reader, shadow, home));
        self.vjp.set_shadow(value, new);
    }
}
