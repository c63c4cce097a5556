//! `lower-private-buffers`: what the threads of kernels allocate.
//!
//! A small array of static size is local memory of the thread. Of a larger one each thread has a part of one buffer, if
//! its size is known before the kernel runs; then no more than `SLOTS` threads run, each of which does several
//! iterations one after the other (the attribute `slots` asks for that). Whatever else a thread allocates comes from
//! the heap of the device.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Attribute, Type, ValueLike, operation::OperationLike},
};

use super::forall_to_gpu::{Space, has_threads, is_of_threads, is_parallel};
use crate::support::{
    builder::{Builder, CMP_EQ},
    combinator::divides_integers,
    diag::{Result, error},
    memory::{allocate, bytes_of, element, is_any_view, rank, static_size},
    region::{is_outside, move_body},
};

/// The largest array in local memory, in bytes.
const LOCAL: i64 = 512;
/// The shared memory of a block, in bytes: what every device has.
const SHARED: i64 = 48 << 10;
/// The most threads that have a part of a buffer.
pub const SLOTS: i64 = 65536;

/// Runs the pass; returns how many arrays are no longer allocated by threads.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut roots = vec![];
    module.for_each(&mut |op| {
        let mut around = std::iter::successors(op.parent(), |op| op.parent());
        if is_parallel(op) && !around.any(is_parallel) {
            roots.push(op);
        }
    });
    let mut count = 0;
    for root in roots {
        become_thread(context, root)?;
        count += local(context, root) + parts(context, root).unwrap_or(0);
    }
    Ok(count)
}

/// Makes one thread of a block whose threads would share arrays that shared memory has no room for, or one that has no
/// static size.
fn become_thread<'c>(context: &'c Context, root: Op<'c>) -> Result<()> {
    let is_shared = |alloc: &Op<'c>| maker(root, *alloc).key() == root.key();
    let shared = allocations(root).into_iter().filter(is_shared);
    // Each begins at a multiple of 16 bytes.
    let room = shared.map(|alloc| Some((bytes(alloc)? + 15) / 16 * 16)).sum::<Option<i64>>();
    if !has_threads(root) || room.is_some_and(|bytes| bytes <= SHARED) {
        return Ok(());
    }
    let (mut loops, mut shuffles) = (vec![], vec![]);
    root.for_each(&mut |op| {
        loops.extend(Some(op).filter(|op| is_of_threads(*op)));
        shuffles.extend(Some(op).filter(|op| op.op_name() == "gpu.shuffle"));
    });
    if let Some(&shuffle) = shuffles.first() {
        return Err(error(shuffle, "block shares arrays that shared memory has no room for"));
    }
    for op in loops.into_iter().filter(|op| op.key() != root.key()) {
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block);
        let space = Space::of(&b, op)?;
        b.for_loop([b.index(0), space.total, b.index(1)], &[], |b, number, _| {
            move_body(&b, space.body, &space.indices(&b, number));
            Ok(vec![])
        })?;
        op.erase();
    }
    Ok(())
}

/// Puts small arrays of static size into local memory.
fn local<'c>(context: &'c Context, root: Op<'c>) -> u64 {
    let mut count = 0;
    for alloc in allocations(root) {
        let place = maker(root, alloc);
        let is_shared = place.key() == root.key() && has_threads(root);
        if !is_local(alloc) || is_shared || escapes_loop(place, alloc) {
            continue;
        }
        let Some((buffer, body)) = alloc.res(0).zip(place.body(0)) else { continue };
        let Some(first) = body.ops().into_iter().next() else { continue };
        let b = Builder::before(context, first, body);
        let local = allocate(&b, "memref.alloca", buffer.r#type(), &[]);
        buffer.replace_all_uses(local);
        alloc.erase();
        count += 1;
    }
    count
}

/// The loop whose iteration makes an array: one of the threads of a block, or the kernel itself.
fn maker<'c>(root: Op<'c>, alloc: Op<'c>) -> Op<'c> {
    let around = std::iter::successors(alloc.parent(), |op| op.parent());
    let mut inside = around.take_while(|op| op.key() != root.key());
    inside.find(|op| is_of_threads(*op)).unwrap_or(root)
}

/// Gives each thread of a loop its part of a buffer for what is too large for local memory.
fn parts<'c>(context: &'c Context, root: Op<'c>) -> Option<u64> {
    let ivs = root.body(0)?.arg_list();
    let suits = |alloc: &Op<'c>| {
        !is_local(*alloc)
            && !escapes_loop(root, *alloc)
            && alloc.res(0).and_then(element).and_then(bytes_of).is_some()
            && alloc.operand_list().iter().all(|&size| is_known(root, size))
    };
    let allocs: Vec<_> = allocations(root).into_iter().filter(suits).collect();
    if allocs.is_empty() || has_threads(root) {
        return None;
    }
    let b = Builder::before(context, root, root.block()?);
    let space = Space::of(&b, root).ok()?;
    let count = b.same("arith.minsi", &[space.total, b.index(SLOTS)]);
    let raw = Type::parse(context, "memref<?xi8>")?;
    for &alloc in &allocs {
        let (buffer, block) = (alloc.res(0)?, alloc.block()?);
        let sizes = alloc.operand_list();
        let known = (0..rank(buffer)).filter_map(|d| static_size(buffer, d)).product::<i64>();
        let mut size = b.index(known * element(buffer).and_then(bytes_of)?);
        for &dynamic in &sizes {
            size = b.mul(size, outside(&b, root, dynamic));
        }
        // Parts start at multiples of 16 bytes.
        let padded = b.mul(b.same("arith.ceildivui", &[size, b.index(16)]), b.index(16));
        let attributes =
            [("operandSegmentSizes", b.i32s_attr(&[1, 0])), ("alignment", b.i64_attr(64))];
        let all = b.val_with("memref.alloc", &[b.mul(count, padded)], raw, &attributes);
        let inner = Builder::before(context, alloc, block);
        let number = space.number(&inner, &ivs);
        let slot = inner.same("arith.remui", &[number, count]);
        let operands = [&[all, inner.mul(slot, padded)], &sizes[..]].concat();
        let part = inner.val("memref.view", &operands, buffer.r#type());
        buffer.replace_all_uses(part);
        alloc.erase();
    }
    root.set_attr(context, "slots", Attribute::unit(context));
    Some(allocs.len() as u64)
}

fn allocations<'c>(root: Op<'c>) -> Vec<Op<'c>> {
    let mut found = vec![];
    root.for_each(&mut |op| {
        if op.op_name() == "memref.alloc" {
            found.push(op);
        }
    });
    found
}

fn is_local(alloc: Op<'_>) -> bool {
    bytes(alloc).is_some_and(|bytes| bytes <= LOCAL)
}

/// The bytes of an array of static size.
fn bytes(alloc: Op<'_>) -> Option<i64> {
    let buffer = alloc.res(0)?;
    let sizes = (0..rank(buffer)).map(|d| static_size(buffer, d)).collect::<Option<Vec<_>>>()?;
    Some(sizes.iter().product::<i64>() * element(buffer).and_then(bytes_of)?)
}

/// Whether an array is made in a loop that hands it on to its next iteration, or out: one array cannot stand for those
/// of all iterations.
fn escapes_loop<'c>(root: Op<'c>, alloc: Op<'c>) -> bool {
    let mut around = alloc.parent();
    while let Some(op) = around.filter(|op| op.key() != root.key()) {
        if matches!(op.op_name(), "scf.for" | "scf.while" | "scf.parallel" | "scf.forall") {
            return alloc.res(0).is_some_and(escapes);
        }
        around = op.parent();
    }
    false
}

fn escapes(buffer: Val<'_>) -> bool {
    buffer.users().into_iter().any(|user| match user.op_name() {
        "memref.load"
        | "memref.store"
        | "memref.atomic_rmw"
        | "memref.generic_atomic_rmw"
        | "memref.dim"
        | "memref.copy" => false,
        name if name.starts_with("linalg.") => false,
        name if is_any_view(name) => user.res(0).is_none_or(escapes),
        _ => true,
    })
}

/// Whether a number can be computed before a loop.
fn is_known<'c>(root: Op<'c>, value: Val<'c>) -> bool {
    is_outside(root, value)
        || value.defining_op().is_some_and(|op| {
            let is_pure = op.op_name().starts_with("arith.") || op.op_name() == "memref.dim";
            is_pure && op.operand_list().into_iter().all(|operand| is_known(root, operand))
        })
}

/// The number, computed before the loop.
fn outside<'c>(b: &Builder<'c>, root: Op<'c>, value: Val<'c>) -> Val<'c> {
    if is_outside(root, value) {
        return value;
    }
    let Some(op) = value.defining_op() else { return value };
    let mut operands: Vec<_> =
        op.operand_list().into_iter().map(|operand| outside(b, root, operand)).collect();
    // The loop, or a branch in it, may not have been taken where there is nothing to divide by.
    if let [_, divisor] = &mut operands[..]
        && divides_integers(op.op_name())
    {
        let ty = divisor.r#type();
        let is_zero = b.compare(CMP_EQ, *divisor, b.zero_scalar(ty));
        *divisor = b.select(is_zero, b.int_like(*divisor, 1), *divisor);
    }
    let copy = op.clone_detached();
    copy.set_operands(&operands);
    b.insert(copy);
    copy.res(value.position()).unwrap_or(value)
}
