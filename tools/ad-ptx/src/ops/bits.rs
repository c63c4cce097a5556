//! Logic, shifts, fields and counts of bits.

use super::{Operation, Plan, by_integer};
use crate::{
    types::{B32, Kind, PRED, Type, U32},
    value::{Compute, binary, ternary, unary},
};

/// The family.
pub fn plan(op: &Operation) -> Result<Option<Plan>, String> {
    const NAMES: [&str; 16] = [
        "and", "or", "xor", "not", "cnot", "shl", "shr", "shf", "bfe", "bfi", "brev", "clz",
        "popc", "bfind", "prmt", "lop3",
    ];
    if !NAMES.contains(&op.name) {
        return Ok(None);
    }
    let ty = op.ty()?;
    let plan = match op.name {
        "and" | "or" | "xor" | "not" | "cnot" => logic(op, ty),
        "shl" | "shr" => shift(op, ty),
        "shf" => funnel(op, ty),
        "bfe" | "bfi" => field(op, ty),
        "prmt" | "lop3" => {
            op.allow(&["b32"])?;
            let compute = if op.name == "prmt" { ternary(permute) } else { lookup() };
            let operands = if op.name == "prmt" { vec![B32; 3] } else { vec![B32; 4] };
            Some(Plan::new(B32, &operands, compute))
        }
        _ => count(op, ty),
    };
    op.allow(&["l", "r", "wrap", "clamp", "shiftamt"])?;
    plan.map_or_else(|| op.refuse(), |plan| Ok(Some(plan)))
}

fn logic(op: &Operation, ty: Type) -> Option<Plan> {
    if ty == PRED {
        let compute = match op.name {
            "and" => binary(|a: bool, b: bool| a & b),
            "or" => binary(|a: bool, b: bool| a | b),
            "xor" => binary(|a: bool, b: bool| a ^ b),
            "not" => unary(|a: bool| !a),
            _ => return None,
        };
        let count = if op.name == "not" { 1 } else { 2 };
        return Some(Plan::new(PRED, &vec![PRED; count], compute));
    }
    if ty.kind != Kind::Bits || ty.bits == 8 {
        return None;
    }
    let compute = by_integer!(ty, T => match op.name {
        "and" => binary(|a: T, b: T| a & b),
        "or" => binary(|a: T, b: T| a | b),
        "xor" => binary(|a: T, b: T| a ^ b),
        "not" => unary(|a: T| !a),
        _ => unary(|a: T| T::from(a == 0)),
    })?;
    let count = if matches!(op.name, "not" | "cnot") { 1 } else { 2 };
    Some(Plan::new(ty, &vec![ty; count], compute))
}

/// Amounts that are not below the width shift everything out.
fn shift(op: &Operation, ty: Type) -> Option<Plan> {
    let left = op.name == "shl";
    if ty.bits == 8 || left && ty.kind != Kind::Bits {
        return None;
    }
    let compute = by_integer!(ty, T => match left {
        true => binary(|a: T, n: u32| a.checked_shl(n).unwrap_or(0)),
        false => binary(|a: T, n: u32| a >> n.min(T::BITS - 1) >> u32::from(n >= T::BITS)),
    })?;
    Some(Plan::new(ty, &[ty, U32], compute))
}

/// Shifts two words and gives one.
fn funnel(op: &Operation, ty: Type) -> Option<Plan> {
    let left = op.has("l");
    let wraps = op.has("wrap");
    if ty != B32 || left == op.has("r") || wraps == op.has("clamp") {
        return None;
    }
    let compute = ternary(move |low: u32, high: u32, n: u32| {
        let n = if wraps { n & 31 } else { n.min(32) };
        let both = u64::from(high) << 32 | u64::from(low);
        if left { ((both << n) >> 32) as u32 } else { (both >> n) as u32 }
    });
    Some(Plan::new(B32, &[B32, B32, U32], compute))
}

fn field(op: &Operation, ty: Type) -> Option<Plan> {
    if ty.bits < 32 {
        return None;
    }
    let bits = ty.bits;
    if op.name == "bfi" {
        let compute: Compute = Box::new(move |frame, s| {
            let [a, b, at, length] = [s[1], s[2], s[3], s[4]].map(|slot| frame.get::<u64>(slot));
            let (at, length) = ((at & 255) as u32, (length & 255) as u32);
            let mask = ones(length).checked_shl(at).unwrap_or(0);
            let moved = a.checked_shl(at).unwrap_or(0);
            let all = (b & !mask | moved & mask) & ones(bits);
            frame.set(s[0], all);
        });
        return (ty.kind == Kind::Bits).then(|| Plan::new(ty, &[ty, ty, U32, U32], compute));
    }
    let signed = ty.kind == Kind::Signed;
    let compute = ternary(move |a: u64, at: u32, length: u32| {
        let (at, length) = (at & 255, length & 255);
        if length == 0 {
            return 0;
        }
        let taken = a.checked_shr(at).unwrap_or(0) & ones(length);
        let top = (at + length - 1).min(bits - 1);
        let fills = signed && a >> top & 1 != 0;
        // Above the last bit that there is, the sign goes on, too.
        let present = bits.saturating_sub(at).min(length);
        let filled = if fills { taken | !ones(present) } else { taken };
        filled & ones(bits)
    });
    (ty.kind != Kind::Bits).then(|| Plan::new(ty, &[ty, U32, U32], compute))
}

/// So many ones.
fn ones(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

fn count(op: &Operation, ty: Type) -> Option<Plan> {
    if ty.bits < 32 {
        return None;
    }
    let from_top = op.has("shiftamt");
    let compute = by_integer!(ty, T => match op.name {
        "brev" => unary(T::reverse_bits),
        "clz" => unary(|a: T| a.leading_zeros()),
        "popc" => unary(|a: T| a.count_ones()),
        _ => unary(move |a: T| {
            #[allow(unused_comparisons, clippy::absurd_extreme_comparisons)]
            let zeros = if a < 0 { (!a).leading_zeros() } else { a.leading_zeros() };
            match zeros {
                T::BITS => u32::MAX,
                _ if from_top => zeros,
                _ => T::BITS - 1 - zeros,
            }
        }),
    })?;
    let result = if op.name == "brev" { ty } else { U32 };
    let is_bits = ty.kind == Kind::Bits;
    (is_bits != (op.name == "bfind")).then(|| Plan::new(result, &[ty], compute))
}

/// Chooses four bytes of eight, or the sign of each.
fn permute(a: u32, b: u32, selection: u32) -> u32 {
    let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    let chosen = [0, 4, 8, 12].map(|at| {
        let nibble = selection >> at;
        let byte = bytes[(nibble & 7) as usize];
        if nibble & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 }
    });
    u32::from_le_bytes(chosen)
}

/// A function of three bits, given as a table.
fn lookup() -> Compute {
    Box::new(|frame, s| {
        let [a, b, c, table] = [s[1], s[2], s[3], s[4]].map(|slot| frame.get::<u32>(slot));
        let result = (0..8).filter(|row| table >> row & 1 != 0).fold(0, |found, row: u32| {
            let side = |value: u32, bit: u32| if row & bit != 0 { value } else { !value };
            found | side(a, 4) & side(b, 2) & side(c, 1)
        });
        frame.set(s[0], result);
    })
}
