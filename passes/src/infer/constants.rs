//! Integers and truth values that are known before the program runs.

use ad_dialect::ir::{Op, OpExt, TyExt, Val, int_of};
use melior::ir::{Type, ValueLike};

use super::{
    property::{Conflict, Facts, Property},
    shapes::Shapes,
};

/// The property: which number a value is, if it is one.
pub struct Constants;

impl Property for Constants {
    type Fact = Option<i64>;

    fn of_type(&self, _type: Type<'_>) -> Option<i64> {
        None
    }

    fn join(&self, a: &Option<i64>, b: &Option<i64>) -> Option<i64> {
        a.filter(|_| a == b)
    }

    fn transfer<'c>(
        &self,
        op: Op<'c>,
        facts: &Facts<'c>,
    ) -> Result<Option<Vec<Option<i64>>>, Conflict> {
        Ok(number(op, facts).map(|number| vec![Some(number)]))
    }
}

/// The number that an operation gives.
fn number<'c>(op: Op<'c>, facts: &Facts<'c>) -> Option<i64> {
    let result = op.res(0)?.r#type();
    if !result.is_int_or_index_type() {
        return None;
    }
    let of = |i| known(op.opnd(i)?, facts);
    let shape = || facts.get::<Shapes>(op.opnd(0)?)?.sizes();
    match op.op_name() {
        "arith.constant" => int_of(op.attr("value")?),
        "arith.index_cast" => of(0),
        "arith.addi" => of(0)?.checked_add(of(1)?),
        "arith.subi" => of(0)?.checked_sub(of(1)?),
        "arith.muli" => of(0)?.checked_mul(of(1)?),
        "arith.divsi" => of(0)?.checked_div(of(1)?),
        "arith.remsi" => of(0)?.checked_rem(of(1)?),
        "arith.maxsi" => Some(of(0)?.max(of(1)?)),
        "arith.minsi" => Some(of(0)?.min(of(1)?)),
        "arith.select" => of(if of(0)? == 0 { 2 } else { 1 }),
        "arith.cmpi" => Some(i64::from(compare(int_of(op.attr("predicate")?)?, of(0)?, of(1)?)?)),
        "tensor.rank" => i64::try_from(shape()?.len()).ok(),
        "tensor.dim" => {
            let dimension = usize::try_from(of(1)?).ok()?;
            *shape()?.get(dimension)?
        }
        _ => None,
    }
    .filter(|number| fits(*number, result))
}

/// Numbers that wrap around are left to who knows how.
fn fits(number: i64, r#type: Type<'_>) -> bool {
    let is = |width: u32| {
        melior::ir::r#type::IntegerType::try_from(r#type).is_ok_and(|t| t.width() == width)
    };
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

/// The number that a value is known to be.
pub fn known<'c>(value: Val<'c>, facts: &Facts<'c>) -> Option<i64> {
    facts.get::<Constants>(value).flatten()
}
