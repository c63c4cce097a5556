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

use super::{Derivative, Session, activity::Flows, pick};
use crate::support::{diag::Result, memory::is_view};

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
        let writes_anywhere = all.iter().any(|op| self.writes(*op, &mut HashSet::new()));
        if !writes_anywhere {
            return Ok(());
        }
        let blocks = source.blocks();
        let body = source.body(0);
        let arguments = body.map(|body| body.arg_list()).unwrap_or_default();
        let ends = blocks.iter().filter_map(|block| block.term());
        let mut returns = ends.filter(|end| end.op_name() == "func.return");
        let results = returns.next().map(|end| end.operand_list()).unwrap_or_default();
        let sinks = pick(&results, &derivative.of);
        let activity = flows.activity(&pick(&arguments, &derivative.wrt), &sinks);
        let runs_once = |op: Op<'c>| {
            let is_active_call = op.op_name() == "func.call"
                && op.result_list().into_iter().any(|result| activity.is_active(result));
            op.block().is_some_and(|block| blocks.contains(&block)) && !is_active_call
        };
        let why = |op: Op<'c>| match () {
            () if runs_once(op) => None,
            () if self.writes(op, &mut HashSet::new()) => Some("writes to memory"),
            () if op.op_name() == "func.call" || is_own(op) => None,
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

    /// Whether an operation itself, or the function that it calls or differentiates, writes to memory that is not its
    /// block's own; `seen` are functions that have been looked at. Functions without a body are trusted.
    fn writes(&self, op: Op<'c>, seen: &mut HashSet<OpKey>) -> bool {
        let Some(name) = op.attr("callee").and_then(text_of) else {
            return memory_effects(op).writes && !is_own(op);
        };
        let Some(&callee) = self.names.get(&name) else { return true };
        if !seen.insert(callee.key()) {
            return false;
        }
        let mut writes = false;
        callee.for_each(&mut |inner| {
            writes |= inner.key() != callee.key() && self.writes(inner, seen);
        });
        writes
    }
}

/// Whether all buffers and tapes that an operation uses are made in its block.
fn is_own(op: Op<'_>) -> bool {
    let is_handle = |value: &Val<'_>| value.r#type().is_mem_ref() || is_tape(value.r#type());
    let mut buffers = op.operand_list().into_iter().filter(is_handle).peekable();
    buffers.peek().is_some() && buffers.all(|buffer| is_allocated_beside(op, buffer))
}

fn is_allocated_beside<'c>(op: Op<'c>, buffer: Val<'c>) -> bool {
    buffer.defining_op().is_some_and(|made| match made.op_name() {
        "memref.alloc" | "memref.alloca" | "ad.tape_create" => made.block() == op.block(),
        name if is_view(name) => made.opnd(0).is_some_and(|of| is_allocated_beside(op, of)),
        _ => false,
    })
}
