//! Lowers `math.clampf` to a minimum and a maximum.
//!
//! `math-expand-ops` of MLIR 22 does the same but exchanges the bounds, so that
//! the result is always one of them (llvm/llvm-project pull request 175012).
//! With a newer MLIR this file can go.

use ad_dialect::ir::{Op, OpExt, ValExt};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{builder::Builder, diag::Result};

/// Lowers a module; returns how many operations were replaced.
pub fn lower<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut found = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "math.clampf" {
            found.push(op);
        }
    });
    for &op in &found {
        let (Some(x), Some(low), Some(high)) = (op.opnd(0), op.opnd(1), op.opnd(2)) else {
            continue;
        };
        let (Some(block), Some(y)) = (op.block(), op.res(0)) else { continue };
        let b = Builder::before(context, op, block);
        let flags: Vec<_> =
            op.attr("fastmath").map(|flags| ("fastmath", flags)).into_iter().collect();
        let below = b.val_with("arith.minimumf", &[x, high], y.r#type(), &flags);
        let within = b.val_with("arith.maximumf", &[below, low], y.r#type(), &flags);
        y.replace_all_uses(within);
        op.erase();
    }
    Ok(found.len() as u64)
}
