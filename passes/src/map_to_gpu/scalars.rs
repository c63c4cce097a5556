//! Numbers that kernels make stay on the device.
//!
//! The host waits for all kernels before it can read what one of them made, so it reads no number that only kernels use:
//!
//! ```text
//! m = extract(kernel { max x })[0]; kernel { exp(x[i] - m) }      =>  kernel { m = extract(..)[0]; exp(x[i] - m) }
//! for .. iter(s) { s + extract(kernel { .. })[0] }                =>  for .. iter(array of s) { kernel { s[0] + .. } }
//! ```
//!
//! Quick arithmetic of such numbers is done again by each thread, other arithmetic once by a kernel of one thread; so is
//! what the host needs that is made of several of them. What it does read is read late.

use std::collections::{HashMap, HashSet};

use ad_dialect::{
    ir::{Blk, BlkExt, Op, OpExt, OpKey, TyExt, Val, ValExt, array_of, i32_array},
    linalg::{Expr, Structured, map_attribute},
};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::{one_kernel, rows::row_of};
use crate::{
    lower::contractions_to_gpu::Contraction,
    support::{
        builder::Builder,
        chunk::forall_on,
        combinator::is_quick,
        diag::Result,
        region::{
            ValueMap, all_of, beside, clone_op, control_blocks, erase_dead_ops, free_values,
            is_within, move_before, move_body, replace,
        },
        size::Size,
        structured::drop_unneeded,
    },
};

/// The most operations that are done again.
const MOST: usize = 16;

/// Keeps the numbers of a function on the device.
pub fn keep<'c>(context: &'c Context, function: Op<'c>) -> Result<()> {
    for op in on_host(function).into_iter().rev() {
        if op.op_name() == "scf.for" && has_kernels(op) {
            carry(context, op)?;
        }
    }
    for op in on_host(function) {
        if op.op_name() == "scf.forall" {
            sink(context, op)?;
        } else if takes_numbers(op) {
            sink_structured(context, op)?;
        }
    }
    let host = on_host(function);
    let made = made_on_device(&host);
    for op in host {
        let is_made = is_arithmetic(op) && made.contains(&op.key());
        let Some(value) = op.res(0).filter(|_| is_made) else { continue };
        let is_needed = value.users().into_iter().any(|user| !is_arithmetic(user));
        if is_needed && Chain::of(value).reads().count() > 1 {
            store(context, value)?;
        }
    }
    let host = on_host(function);
    let made = made_on_device(&host);
    for op in host.into_iter().rev().filter(|op| made.contains(&op.key())) {
        read_late(context, op);
    }
    // Those inside of operations first, as long as these are there.
    let inner: Vec<_> = on_host(function).into_iter().flat_map(control_blocks).collect();
    inner.into_iter().rev().for_each(erase_dead_ops);
    function.blocks().into_iter().for_each(erase_dead_ops);
    Ok(())
}

/// The operations that the host executes, in order, an operation before those inside of it. Control flow without kernels
/// counts as one: it is going to be a kernel of one thread.
fn on_host<'c>(function: Op<'c>) -> Vec<Op<'c>> {
    fn collect<'c>(blocks: Vec<Blk<'c>>, found: &mut Vec<Op<'c>>) {
        for op in blocks.into_iter().flat_map(|block| block.ops()) {
            found.push(op);
            if has_kernels(op) {
                collect(control_blocks(op), found);
            }
        }
    }
    let mut found = vec![];
    collect(function.blocks(), &mut found);
    found
}

/// Those of some operations, in order, that read numbers from the device, or make others of these.
fn made_on_device(ops: &[Op<'_>]) -> HashSet<OpKey> {
    let mut made = HashSet::new();
    for &op in ops {
        let is_made =
            |operand: Val<'_>| operand.defining_op().is_some_and(|op| made.contains(&op.key()));
        let reads = op.op_name() == "tensor.extract";
        if reads || is_arithmetic(op) && op.operand_list().into_iter().any(is_made) {
            made.insert(op.key());
        }
    }
    made
}

/// Whether there are kernels inside of an operation.
fn has_kernels(op: Op<'_>) -> bool {
    !all_of(op, "scf.forall").is_empty()
}

/// Whether an operation makes one number of others.
fn is_arithmetic(op: Op<'_>) -> bool {
    let kinds = ["arith.", "math.", "complex."];
    kinds.iter().any(|kind| op.op_name().starts_with(kind))
        && op.blocks().is_empty()
        && op.result_count() == 1
        && op.operand_count() > 0
        && op.operand_list().into_iter().chain(op.res(0)).all(|value| {
            let r#type = value.r#type();
            r#type.as_tensor().is_none() && !r#type.is_vector_type()
        })
}

/// Whether a number is made of what is on the device.
pub fn is_made_on_device(value: Val<'_>) -> bool {
    Chain(vec![]).follow(value, &mut HashMap::new())
}

/// The operations that make a number of what is on the device, each after those that it needs; none if it is made of
/// other things.
struct Chain<'c>(Vec<Op<'c>>);

impl<'c> Chain<'c> {
    fn of(value: Val<'c>) -> Self {
        let mut chain = Self(vec![]);
        chain.follow(value, &mut HashMap::new());
        chain
    }

    /// Whether a value is made of what is on the device; what is known of operations is noted.
    fn follow(&mut self, value: Val<'c>, known: &mut HashMap<OpKey, bool>) -> bool {
        let Some(op) = value.defining_op() else { return false };
        if let Some(&is_made) = known.get(&op.key()) {
            return is_made;
        }
        let is_read = op.op_name() == "tensor.extract";
        if !is_read && !is_arithmetic(op) {
            return false;
        }
        let made = op.operand_list().into_iter().map(|operand| self.follow(operand, known));
        let is_made = made.fold(is_read, |any, made| any | made);
        known.insert(op.key(), is_made);
        if is_made {
            self.0.push(op);
        }
        is_made
    }

    fn reads(&self) -> impl Iterator<Item = Op<'c>> {
        self.0.iter().copied().filter(|op| op.op_name() == "tensor.extract")
    }

    /// Whether each thread may do it.
    fn is_quick(&self) -> bool {
        self.0.len() <= MOST
            && self.0.iter().all(|op| op.op_name() == "tensor.extract" || is_quick(op.op_name()))
    }

    /// Whether it is known that the same is read in front of an operation.
    fn is_same_at(&self, place: Op<'c>) -> bool {
        let is_kept = |array: Val<'c>| {
            let mut uses = array.uses().into_iter();
            uses.all(|(user, position)| reads(user, position) || is_after(user, place))
        };
        !self.0.is_empty() && self.reads().all(|read| read.opnd(0).is_some_and(is_kept))
    }

    /// The operations once more, where a builder is.
    fn copy(&self, b: &Builder<'c>, names: &mut ValueMap<'c>) {
        for &op in &self.0 {
            if op.res(0).is_some_and(|value| !names.contains_key(&value.key())) {
                clone_op(b, op, names);
            }
        }
    }
}

/// Whether an operation does no more with an array than read it.
fn reads(user: Op<'_>, position: usize) -> bool {
    let inputs = || user.attr("operandSegmentSizes").and_then(i32_array);
    match user.op_name() {
        "tensor.extract" | "tensor.dim" => true,
        name if name.starts_with("linalg.") => {
            inputs().is_some_and(|sizes| (position as i32) < sizes[0])
        }
        _ => false,
    }
}

/// Whether an operation, or one around it, comes after another one in its block.
fn is_after<'c>(op: Op<'c>, place: Op<'c>) -> bool {
    beside(op, place.block()).is_some_and(|own| place.is_before(own))
}

/// Lets the threads of a kernel read what the host would read for them.
fn sink<'c>(context: &'c Context, kernel: Op<'c>) -> Result<()> {
    let Some(body) = kernel.body(0) else { return Ok(()) };
    let Some(&first) = body.ops().first() else { return Ok(()) };
    let mut names = ValueMap::new();
    for value in free_values(&[body]) {
        let chain = Chain::of(value);
        if !chain.is_same_at(kernel) {
            continue;
        }
        let (value, chain) = if chain.is_quick() {
            (value, chain)
        } else {
            let Some(read) = store(context, value)? else { continue };
            (read, Chain::of(read))
        };
        chain.copy(&Builder::before(context, first, body), &mut names);
        let Some(&copy) = names.get(&value.key()) else { continue };
        // How many threads there are is still for the host to read.
        for (user, position) in value.uses() {
            if user.key() != kernel.key() && is_within(user, kernel) {
                user.set_operand(position, copy);
            }
        }
    }
    Ok(())
}

/// Whether an operation becomes a kernel whose threads may read numbers: a structured one that is no product, for whose tiles
/// the host reads them, or one that makes all elements of an array one number.
fn takes_numbers(op: Op<'_>) -> bool {
    let is_fill = matches!(op.op_name(), "linalg.fill" | "tensor.splat");
    is_fill || Structured::of(op).is_some() && Contraction::of(op).is_none()
}

/// The same for what becomes a kernel later.
fn sink_structured<'c>(context: &'c Context, op: Op<'c>) -> Result<()> {
    let numbers = op.operand_list().into_iter().chain(free_values(&op.blocks()));
    if !numbers.into_iter().any(|number| Chain::of(number).is_same_at(op)) {
        return Ok(());
    }
    let Some(op) = with_body(context, op)? else { return Ok(()) };
    // Numbers that it takes are as good as those that the body finds outside.
    let body = op.body(0).filter(|_| op.op_name() == "linalg.generic");
    let arguments = body.map(|body| body.arg_list()).unwrap_or_default();
    for (argument, operand) in arguments.into_iter().zip(op.operand_list()) {
        if operand.r#type().as_tensor().is_none() {
            argument.replace_all_uses(operand);
        }
    }
    let op = drop_unneeded(context, op, |_| true).unwrap_or(op);
    sink(context, op)
}

/// A generic operation in the place of a structured one without inputs that are tensors, or the one itself.
fn with_body<'c>(context: &'c Context, op: Op<'c>) -> Result<Option<Op<'c>>> {
    let (Some(block), Some(result)) = (op.block(), op.res(0)) else { return Ok(None) };
    let operands = op.operand_list();
    let Some((&number, rest)) = operands.split_first() else { return Ok(Some(op)) };
    let b = Builder::before(context, op, block).with_location(op.location());
    let place = match op.op_name() {
        "linalg.fill" => rest[0],
        "tensor.splat" => b.empty(result.r#type(), rest),
        _ => return Ok(Some(op)),
    };
    let rank = result.r#type().shape().len();
    let own: Vec<_> = (0..rank).map(Expr::Loop).collect();
    let maps: Vec<_> = map_attribute(context, rank, &own).into_iter().collect();
    let made = b.generic(&maps, &vec![true; rank], &[], &[place], |_, _| Ok(vec![number]))?;
    replace(op, &made.result_list());
    Ok(Some(made))
}

/// An array of one number, made by a kernel of one thread.
fn array<'c>(
    b: &Builder<'c>,
    place: Val<'c>,
    number: impl FnOnce(&Builder<'c>, Val<'c>) -> Val<'c>,
) -> Result<Val<'c>> {
    let made = forall_on(b, Size::Known(1), &[place], one_kernel(b), |b, zero, shared| {
        Ok(vec![row_of(b, shared[0], number(b, shared[0]), zero)])
    })?;
    Ok(made[0])
}

/// Lets a kernel of one thread make a number; what is read of it takes its place.
fn store<'c>(context: &'c Context, value: Val<'c>) -> Result<Option<Val<'c>>> {
    let chain = Chain::of(value);
    let after = value.defining_op().and_then(|op| op.next());
    let Some((after, block)) = after.and_then(|after| Some((after, after.block()?))) else {
        return Ok(None);
    };
    if !chain.is_same_at(after) {
        return Ok(None);
    }
    let b = Builder::before(context, after, block);
    let place = b.empty(array_of(1, value.r#type()), &[]);
    let stored = array(&b, place, |b, _| {
        let mut names = ValueMap::new();
        chain.copy(b, &mut names);
        names[&value.key()]
    })?;
    let read = b.extract(stored, &[b.index(0)]);
    value.replace_all_uses(read);
    Ok(Some(read))
}

/// Keeps the numbers that a loop of kernels carries on the device.
fn carry<'c>(context: &'c Context, op: Op<'c>) -> Result<()> {
    let (Some(body), Some(block)) = (op.body(0), op.block()) else { return Ok(()) };
    let Some(end) = body.term() else { return Ok(()) };
    let (arguments, ends) = (body.arg_list(), end.operand_list());
    let suits = |i: usize| {
        let (argument, value) = (arguments[i + 1], ends[i]);
        let is_used = |user: Op<'c>| {
            let mut around = std::iter::successors(Some(user), |op| op.parent());
            is_arithmetic(user)
                || around.any(|op| op.op_name() == "scf.forall" || takes_numbers(op))
        };
        let r#type = argument.r#type();
        r#type.as_tensor().is_none()
            && r#type.scalar() == r#type
            && r#type.to_string() != "index"
            && value.defining_op().is_some_and(|op| op.block() == Some(body))
            && Chain::of(value).is_same_at(end)
            && argument.users().into_iter().all(is_used)
    };
    let carried: Vec<bool> = (0..ends.len()).map(suits).collect();
    if !carried.contains(&true) {
        return Ok(());
    }
    let b = Builder::before(context, op, block);
    let operands = op.operand_list();
    let mut starts = operands[3..].to_vec();
    for (start, _) in starts.iter_mut().zip(&carried).filter(|(_, carried)| **carried) {
        let place = b.empty(array_of(1, start.r#type()), &[]);
        *start = array(&b, place, |_, _| *start)?;
    }
    let first = |b: &Builder<'c>, array: Val<'c>| b.extract(array, &[b.index(0)]);
    let bounds = [operands[0], operands[1], operands[2]];
    let made = b.for_loop(bounds, &starts, |b, number, arrays| {
        let read = |(&array, &carried): (&Val<'c>, &bool)| {
            if carried { first(&b, array) } else { array }
        };
        let numbers: Vec<_> = arrays.iter().zip(&carried).map(read).collect();
        let mut ends = move_body(&b, body, &[&[number], &numbers[..]].concat());
        for i in (0..ends.len()).filter(|&i| carried[i]) {
            let chain = Chain::of(ends[i]);
            ends[i] = array(&b, arrays[i], |b, before| {
                // The array is written: what was in it is read from what is written.
                let mut names = ValueMap::from([(numbers[i].key(), first(b, before))]);
                chain.copy(b, &mut names);
                names[&ends[i].key()]
            })?;
        }
        Ok(ends)
    })?;
    for (name, attribute) in op.discardable_attrs() {
        made.set_attr(context, &name, attribute);
    }
    for ((old, new), carried) in op.result_list().into_iter().zip(made.result_list()).zip(carried) {
        old.replace_all_uses(if carried { first(&b, new) } else { new });
    }
    op.erase();
    Ok(())
}

/// Moves what the host reads, and what it makes of it, in front of where it is used first.
fn read_late<'c>(context: &'c Context, op: Op<'c>) {
    let (Some(value), Some(block)) = (op.res(0), op.block()) else { return };
    if op.op_name() != "tensor.extract" && !is_arithmetic(op) {
        return;
    }
    let users = value.users().into_iter().filter_map(|user| beside(user, Some(block)));
    let first = users.reduce(|one, other| if other.is_before(one) { other } else { one });
    let Some(first) = first else { return };
    let is_far = op.next().is_some_and(|next| next.key() != first.key());
    if is_far && Chain::of(value).is_same_at(first) {
        move_before(context, block, op, first);
    }
}
