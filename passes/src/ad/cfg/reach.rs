//! Reaching gradients [ZYG 3.1]: which adjoints may be there when a return block begins.
//!
//! A return block knows them when the return blocks before it are there already, as they are outside of loops. For the
//! edges that lead back in a loop, this analysis says what may come, a merge of values counting as identity; what turns
//! out to be zero on every edge is pruned. A tape of cotangents or a
//! shadow is one for all blocks and no adjoint that they hand on.

use std::collections::HashSet;

use ad_dialect::ir::{BlkExt, OpExt, Val, ValExt, ValueKey};

use super::Blocks;
use crate::{
    ad::activity::{Activity, is_shared},
    support::region::free_values,
};

/// A set of values, in the order in which they came.
#[derive(Clone, Default)]
pub struct Values<'c> {
    /// The values.
    pub list: Vec<Val<'c>>,
    keys: HashSet<ValueKey>,
}

impl<'c> Values<'c> {
    /// Adds a value, unless it is there.
    pub fn add(&mut self, value: Val<'c>) {
        if self.keys.insert(value.key()) {
            self.list.push(value);
        }
    }

    fn has(&self, value: Val<'c>) -> bool {
        self.keys.contains(&value.key())
    }

    fn remove(&mut self, value: Val<'c>) {
        if self.keys.remove(&value.key()) {
            self.list.retain(|other| other.key() != value.key());
        }
    }
}

/// For each block the values that may have an adjoint when its return block ends: arguments of it, and values from
/// outside of it.
pub fn reaching<'c>(
    blocks: &Blocks<'c>,
    activity: &Activity,
    seeded: &[Val<'c>],
) -> Vec<Vec<Val<'c>>> {
    let mut before: Vec<Values<'c>> = vec![Values::default(); blocks.list.len()];
    let order: Vec<_> = blocks.graph.order().into_iter().rev().collect();
    let mut grows = true;
    while grows {
        grows = false;
        for &block in &order {
            let mut values = Values::default();
            if block == blocks.exit {
                seeded.iter().for_each(|&value| values.add(value));
            }
            for (edge, &to) in blocks.graph.next(block).iter().enumerate() {
                let handed = blocks.handed(block, edge);
                for &value in &before[to].list {
                    let is_argument = value.owner_block() == Some(blocks.list[to]);
                    let value =
                        if is_argument { handed.get(value.position()) } else { Some(&value) };
                    value
                        .filter(|value| activity.is_active(**value))
                        .into_iter()
                        .for_each(|v| values.add(*v));
                }
            }
            through(blocks, block, activity, &mut values);
            if values.list.len() > before[block].list.len() {
                before[block] = values;
                grows = true;
            }
        }
    }
    before.into_iter().map(|values| values.list).collect()
}

/// From the adjoints at the end of a block to those at its start.
fn through<'c>(blocks: &Blocks<'c>, block: usize, activity: &Activity, values: &mut Values<'c>) {
    for op in blocks.list[block].body_ops().into_iter().rev() {
        let results = op.result_list();
        if !results.iter().any(|&result| values.has(result)) && !activity.is_on_shared(op) {
            continue;
        }
        results.into_iter().for_each(|result| values.remove(result));
        let read = op.operand_list().into_iter().chain(free_values(&op.blocks()));
        read.filter(|value| activity.is_active(*value) && !is_shared(*value))
            .for_each(|value| values.add(value));
    }
}
