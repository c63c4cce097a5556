//! `lower-fills-to-gpu`: fills of whole buffers become kernels in which each thread writes several elements.
//!
//! ```text
//! linalg.fill ins(%x) outs(%m)     =>     for each block, thread, k < EACH:  m[EACH BLOCK block + BLOCK k + thread] = x
//! ```
//! With one element for each thread, blocks are started more slowly than memory takes what they write; and of several
//! dimensions each would have to find its index in all of them.

use ad_dialect::ir::{Op, OpExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use super::forall_to_gpu::{BLOCK, for_each_on_host, launch, when};
use crate::support::{
    builder::{Builder, CMP_SLT},
    diag::Result,
    memory::{array_type, dim, flat, rank, store, with_plain_layout},
};

/// How many elements a thread writes.
const EACH: i64 = 8;

/// Runs the pass; returns how many fills are kernels.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut fills = vec![];
    for_each_on_host(module, &mut |op| fills.extend(is_whole_fill(op).then_some(op)));
    for &fill in &fills {
        become_launch(context, fill)?;
    }
    Ok(fills.len() as u64)
}

/// Whether an operation fills a buffer whose elements lie one behind the other.
fn is_whole_fill(op: Op<'_>) -> bool {
    let is_plain = |op: Op<'_>| {
        let buffer = op.opnd(1).filter(|&buffer| rank(buffer) > 0);
        buffer.is_some_and(|buffer| {
            array_type(buffer).is_some() && with_plain_layout(buffer.r#type()) == buffer.r#type()
        })
    };
    op.op_name() == "linalg.fill" && is_plain(op)
}

fn become_launch<'c>(context: &'c Context, fill: Op<'c>) -> Result<()> {
    let (Some(block), Some(value), Some(buffer)) = (fill.block(), fill.opnd(0), fill.opnd(1))
    else {
        return Ok(());
    };
    let b = Builder::before(context, fill, block).with_location(fill.location());
    let sizes = (0..rank(buffer)).map(|d| dim(&b, buffer, d));
    let count = sizes.reduce(|x, y| b.mul(x, y)).unwrap_or_else(|| b.index(1));
    let Some(flat) = flat(&b, buffer) else { return Ok(()) };
    let blocks = b.same("arith.ceildivsi", &[count, b.index(EACH * BLOCK)]);
    launch(&b, [blocks, b.index(BLOCK)], &[], |b, block, thread, _| {
        let first = b.add(b.mul(block, b.index(EACH * BLOCK)), thread);
        for k in 0..EACH {
            let place = b.add(first, b.index(k * BLOCK));
            when(b, b.compare(CMP_SLT, place, count), |b| {
                store(b, value, flat, &[place]);
                Ok(())
            })?;
        }
        Ok(())
    })?;
    fill.erase();
    Ok(())
}
