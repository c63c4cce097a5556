//! The thread of an accumulator: from where it begins to its updates.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};

use super::{
    builder::same_value,
    combinator::{array_result_count, input_count},
};

/// The updates inside of a `soac.with_acc` of its accumulator at a position.
pub fn updates<'c>(root: Op<'c>, position: usize) -> Vec<Op<'c>> {
    let argument = root.body(0).and_then(|body| body.arg_list().get(position).copied());
    let mut found = vec![];
    root.for_each(&mut |op| {
        if op.op_name() == "soac.update_acc"
            && let (Some(acc), Some(argument)) = (op.opnd(0), argument)
            && origin(acc).is_some_and(|origin| same_value(origin, argument))
        {
            found.push(op);
        }
    });
    found
}

/// The value in which the thread of an accumulator starts.
pub fn origin(mut acc: Val<'_>) -> Option<Val<'_>> {
    loop {
        let position = acc.position();
        acc = match (acc.defining_op(), acc.owner_block()) {
            (Some(op), _) => match op.op_name() {
                "soac.update_acc" => op.opnd(0)?,
                "soac.map" => {
                    let arrays = array_result_count(op);
                    op.opnd(input_count(op) + position.checked_sub(arrays)?)?
                }
                "scf.for" => op.opnd(position + 3)?,
                "scf.if" | "soac.with_acc" => op.body(0)?.term()?.opnd(position)?,
                _ => return None,
            },
            (None, Some(block)) => {
                let op = melior::ir::BlockLike::parent_operation(&block)?;
                match op.op_name() {
                    "soac.map" => op.opnd(position)?,
                    "scf.for" => op.opnd(position.checked_sub(1)? + 3)?,
                    _ => return Some(acc),
                }
            }
            (None, None) => return None,
        };
    }
}
