//! Moves of whole registers and choices; vectors of registers are taken apart and put together in `decode`.

use super::{Operation, Plan};
use crate::{
    program::Class,
    types::{F32, Kind, PRED, S32, Type},
    value::{Compute, ternary, unary},
};

/// The family.
pub fn plan(op: &Operation) -> Result<Option<Plan>, String> {
    let Ok(ty) = op.ty() else { return Ok(None) };
    let (operands, compute): (Vec<Type>, Compute) = match op.name {
        "mov" => (vec![ty], unary(|a: u64| a)),
        "selp" => (vec![ty, ty, PRED], ternary(|a: u64, b: u64, p: bool| if p { a } else { b })),
        "slct" => {
            op.allow(&["ftz"])?;
            let Some(result) = op.types().first().copied() else { return op.refuse() };
            let compute = match ty {
                S32 => ternary(|a: u64, b: u64, c: i32| if c >= 0 { a } else { b }),
                F32 => ternary(|a: u64, b: u64, c: f32| if c >= 0.0 { a } else { b }),
                _ => return op.refuse(),
            };
            return Ok(Some(Plan::new(result, &[result, result, ty], compute)));
        }
        _ => return Ok(None),
    };
    op.allow(&[])?;
    if op.types().len() != 1 || ty.bits == 8 || ty.kind == Kind::Brain {
        return op.refuse();
    }
    let mut plan = Plan::new(ty, &operands, compute);
    plan.class = Class::Integer;
    Ok(Some(plan))
}
