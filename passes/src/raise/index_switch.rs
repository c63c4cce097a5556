//! Raises `scf.index_switch` to branches one inside the other.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, i64_array};
use melior::ir::{Type, ValueLike};

use crate::support::{
    builder::Builder,
    diag::{Result, internal_error},
};

/// `if i == case_0 then .. else if i == case_1 then .. else default`
pub fn index_switch<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let (Some(index), Some(cases)) = (op.opnd(0), op.attr("cases").and_then(i64_array)) else {
        return Err(internal_error(op, "switch without cases"));
    };
    let types: Vec<_> = op.result_list().iter().map(|result| result.r#type()).collect();
    branches(b, op, index, &cases, &types).map(Some)
}

/// The branches for the remaining cases; the default region is the first one.
fn branches<'c>(
    b: &Builder<'c>,
    op: Op<'c>,
    index: Val<'c>,
    cases: &[i64],
    types: &[Type<'c>],
) -> Result<Vec<Val<'c>>> {
    let Some((&case, rest)) = cases.split_first() else { return Ok(moved(b, op, 0)) };
    let region = op.blocks().len() - cases.len();
    let equal = [("predicate", b.i64_attr(0))];
    let condition = b.val_with("arith.cmpi", &[index, b.index(case)], b.bool_type(), &equal);
    let new = b.if_else(condition, types, |inner, taken| {
        if taken { Ok(moved(&inner, op, region)) } else { branches(&inner, op, index, rest, types) }
    })?;
    Ok(new.result_list())
}

/// Moves the operations of a region here; returns what it yields.
fn moved<'c>(b: &Builder<'c>, op: Op<'c>, region: usize) -> Vec<Val<'c>> {
    let Some(body) = op.body(region) else { return vec![] };
    let yielded = body.ends();
    for inner in body.body_ops() {
        inner.detach();
        b.insert(inner);
    }
    yielded
}
