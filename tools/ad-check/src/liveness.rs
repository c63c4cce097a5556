//! Last uses: which operand may be moved out of its slot, so that a sole owner is updated in place.
//!
//! A region that may run several times can move only what it defines itself.
//! A region that runs at most once (`scf.if`, `soac.with_acc`) can also move what only it uses afterwards;
//! what its sibling alone would have used dies on entry.
//! Only arrays and accumulators are tracked: copying a scalar is free.

use std::collections::HashSet;

use crate::program::{Function, NOWHERE, Op, Opcode, Operand, Region, Slot};

/// Marks last uses and unused values of a function; `is_array` says which slots hold arrays or accumulators.
pub fn mark(function: &mut Function, is_array: &[bool]) {
    if let Some(body) = &mut function.body {
        let mut live = vec![false; function.slots];
        Marker { is_array }.region(body, &mut live, 0);
    }
}

struct Marker<'a> {
    is_array: &'a [bool],
}

impl Marker<'_> {
    /// Walks backwards; `live` goes from what is live after the region to what is live before it.
    /// Slots below `pinned` must stay: the region may run again.
    fn region(&self, region: &mut Region, live: &mut Vec<bool>, pinned: Slot) {
        if !region.graph.is_empty() {
            return self.graph(region, live, pinned);
        }
        self.uses(&mut region.yields, live, pinned);
        for op in region.ops.iter_mut().rev() {
            define(&mut op.results, live);
            self.inner(op, live, pinned);
            self.uses(&mut op.operands, live, pinned);
        }
        define(&mut region.arguments, live);
    }

    /// A block moves what it defines and no other block uses; everything else stays where it is.
    fn graph(&self, region: &mut Region, live: &mut [bool], pinned: Slot) {
        self.uses(&mut region.yields, live, pinned);
        let used: Vec<HashSet<Slot>> = region.graph.iter().map(|b| used(&b.body)).collect();
        for (i, block) in region.graph.iter_mut().enumerate() {
            let own = defined(&block.body);
            let others = used.iter().enumerate().filter(|(j, _)| *j != i);
            let shared: HashSet<Slot> = others.flat_map(|(_, used)| used.iter().copied()).collect();
            let mut after: Vec<bool> = (0..live.len() as Slot)
                .map(|slot| !own.contains(&slot) || shared.contains(&slot))
                .collect();
            self.region(&mut block.body, &mut after, pinned);
        }
        for slot in used.into_iter().flatten() {
            live[slot as usize] = true;
        }
        for block in &region.graph {
            defined(&block.body).into_iter().for_each(|slot| live[slot as usize] = false);
        }
        region.arguments = region.graph[0].body.arguments.clone();
    }

    fn inner(&self, op: &mut Op, live: &mut Vec<bool>, pinned: Slot) {
        if op.regions.is_empty() {
            return;
        }
        if !matches!(
            op.code,
            Opcode::If | Opcode::WithAcc | Opcode::Execute | Opcode::IndexSwitch(_)
        ) {
            // Every slot of the op's regions is numbered from `first` on.
            let first = op.regions.iter().filter_map(first_slot).min().unwrap_or(Slot::MAX);
            for region in op.regions.iter_mut() {
                self.region(region, live, first);
            }
            return;
        }
        let after = live.clone();
        let mut before = Vec::new();
        for region in op.regions.iter_mut() {
            let mut own = after.clone();
            self.region(region, &mut own, pinned);
            before.push(own);
        }
        for own in &before {
            live.iter_mut().zip(own).for_each(|(l, &o)| *l |= o);
        }
        for (region, own) in op.regions.iter_mut().zip(&before) {
            let dies = |s: &Slot| {
                live[*s as usize] && !own[*s as usize] && self.is_array[*s as usize] && *s >= pinned
            };
            region.dead_on_entry = (0..live.len() as Slot).filter(dies).collect();
        }
    }

    /// The rightmost of equal operands is the last, since operands are taken from left to right.
    fn uses(&self, operands: &mut [Operand], live: &mut [bool], pinned: Slot) {
        for operand in operands.iter_mut().rev() {
            let slot = operand.slot as usize;
            operand.last = !live[slot] && operand.slot >= pinned && self.is_array[slot];
            live[slot] = true;
        }
    }
}

/// Ends the life of values at their definition and gives unused ones no slot.
fn define(slots: &mut [Slot], live: &mut [bool]) {
    for slot in slots {
        if !std::mem::take(&mut live[*slot as usize]) {
            *slot = NOWHERE;
        }
    }
}

/// The slots that the operations of a region read.
fn used(region: &Region) -> HashSet<Slot> {
    let mut slots: HashSet<Slot> = region.yields.iter().map(|operand| operand.slot).collect();
    for op in &region.ops {
        slots.extend(op.operands.iter().map(|operand| operand.slot));
        slots.extend(op.regions.iter().flat_map(used));
    }
    slots.extend(region.graph.iter().flat_map(|block| used(&block.body)));
    slots
}

/// The slots that a block defines, also those in its operations.
fn defined(block: &Region) -> HashSet<Slot> {
    let mut slots: HashSet<Slot> = block.arguments.iter().copied().collect();
    for op in &block.ops {
        slots.extend(&op.results);
        slots.extend(op.regions.iter().flat_map(defined));
    }
    slots.extend(block.graph.iter().flat_map(|block| defined(&block.body)));
    slots.remove(&NOWHERE);
    slots
}

/// The lowest slot that a region defines.
fn first_slot(region: &Region) -> Option<Slot> {
    if !region.graph.is_empty() {
        return region.graph.iter().filter_map(|block| first_slot(&block.body)).min();
    }
    let arguments = region.arguments.iter().copied();
    let inner = region
        .ops
        .iter()
        .flat_map(|op| op.results.iter().copied().chain(op.regions.iter().filter_map(first_slot)));
    arguments.chain(inner).filter(|&s| s != NOWHERE).min()
}
