//! Sums of several words: `add.cc`, `madc` and their like leave a carry and take it.

use super::{Operation, Plan};
use crate::{
    types::Type,
    value::{Compute, Frame, Slots},
};

/// The family.
pub fn plan(op: &Operation) -> Result<Option<Plan>, String> {
    let takes = match op.name {
        "add" | "sub" | "mad" if op.has("cc") => false,
        "addc" | "subc" | "madc" => true,
        _ => return Ok(None),
    };
    op.allow(&["cc", "lo", "hi"])?;
    let ty = op.ty()?;
    let what = match &op.name[..3] {
        "add" => What::Sum,
        "sub" => What::Difference,
        _ if op.has("hi") => What::High,
        _ if op.has("lo") => What::Low,
        _ => return op.refuse(),
    };
    let count = if matches!(what, What::Sum | What::Difference) { 2 } else { 3 };
    let leaves = op.has("cc");
    let compute = match (ty.is_integer(), ty.bits) {
        (true, 32 | 64) => compute(what, ty, takes, leaves),
        _ => return op.refuse(),
    };
    Ok(Some(Plan::new(ty, &vec![ty; count], compute)))
}

#[derive(Clone, Copy)]
enum What {
    Sum,
    Difference,
    /// The lower half of a product, and a sum.
    Low,
    /// The upper half of a product, and a sum.
    High,
}

fn compute(what: What, ty: Type, takes: bool, leaves: bool) -> Compute {
    let bits = ty.bits;
    let is_signed = ty.kind == crate::types::Kind::Signed;
    Box::new(move |frame: &mut Frame, s: &Slots| {
        let mask = u128::MAX >> (128 - bits);
        let [a, b, c] = [s[1], s[2], s[3]].map(|slot| frame.slots[slot as usize]);
        let carry = u128::from(takes && *frame.carry);
        let (first, second) = match what {
            What::Sum | What::Difference => (u128::from(a), u128::from(b)),
            What::Low => ((u128::from(a) * u128::from(b)) & mask, u128::from(c)),
            What::High => (high(a, b, bits, is_signed) & mask, u128::from(c)),
        };
        let total = match what {
            // The carry of a difference is a borrow.
            What::Difference => first.wrapping_sub(second).wrapping_sub(carry),
            _ => first + second + carry,
        };
        if leaves {
            *frame.carry = (total >> bits) & 1 != 0;
        }
        frame.slots[s[0] as usize] = (total & mask) as u64;
    })
}

/// The upper half of a product.
fn high(a: u64, b: u64, bits: u32, is_signed: bool) -> u128 {
    let product = match (is_signed, bits) {
        (false, _) => return (u128::from(a) * u128::from(b)) >> bits,
        (true, 32) => i128::from(a as i32) * i128::from(b as i32),
        (true, _) => i128::from(a as i64) * i128::from(b as i64),
    };
    (product >> bits) as u128
}
