//! What reverse mode may not run again.
//!
//! The return sweep computes what it needs by running bodies of loops, branches and maps, and functions that
//! are called, another time. What they write to memory would be written twice, and what they read may
//! have been overwritten since. Memory that one block allocates and writes is its own, so that running it again does no
//! harm.

use std::collections::HashSet;

use ad_dialect::{
    capi::{is_tape, memory_effects},
    ir::{BlkExt, Op, OpExt, OpKey, Val, ValExt, text_of},
};
use melior::ir::{TypeLike, ValueLike, operation::OperationLike};

use super::{
    Derivative, Session,
    activity::{Activity, Flows},
    memory::is_buffer,
    pick,
    task::sinks,
};
use crate::support::{diag::Result, memory::is_view, region::is_within};

impl<'c> Session<'c> {
    /// Refuses what a function does with memory where reverse mode would do it twice.
    pub(super) fn refuse_repeated_effects(
        &self,
        source: Op<'c>,
        flows: &Flows,
        derivative: &Derivative,
    ) -> Result<()> {
        let mut all = vec![];
        source.for_each(&mut |op| all.push(op));
        all.retain(|op| op.key() != source.key());
        let blocks = source.blocks();
        self.refuse_buffers_inside(source, &all, flows, derivative)?;
        let writing: Vec<_> = all.iter().filter(|op| self.writes(**op, source)).collect();
        if writing.is_empty() {
            return Ok(());
        }
        let writes_memory = writing.iter().any(|op| !op.op_name().starts_with("ad.tape"));
        let activity = activity_of(source, flows, derivative);
        let runs_once = |op: Op<'c>| {
            let is_half =
                op.attr("callee").and_then(text_of).is_some_and(|name| self.is_in_group(&name));
            let is_active_call = op.op_name() == "func.call"
                && !is_half
                && op.result_list().into_iter().any(|result| activity.is_active(result));
            op.block().is_some_and(|block| blocks.contains(&block)) && !is_active_call
        };
        let why = |op: Op<'c>| match () {
            () if runs_once(op) => None,
            () if self.writes(op, source) => Some("writes to memory"),
            () if op.op_name() == "func.call" || is_own(op) || !writes_memory => None,
            () => memory_effects(op).reads.then_some("reads memory that something writes to"),
        };
        all.into_iter()
            .filter_map(|op| Some((op, why(op)?)))
            .map(|(op, why)| {
                let message =
                    format!("has no vjp rule: it {why}, and reverse mode would run it again");
                Err(self.refuse(op, &message))
            })
            .fold(Ok(()), Result::and)
    }

    /// Refuses buffers with a derivative in what is not in the blocks of the function: a combinator.
    fn refuse_buffers_inside(
        &self,
        source: Op<'c>,
        all: &[Op<'c>],
        flows: &Flows,
        derivative: &Derivative,
    ) -> Result<()> {
        let blocks = source.blocks();
        let inside: Vec<_> = all
            .iter()
            .filter(|op| op.block().is_some_and(|block| !blocks.contains(&block)))
            .filter(|op| op.operand_list().into_iter().chain(op.result_list()).any(is_buffer))
            .collect();
        if inside.is_empty() {
            return Ok(());
        }
        let activity = activity_of(source, flows, derivative);
        let is_active = |op: &&Op<'c>| op.blocks().is_empty() && activity.is_on_shared(**op);
        inside
            .into_iter()
            .filter(is_active)
            .map(|op| {
                let message = "has no vjp rule: it is in the body of an operation that reverse mode runs again";
                Err(self.refuse(*op, message))
            })
            .fold(Ok(()), Result::and)
    }

    /// Whether an operation itself, or the function that it calls or differentiates, writes to memory that is
    /// not its block's own; or, in a function that is called, not that function's. Functions without a body are trusted.
    fn writes(&self, op: Op<'c>, source: Op<'c>) -> bool {
        match op.attr("callee").and_then(text_of) {
            Some(name) => self.is_writing(&name, &mut HashSet::from([source.key()])),
            None => memory_effects(op).writes && !is_own(op),
        }
    }

    /// Whether a function, or one that it calls, reads or writes memory, or may.
    pub(super) fn touches_memory(&self, name: &str) -> bool {
        let (mut seen, mut todo) = (HashSet::new(), vec![name.to_owned()]);
        while let Some(name) = todo.pop() {
            if let Some((callee, _)) = self.halved.get(&name) {
                todo.extend(Some(callee.clone()).filter(|name| seen.insert(name.clone())));
                continue;
            }
            let Some(&callee) = self.names.get(&name).filter(|op| op.body(0).is_some()) else {
                return true;
            };
            let mut touches = false;
            callee.for_each(&mut |op| match op.attr("callee").and_then(text_of) {
                Some(name) => todo.extend(Some(name).filter(|name| seen.insert(name.clone()))),
                None => {
                    let effects = memory_effects(op);
                    touches |= effects.reads || effects.writes;
                }
            });
            if touches {
                return true;
            }
        }
        false
    }

    pub(super) fn is_writing(&self, name: &str, seen: &mut HashSet<OpKey>) -> bool {
        // What is in halves has tapes, which are its own, and no effects beside those of the primal.
        if let Some((callee, _)) = self.halved.get(name) {
            return self.is_writing(callee, seen);
        }
        let Some(&callee) = self.names.get(name) else { return true };
        if !seen.insert(callee.key()) {
            return false;
        }
        let mut writes = false;
        callee.for_each(&mut |op| {
            writes |= match op.attr("callee").and_then(text_of) {
                _ if op.key() == callee.key() => false,
                Some(name) => self.is_writing(&name, seen),
                None => {
                    memory_effects(op).writes && !uses_only(op, &|made| is_within(made, callee))
                }
            };
        });
        writes
    }
}

/// What is active in a function.
fn activity_of<'c>(source: Op<'c>, flows: &Flows, derivative: &Derivative) -> Activity {
    let arguments = source.body(0).map(|body| body.arg_list()).unwrap_or_default();
    let ends = source.blocks().into_iter().filter_map(|block| block.term());
    let returned = ends.into_iter().find(|end| end.op_name() == "func.return");
    let results = returned.map(|end| end.operand_list()).unwrap_or_default();
    let wrt = pick(&arguments, &derivative.wrt);
    flows.activity(&wrt, &sinks(&wrt, pick(&results, &derivative.of)))
}

/// Whether all buffers and tapes that an operation uses are made in its block.
pub(super) fn is_own(op: Op<'_>) -> bool {
    uses_only(op, &|made| made.block() == op.block())
}

/// Whether an operation uses buffers or tapes, and what makes them is right.
fn uses_only<'c>(op: Op<'c>, is_right: &dyn Fn(Op<'c>) -> bool) -> bool {
    let is_handle = |value: &Val<'_>| value.r#type().is_mem_ref() || is_tape(value.r#type());
    let mut handles = op.operand_list().into_iter().filter(is_handle).peekable();
    handles.peek().is_some() && handles.all(|handle| is_made_right(handle, is_right))
}

fn is_made_right<'c>(handle: Val<'c>, is_right: &dyn Fn(Op<'c>) -> bool) -> bool {
    handle.defining_op().is_some_and(|made| match made.op_name() {
        "memref.alloc" | "memref.alloca" | "ad.tape_create" => is_right(made),
        name if is_view(name) => made.opnd(0).is_some_and(|of| is_made_right(of, is_right)),
        _ => false,
    })
}
