//! `lower-private-buffers`: what the threads of kernels allocate.
//!
//! A small array of static size is local memory of the thread. Of a larger one each thread has a part of one buffer, if
//! its size is known before the kernel runs; then no more threads run than `PARTS` has room for, each of which does
//! several iterations one after the other. Neighbours in memory are elements of neighbouring threads, which mostly are at the
//! same one of their elements at a time, as in local memory:
//!
//! ```text
//! thread t of n: own[i, j] is all[(i * columns + j) * n + t]
//! ```
//! So it is with what is on its stack. Whatever else a thread allocates comes from the heap of the device. What a block allocates is shared memory, if there is
//! room for it.

use ad_dialect::ir::{BlkExt, DYNAMIC, Op, OpExt, TyExt, Val, ValExt};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::forall_to_gpu::{
    BLOCK, Space, has_threads, hoist_local, is_of_threads, is_parallel, of_threads, one_kernel,
};
use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SLT},
    chunk::forall_on,
    combinator::divides_integers,
    diag::{Result, error},
    memory::{
        allocate, allocate_bytes, base, become_part, bytes_of, dim, element, is_any_view,
        never_freed, rank, static_size, store, tensor_of, with_any_layout,
    },
    region::{all_of, is_outside, move_body, replace},
    size::Size,
};

/// The largest array in local memory, in bytes.
const LOCAL: i64 = 512;
/// The shared memory of a block, in bytes: what every device has.
pub const SHARED: i64 = 48 << 10;
/// The most threads that have parts of buffers.
const THREADS: i64 = 65536;
/// The bytes of parts that there is room for.
const PARTS: i64 = 2 << 30;

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
        leave_stack(context, root);
        become_thread(context, root)?;
        count += local(context, root) + parts(context, root)?;
    }
    Ok(count)
}

/// Allocates what is on the stack of a thread as what is not, but for small arrays of static size: no stack has a size that is
/// known when the program runs.
fn leave_stack<'c>(context: &'c Context, root: Op<'c>) {
    for alloca in all_of(root, "memref.alloca") {
        let Some((buffer, block)) = alloca.res(0).zip(alloca.block()) else { continue };
        let sizes = alloca.operand_list();
        if is_local(alloca) || sizes.len() != rank(buffer) - static_sizes(buffer) {
            continue;
        }
        let b = Builder::before(context, alloca, block).with_location(alloca.location());
        replace(alloca, &[allocate(&b, "memref.alloc", buffer.r#type(), &sizes)]);
    }
}

/// How many sizes of a buffer its type says.
fn static_sizes(buffer: Val<'_>) -> usize {
    (0..rank(buffer)).filter(|&d| static_size(buffer, d).is_some()).count()
}

/// Makes one thread of a block whose threads would share arrays that shared memory has no room for, or one that has no
/// static size. If threads exchange values, each block has a part of one buffer instead.
fn become_thread<'c>(context: &'c Context, root: Op<'c>) -> Result<()> {
    let is_shared = |alloc: &Op<'c>| maker(root, *alloc).key() == root.key();
    let shared: Vec<_> = allocations(root).into_iter().filter(is_shared).collect();
    let room = shared.iter().map(|alloc| shared_bytes(alloc.res(0)?)).sum::<Option<i64>>();
    if !has_threads(root) || room.is_some_and(|bytes| bytes <= SHARED) {
        return Ok(());
    }
    let (mut loops, mut shuffles) = (vec![], vec![]);
    root.for_each(&mut |op| {
        loops.extend(Some(op).filter(|op| is_of_threads(*op)));
        shuffles.extend(Some(op).filter(|op| op.op_name() == "gpu.shuffle"));
    });
    if let Some(&shuffle) = shuffles.first() {
        let message = "block shares arrays that shared memory has no room for";
        return block_parts(context, root, shared).ok_or_else(|| error(shuffle, message));
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

/// Gives each block its part of a buffer for those of its arrays that shared memory has no room for, which its threads fill
/// together; none if it is not known before the kernel runs how large they are at most, or if all threads would write them.
fn block_parts<'c>(context: &'c Context, root: Op<'c>, shared: Vec<Op<'c>>) -> Option<()> {
    let mut room = SHARED;
    let is_large = |alloc: &Op<'c>| match alloc.res(0).and_then(shared_bytes) {
        Some(bytes) if bytes <= room => {
            room -= bytes;
            false
        }
        _ => true,
    };
    let large: Vec<_> = shared.into_iter().filter(is_large).collect();
    let b = Builder::before(context, root, root.block()?);
    let space = Space::of(&b, root).ok()?;
    let first = space.body.ops().into_iter().next()?;
    let number = space.number(&Builder::before(context, first, space.body))?;
    let is_bounded = |size| !bounds(root, size).is_empty();
    let fits = |&alloc: &Op<'c>| {
        has_size(root, alloc, &is_bounded)
            && alloc.res(0).is_some_and(|own| is_written_by_some(root, own))
    };
    if !large.iter().all(fits) {
        return None;
    }
    for alloc in large {
        let size = size_of_part(&b, root, alloc);
        let whole = allocate_bytes(&b, b.mul(space.total, size))?;
        let at = Builder::before(context, alloc, alloc.block()?);
        let start = at.mul(number, size);
        let own = become_part(&at, alloc, whole, start)?;
        for fill in own.users().into_iter().filter(|op| is_fill_of(root, *op, own)) {
            fill_together(context, fill, own, [whole, start])?;
        }
    }
    Some(())
}

/// Whether what writes to an array of a block is a thread, or fills it.
fn is_written_by_some<'c>(root: Op<'c>, own: Val<'c>) -> bool {
    own.users().into_iter().all(|user| {
        let around = std::iter::successors(user.parent(), |op| op.parent());
        let mut inside = around.take_while(|op| op.key() != root.key());
        match user.op_name() {
            "memref.load" | "memref.dim" => true,
            "linalg.fill" if is_fill_of(root, user, own) => true,
            name if is_any_view(name) => {
                user.res(0).is_some_and(|part| is_written_by_some(root, part))
            }
            _ => inside.any(is_of_threads),
        }
    })
}

/// Whether the body of a loop, and no loop in it, fills an array that it makes.
fn is_fill_of<'c>(root: Op<'c>, op: Op<'c>, own: Val<'c>) -> bool {
    let is_made = own.defining_op().is_some_and(|op| {
        matches!(op.op_name(), "memref.alloc" | "memref.view") && op.block() == root.body(0)
    });
    op.op_name() == "linalg.fill" && op.block() == root.body(0) && is_made
}

/// Lets the threads of a block fill an array, which is a part of a buffer from a byte on.
fn fill_together<'c>(
    context: &'c Context,
    fill: Op<'c>,
    own: Val<'c>,
    [whole, start]: [Val<'c>; 2],
) -> Option<()> {
    let b = Builder::before(context, fill, fill.block()?);
    let count = (0..rank(own)).fold(b.index(1), |count, d| b.mul(count, dim(&b, own, d)));
    let line = Type::parse(context, &format!("memref<?x{}>", element(own)?))?;
    let line = b.val("memref.view", &[whole, start, count], line);
    let value = fill.opnd(0)?;
    forall_on(&b, Size::Value(count), &[], of_threads(&b), |b, i, _| {
        store(b, value, line, &[i]);
        Ok(vec![])
    })
    .ok()?;
    fill.erase();
    Some(())
}

/// Puts small arrays of static size into local memory.
fn local<'c>(context: &'c Context, root: Op<'c>) -> u64 {
    let mut count = 0;
    for alloc in owned(root) {
        let place = maker(root, alloc);
        let is_shared = place.key() == root.key() && has_threads(root);
        if !is_local(alloc) || is_shared || escapes_loop(place, alloc) {
            continue;
        }
        let Some((buffer, body)) = alloc.res(0).zip(place.body(0)) else { continue };
        let Some(first) = body.ops().into_iter().next() else { continue };
        let b = Builder::before(context, first, body);
        let local = allocate(&b, "memref.alloca", buffer.r#type(), &[]);
        never_freed(&b, buffer);
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
fn parts<'c>(context: &'c Context, root: Op<'c>) -> Result<u64> {
    let suits =
        |alloc: &Op<'c>| !is_local(*alloc) && has_size(root, *alloc, &|size| is_known(root, size));
    let allocs: Vec<_> = owned(root).into_iter().filter(suits).collect();
    let Some(around) = root.block().filter(|_| !allocs.is_empty() && !has_threads(root)) else {
        return Ok(0);
    };
    let b = Builder::before(context, root, around);
    allocs.iter().filter_map(|alloc| alloc.res(0)).for_each(|buffer| never_freed(&b, buffer));
    let space = Space::of(&b, root)?;
    let sizes: Vec<_> = allocs.iter().map(|&alloc| size_of_part(&b, root, alloc)).collect();
    let all = sizes.iter().copied().reduce(|x, y| b.add(x, y)).unwrap_or_else(|| b.index(0));
    let room = b.same("arith.divui", &[b.index(PARTS), b.same("arith.maxui", &[all, b.index(1)])]);
    let most = b.same("arith.minui", &[room, b.index(THREADS)]);
    // One block, however large the parts are.
    let most = b.same("arith.maxui", &[most, b.index(BLOCK)]);
    let count = b.same("arith.minsi", &[space.total, most]);

    let whole: Vec<_> =
        sizes.iter().filter_map(|&size| allocate_bytes(&b, b.mul(count, size))).collect();
    forall_on(&b, Size::Value(count), &[], one_kernel(&b), |b, first, _| {
        hoist_local(b, space.body);
        b.for_loop([first, space.total, count], &[], |b, number, _| {
            // The number of the thread, computed anew: of what stays the same over iterations, LLVM computes all
            // addresses before the loop, and keeps them in registers.
            let thread = b.same("arith.remui", &[number, count]);
            for ((&alloc, size), whole) in allocs.iter().zip(sizes).zip(whole) {
                let Some(block) = alloc.block() else { continue };
                let at = Builder::before(b.context(), alloc, block);
                if become_interleaved(&at, alloc, whole, [thread, count]).is_none() {
                    become_part(&at, alloc, whole, b.mul(thread, size));
                }
            }
            move_body(&b, space.body, &space.indices(&b, number));
            Ok(vec![])
        })?;
        Ok(vec![])
    })?;
    root.erase();
    Ok(allocs.len() as u64)
}

/// Whether one array can stand for those that the iterations of inner loops allocate, and its sizes are such that are known.
fn has_size<'c>(root: Op<'c>, alloc: Op<'c>, is_known: &dyn Fn(Val<'c>) -> bool) -> bool {
    !escapes_loop(root, alloc)
        && alloc.res(0).and_then(element).and_then(bytes_of).is_some()
        && alloc.operand_list().into_iter().all(is_known)
}

/// Makes an array the elements of a thread among those of so many, if all that uses it can have an array of any strides.
fn become_interleaved<'c>(
    b: &Builder<'c>,
    alloc: Op<'c>,
    whole: Val<'c>,
    [thread, count]: [Val<'c>; 2],
) -> Option<()> {
    let own = alloc.res(0).filter(|&own| rank(own) > 0 && takes_any_strides(own))?;
    let (statics, mut dynamic) =
        (tensor_of(own.r#type())?.shape(), alloc.operand_list().into_iter());
    let size = |&size: &i64| if size == DYNAMIC { dynamic.next() } else { Some(b.index(size)) };
    let sizes = statics.iter().map(size).collect::<Option<Vec<_>>>()?;
    let mut strides = vec![count];
    for &size in sizes[1..].iter().rev() {
        strides.push(b.mul(strides[strides.len() - 1], size));
    }
    strides.reverse();
    let elements = b.mul(strides[0], sizes[0]);
    let line = Type::parse(b.context(), &format!("memref<?x{}>", element(own)?))?;
    let all = b.val("memref.view", &[whole, b.index(0), elements], line);
    let unknown = alloc.operand_list();
    let operands = [&[all, thread], &unknown[..], &strides].concat();
    let segments = [1, 1, unknown.len() as i32, strides.len() as i32];
    let statics = [vec![DYNAMIC], statics, vec![DYNAMIC; strides.len()]];
    let r#type = with_any_layout(b, tensor_of(own.r#type())?)?;
    let made = b.slice_op("memref.reinterpret_cast", &operands, r#type, &statics, &segments);
    own.replace_all_uses(made);
    alloc.erase();
    have_any_strides(b, made);
    Some(())
}

/// Whether all that uses a buffer, and parts of it, can have one of any strides.
fn takes_any_strides(buffer: Val<'_>) -> bool {
    buffer.users().into_iter().all(|user| match user.op_name() {
        "memref.subview" | "memref.cast" => user.res(0).is_some_and(takes_any_strides),
        "memref.load" | "memref.store" | "memref.atomic_rmw" | "memref.dim" | "memref.copy" => true,
        name => name.starts_with("linalg."),
    })
}

/// Lets the parts of a buffer have types that say nothing of strides.
fn have_any_strides<'c>(b: &Builder<'c>, buffer: Val<'c>) {
    for user in buffer.users() {
        let Some(part) = user.res(0).filter(|_| is_any_view(user.op_name())) else { continue };
        if let Some(r#type) = tensor_of(part.r#type()).and_then(|array| with_any_layout(b, array)) {
            part.set_type(r#type);
            have_any_strides(b, part);
        }
    }
}

/// The bytes of an array that a loop makes, computed before the loop: a multiple of 16, and 0 if it is known that no
/// iteration makes it.
fn size_of_part<'c>(b: &Builder<'c>, root: Op<'c>, alloc: Op<'c>) -> Val<'c> {
    let Some(buffer) = alloc.res(0) else { return b.index(0) };
    let known = (0..rank(buffer)).filter_map(|d| static_size(buffer, d)).product::<i64>();
    let mut size = b.index(known * element(buffer).and_then(bytes_of).unwrap_or(1));
    for dynamic in alloc.operand_list() {
        size = b.mul(size, most(b, root, dynamic));
    }
    let padded = b.mul(b.same("arith.ceildivui", &[size, b.index(16)]), b.index(16));
    let around = std::iter::successors(Some(alloc), |op| op.parent());
    around.take_while(|op| op.key() != root.key()).fold(padded, |size, op| {
        match runs(b, root, op) {
            Some(runs) => b.select(runs, size, b.index(0)),
            None => size,
        }
    })
}

/// Whether the branch or loop around an operation runs, if it is known before an outer loop.
fn runs<'c>(b: &Builder<'c>, root: Op<'c>, op: Op<'c>) -> Option<Val<'c>> {
    let around = op.parent()?;
    let operands = around.operand_list();
    match around.op_name() {
        "scf.if" if is_known(root, operands[0]) => {
            let condition = outside(b, root, operands[0]);
            let is_then = around.body(0).is_some_and(|then| Some(then) == op.block());
            Some(if is_then { condition } else { b.not(condition) })
        }
        "scf.for"
            if operands[..2].iter().all(|&bound| is_known(root, bound))
                && around.attr("unsignedCmp").is_none() =>
        {
            let [start, end] = [operands[0], operands[1]].map(|bound| outside(b, root, bound));
            Some(b.compare(CMP_SLT, start, end))
        }
        _ => None,
    }
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

/// The allocations that nothing frees but what frees the very buffer: where the program frees one of several, none that it may be.
fn owned<'c>(root: Op<'c>) -> Vec<Op<'c>> {
    let is_clear = |free: Op<'c>| {
        let made = free.opnd(0).and_then(|buffer| base(buffer).defining_op());
        made.is_some_and(|made| made.op_name() == "memref.alloc")
    };
    let all_are_clear = all_of(root, "memref.dealloc").into_iter().all(is_clear);
    let mut found = allocations(root);
    found.retain(|alloc| all_are_clear || !alloc.res(0).is_some_and(escapes));
    found
}

fn is_local(alloc: Op<'_>) -> bool {
    alloc.res(0).and_then(bytes).is_some_and(|bytes| bytes <= LOCAL)
}

/// The bytes of an array of static size.
fn bytes(buffer: Val<'_>) -> Option<i64> {
    let sizes = (0..rank(buffer)).map(|d| static_size(buffer, d)).collect::<Option<Vec<_>>>()?;
    Some(sizes.iter().product::<i64>() * element(buffer).and_then(bytes_of)?)
}

/// What an array of static size takes of shared memory, where each begins at a multiple of 16 bytes.
pub fn shared_bytes(buffer: Val<'_>) -> Option<i64> {
    Some((bytes(buffer)? + 15) / 16 * 16)
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
        | "memref.copy"
        | "memref.dealloc" => false,
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

/// Numbers that can be computed before a loop and are no smaller than one in it, each of them.
fn bounds<'c>(root: Op<'c>, value: Val<'c>) -> Vec<Val<'c>> {
    if is_known(root, value) {
        return vec![value];
    }
    let smallest = value.defining_op().filter(|op| op.op_name() == "arith.minsi");
    let operands = smallest.map(|op| op.operand_list()).unwrap_or_default();
    operands.into_iter().flat_map(|operand| bounds(root, operand)).collect()
}

/// The smallest of these, computed before the loop.
fn most<'c>(b: &Builder<'c>, root: Op<'c>, value: Val<'c>) -> Val<'c> {
    let all = bounds(root, value).into_iter().map(|bound| outside(b, root, bound));
    all.reduce(|x, y| b.same("arith.minsi", &[x, y])).unwrap_or(value)
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
