//! A derivative in two halves: the function up to its exit, which returns what the primal returns, and the way back.
//!
//! What block inversion makes in one function is cut at the exit. What the way back reads of the values before is pushed on
//! a tape at the exit and popped where the second half begins. All tapes become arguments of both halves, so that
//! functions that call each other push on the same ones, which hold numbers of one type and no more than are needed
//! [ZYG 4.1]: the second halves are called in the opposite order of the first halves, so that what was pushed last is
//! popped first.
//! Requires: the mark at the exit (`mark`), which `reverse` sets.
//! Tests: test/ad/vjp/call-recursive.mlir, test/ad/numeric/call-recursive.mlir.

use ad_dialect::{
    blocks::{add_argument, erase_argument, in_order, move_block, region_of},
    capi::{is_tape, tape_type},
    ir::{BlkExt, Op, OpExt, TyExt, Val, ValExt, text_of},
};
use melior::{
    Context,
    ir::{
        Type, TypeLike, ValueLike,
        attribute::{StringAttribute, TypeAttribute},
        operation::OperationLike,
        r#type::FunctionType,
    },
};

use super::at_front;
use crate::{
    ad::{Session, signature},
    support::{
        builder::Builder,
        diag::{Result, internal_error},
        region::is_outside,
    },
};

/// The message of the assertion that marks the exit.
const MARK: &str = "ad: the exit";

/// A tape in both halves, where it is an operation for the time being.
#[derive(Clone, Copy)]
pub struct Tape<'c> {
    forward: Op<'c>,
    pullback: Op<'c>,
}

/// Marks the end of the first half.
pub fn mark(b: &Builder<'_>) {
    let message = StringAttribute::new(b.context(), MARK).into();
    b.op_with("cf.assert", &[b.truth(true)], &[], &[("msg", message)], &[]);
}

/// Cuts a function that takes arguments, then seeds, then shadows of arguments, and returns results, then shadows of
/// results, then cotangents; the second half goes to another one, which takes the seeds and returns the cotangents.
/// Arguments are as many as it is said. Returns the tapes.
pub fn cut<'c>(
    session: &Session<'c>,
    (forward, pullback): (Op<'c>, Op<'c>),
    arguments: usize,
) -> Result<Vec<Tape<'c>>> {
    let context = session.context();
    let mut marks = vec![];
    forward.for_each(&mut |op| {
        if op.op_name() == "cf.assert" && op.attr("msg").and_then(text_of).as_deref() == Some(MARK)
        {
            marks.push(op);
        }
    });
    let (Some(&mark), Some(entry), Some(start)) =
        (marks.first(), forward.body(0), pullback.body(0))
    else {
        return Err(internal_error(forward, "a derivative without a mark at its exit"));
    };
    let (Some(exit), Some(region)) = (mark.block(), region_of(start)) else {
        return Err(internal_error(forward, "a derivative without blocks"));
    };
    let back: Vec<_> = in_order(exit).into_iter().skip(1).collect();
    for later in std::iter::successors(mark.next(), |later| later.next()).collect::<Vec<_>>() {
        later.detach();
        start.push(later);
    }
    back.iter().for_each(|&block| move_block(block, region));
    mark.erase();
    for (seed, new) in entry.arg_list().into_iter().skip(arguments).zip(start.arg_list()) {
        seed.replace_all_uses(new);
    }
    let seeds = start.arg_list().len();
    for position in (arguments..arguments + seeds).rev() {
        erase_argument(entry, position);
    }
    let ends = pullback.blocks().into_iter().filter_map(|block| block.term());
    let Some(end) = ends.into_iter().find(|end| end.op_name() == "func.return") else {
        return Err(internal_error(forward, "a derivative that does not return"));
    };
    let mut returned = end.operand_list();
    let bars = signature(pullback).map_or(0, |(_, bars)| bars.len());
    let bars = returned.split_off(returned.len().saturating_sub(bars));
    end.set_operands(&bars);
    let b = Builder::at_end(context, exit, end.location());
    let mut tapes = own_tapes(context, pullback);
    let kept = crossing(session, forward, pullback)?;
    if !kept.is_empty() {
        let types: Vec<_> = kept.iter().map(|value| value.r#type()).collect();
        let r#type = tape_type(context, &types);
        let make = |block| {
            let front = at_front(context, block, &b);
            front.op("ad.tape_create", &[], &[r#type])
        };
        let tape = Tape { forward: make(entry), pullback: make(start) };
        let handles = [tape.forward, tape.pullback].map(|op| op.result_list());
        b.op("ad.tape_push", &[&handles[0], &kept[..]].concat(), &[]);
        let front = match tape.pullback.next() {
            Some(next) => Builder::before(context, next, start).with_location(b.location()),
            None => Builder::at_end(context, start, b.location()),
        };
        let popped = front.op("ad.tape_pop", &handles[1], &types).result_list();
        for (value, new) in kept.iter().zip(popped) {
            replace_inside(pullback, *value, new);
        }
        tapes.push(tape);
    }
    b.op("func.return", &returned, &[]);
    Ok(tapes)
}

/// The tapes that loops need: they are made in the first half and used in the second one, which does not free them.
fn own_tapes<'c>(context: &'c Context, pullback: Op<'c>) -> Vec<Tape<'c>> {
    let mut tapes: Vec<Tape<'c>> = vec![];
    let mut frees = vec![];
    pullback.for_each(&mut |op| {
        let tape = op.opnd(0).filter(|tape| is_tape(tape.r#type()) && is_outside(pullback, *tape));
        let Some(forward) = tape.and_then(|tape| tape.defining_op()) else { return };
        if op.op_name() == "ad.tape_free" {
            frees.push(op);
        } else if !tapes.iter().any(|tape| tape.forward.key() == forward.key()) {
            tapes.push(Tape { forward, pullback: forward });
        }
    });
    frees.into_iter().for_each(|op| op.erase());
    for tape in &mut tapes {
        let Some(start) = pullback.body(0) else { continue };
        let copy = tape.forward.clone_detached();
        let like = Builder::at_end(context, start, pullback.location());
        at_front(context, start, &like).insert(copy);
        tape.pullback = copy;
        if let (Some(old), Some(new)) = (tape.forward.res(0), copy.res(0)) {
            replace_inside(pullback, old, new);
        }
    }
    tapes
}

/// The values that the second half reads from the first one; constants are copied.
fn crossing<'c>(session: &Session<'c>, forward: Op<'c>, pullback: Op<'c>) -> Result<Vec<Val<'c>>> {
    let context = session.context();
    let mut found: Vec<Val<'c>> = vec![];
    pullback.for_each(&mut |op| {
        for value in op.operand_list() {
            let is_new = !found.iter().any(|other| other.key() == value.key());
            if is_new && is_outside(pullback, value) {
                found.push(value);
            }
        }
    });
    let mut kept = vec![];
    for value in found {
        let constant = value.defining_op().filter(|op| {
            matches!(op.op_name(), "arith.constant" | "complex.constant" | "ub.poison")
        });
        if let (Some(op), Some(start)) = (constant, pullback.body(0)) {
            let like = Builder::at_end(context, start, op.location());
            let copy = op.clone_detached();
            at_front(context, start, &like).insert(copy);
            copy.res(0).into_iter().for_each(|new| replace_inside(pullback, value, new));
            continue;
        }
        if !is_kept(value.r#type()) {
            let message = format!(
                "has no vjp rule: it calls itself, and its derivative needs a value of type {} again, which no tape holds",
                value.r#type()
            );
            return Err(session.refuse(forward, &message));
        }
        kept.push(value);
    }
    Ok(kept)
}

/// Whether a tape holds values of a type.
fn is_kept(r#type: Type<'_>) -> bool {
    let scalar = r#type.scalar().scalar();
    if r#type.is_mem_ref() {
        return true;
    }
    let is_number =
        scalar.is_float_type() || scalar.is_int_or_index_type() || scalar.is_complex_type();
    let is_whole = r#type == r#type.scalar() || r#type.is_vector_type();
    is_number && (is_whole || r#type.as_tensor().is_some())
}

fn replace_inside<'c>(function: Op<'c>, old: Val<'c>, new: Val<'c>) {
    function.for_each(&mut |op| {
        for (i, value) in op.operand_list().into_iter().enumerate() {
            if value.key() == old.key() {
                op.set_operand(i, new);
            }
        }
    });
}

/// Makes the tapes of some pairs of halves arguments of all of them, and hands them on where they call each other; returns
/// the types of the tapes.
pub fn share<'c>(
    context: &'c Context,
    halves: &[(Op<'c>, Op<'c>)],
    tapes: &[Vec<Tape<'c>>],
    is_half: &dyn Fn(&str) -> bool,
) -> Vec<Type<'c>> {
    let all: Vec<_> = tapes.iter().flatten().copied().collect();
    let types: Vec<Type<'c>> =
        all.iter().flat_map(|tape| tape.forward.result_list()).map(|t| t.r#type()).collect();
    for (number, &(forward, pullback)) in halves.iter().enumerate() {
        let before: usize = tapes[..number].iter().map(Vec::len).sum();
        for (function, is_forward) in [(forward, true), (pullback, false)] {
            let Some(entry) = function.body(0) else { continue };
            let location = function.location();
            let handles: Vec<_> =
                types.iter().map(|ty| add_argument(entry, *ty, location)).collect();
            for (tape, handle) in tapes[number].iter().zip(&handles[before..]) {
                let create = if is_forward { tape.forward } else { tape.pullback };
                create.result_list().iter().for_each(|old| old.replace_all_uses(*handle));
            }
            function.for_each(&mut |op| {
                let callee = op.attr("callee").and_then(text_of).unwrap_or_default();
                if op.op_name() == "func.call" && is_half(&callee) {
                    op.set_operands(&[&op.operand_list()[..], &handles].concat());
                }
            });
            let ends = function.blocks().into_iter().filter_map(|block| block.term());
            let end = ends.into_iter().find(|end| end.op_name() == "func.return");
            let list = |values: Vec<Val<'c>>| values.iter().map(|v| v.r#type()).collect::<Vec<_>>();
            let results = end.map(|end| list(end.operand_list())).unwrap_or_default();
            let r#type = FunctionType::new(context, &list(entry.arg_list()), &results);
            function.set_attr(context, "function_type", TypeAttribute::new(r#type.into()).into());
        }
    }
    for tape in all {
        tape.forward.erase();
        tape.pullback.erase();
    }
    types
}
