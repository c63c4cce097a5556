//! Atomic updates that memory does not have compare and swap.

use ad_dialect::ir::{Op, OpExt, ValExt, int_of};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{builder::Builder, diag::Result};

/// Replaces what a function updates by a product, an exclusive or, or the greater or lesser of two floats.
pub fn become_swaps<'c>(context: &'c Context, function: Op<'c>) -> Result<()> {
    let mut updates = vec![];
    function.for_each(&mut |op| {
        let name = match op.attr("kind").and_then(int_of) {
            Some(4) => "arith.maximumf",
            Some(5) => "arith.maxnumf",
            Some(8) => "arith.minimumf",
            Some(9) => "arith.minnumf",
            Some(12) => "arith.mulf",
            Some(13) => "arith.muli",
            Some(15) => "arith.xori",
            _ => return,
        };
        if op.op_name() == "memref.atomic_rmw" {
            updates.push((op, name));
        }
    });
    for (op, name) in updates {
        let (Some(block), operands) = (op.block(), op.operand_list()) else { continue };
        let b = Builder::before(context, op, block);
        let Some((&value, place)) = operands.split_first() else { continue };
        let r#type = value.r#type();
        let arguments = [vec![r#type]];
        let swap = b.op_with("memref.generic_atomic_rmw", place, &[r#type], &[], &arguments);
        b.fill_body(swap, 0, "memref.atomic_yield", |b, old| {
            Ok(vec![b.same(name, &[old[0], value])])
        })?;
        if let Some((old, new)) = op.res(0).zip(swap.res(0)) {
            old.replace_all_uses(new);
        }
        op.erase();
    }
    Ok(())
}
