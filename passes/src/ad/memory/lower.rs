//! The form in which the engines take a function that uses memory.
//!
//! * There is no `affine`, and no `linalg` on buffers but what fills them: it is on tensors where it can be (`raise/buffers.rs`).
//! * In reverse mode, functions that take buffers are inlined, unless they call themselves.
//! * In reverse mode, what is done with buffers that have a shadow, or that others may have written to, is in blocks of
//!   the function, unless an operation that is no control flow is around it. Blocks run once [ZYG 3.1], while rules for
//!   structured control flow run bodies again.
//! * In reverse mode, bodies of maps that make buffers are functions (`bodies`).
//! * Parallel loops over buffers, and others whose iterations are known to be independent, are maps of what these hold, if they
//!   read before they write (`raise/nests`); else they are sequential ones.

use std::{cell::LazyCell, collections::HashSet};

use ad_dialect::ir::{BlkExt, Op, OpExt, OpKey};
use melior::ir::{Attribute, TypeLike, ValueLike, operation::OperationLike};

use super::{bodies, is_buffer, keeps_what_is_given, reads_what_is_given};
use crate::{
    ad::{Mode, Session, effects::is_own},
    raise::{buffers, flat, forall::forall, nests, reads},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        lowering::{inline_call, lower_affine, lower_linalg, lower_marked},
        region::{all_inside, all_of, replace},
        symbol::callee_of,
    },
};

/// The attribute of what is to become blocks.
const MARK: &str = "ad.to_blocks";

/// Whether a function uses memory, or calls functions that read memory which is not theirs.
pub fn uses_memory<'c>(session: &Session<'c>, function: Op<'c>) -> bool {
    let mut found = false;
    function.for_each(&mut |op| {
        found = found || touches_memory(op) || reads_in_callee(session, op);
    });
    found
}

fn reads_in_callee<'c>(session: &Session<'c>, op: Op<'c>) -> bool {
    callee_of(op).is_some_and(|name| session.reads_of_others(&name))
}

fn writes_in_callee<'c>(session: &Session<'c>, op: Op<'c>) -> bool {
    callee_of(op).is_some_and(|name| session.is_writing(&name, &mut HashSet::new()))
}

fn touches_memory(op: Op<'_>) -> bool {
    let values = op.operand_list().into_iter().chain(op.result_list());
    values.into_iter().any(|value| value.r#type().is_mem_ref())
}

/// Brings a function, which is a copy, into the form.
pub fn lower<'c>(session: &mut Session<'c>, function: Op<'c>, mode: Mode) -> Result<()> {
    loop {
        if mode == Mode::Vjp {
            bodies::outline(session, function)?;
        }
        lower_control_flow(session, function, mode)?;
        let calls = if mode == Mode::Vjp { calls(session, function) } else { vec![] };
        if calls.is_empty() {
            return Ok(());
        }
        for (call, name, callee) in calls {
            session.answer_requests(&name, callee)?;
            if !inline_call(call, callee) {
                return Err(internal_error(call, "a call that cannot be inlined"));
            }
        }
    }
}

fn lower_control_flow<'c>(session: &Session<'c>, function: Op<'c>, mode: Mode) -> Result<()> {
    let mut names = HashSet::new();
    function.for_each(&mut |op| {
        names.extend(op.op_name().split('.').next());
    });
    lower_affine(function)?;
    raise_structured(session, function)?;
    if names.contains("linalg") && !lower_linalg(function) {
        return Err(internal_error(function, "'linalg' that cannot be lowered"));
    }
    // Parallel loops become sequential ones, which become blocks.
    while mark(session, function, mode) {
        if raise_marked_forall(session, function)? {
            continue;
        }
        if !lower_marked(function, MARK) {
            return Err(internal_error(function, "control flow that cannot be lowered to blocks"));
        }
    }
    Ok(())
}

/// A marked `scf.forall` that makes arrays becomes a nest of loops which carry them; returns whether there was one.
fn raise_marked_forall<'c>(session: &Session<'c>, function: Op<'c>) -> Result<bool> {
    let is_marked = |op: &Op<'c>| op.attr(MARK).is_some() && op.result_count() > 0;
    let Some(op) = all_of(function, "scf.forall").into_iter().find(is_marked) else {
        return Ok(false);
    };
    let Some(block) = op.block() else { return Ok(false) };
    let b = Builder::before(session.context(), op, block).with_location(op.location());
    let made = forall(&b, op)?;
    made.iter().for_each(|values| replace(op, values));
    Ok(made.is_some())
}

/// Structured operations on buffers become such on tensors. What is read of memory that nobody writes to is not copied.
fn raise_structured<'c>(session: &Session<'c>, function: Op<'c>) -> Result<()> {
    let keeps_given = LazyCell::new(|| keeps_what_is_given(function));
    let is_control_flow = |op: Op<'c>| op.op_name().starts_with("scf.");
    flat::split(session.context(), function);
    nests::raise(session.context(), function)?;
    reads::raise(session.context(), all_inside(function), false);
    buffers::raise(session.context(), function, &is_control_flow, &|read, _| {
        !(*keeps_given && reads_what_is_given(read, function))
    });
    Ok(())
}

/// The calls in the blocks of a function that take or give buffers with a derivative, or read what is written to later, of
/// functions that do not call themselves: their bodies become part of the function, because they must not run again.
fn calls<'c>(session: &Session<'c>, function: Op<'c>) -> Vec<(Op<'c>, String, Op<'c>)> {
    let writes = session.writes_among(&all_inside(function), function);
    let ops = function.blocks().into_iter().flat_map(|block| block.ops());
    let has_buffer = |op: &Op<'c>| {
        let mut values = op.operand_list().into_iter().chain(op.result_list());
        values.any(is_buffer)
    };
    ops.filter_map(|op| Some((op, callee_of(op)?)))
        .filter(|(op, _)| has_buffer(op) || writes.change_what_is_read_by(session, *op))
        .filter_map(|(op, name)| {
            let callee = session.inlinable(&name)?;
            Some((op, name, callee))
        })
        .collect()
}

/// Marks the control flow around what is to be in blocks; returns whether there is any.
fn mark<'c>(session: &Session<'c>, function: Op<'c>, mode: Mode) -> bool {
    let (all, context) = (all_inside(function), session.context());
    let writes = session.writes_among(&all, function);
    let mut found = false;
    for op in all {
        let values = op.operand_list().into_iter().chain(op.result_list());
        let has_shadow = values.into_iter().any(is_buffer);
        let is_writing =
            writes.others && !is_own(op) && (touches_memory(op) || writes_in_callee(session, op));
        if !has_shadow && !is_writing && !writes.change_what_is_read_by(session, op) {
            continue;
        }
        let Some(around) = control_flow_around(op, function.key()) else { continue };
        let is_marked = |op: &Op<'c>| {
            mode == Mode::Vjp || matches!(op.op_name(), "scf.parallel" | "scf.forall")
        };
        for op in around.into_iter().filter(is_marked) {
            op.set_attr(context, MARK, Attribute::unit(context));
            found = true;
        }
    }
    found
}

/// The operations around one, itself included if it has regions, that are all control flow.
fn control_flow_around<'c>(op: Op<'c>, function: OpKey) -> Option<Vec<Op<'c>>> {
    let mut around = vec![];
    let mut next = if op.op_name().starts_with("scf.") { Some(op) } else { op.parent() };
    while let Some(op) = next.filter(|op| op.key() != function) {
        if !op.op_name().starts_with("scf.") {
            return None;
        }
        around.push(op);
        next = op.parent();
    }
    Some(around.into_iter().filter(|op| op.region_count() > 0).collect())
}
