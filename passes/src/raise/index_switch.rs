//! Raises `scf.index_switch` to branches one inside the other.

use ad_dialect::ir::{BlkExt, Op, OpExt, Val, i64_array};
use melior::ir::{Type, ValueLike};

use crate::support::{
    builder::{Builder, CMP_EQ, CMP_SLT, CMP_ULT},
    diag::{Result, internal_error},
};

/// From so many cases on that follow each other, halves are chosen in place of one case after the other.
const MANY: usize = 5;

/// `if i == case_0 then .. else if i == case_1 then .. else default`; where cases are many and follow each other
/// `if 0 <= i < n then (if i < n / 2 then .. else ..) else default`, so that branches are not as deep as they are many.
pub fn index_switch<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let (Some(index), Some(cases)) = (op.opnd(0), op.attr("cases").and_then(i64_array)) else {
        return Err(internal_error(op, "switch without cases"));
    };
    let types = op.result_list().iter().map(|result| result.r#type()).collect();
    let switch = Switch { op, index, types };
    // The default region is the first one.
    let mut cases: Vec<_> = cases.into_iter().zip(1..).collect();
    let mut sorted = cases.clone();
    sorted.sort_unstable();
    if cases.len() >= MANY && sorted.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1) {
        cases = sorted;
        let first = b.sub(index, b.index(cases[0].0));
        let is_case = b.compare(CMP_ULT, first, b.index(cases.len() as i64));
        let new = b.if_else(is_case, &switch.types, |b, is_case| match is_case {
            true => switch.halves(&b, &cases),
            false => Ok(moved(&b, op, 0)),
        })?;
        return Ok(Some(new.result_list()));
    }
    switch.one_by_one(b, &cases).map(Some)
}

struct Switch<'c> {
    op: Op<'c>,
    index: Val<'c>,
    types: Vec<Type<'c>>,
}

impl<'c> Switch<'c> {
    /// The branches for cases and their regions, and the default.
    fn one_by_one(&self, b: &Builder<'c>, cases: &[(i64, usize)]) -> Result<Vec<Val<'c>>> {
        let Some((&(case, region), rest)) = cases.split_first() else {
            return Ok(moved(b, self.op, 0));
        };
        let condition = b.compare(CMP_EQ, self.index, b.index(case));
        let new = b.if_else(condition, &self.types, |b, taken| match taken {
            true => Ok(moved(&b, self.op, region)),
            false => self.one_by_one(&b, rest),
        })?;
        Ok(new.result_list())
    }

    /// The branches for cases in their order, of which it is one.
    fn halves(&self, b: &Builder<'c>, cases: &[(i64, usize)]) -> Result<Vec<Val<'c>>> {
        if let [(_, region)] = cases {
            return Ok(moved(b, self.op, *region));
        }
        let (low, high) = cases.split_at(cases.len() / 2);
        let is_low = b.compare(CMP_SLT, self.index, b.index(high[0].0));
        let new = b.if_else(is_low, &self.types, |b, is_low| {
            self.halves(&b, if is_low { low } else { high })
        })?;
        Ok(new.result_list())
    }
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
