//! What `expand_shape` and `collapse_shape` say of sizes.

use ad_dialect::ir::{DYNAMIC, Op, OpExt, i64_array};
use melior::ir::attribute::{ArrayAttribute, IntegerAttribute};

use super::extent::Extent;

/// The groups of dimensions, of the result or of the operand, that each make one dimension of the other.
pub fn groups(op: Op<'_>) -> Option<Vec<Vec<usize>>> {
    let all = ArrayAttribute::try_from(op.attr("reassociation")?).ok()?;
    let group = |i| {
        let group = ArrayAttribute::try_from(all.element(i).ok()?).ok()?;
        let number = |j| IntegerAttribute::try_from(group.element(j).ok()?).ok();
        (0..group.len()).map(|j| Some(number(j)?.value() as usize)).collect()
    };
    (0..all.len()).map(group).collect()
}

/// The sizes of the result of an `expand_shape`, as it is given them: numbers, or values.
pub fn expanded<'c>(op: Op<'c>) -> Option<Vec<Extent<'c>>> {
    let statics = i64_array(op.attr("static_output_shape")?)?;
    let mut operands = op.operand_list().into_iter().skip(1);
    let given = statics.into_iter().map(|size| match size {
        DYNAMIC => operands.next().map(Extent::Value),
        size => Some(Extent::Known(size)),
    });
    given.collect()
}
