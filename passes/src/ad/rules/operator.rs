//! What the operator of a reduction, scan or hist is.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, ValExt};

/// Whether the operator applies one of the operations to each component by itself:
/// to both operands in either order, also elementwise on rows, as one operation on
/// tensors or as a map.
pub fn is_each(op: Op<'_>, names: &[&str]) -> bool {
    let (Some(body), count) = (op.body(0), op.result_list().len()) else { return false };
    let arguments = body.arg_list();
    let (left, right) = arguments.split_at(count.min(arguments.len()));
    let yielded = body.term().map(|t| t.operand_list()).unwrap_or_default();
    left.iter().zip(right).zip(yielded).all(|((&l, &r), value)| combines(value, l, r, names))
}

/// Whether the value is one of the operations on l and r, or a map that combines
/// their elements in this way.
fn combines<'c>(value: Val<'c>, l: Val<'c>, r: Val<'c>, names: &[&str]) -> bool {
    let Some(op) = value.defining_op() else { return false };
    let of: Vec<_> = op.operand_list().iter().map(ValExt::key).collect();
    if of != [l.key(), r.key()] && of != [r.key(), l.key()] {
        return false;
    }
    let Some(body) = op.body(0).filter(|_| op.op_name() == "soac.map") else {
        return names.contains(&op.op_name());
    };
    let yielded = body.term().and_then(|end| end.opnd(value.position()));
    match (yielded, &body.arg_list()[..]) {
        (Some(inner), &[a, b]) => combines(inner, a, b, names),
        _ => false,
    }
}
