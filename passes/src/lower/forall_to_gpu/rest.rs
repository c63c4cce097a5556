//! What touches memory outside of kernels becomes kernels of one thread.
//!
//! A loop or branch that gives arrays stays on the host, and what it does is in kernels. Besides that, the host only reads
//! single elements, of which the lowering of loads makes copies from the device. What a kernel does with tapes on the device is
//! done there by everything.

use ad_dialect::{
    capi,
    ir::{Blk, BlkExt, Op, OpExt, Val, ValExt},
};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{calls::Calls, has_parallel, host_blocks, kernels::launch};
use crate::{
    lower::tapes::Place,
    support::{
        builder::Builder,
        diag::{Result, error},
        memory::{allocate, element, is_array},
    },
};

/// Makes launches in a block that runs on the host; returns how many.
pub fn launch_all<'c>(context: &'c Context, block: Blk<'c>, calls: &Calls<'c>) -> Result<u64> {
    let mut launches = 0;
    for op in block.body_ops() {
        // An array does not come out of a kernel, but its parts may be made by kernels in a loop of the host.
        let gives_arrays = op.result_list().into_iter().any(is_array);
        if gives_arrays && calls.is_of_kernels(op) {
            return Err(error(op, "gives an array, and the function is also called by kernels"));
        }
        if gives_arrays || stays(op, calls) {
            for inner in host_blocks(op) {
                launches += launch_all(context, inner, calls)?;
            }
        } else if op.op_name() != "memref.load" && touches_memory(op, calls) {
            alone(context, block, op)?;
            launches += 1;
        }
    }
    Ok(launches)
}

/// Whether there is something in an operation that only the host can do.
fn stays<'c>(op: Op<'c>, calls: &Calls<'c>) -> bool {
    let mut found = has_launches(op, calls);
    op.for_each(&mut |inner| found |= calls.tapes.is_of_host(inner));
    found
}

/// Whether there are kernels in an operation, or in functions that it calls.
pub fn has_launches<'c>(op: Op<'c>, calls: &Calls<'c>) -> bool {
    let mut found = has_parallel(op);
    op.for_each(&mut |inner| found |= calls.is_of_host(inner));
    found
}

/// Whether an operation, or one inside of it, reads or writes elements of buffers.
pub fn touches_memory<'c>(op: Op<'c>, calls: &Calls<'c>) -> bool {
    let mut found = false;
    op.for_each(&mut |inner| {
        found |= is_access(inner) || calls.is_of_kernels(inner) || calls.tapes.is_on_device(inner);
    });
    found && op.op_name() != "gpu.launch"
}

/// Whether an operation itself reads or writes elements of buffers.
pub fn is_access(op: Op<'_>) -> bool {
    let name = op.op_name();
    let is_update = matches!(name, "memref.atomic_rmw" | "memref.generic_atomic_rmw");
    let is_of_vectors =
        || name.starts_with("vector.") && op.operand_list().into_iter().any(is_array);
    is_update || matches!(name, "memref.load" | "memref.store") || is_of_vectors()
}

/// Runs an operation by one thread. What it gives goes through memory.
fn alone<'c>(context: &'c Context, block: Blk<'c>, op: Op<'c>) -> Result<()> {
    let Some(next) = op.next() else { return Ok(()) };
    let b = Builder::before(context, next, block).with_location(op.location());
    let results = op.result_list();
    let mut slots = vec![];
    for result in &results {
        let text = format!("memref<{}>", in_memory(result.r#type()));
        let Some(r#type) = Type::parse(context, &text) else {
            return Err(error(op, "gives a value that has no place in memory"));
        };
        slots.push(allocate(&b, "memref.alloc", r#type, &[]));
    }
    let one = b.index(1);
    launch(&b, [one, one], &[], |b, _, _, _| {
        op.detach();
        b.insert(op);
        Ok(())
    })?;
    let Some((inside, end)) = op.block().and_then(|inside| Some((inside, inside.term()?))) else {
        return Ok(());
    };
    let in_kernel = Builder::before(context, end, inside);
    for (result, slot) in results.into_iter().zip(slots) {
        let r#type = result.r#type();
        let read = b.val("memref.load", &[slot], element(slot).unwrap_or(r#type));
        result.replace_all_uses(as_type(&b, read, r#type));
        b.op("memref.dealloc", &[slot], &[]);
        let written = as_type(&in_kernel, result, read.r#type());
        in_kernel.op("memref.store", &[written, slot], &[]);
    }
    Ok(())
}

/// What a value of a type is in memory, as text: a handle of a tape is a number.
fn in_memory(r#type: Type<'_>) -> String {
    if capi::is_tape(r#type) { Place::Kernel.handle().to_owned() } else { r#type.to_string() }
}

/// A handle as a number, or a number as a handle.
fn as_type<'c>(b: &Builder<'c>, value: Val<'c>, r#type: Type<'c>) -> Val<'c> {
    if value.r#type() == r#type {
        return value;
    }
    b.val("builtin.unrealized_conversion_cast", &[value], r#type)
}
