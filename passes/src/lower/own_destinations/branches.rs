//! Branches that each fill a new array fill one.
//!
//! ```text
//! if c then (f (empty n)) else (g (empty n))  =>  e = empty n in if c then (f e) else (g e)
//! ```
//! Only one branch runs, so that the two never meet; and the result is that one buffer, where
//! otherwise which buffer it is would be known only when the program runs.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt, i32_array};
use melior::ir::{ValueLike, operation::OperationLike};

use crate::support::{builder::same_value, region::is_outside};

/// Gives the branches of every `scf.if` common destinations; returns for how many results.
pub fn share(module: Op<'_>) -> u64 {
    let mut branches = vec![];
    module.for_each(&mut |op| {
        if op.op_name() == "scf.if" {
            branches.push(op);
        }
    });
    let results = branches.into_iter().flat_map(|op| op.result_list());
    results.filter(|&result| share_one(result).is_some()).count() as u64
}

fn share_one(result: Val<'_>) -> Option<()> {
    let branch = result.defining_op()?;
    let yielded = |k: usize| branch.body(k)?.term()?.opnd(result.position());
    let [then, other] = [0, 1].map(|k| yielded(k).and_then(origin));
    let (then, other) = (then?, other?);
    let (sizes, same) = (then.operand_list(), other.operand_list());
    let is_inside = |op: Op<'_>| op.res(0).is_some_and(|value| !is_outside(branch, value));
    let fits = is_inside(then)
        && is_inside(other)
        && then.res(0)?.r#type() == other.res(0)?.r#type()
        && sizes.iter().all(|&size| is_outside(branch, size))
        && sizes.len() == same.len()
        && sizes.iter().zip(&same).all(|(&a, &b)| same_value(a, b));
    let block = branch.block().filter(|_| fits)?;
    let shared = then.clone_detached();
    block.insert_before(branch, shared);
    for old in [then, other] {
        old.res(0)?.replace_all_uses(shared.res(0)?);
        old.erase();
    }
    Some(())
}

/// The new array that a value is written into, step by step, if nothing else is.
fn origin(value: Val<'_>) -> Option<Op<'_>> {
    let op = value.defining_op()?;
    let written = match op.op_name() {
        "tensor.empty" => return (value.users().len() == 1).then_some(op),
        "tensor.insert" | "tensor.insert_slice" => 1,
        "scf.for" => 3 + value.position(),
        name if name.starts_with("linalg.") => {
            let inputs = i32_array(op.attr("operandSegmentSizes")?)?.first().copied()?;
            usize::try_from(inputs).ok()? + value.position()
        }
        _ => return None,
    };
    origin(op.opnd(written)?)
}
