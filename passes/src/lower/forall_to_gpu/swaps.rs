//! Atomic updates that memory does not have compare and swap.

use ad_dialect::ir::{Op, OpExt, ValExt, int_of};
use melior::{
    Context,
    ir::{ValueLike, operation::OperationLike},
};

use crate::support::{
    atomic::{MULTIPLY_FLOAT, MULTIPLY_INTEGER},
    builder::Builder,
    diag::Result,
};

/// Updates that no processor has, by their kinds.
pub const NOWHERE: &[(i64, &str)] =
    &[(MULTIPLY_FLOAT, "arith.mulf"), (MULTIPLY_INTEGER, "arith.muli")];
/// Those that kernels do not have, either.
pub const NOT_IN_KERNELS: &[(i64, &str)] = &[
    (4, "arith.maximumf"),
    (5, "arith.maxnumf"),
    (8, "arith.minimumf"),
    (9, "arith.minnumf"),
    (MULTIPLY_FLOAT, "arith.mulf"),
    (MULTIPLY_INTEGER, "arith.muli"),
    (15, "arith.xori"),
];

/// Replaces updates of some kinds, each with the operation that makes the new element.
pub fn become_swaps<'c>(
    context: &'c Context,
    root: Op<'c>,
    kinds: &[(i64, &'static str)],
) -> Result<()> {
    let mut updates = vec![];
    root.for_each(&mut |op| {
        let kind = op.attr("kind").and_then(int_of);
        let name = kinds.iter().find(|(own, _)| Some(*own) == kind).map(|(_, name)| *name);
        updates.extend(name.filter(|_| op.op_name() == "memref.atomic_rmw").map(|name| (op, name)));
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
