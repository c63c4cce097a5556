//! What reverse mode may not run again.
//!
//! The return sweep computes what it needs by running bodies of loops, branches and maps, and functions that
//! are called, another time. What they write to memory would be written twice, and what they read may
//! have been overwritten or freed since. Memory that one block allocates and writes is its own, so that running the block
//! again does no harm; but what is inside of the block runs again when the block is through.

use std::{collections::HashSet, iter::successors};

use ad_dialect::{
    capi::{is_tape, memory_effects},
    ir::{BlkExt, Op, OpExt, OpKey, Val, ValExt, text_of},
};
use melior::ir::{TypeLike, ValueLike, operation::OperationLike};

use super::{
    Derivative, Mode, Session,
    activity::{Activity, Flows, carries_derivative},
    memory::is_buffer,
    pick,
    rules::bits,
    signature,
    task::sinks,
};
use crate::support::{
    builder::same_value,
    diag::Result,
    memory::{base, is_tape_access, is_view},
    region::{all_inside, is_within},
    symbol::{any_inside, callee_of},
};

impl<'c> Session<'c> {
    /// Refuses what a function does with memory where reverse mode would do it twice.
    pub(super) fn refuse_repeated_effects(
        &self,
        source: Op<'c>,
        flows: &Flows,
        derivative: &Derivative,
    ) -> Result<()> {
        let all = all_inside(source);
        let blocks = source.blocks();
        self.refuse_buffers_inside(source, &all, flows, derivative)?;
        let writes = self.writes_among(&all, source);
        let has_tapes = all.iter().copied().any(is_tape_access);
        if !has_tapes && !writes.others && writes.own.is_empty() {
            return Ok(());
        }
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
            () if !writes.change_what_is_read_by(self, op) => None,
            () => Some("reads memory that something writes to"),
        };
        all.into_iter()
            .filter_map(|op| Some((op, why(op)?)))
            .map(|(op, why)| {
                let message = format!(
                    "has no vjp rule: it {why}, and reverse mode would run it again; move it out of \
                     what is around it, or put it into a function with a 'custom_vjp'"
                );
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
        self.writes_anything(op, source) && (op.attr("callee").is_some() || !is_own(op))
    }

    /// The same, be it its block's own memory.
    fn writes_anything(&self, op: Op<'c>, source: Op<'c>) -> bool {
        match op.attr("callee").and_then(text_of) {
            Some(name) => self.is_writing(&name, &mut HashSet::from([source.key()])),
            None => memory_effects(op).writes,
        }
    }

    /// What some operations of a function do to memory that others of them may read.
    pub(super) fn writes_among(&self, all: &[Op<'c>], source: Op<'c>) -> Writes<'c> {
        let mut writes = Writes { function: source, others: false, own: vec![] };
        for &op in all.iter().filter(|op| !is_tape_access(**op)) {
            match self.writes_anything(op, source) {
                true if is_own(op) => writes.own.push(op),
                written => writes.others |= written,
            }
        }
        writes
    }

    /// Whether a function reads memory that is not its own when its derivative runs it again.
    pub(super) fn reads_of_others(&self, name: &str) -> bool {
        let has_body = self.names.get(name).is_some_and(|op| op.body(0).is_some());
        has_body
            && self.custom_rule(name, Mode::Vjp).is_none()
            && self.reaches(name, &|op| memory_effects(op).reads, &mut HashSet::new())
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

    /// Whether a function whose results have no derivative may hand on what it is given by memory, or as bits.
    pub(super) fn hands_on_elsewhere(&self, call: Op<'c>, mode: Mode) -> bool {
        let Some(name) = callee_of(call).filter(|name| self.custom_rule(name, mode).is_none())
        else {
            return false;
        };
        let Some(&callee) = self.names.get(&name) else { return false };
        if callee.body(0).is_none() {
            return !call.result_list().into_iter().any(carries_derivative);
        }
        let Some(top) = self.module.body(0) else { return false };
        bits::come_back_of_call(call)
            || !self.has_own_memory(&name) && any_inside(top, name, writes_elsewhere)
    }

    /// Whether a function, or one that it calls, writes to memory that is not its own.
    pub(super) fn is_writing(&self, name: &str, seen: &mut HashSet<OpKey>) -> bool {
        self.reaches(name, &|op| memory_effects(op).writes, seen)
    }

    /// Whether all memory that a function uses, directly or not, is allocated in it.
    fn has_own_memory(&self, name: &str) -> bool {
        let Some(top) = self.module.body(0) else { return false };
        let function = self.names.get(name).filter(|op| op.body(0).is_some());
        let Some((inputs, results)) = function.and_then(|op| signature(*op)) else { return false };
        let is_of_others = |op: Op<'c>| {
            let effects = memory_effects(op);
            let by_pointers = callee_of(op).is_none() && handles(op).is_empty();
            op.op_name() == "memref.get_global" || by_pointers && (effects.reads || effects.writes)
        };
        !inputs.into_iter().chain(results).any(|ty| ty.is_mem_ref() || is_tape(ty))
            && !any_inside(top, name.to_owned(), is_of_others)
    }

    /// Whether a function, or one that it calls, has an operation with some effect on memory that is not its own.
    fn reaches(
        &self,
        name: &str,
        has_it: &dyn Fn(Op<'c>) -> bool,
        seen: &mut HashSet<OpKey>,
    ) -> bool {
        // What does not run again for its own derivative has no effects at all if all memory is its own.
        let is_closed = |callee: &str| self.commutes(callee) && self.has_own_memory(callee);
        let exchanged = self.halved.get(name).or_else(|| self.keeping.get(name));
        if exchanged.is_some_and(|(callee, _)| is_closed(callee)) {
            return false;
        }
        // What is in halves has tapes, which are its own, and no effects beside those of the primal.
        if let Some((callee, _)) = self.halved.get(name) {
            return self.reaches(callee, has_it, seen);
        }
        let Some(&callee) = self.names.get(name) else { return true };
        if !seen.insert(callee.key()) {
            return false;
        }
        let mut found = false;
        callee.for_each(&mut |op| {
            found |= match op.attr("callee").and_then(text_of) {
                _ if op.key() == callee.key() => false,
                Some(name) => self.reaches(&name, has_it, seen),
                None => has_it(op) && !uses_only(op, &|made| is_within(made, callee)),
            };
        });
        found
    }
}

/// What is done to memory in a function.
pub(super) struct Writes<'c> {
    function: Op<'c>,
    /// Whether something writes to memory that is not its block's own.
    pub others: bool,
    /// What writes to memory of its block, or frees it.
    own: Vec<Op<'c>>,
}

impl<'c> Writes<'c> {
    /// Whether what an operation reads, or the function that it calls, may be something else when that runs again after
    /// the function.
    pub fn change_what_is_read_by(&self, session: &Session<'c>, op: Op<'c>) -> bool {
        match &callee_of(op) {
            Some(name) if !session.reads_of_others(name) => return false,
            // What the block allocates is there again when the block runs again, but not when only a function does.
            None if !memory_effects(op).reads || is_own(op) => return false,
            _ => {}
        }
        self.others || self.own.iter().any(|write| self.comes_later(*write, op))
    }

    /// Whether something is written to the memory of a block after an operation in that block, or in one of its
    /// operations, has read it.
    fn comes_later(&self, write: Op<'c>, read: Op<'c>) -> bool {
        let mut around = successors(Some(read), |op| op.parent());
        let here = around.find(|op| op.block() == write.block());
        let is_later = here.is_some_and(|here| here.is_before(write));
        let written: Vec<_> = handles(write).into_iter().map(base).collect();
        is_later && handles(read).into_iter().any(|buffer| self.may_be(base(buffer), &written))
    }

    /// Whether a buffer may be one of those that are allocated.
    fn may_be(&self, buffer: Val<'c>, allocated: &[Val<'c>]) -> bool {
        let is_given =
            buffer.owner_block().is_some_and(|block| self.function.body(0) == Some(block));
        let is_other = buffer.defining_op().is_some_and(|op| {
            matches!(op.op_name(), "memref.alloc" | "memref.alloca" | "memref.get_global")
        });
        let is_it = allocated.iter().any(|other| same_value(*other, buffer));
        is_it || !is_given && !is_other
    }
}

/// What is active in a function.
pub(super) fn activity_of<'c>(source: Op<'c>, flows: &Flows, derivative: &Derivative) -> Activity {
    let arguments = source.body(0).map(|body| body.arg_list()).unwrap_or_default();
    let ends = source.blocks().into_iter().filter_map(|block| block.term());
    let returned = ends.into_iter().find(|end| end.op_name() == "func.return");
    let results = returned.map(|end| end.operand_list()).unwrap_or_default();
    let wrt = pick(&arguments, &derivative.wrt);
    flows.activity(&wrt, &sinks(&wrt, pick(&results, &derivative.of)))
}

/// Whether an operation of a function may write what has a derivative to memory that the function is not given: a variable of
/// the module, also by a call that is given it, or where a pointer leads. What the function is given the caller knows.
fn writes_elsewhere(op: Op<'_>) -> bool {
    let handles = handles(op);
    let has_elsewhere = handles.iter().any(|handle| is_elsewhere(base(*handle)));
    let is_it = match callee_of(op) {
        Some(_) => has_elsewhere,
        None => memory_effects(op).writes && (handles.is_empty() || has_elsewhere),
    };
    is_it && op.operand_list().into_iter().any(carries_derivative)
}

/// Whether a buffer is neither given nor made nor chosen, such as a variable of the module.
fn is_elsewhere(buffer: Val<'_>) -> bool {
    buffer.defining_op().is_some_and(|op| {
        let name = op.op_name();
        let is_known = matches!(
            name,
            "memref.alloc" | "memref.alloca" | "ad.tape_create" | "arith.select" | "func.call"
        );
        !is_known && !name.starts_with("scf.")
    })
}

/// Whether all buffers and tapes that an operation uses are made in its block.
pub(super) fn is_own(op: Op<'_>) -> bool {
    uses_only(op, &|made| made.block() == op.block())
}

/// Whether an operation uses buffers or tapes, and what makes them is right.
fn uses_only<'c>(op: Op<'c>, is_right: &dyn Fn(Op<'c>) -> bool) -> bool {
    let handles = handles(op);
    !handles.is_empty() && handles.into_iter().all(|handle| is_made_right(handle, is_right))
}

/// The buffers and tapes that an operation is given.
fn handles(op: Op<'_>) -> Vec<Val<'_>> {
    let is_handle = |value: &Val<'_>| value.r#type().is_mem_ref() || is_tape(value.r#type());
    op.operand_list().into_iter().filter(is_handle).collect()
}

fn is_made_right<'c>(handle: Val<'c>, is_right: &dyn Fn(Op<'c>) -> bool) -> bool {
    handle.defining_op().is_some_and(|made| match made.op_name() {
        "memref.alloc" | "memref.alloca" | "ad.tape_create" => is_right(made),
        name if is_view(name) => made.opnd(0).is_some_and(|of| is_made_right(of, is_right)),
        _ => false,
    })
}
