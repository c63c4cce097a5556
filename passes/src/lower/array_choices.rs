//! `lower-array-choices`: a choice between two arrays is a branch.
//!
//! ```text
//! select c, a, b : tensor<?xf64>   ==>   if c then a else b
//! ```
//! The arrays may have different sizes, so that the choice is none of elements, for which upstream's
//! `convert-elementwise-to-linalg` takes it. Canonicalisation makes it of a branch.

use ad_dialect::ir::{Op, OpExt, ValExt};
use melior::{
    Context,
    ir::{TypeLike, ValueLike, operation::OperationLike},
};

use crate::support::{builder::Builder, diag::Result};

/// Runs the pass on a module; returns how many choices became branches.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let mut choices = vec![];
    module.for_each(&mut |op| {
        let chooses = op.op_name() == "arith.select"
            && op.opnd(0).is_some_and(|condition| !condition.r#type().is_tensor())
            && op.opnd(1).is_some_and(|array| array.r#type().is_tensor());
        if chooses {
            choices.push(op);
        }
    });
    let count = choices.len() as u64;
    for op in choices {
        let operands = op.operand_list();
        let (&[condition, yes, no], Some(block)) = (&operands[..], op.block()) else { continue };
        let b = Builder::before(context, op, block);
        let branch = b.if_else(condition, &[yes.r#type()], |_, is_yes| {
            Ok(vec![if is_yes { yes } else { no }])
        })?;
        if let (Some(old), Some(new)) = (op.res(0), branch.res(0)) {
            old.replace_all_uses(new);
        }
        op.erase();
    }
    Ok(count)
}
