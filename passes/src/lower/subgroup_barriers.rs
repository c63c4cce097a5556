//! `lower-subgroup-barriers`: barriers of subgroups become instructions of NVIDIA's processors.
//!
//! ```text
//! gpu.barrier {ad.of_subgroup}     =>   nvvm.bar.warp.sync of all threads of the subgroup
//! ```
//! The `gpu` dialect has barriers of blocks only. What the mark says is that a barrier of each subgroup would do, so
//! that other back ends may leave it as it is: all threads of a block come to it.

use ad_dialect::ir::{Op, OpExt};
use melior::{
    Context,
    ir::{Attribute, operation::OperationLike},
};

use crate::support::builder::Builder;

/// What marks them.
const MARK: &str = "ad.of_subgroup";

/// A barrier that the threads of a subgroup wait at for each other. All threads of the block have to come to it.
pub fn barrier(b: &Builder<'_>) {
    b.op_with("gpu.barrier", &[], &[], &[(MARK, Attribute::unit(b.context()))], &[]);
}

/// Replaces those of a module; returns how many.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> u64 {
    let mut marked = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "gpu.barrier" && op.attr(MARK).is_some() {
            marked.push(op);
        }
    });
    for &op in &marked {
        let Some(block) = op.block() else { continue };
        let b = Builder::before(context, op, block);
        b.op("nvvm.bar.warp.sync", &[b.i32(-1)], &[]);
        op.erase();
    }
    marked.len() as u64
}
