//! Raises `scf.for` with unsigned bounds to one that counts iterations from zero.

use ad_dialect::ir::{Op, OpExt, Val};
use melior::ir::{Attribute, Type, ValueLike, attribute::IntegerAttribute, r#type::IntegerType};

use crate::support::{builder::Builder, diag::Result, region::move_body};

/// The number of `arith.cmpi`'s predicate "unsigned less".
const UNSIGNED_LESS: i64 = 6;

/// `for i = l to u step s` as `for k = 0 to ceil((u - l)/s)` with `i = l + k s`; signed
/// loops stay.
pub fn unsigned_for<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Option<Vec<Val<'c>>>> {
    let operands = op.operand_list();
    let (Some(body), [lower, upper, step, inits @ ..]) = (op.body(0), &operands[..]) else {
        return Ok(None);
    };
    if op.attr("unsignedCmp").is_none() {
        return Ok(None);
    }
    let constant = |value| int(b, lower.r#type(), value);
    let (zero, one) = (constant(0), constant(1));
    let less = [("predicate", b.i64_attr(UNSIGNED_LESS))];
    let runs = b.val_with("arith.cmpi", &[*lower, *upper], b.bool_type(), &less);
    let length = b.sub(*upper, *lower);
    let count = b.select(runs, b.same("arith.ceildivui", &[length, *step]), zero);
    // Of a short type it may be too large for its sign.
    let is_short = IntegerType::try_from(lower.r#type()).is_ok_and(|r#type| r#type.width() < 64);
    let bounds = match is_short {
        true => [b.index(0), b.val("arith.index_castui", &[count], b.index_type()), b.index(1)],
        false => [zero, count, one],
    };
    let new = b.for_loop(bounds, inits, |inner, k, carried| {
        let k = inner.index_as(k, lower.r#type());
        let i = inner.add(*lower, inner.mul(k, *step));
        Ok(move_body(&inner, body, &[&[i], carried].concat()))
    })?;
    Ok(Some(new.result_list()))
}

fn int<'c>(b: &Builder<'c>, r#type: Type<'c>, value: i64) -> Val<'c> {
    let value: Attribute<'c> = IntegerAttribute::new(r#type, value).into();
    b.val_with("arith.constant", &[], r#type, &[("value", value)])
}
