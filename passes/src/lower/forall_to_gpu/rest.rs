//! What touches memory outside of kernels becomes kernels of one thread.
//!
//! A loop or branch that gives arrays stays on the host, and what it does is in kernels. Besides that, the host only reads
//! single elements, of which the lowering of loads makes copies from the device.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike},
};

use super::{has_parallel, host_blocks, kernels::launch};
use crate::support::{
    builder::Builder,
    diag::{Result, error},
    memory::is_array,
};

/// Makes launches in a block that runs on the host; returns how many.
pub fn launch_all<'c>(context: &'c Context, block: Blk<'c>) -> Result<u64> {
    let mut launches = 0;
    for op in block.body_ops() {
        // An array does not come out of a kernel, but its parts may be made by kernels in a loop of the host.
        if has_parallel(op) || op.result_list().into_iter().any(is_array) {
            for inner in host_blocks(op) {
                launches += launch_all(context, inner)?;
            }
        } else if op.op_name() != "memref.load" && touches_memory(op) {
            alone(context, block, op)?;
            launches += 1;
        }
    }
    Ok(launches)
}

/// Whether an operation, or one inside of it, reads or writes elements of buffers.
fn touches_memory(op: Op<'_>) -> bool {
    let mut found = false;
    op.for_each(&mut |inner| {
        found |= matches!(
            inner.op_name(),
            "memref.load" | "memref.store" | "memref.atomic_rmw" | "memref.generic_atomic_rmw"
        );
    });
    found && op.op_name() != "gpu.launch"
}

/// Runs an operation by one thread. What it gives goes through memory.
fn alone<'c>(context: &'c Context, block: Blk<'c>, op: Op<'c>) -> Result<()> {
    let Some(next) = op.next() else { return Ok(()) };
    let b = Builder::before(context, next, block).with_location(op.location());
    let results = op.result_list();
    let mut slots = vec![];
    for result in &results {
        let text = format!("memref<{}>", result.r#type());
        let Some(r#type) = Type::parse(context, &text) else {
            return Err(error(op, "gives a value that has no place in memory"));
        };
        let segments = [("operandSegmentSizes", b.i32s_attr(&[0, 0]))];
        slots.push(b.val_with("memref.alloc", &[], r#type, &segments));
    }
    let loaded: Vec<(Val<'c>, Val<'c>)> =
        results.iter().copied().zip(slots.iter().copied()).collect();
    let one = b.index(1);
    launch(&b, [one, one], &[], |b, _, _, _| {
        op.detach();
        b.insert(op);
        Ok(())
    })?;
    let after: Vec<Val<'c>> =
        slots.iter().zip(&results).map(|(&slot, r)| b_after(&b, slot, r.r#type())).collect();
    for &slot in &slots {
        b.op("memref.dealloc", &[slot], &[]);
    }
    for ((result, slot), value) in loaded.into_iter().zip(after) {
        result.replace_all_uses(value);
        let Some(inside) = op.block() else { continue };
        let end = inside.term();
        let store = match end {
            Some(end) => Builder::before(context, end, inside),
            None => Builder::at_end(context, inside, op.location()),
        };
        store.op("memref.store", &[result, slot], &[]);
    }
    Ok(())
}

/// Reads a slot here, which is behind the launch.
fn b_after<'c>(b: &Builder<'c>, slot: Val<'c>, r#type: Type<'c>) -> Val<'c> {
    b.val("memref.load", &[slot], r#type)
}
