//! Integers that arithmetic makes of known ones.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, ValExt, int_of};
use melior::{
    Context,
    ir::{Type, ValueLike, operation::OperationLike, r#type::IntegerType},
};

use super::builder::Builder;

/// The value of an integer that arithmetic makes of constants, although nobody has folded it yet; a truth value is 0 or another
/// number.
pub fn folded(value: Val<'_>) -> Option<i64> {
    let op = value.defining_op()?;
    arithmetic(op, &|i| folded(op.opnd(i)?))
}

/// The number that an operation gives, if the numbers of the operands that it takes are known.
pub fn arithmetic<'c>(op: Op<'c>, of: &dyn Fn(usize) -> Option<i64>) -> Option<i64> {
    let result = op.res(0)?.r#type();
    if !result.is_int_or_index_type() {
        return None;
    }
    match op.op_name() {
        "arith.constant" => int_of(op.attr("value")?),
        "arith.index_cast" => of(0),
        "arith.addi" => of(0)?.checked_add(of(1)?),
        "arith.subi" => of(0)?.checked_sub(of(1)?),
        "arith.muli" => of(0)?.checked_mul(of(1)?),
        "arith.divsi" => of(0)?.checked_div(of(1)?),
        "arith.remsi" => of(0)?.checked_rem(of(1)?),
        "arith.divui" => {
            let (a, b) = (of(0)?, of(1)?);
            (a >= 0 && b > 0).then(|| a / b)
        }
        "arith.ceildivsi" => {
            let (a, b) = (of(0)?, of(1)?);
            (b > 0).then(|| a.div_euclid(b) + i64::from(a.rem_euclid(b) != 0))
        }
        "arith.andi" => Some(of(0)? & of(1)?),
        "arith.ori" => Some(of(0)? | of(1)?),
        "arith.maxsi" => Some(of(0)?.max(of(1)?)),
        "arith.minsi" => Some(of(0)?.min(of(1)?)),
        "arith.select" => of(if of(0)? == 0 { 2 } else { 1 }),
        "arith.cmpi" => Some(i64::from(compare(int_of(op.attr("predicate")?)?, of(0)?, of(1)?)?)),
        _ => None,
    }
    .filter(|number| fits(*number, result))
}

/// Makes constants of the indices and truth values among some operations, in order, that arithmetic makes of constants.
pub fn fold_all<'c>(context: &'c Context, ops: &[Op<'c>]) {
    for &op in ops.iter().filter(|op| op.op_name() != "arith.constant") {
        let (Some(result), Some(block)) = (op.res(0), op.block()) else { continue };
        let r#type = result.r#type();
        let Some(number) = folded(result) else { continue };
        let b = Builder::before(context, op, block).with_location(op.location());
        if r#type == b.index_type() {
            result.replace_all_uses(b.index(number));
        } else if r#type == b.bool_type() {
            result.replace_all_uses(b.truth(number != 0));
        }
    }
}

/// Numbers that wrap around are left to who knows how.
fn fits(number: i64, r#type: Type<'_>) -> bool {
    let is = |width: u32| IntegerType::try_from(r#type).is_ok_and(|t| t.width() == width);
    match () {
        () if is(1) => matches!(number, -1..=1),
        () if is(8) => i8::try_from(number).is_ok(),
        () if is(16) => i16::try_from(number).is_ok(),
        () if is(32) => i32::try_from(number).is_ok(),
        () => true,
    }
}

/// A comparison with a predicate of `arith.cmpi`, signed ones only.
fn compare(predicate: i64, a: i64, b: i64) -> Option<bool> {
    Some(match predicate {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a <= b,
        4 => a > b,
        5 => a >= b,
        _ => return None,
    })
}
