//! `lower-poison`: arrays that nobody reads are empty ones, and numbers that nobody reads are 0.
//!
//! `lift-cf-to-scf` puts `ub.poison` where a value is carried on a path that does not define it. Bufferisation knows no
//! poison of a tensor type, and in memory it has to be something. A size may be that of an allocation that moves out of
//! the branch that it is for. A branch in a branch becomes one on both conditions upstream, and is taken at random where
//! the inner one is poison unless the outer one holds.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, TyExt, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{builder::Builder, diag::Result};

/// Replaces the poison of tensors and of numbers in an operation; returns how often.
pub fn run<'c>(context: &'c Context, root: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    root.for_each(&mut |op| {
        let Some(result) = op.res(0).filter(|_| op.op_name() == "ub.poison") else { return };
        let r#type = result.r#type();
        if r#type.as_tensor().is_some() || r#type.is_int_or_index_type() || r#type.is_float_type() {
            found.push(op);
        }
    });
    for op in &found {
        let (Some(result), Some(block)) = (op.res(0), op.block()) else { continue };
        let b = Builder::before(context, *op, block);
        if result.r#type().as_tensor().is_none() {
            result.replace_all_uses(b.zero_scalar(result.r#type()));
            op.erase();
            continue;
        }
        let unknown = result.r#type().shape().iter().filter(|&&size| size == DYNAMIC).count();
        let sizes: Vec<_> = (0..unknown).map(|_| b.index(0)).collect();
        result.replace_all_uses(b.empty(result.r#type(), &sizes));
        op.erase();
    }
    Ok(found.len() as u64)
}
