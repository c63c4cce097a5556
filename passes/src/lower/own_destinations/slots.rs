//! What branches fill a new array with is written to where it is inserted.
//!
//! ```text
//! e = empty n                                e = a[i]
//! x = if c then f e else g e        ==>      x = if c then f e else g e
//! a' = a with x in a[i]                      a' = a with x in a[i]
//! ```
//! where nothing else uses `a`, and `x` is only read, before it is inserted. `eliminate-empty-tensors` would replace one of
//! the uses of `e` and not the others, so that `x` would be copied in any case.

use std::collections::HashSet;

use ad_dialect::ir::{Op, OpExt, OpKey, TyExt, Val, ValExt, i32_array};
use melior::{
    Context,
    ir::{BlockLike, ValueLike, operation::OperationLike},
};

use super::may_write;
use crate::support::{
    builder::Builder,
    region::{beside, move_before},
};

/// Replaces the new array in front of a branch that a result of it is written to.
pub fn fill_in_place<'c>(context: &'c Context, result: Val<'c>, empty: Op<'c>) -> Option<()> {
    let branch = result.defining_op()?;
    let block = branch.block()?;
    let inserts = |&(user, operand): &(Op<'c>, usize)| {
        let inserts = ["tensor.insert_slice", "tensor.parallel_insert_slice"];
        inserts.contains(&user.op_name()) && operand == 0 && moment(user).block() == Some(block)
    };
    let (insertions, others): (Vec<_>, Vec<_>) = result.uses().into_iter().partition(inserts);
    let [(insertion, _)] = insertions[..] else { return None };
    let array = insertion.opnd(1).filter(|&array| is_own(array))?;
    let is_only = array
        .users()
        .iter()
        .all(|user| user.key() == insertion.key() || user.op_name() == "tensor.dim");
    let late = Late::of(branch, insertion)?;
    let is_read = |&(user, operand): &(Op<'c>, usize)| {
        let place = beside(user, Some(block)).filter(|place| late.behind.contains(&place.key()));
        place.is_some() && !may_write(user, operand)
    };
    if !is_only || !others.iter().all(is_read) || empty.res(0)?.r#type() != result.r#type() {
        return None;
    }
    late.ops.into_iter().for_each(|op| move_before(context, block, op, empty));
    let b = Builder::before(context, empty, block).with_location(insertion.location());
    let segments = insertion.attr("operandSegmentSizes").and_then(i32_array)?;
    let attributes = [
        ("static_offsets", insertion.attr("static_offsets")?),
        ("static_sizes", insertion.attr("static_sizes")?),
        ("static_strides", insertion.attr("static_strides")?),
        ("operandSegmentSizes", b.i32s_attr(&segments[1..])),
    ];
    let operands = &insertion.operand_list()[1..];
    let slot = b.val_with("tensor.extract_slice", operands, result.r#type(), &attributes);
    empty.res(0)?.replace_all_uses(slot);
    empty.erase();
    Some(())
}

/// Where an insertion happens: those of `scf.forall` are made when an iteration ends.
fn moment(insertion: Op<'_>) -> Op<'_> {
    let end = insertion.parent().filter(|op| op.op_name() == "scf.forall.in_parallel");
    end.unwrap_or(insertion)
}

/// Whether an array has memory that can be written to: a loop carries it, or an operation makes it.
fn is_own(array: Val<'_>) -> bool {
    let Some(maker) = array.defining_op() else {
        let around = array.owner_block().and_then(|block| block.parent_operation());
        return around.is_some_and(|op| matches!(op.op_name(), "scf.for" | "scf.forall"));
    };
    let name = maker.op_name();
    name.starts_with("linalg.")
        || ["tensor.empty", "tensor.insert", "tensor.insert_slice"].contains(&name)
        || ["scf.for", "scf.forall", "bufferization.alloc_tensor"].contains(&name)
}

/// Numbers that are computed between a branch and an insertion, and need not be.
struct Late<'c> {
    /// The branch and everything up to the insertion.
    behind: HashSet<OpKey>,
    known: HashSet<OpKey>,
    /// What computes the numbers, in order.
    ops: Vec<Op<'c>>,
}

impl<'c> Late<'c> {
    /// Those that an insertion needs to know where it inserts; none if it needs anything else from there.
    fn of(branch: Op<'c>, insertion: Op<'c>) -> Option<Self> {
        let behind = std::iter::successors(branch.next(), |op| op.next())
            .take_while(|op| op.key() != moment(insertion).key())
            .map(|op| op.key());
        let behind = behind.chain([branch.key()]).collect();
        let mut late = Self { behind, known: HashSet::new(), ops: vec![] };
        insertion.operand_list()[1..].iter().try_for_each(|&operand| late.visit(operand))?;
        Some(late)
    }

    fn visit(&mut self, value: Val<'c>) -> Option<()> {
        let op = value.defining_op().filter(|op| self.behind.contains(&op.key()));
        let Some(op) = op.filter(|op| !self.known.contains(&op.key())) else { return Some(()) };
        let is_number = op.op_name().starts_with("arith.") && value.r#type().as_tensor().is_none();
        if !is_number && op.op_name() != "tensor.dim" {
            return None;
        }
        op.operand_list().into_iter().try_for_each(|operand| self.visit(operand))?;
        self.known.insert(op.key());
        self.ops.push(op);
        Some(())
    }
}
