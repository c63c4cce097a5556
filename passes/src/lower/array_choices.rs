//! `lower-array-choices`: a choice between arrays is a branch.
//!
//! ```text
//! select c, a, b : tensor<?xf64>   ==>   if c then a else b
//! index_switch k, 0: as, 1: bs, cs : tensor<?xf64>   ==>   if k = 0 then as else if k = 1 then bs else cs
//! ```
//! The arrays may have different sizes, so that the choice is none of elements, for which upstream's
//! `convert-elementwise-to-linalg` takes it. Canonicalisation makes it of a branch. Of `scf.index_switch`, upstream's
//! one-shot bufferisation (LLVM 22) does not know that two results may be one array, and overwrites it.

use ad_dialect::ir::{Blk, BlkExt, Op, OpExt, Val, ValExt, i64_array};
use melior::{
    Context,
    ir::{Type, TypeLike, ValueLike, operation::OperationLike},
};

use crate::support::{
    builder::{Builder, CMP_EQ},
    diag::Result,
};

/// Runs the pass on a module; returns how many choices became branches.
pub fn run<'c>(context: &'c Context, module: Op<'c>) -> Result<u64> {
    let (mut selects, mut switches) = (vec![], vec![]);
    module.for_each(&mut |op| match op.op_name() {
        "arith.select" => selects.push(op),
        "scf.index_switch" => switches.push(op),
        _ => {}
    });
    selects.retain(|op| {
        op.opnd(0).is_some_and(|condition| !condition.r#type().is_tensor())
            && op.opnd(1).is_some_and(|array| array.r#type().is_tensor())
    });
    switches.retain(|op| op.result_list().iter().any(|result| result.r#type().is_tensor()));
    let count = (selects.len() + switches.len()) as u64;
    for op in selects {
        let operands = op.operand_list();
        let (&[condition, yes, no], Some(block)) = (&operands[..], op.block()) else { continue };
        let b = Builder::before(context, op, block);
        let branch = b.if_else(condition, &[yes.r#type()], |_, is_yes| {
            Ok(vec![if is_yes { yes } else { no }])
        })?;
        replace(op, &branch.result_list());
    }
    for op in switches {
        let blocks = op.blocks();
        let numbers = op.attr("cases").and_then(i64_array).unwrap_or_default();
        let (Some(which), Some((&default, ways))) = (op.opnd(0), blocks.split_first()) else {
            continue;
        };
        let Some(block) = op.block() else { continue };
        let types: Vec<Type<'c>> = op.result_list().iter().map(|result| result.r#type()).collect();
        let ways: Vec<(i64, Blk<'c>)> = numbers.into_iter().zip(ways.iter().copied()).collect();
        let b = Builder::before(context, op, block);
        let chosen = choose(&b, which, &ways, default, &types)?;
        replace(op, &chosen);
    }
    Ok(count)
}

fn replace<'c>(op: Op<'c>, new: &[Val<'c>]) {
    for (old, &new) in op.result_list().into_iter().zip(new) {
        old.replace_all_uses(new);
    }
    op.erase();
}

/// What the way of a number yields, or another one if it has none.
fn choose<'c>(
    b: &Builder<'c>,
    which: Val<'c>,
    ways: &[(i64, Blk<'c>)],
    default: Blk<'c>,
    types: &[Type<'c>],
) -> Result<Vec<Val<'c>>> {
    let Some((&(number, way), others)) = ways.split_first() else { return Ok(inline(b, default)) };
    let is_it = b.compare(CMP_EQ, which, b.index(number));
    let branch = b.if_else(is_it, types, |b, is_yes| match is_yes {
        true => Ok(inline(&b, way)),
        false => choose(&b, which, others, default, types),
    })?;
    Ok(branch.result_list())
}

/// Moves what is in a block to a builder's position; gives what it yields.
fn inline<'c>(b: &Builder<'c>, block: Blk<'c>) -> Vec<Val<'c>> {
    for op in block.body_ops() {
        op.detach();
        b.insert(op);
    }
    block.term().map(|end| end.operand_list()).unwrap_or_default()
}
