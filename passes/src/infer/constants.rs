//! Integers and truth values that are known before the program runs.

use ad_dialect::ir::{Op, OpExt, Val};
use melior::ir::Type;

use super::{
    property::{Conflict, Facts, Property},
    shapes::Shapes,
};
use crate::support::fold::arithmetic;

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
    let of = |i| known(op.opnd(i)?, facts);
    let shape = || facts.get::<Shapes>(op.opnd(0)?)?.sizes();
    match op.op_name() {
        "tensor.rank" => i64::try_from(shape()?.len()).ok(),
        "tensor.dim" => {
            let dimension = usize::try_from(of(1)?).ok()?;
            *shape()?.get(dimension)?
        }
        _ => arithmetic(op, &of),
    }
}

/// The number that a value is known to be.
pub fn known<'c>(value: Val<'c>, facts: &Facts<'c>) -> Option<i64> {
    facts.get::<Constants>(value).flatten()
}
