//! What needs a derivative at all.
//!
//! Every operation says which of its values a derivative flows between
//! (`Rule::flows`). A value is *active* when it can be reached from an argument
//! that is differentiated and a differentiable result can be reached from it.
//! Values of types without derivative are never active.

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt, TyExt, Val, ValExt, ValueKey},
};
use melior::ir::{Type, TypeLike, ValueLike};

use super::{memory::is_buffer_type, rules};
use crate::support::region::free_values;

/// The edges along which derivatives flow.
#[derive(Default)]
pub struct Flows {
    next: HashMap<ValueKey, Vec<ValueKey>>,
    previous: HashMap<ValueKey, Vec<ValueKey>>,
    has_handles: bool,
}

impl Flows {
    /// The derivative of `to` depends on that of `from`.
    ///
    /// An accumulator, a tape or a buffer that is handed on stays the same, so all of its
    /// names are active or none.
    pub fn edge(&mut self, from: Val<'_>, to: Val<'_>) {
        if !carries_derivative(from) || !carries_derivative(to) {
            return;
        }
        self.link(from, to);
        let is_handle = |value: Val<'_>| value.r#type().is_acc() || is_shared(value);
        if is_handle(from) && is_handle(to) {
            self.link(to, from);
        }
        self.has_handles |= is_shared(from) || is_shared(to);
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
        let active = varied.intersection(&useful).copied().collect();
        Activity { active, has_handles: self.has_handles }
    }

    /// Operations through which a derivative would be lost unnoticed: they take a
    /// value that depends on `sources` and hand it on where nothing follows it, in
    /// memory or in a type without derivative.
    /// `also` says which others do.
    pub fn escapes<'c>(
        &self,
        blocks: &[Blk<'c>],
        sources: &[Val<'c>],
        also: impl Fn(Op<'c>) -> bool,
    ) -> Vec<Op<'c>> {
        let varied = reach(sources, &self.next);
        let mut found = vec![];
        let mut look = |op: Op<'c>| {
            let mut taken = op.operand_list();
            if rules::is_unknown(op) {
                taken.extend(free_values(&op.blocks()));
            }
            let takes_varied = taken.iter().any(|value| varied.contains(&value.key()));
            if takes_varied && (rules::loses_derivative(op) || also(op)) {
                found.push(op);
            }
        };
        for op in blocks.iter().flat_map(|block| block.ops()) {
            op.for_each(&mut look);
        }
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
    type_carries_derivative(value.r#type())
}

fn type_carries_derivative(r#type: Type<'_>) -> bool {
    r#type.is_differentiable()
        || is_buffer_type(r#type)
        || r#type.is_acc() && capi::acc_array(r#type).is_differentiable()
        || capi::is_tape(r#type)
            && capi::tape_components(r#type).into_iter().any(type_carries_derivative)
}

/// Whether it is a tape or a buffer, which all names that are active share with one tape or buffer of derivatives.
pub fn is_shared(value: Val<'_>) -> bool {
    capi::is_tape(value.r#type()) || value.r#type().is_mem_ref()
}

/// The set of active values.
#[derive(Default)]
pub struct Activity {
    active: HashSet<ValueKey>,
    has_handles: bool,
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

    /// Whether the operation, or one inside, is on a tape or a buffer that needs a derivative. Then its results do not
    /// say whether a derivative passes through it.
    pub fn is_on_shared<'c>(&self, op: Op<'c>) -> bool {
        if !self.has_handles {
            return false;
        }
        let mut found = false;
        op.for_each(&mut |inner| found = found || self.is_itself_on_shared(inner));
        found
    }

    fn is_itself_on_shared<'c>(&self, op: Op<'c>) -> bool {
        !rules::without::is_non_differentiable(op.op_name())
            && op
                .operand_list()
                .into_iter()
                .chain(op.result_list())
                .any(|value| is_shared(value) && self.is_active(value))
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
