//! What needs a derivative at all.
//!
//! Every operation says which of its values a derivative flows between
//! (`Rule::flows`). A value is *active* when it can be reached from an argument
//! that is differentiated and a differentiable result can be reached from it.
//! Values of types without derivative are never active.

use std::collections::{HashMap, HashSet};

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey};
use melior::ir::ValueLike;

use super::rules;

/// The edges along which derivatives flow.
#[derive(Default)]
pub struct Flows {
    next: HashMap<ValueKey, Vec<ValueKey>>,
    previous: HashMap<ValueKey, Vec<ValueKey>>,
}

impl Flows {
    /// The derivative of `to` depends on that of `from`.
    ///
    /// An accumulator that is handed on stays the same accumulator, so all of its
    /// names are active or none.
    pub fn edge(&mut self, from: Val<'_>, to: Val<'_>) {
        if !carries_derivative(from) || !carries_derivative(to) {
            return;
        }
        self.link(from, to);
        if from.r#type().is_acc() && to.r#type().is_acc() {
            self.link(to, from);
        }
    }

    fn link(&mut self, from: Val<'_>, to: Val<'_>) {
        self.next.entry(from.key()).or_default().push(to.key());
        self.previous.entry(to.key()).or_default().push(from.key());
    }

    /// Each value of one list to the value at the same position of the other.
    pub fn edges<'c>(&mut self, from: &[Val<'c>], to: &[Val<'c>]) {
        for (from, to) in from.iter().zip(to) {
            self.edge(*from, *to);
        }
    }

    /// The edges in the blocks.
    pub fn of(blocks: &[Blk<'_>]) -> Self {
        let mut flows = Self::default();
        for block in blocks {
            flows.collect(*block);
        }
        flows
    }

    /// The values between `sources` and `sinks`.
    pub fn activity(&self, sources: &[Val<'_>], sinks: &[Val<'_>]) -> Activity {
        let varied = reach(sources, &self.next);
        let useful = reach(sinks, &self.previous);
        Activity { active: varied.intersection(&useful).copied().collect() }
    }

    /// Operations through which a derivative would be lost unnoticed: they take a
    /// value that depends on `sources` and hand it on where nothing follows it, in
    /// memory or in a type without derivative.
    pub fn escapes<'c>(&self, block: Blk<'c>, sources: &[Val<'c>]) -> Vec<Op<'c>> {
        let mut found = vec![];
        collect_escapes(block, &reach(sources, &self.next), &mut found);
        found
    }

    fn collect(&mut self, block: Blk<'_>) {
        for op in block.ops() {
            rules::flows(op, self);
            for inner in op.blocks() {
                self.collect(inner);
            }
        }
    }
}

/// Whether a derivative can be attached to the value.
pub fn carries_derivative(value: Val<'_>) -> bool {
    value.r#type().is_differentiable()
        || (value.r#type().is_acc()
            && ad_dialect::capi::acc_array(value.r#type()).is_differentiable())
}

/// The set of active values.
#[derive(Default)]
pub struct Activity {
    active: HashSet<ValueKey>,
}

impl Activity {
    /// The values between `sources` and `sinks` in the blocks.
    pub fn between<'c>(blocks: &[Blk<'c>], sources: &[Val<'c>], sinks: &[Val<'c>]) -> Self {
        Flows::of(blocks).activity(sources, sinks)
    }

    /// Whether the value needs a derivative.
    pub fn is_active(&self, value: Val<'_>) -> bool {
        self.active.contains(&value.key())
    }
}

fn collect_escapes<'c>(block: Blk<'c>, varied: &HashSet<ValueKey>, found: &mut Vec<Op<'c>>) {
    for op in block.body_ops() {
        let takes_varied = op.operand_list().iter().any(|value| varied.contains(&value.key()));
        if takes_varied && rules::loses_derivative(op) {
            found.push(op);
        }
        for inner in op.blocks() {
            collect_escapes(inner, varied, found);
        }
    }
}

fn reach(from: &[Val<'_>], edges: &HashMap<ValueKey, Vec<ValueKey>>) -> HashSet<ValueKey> {
    let mut todo: Vec<ValueKey> =
        from.iter().filter(|value| carries_derivative(**value)).map(ValExt::key).collect();
    let mut reached: HashSet<ValueKey> = todo.iter().copied().collect();
    while let Some(value) = todo.pop() {
        for &other in edges.get(&value).into_iter().flatten() {
            if reached.insert(other) {
                todo.push(other);
            }
        }
    }
    reached
}
